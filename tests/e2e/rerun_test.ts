/** What a rerun may not do: it may be a stranger's session that is run again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { sandboxRuns } from "../shell/sandboxed.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const time = "2026-11-22T12:00:00Z";
const usage = { input: 1, output: 1, cached: 0, cost: null };

interface MadeCall {
  readonly name: string;
  readonly input: object;
  /** The result; none where narnat was ended before. */
  readonly text?: string;
}

/** The lines of a session whose model makes these calls at once, each asked about and allowed. */
function sessionOf(calls: readonly MadeCall[], workspace: string, run: object = {}): string {
  const answer = (text: string, calls: readonly object[]) => ({
    type: "message",
    time,
    message: { role: "assistant", text, thinking: [], calls },
    usage,
  });
  const event = (event: object) => ({ type: "event", time, event });
  const facts = {
    narnat: "0",
    model: "m",
    permission: "open",
    lang: "en",
    prompt: "p",
    tools: "t",
    ...run,
  };
  const entries = [
    { type: "session", version: 1, id: "x", time, workspace },
    {
      type: "message",
      time,
      message: { role: "user", text: "go" },
      asked: true,
      run: facts,
    },
    answer(
      "",
      calls.map(({ name, input }, at) => ({ id: `${at}`, name, input: JSON.stringify(input) })),
    ),
    ...calls.flatMap(({ name, text }, at) =>
      text === undefined ? [] : [
        event({ type: "ask", id: `q${at}`, kind: "delete", question: "Delete?" }),
        event({ type: "answer", id: `q${at}`, value: true }),
        { type: "message", time, message: { role: "tool", id: `${at}`, name, ok: true, text } },
      ]
    ),
    answer("Done.", []),
  ];
  return entries.map((entry) => JSON.stringify(entry) + "\n").join("");
}

/** Runs a session again in `w`, beside `out`. */
async function rerun(
  dir: string,
  calls: readonly MadeCall[],
  more: { run?: object; args?: readonly string[]; env?: Record<string, string> } = {},
) {
  const path = join(dir, "x.jsonl");
  Deno.writeTextFileSync(path, sessionOf(calls, "/gone/w", more.run));
  const ran = await runNarnat(BUNDLED, ["replay", path, "--rerun", ...more.args ?? []], {
    cwd: join(dir, "w"),
    env: more.env ?? {},
  });
  const kept = /The copy is kept: (\S+)/.exec(ran.stdout)?.[1];
  if (kept) Deno.removeSync(join(kept, ".."), { recursive: true });
  return ran;
}

Deno.test("a rerun that is interrupted leaves neither its copy nor a command", async () => {
  await withWorkspace({ "w/a.txt": "a\n", "tmp/.keep": "" }, async (dir) => {
    const [path, tmp] = [join(dir, "x.jsonl"), join(dir, "tmp")];
    const command = "sleep 987654";
    Deno.writeTextFileSync(
      path,
      sessionOf([{ name: "Bash", input: { command }, text: "" }], "/gone/w"),
    );
    const of = (pid: string) => `/proc/${pid}/cmdline`;
    const running = () =>
      [...Deno.readDirSync("/proc")].some(({ name }) => {
        try {
          return /^\d+$/.test(name) && Deno.readTextFileSync(of(name)).includes("sleep\x00987654");
        } catch {
          return false;
        }
      });
    const args = ["replay", path, "--rerun", ...sandboxRuns ? [] : ["--yes"]];
    const { code } = await runNarnat(BUNDLED, args, {
      cwd: join(dir, "w"),
      env: { TMPDIR: tmp },
      stdin: "",
      async during(child) {
        assert.ok(await eventually(running, 20_000));
        child.kill("SIGINT");
      },
    });
    assert.equal(code, 130);
    assert.deepEqual([...Deno.readDirSync(tmp)].map(({ name }) => name), [".keep"]);
    assert.ok(await eventually(() => !running(), 20_000));
  });
});

const FILES = { "w/a.txt": "a\n", "out/mine.txt": "mine\n" };

Deno.test({
  name: "what lies outside of the workspace is answered as recorded, and said to be",
  ignore: !sandboxRuns,
  async fn() {
    await withWorkspace(FILES, async (dir) => {
      const mine = join(dir, "out/mine.txt");
      Deno.symlinkSync(join(dir, "out"), join(dir, "w/link"));
      Deno.symlinkSync(join(dir, "out/new.txt"), join(dir, "w/dangling"));
      const run = await rerun(dir, [
        { name: "WebFetch", input: { url: "https://nowhere.invalid/" }, text: "A page." },
        { name: "mcp_server_tool", input: {}, text: "A tool of a server." },
        { name: "Read", input: { file_path: "/gone/w/a.txt" }, text: "1 | a" },
        {
          name: "Write",
          input: { file_path: join(dir, "out/new.txt"), content: "x" },
          text: "Created.",
        },
        { name: "Write", input: { file_path: "link/new.txt", content: "x" }, text: "Created." },
        { name: "Write", input: { file_path: "dangling", content: "x" }, text: "Created." },
        {
          name: "Edit",
          input: { file_path: mine, old_string: "mine", new_string: "theirs" },
          text: "Edited.",
        },
        {
          name: "Bash",
          input: { command: "sleep 100", run_in_background: true, keep: true },
          text: "Started.",
        },
      ]);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.match(run.stdout, /answered as recorded: WebFetch, mcp_server_tool$/m);
      assert.match(run.stdout, /8 tool calls, .* \(7 of them answered as recorded\)/);
      assert.deepEqual([...Deno.readDirSync(join(dir, "out"))].map(({ name }) => name), [
        "mine.txt",
      ]);
      assert.equal(Deno.readTextFileSync(mine), "mine\n");
    });
  },
});

