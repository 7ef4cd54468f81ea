/** Background jobs of a whole narnat: they survive a stop and /clear, and end with it however it ends. */
import assert from "node:assert/strict";
import type { Reply } from "../support/fake_provider.ts";
import { alive, eventually, uniqueSleep } from "../support/processes.ts";
import { slow } from "../support/soak.ts";
import { stage, type Talk } from "../support/stage.ts";

/** Two processors are shared with other tests. */
const GONE_MS = 10_000;

/** narnat with a model that makes `replies`, driven line by line. */
const onTalk = (
  replies: readonly Reply[],
  use: (talk: Talk) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> => stage(replies, ({ talk }) => use(talk(args, () => {})));

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
  await onTalk(replies, async ({ send, until, end }) => {
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
  await stage(replies, async ({ narnat, provider }) => {
    assert.equal((await narnat(["-p", "start"])).code, 0);
    assert.equal(await alive(sleep), 0);
    assert.equal((await narnat(["-c", "-p", "read dev"])).code, 0);
    const answer = provider.requests.at(-1)!.json.messages.at(-1);
    assert.match(answer.content, /There is no job dev, and no other\. Jobs end with the narnat/);
  });
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
  slow(`nothing is left after ${signal}`, async () => {
    const sleep = uniqueSleep();
    const replies = [...starts(sleep), bash({ command: `trap '' TERM; ${sleep}; ${sleep}` })];
    await onTalk(replies, async ({ child, send, until }) => {
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
  await onTalk([keep, keep, { text: "ok" }], async ({ send, until, end }) => {
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
  await onTalk([keep, { text: "ok" }], async ({ send, until, end }) => {
    await send(user("start"));
    assert.match((await until(toolEnd)).text, /^Not started/);
    await until(turnEnd);
    await end();
    assert.equal(await alive(sleep), 0);
  }, ["--allow-delete"]);
});
