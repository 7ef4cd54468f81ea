/** Background jobs of a whole narnat: they survive a stop and /clear, and end with it however it ends. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { alive, eventually, uniqueSleep } from "../support/processes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

/** Two processors are shared with other tests. */
const GONE_MS = 10_000;

interface Stage {
  readonly child: Deno.ChildProcess;
  /** Sends a line of stream-json. */
  send(line: object): Promise<void>;
  /** Resolves with the next unseen event that passes. */
  // deno-lint-ignore no-explicit-any -- events, read freely
  until(test: (event: any) => boolean): Promise<any>;
  /** Closes stdin and resolves with the exit code. */
  end(): Promise<number>;
}

/** narnat with a model that makes `replies`, driven line by line. */
async function onStage(
  replies: readonly Reply[],
  use: (stage: Stage) => Promise<void>,
  more: readonly string[] = [],
): Promise<void> {
  await withWorkspace({ "w/.keep": "" }, async (dir) => {
    const provider = await startFakeProvider(replies);
    const child = new Deno.Command(BUNDLED.command, {
      args: [
        ...BUNDLED.args,
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        ...more,
      ],
      cwd: join(dir, "w"),
      clearEnv: true,
      env: {
        ...cleanEnv(join(dir, "home")),
        NARNAT_API_KEY: "k-123456",
        NARNAT_BASE_URL: provider.url,
        NARNAT_MODEL: "fake",
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const writer = child.stdin.getWriter();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const next = async () => {
      while (!text.includes("\n")) {
        const { done, value } = await reader.read();
        if (done) throw new Error("narnat has ended");
        text += value;
      }
      const at = text.indexOf("\n");
      const line = text.slice(0, at);
      text = text.slice(at + 1);
      return JSON.parse(line);
    };
    try {
      await use({
        child,
        send: (line) => writer.write(new TextEncoder().encode(JSON.stringify(line) + "\n")),
        async until(test) {
          for (let event = await next();; event = await next()) if (test(event)) return event;
        },
        async end() {
          await writer.close();
          return (await child.status).code;
        },
      });
    } finally {
      await reader.cancel().catch(() => {});
      await writer.close().catch(() => {});
      try {
        child.kill("SIGKILL");
      } catch { /* it has ended */ }
      await child.status;
      await provider.close();
    }
  });
}

const bash = (input: { [key: string]: string | boolean }): Reply => ({
  calls: [{ name: "Bash", input }],
});
const user = (text: string) => ({ type: "user", text });
const turnEnd = (event: { type: string }) => event.type === "turn_end";
const toolEnd = (event: { type: string }) => event.type === "tool_end";

/** A job, a left-over and what has escaped the group: three sleeps. */
const starts = (sleep: string): Reply[] => [
  bash({ command: `setsid ${sleep} & ${sleep}`, run_in_background: true, job: "dev" }),
  bash({ command: `nohup ${sleep} >/dev/null 2>&1 &` }),
  { text: "Started." },
];

slow("a job survives a stop and /clear, and ends with the session", async () => {
  const sleep = uniqueSleep();
  const replies = [
    ...starts(sleep),
    bash({ job: "dev", action: "wait" }),
    bash({ action: "list" }),
    { text: "They run." },
  ];
  await onStage(replies, async ({ send, until, end }) => {
    await send(user("start"));
    await until(turnEnd);
    assert.equal(await alive(sleep), 3);
    await send(user("wait"));
    await until((event) => event.type === "tool_start");
    await send({ type: "stop" });
    assert.equal((await until(turnEnd)).reason, "interrupted");
    await send(user("/clear"));
    await until(turnEnd);
    await send(user("what runs?"));
    const listed = await until(toolEnd);
    assert.match(listed.text, /1\. \[job dev is running[^]*2\. \[job \S+ is running/);
    await until(turnEnd);
    assert.equal(await alive(sleep), 3);
    assert.equal(await end(), 0);
    assert.equal(await alive(sleep), 0);
  });
});

slow("a resumed session is told that its job ended with the narnat that started it", async () => {
  const sleep = uniqueSleep();
  const replies = [...starts(sleep), bash({ job: "dev" }), { text: "Gone." }];
  await withWorkspace({ "w/.keep": "" }, async (dir) => {
    const provider = await startFakeProvider(replies);
    const run = (...args: string[]) =>
      runNarnat(BUNDLED, args, {
        cwd: join(dir, "w"),
        stdin: "",
        env: { NARNAT_API_KEY: "k-123456", NARNAT_BASE_URL: provider.url, NARNAT_MODEL: "fake" },
      });
    try {
      assert.equal((await run("-p", "start")).code, 0);
      assert.equal(await alive(sleep), 0);
      assert.equal((await run("-c", "-p", "read dev")).code, 0);
      const answer = provider.requests.at(-1)!.json.messages.at(-1);
      assert.match(answer.content, /There is no job dev, and no other\. Jobs end with the narnat/);
    } finally {
      await provider.close();
    }
  });
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
  slow(`nothing is left after ${signal}`, async () => {
    const sleep = uniqueSleep();
    const replies = [...starts(sleep), bash({ command: `trap '' TERM; ${sleep}; ${sleep}` })];
    await onStage(replies, async ({ child, send, until }) => {
      await send(user("start"));
      await until(turnEnd);
      await send(user("and run"));
      await until((event) => event.type === "tool_start");
      assert.ok(await eventually(async () => await alive(sleep) === 4));
      const began = performance.now();
      child.kill(signal);
      await child.status;
      const ended = performance.now() - began;
      assert.ok(await eventually(async () => await alive(sleep) === 0, GONE_MS));
      const gone = performance.now() - began;
      console.log(`${signal}: ended ${ended.toFixed(0)} ms, gone ${gone.toFixed(0)} ms`);
    });
  });
}

slow("what the user lets live on does live on, without a yes it does not start", async () => {
  const sleep = uniqueSleep();
  const keep = bash({ command: sleep, run_in_background: true, keep: true });
  await onStage([keep, keep, { text: "ok" }], async ({ send, until, end }) => {
    await send(user("start"));
    const first = await until((event) => event.type === "ask");
    await send({ type: "answer", id: first.id, value: "no" });
    assert.match((await until(toolEnd)).text, /^Not started/);
    const second = await until((event) => event.type === "ask");
    assert.equal(second.command, sleep);
    await send({ type: "answer", id: second.id, value: "yes" });
    const started = await until(toolEnd);
    await until(turnEnd);
    assert.equal(await end(), 0);
    assert.equal(await alive(sleep), 1);
    Deno.kill(-Number(/pid (\d+)/.exec(started.text)![1]), "SIGKILL");
    assert.ok(await eventually(async () => await alive(sleep) === 0));
  });
});

Deno.test("headless nobody can agree to keep a job", async () => {
  const sleep = uniqueSleep();
  const keep = bash({ command: sleep, run_in_background: true, keep: true });
  await onStage([keep, { text: "ok" }], async ({ send, until, end }) => {
    await send(user("start"));
    assert.match((await until(toolEnd)).text, /^Not started/);
    await until(turnEnd);
    await end();
    assert.equal(await alive(sleep), 0);
  }, ["--allow-delete"]);
});