Deno.test({
  name: "a command that is run again changes nothing but the copy, and reaches no network",
  ignore: !sandboxRuns,
  async fn() {
    await withWorkspace(FILES, async (dir) => {
      const server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        () => new Response("reached\n"),
      );
      try {
        const out = join(dir, "out");
        Deno.symlinkSync(join(dir, "w/a.txt"), join(dir, "w/inner"));
        const command = [
          `rm -rf ${out} ~/.bashrc`,
          `(echo x >> ${join(dir, "w/a.txt")}; echo x > ~/x; touch /etc/narnat-x) 2>/dev/null`,
          `curl -s -m 5 http://127.0.0.1:${server.addr.port}/`,
          "echo b >> inner; cat a.txt",
        ].join("; ");
        const run = await rerun(dir, [{
          name: "Bash",
          input: { command },
          text: "a\nb\n[exit code 0, 0.1 s]",
        }]);
        assert.equal(run.code, 0, run.stdout + run.stderr);
        assert.match(run.stdout, /Commands run in a sandbox/);
        assert.equal(Deno.readTextFileSync(join(out, "mine.txt")), "mine\n");
        assert.equal(Deno.readTextFileSync(join(dir, "w/a.txt")), "a\n");
      } finally {
        await server.shutdown();
      }
    });
  },
});

Deno.test("where there is no sandbox nothing is run again, unless it is asked for", async () => {
  await withWorkspace({ ...FILES, "bin/.keep": "" }, async (dir) => {
    for (const name of ["sh", "bash", "env", "cat", "tee"]) {
      Deno.symlinkSync(`/bin/${name}`, join(dir, "bin", name));
    }
    const calls = [{
      name: "Bash",
      input: { command: `cat a.txt | tee ${join(dir, "out/run")}` },
      text: "a\n[exit code 0, 0.1 s]",
    }];
    const env = { PATH: join(dir, "bin") };
    const refused = await rerun(dir, calls, { env });
    assert.equal(refused.code, 2, refused.stdout + refused.stderr);
    assert.match(refused.stderr, /needs a sandbox.*bubblewrap.*--yes/);
    assert.throws(() => Deno.statSync(join(dir, "out/run")), Deno.errors.NotFound);
    const free = await rerun(dir, calls, { env, args: ["--yes"] });
    assert.equal(free.code, 0, free.stdout + free.stderr);
    assert.match(free.stdout, /in no sandbox/);
    assert.equal(Deno.readTextFileSync(join(dir, "out/run")), "a\n");
  });
});

Deno.test({
  name: "a call whose result was never recorded is not made again",
  ignore: !sandboxRuns,
  async fn() {
    await withWorkspace(FILES, async (dir) => {
      let asked = 0;
      const proxy = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
        asked++;
        return new Response("page");
      });
      try {
        const url = "http://93.184.215.14/";
        const env = { http_proxy: `http://127.0.0.1:${proxy.addr.port}` };
        const run = await rerun(dir, [{ name: "WebFetch", input: { url } }], { env });
        assert.equal(run.code, 1, run.stdout + run.stderr);
        assert.match(run.stdout, /differs from the recording: WebFetch http:\/\/93/);
        assert.equal(asked, 0);
      } finally {
        await proxy.shutdown();
      }
    });
  },
});

Deno.test({
  name: "what a session holds steers no terminal, and facts that are none do no harm",
  ignore: !sandboxRuns,
  async fn() {
    await withWorkspace(FILES, async (dir) => {
      const evil = "\x1b]52;c;AAAA\x07\x9b31m\x1b[2J";
      const run = await rerun(dir, [
        { name: `${evil}Fetch`, input: {}, text: evil },
        { name: "Bash", input: { command: `echo '${evil}'` }, text: `${evil}x` },
      ], { run: { narnat: evil, permission: evil, lang: evil } });
      assert.equal(run.code, 1, run.stdout + run.stderr);
      assert.match(run.stdout, /Tool call 2 of 2 differs/);
      // deno-lint-ignore no-control-regex -- what is looked for
      assert.doesNotMatch(run.stdout + run.stderr, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    });
  },
});
