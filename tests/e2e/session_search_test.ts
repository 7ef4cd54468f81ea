/** The search over all sessions as a user asks for it, under the permissions narnat may have. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type Program, ROOT, runNarnat, SOURCE } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

interface Stage {
  readonly root: string;
  readonly index: string;
  run(args: readonly string[], program?: Program): ReturnType<typeof runNarnat>;
}

/** A workspace with two sessions: the demo model answers each line. */
async function stage(use: (stage: Stage) => Promise<void>): Promise<void> {
  await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
    const root = join(dir, "w");
    const run: Stage["run"] = (args, program = BUNDLED) =>
      runNarnat(program, args, { cwd: root, stdin: "" });
    for (const line of ["我们把端口改成了 8080", "which port is it, 8080 or 9090?"]) {
      assert.equal((await run(["--model", "demo", "-p", line])).code, 0);
    }
    await use({ root, index: join(root, ".narnat", "sessions", "search.db"), run });
  });
}

const limited = (name: string, ...flags: string[]): Program => ({
  name,
  command: Deno.execPath(),
  args: ["run", "-q", "--no-prompt", ...flags, join(ROOT, "main.ts")],
});

slow(
  "narnat sessions search finds words of two characters, by the bundled program too",
  async () => {
    await stage(async ({ run, index }) => {
      for (const program of [SOURCE, BUNDLED]) {
        const port = await run(["sessions", "search", "端口"], program);
        assert.equal(port.code, 0, port.stderr);
        assert.match(port.stdout, /^\d{8}-\d{6}-\w{4} {2}\d{4}-.* user +我们把«端口»改成了 8080\n/);
        const both = await run(["sessions", "search", "8080"], program);
        assert.match(both.stdout, /«8080» or 9090[^]*端口改成了 «8080»/);
        const none = await run(["sessions", "search", "8080", "天气"], program);
        assert.deepEqual([none.code, none.stdout], [1, "No session matches: 8080 天气\n"]);
        const empty = await run(["sessions", "search"], program);
        assert.equal(empty.code, 2);
        assert.match(empty.stderr, /^narnat: Cannot search: name at least one word/);
      }
      assert.equal(Deno.statSync(index).mode! & 0o777, 0o600);
    });
  },
);

slow(
  "without write permission the search is the same and leaves no file; without read it says so",
  async () => {
    await stage(async ({ root, run, index }) => {
      const reading = limited("reading", "-P=read-only");
      const found = await run(["sessions", "search", "端口"], reading);
      assert.equal(found.code, 0, found.stderr);
      assert.match(found.stdout, /«端口»/);
      assert.ok(!existsSync(index));
      const writing = limited("project", `--allow-read=${root}`, `--allow-write=${root}`);
      assert.equal((await run(["sessions", "search", "端口"], writing)).code, 0);
      assert.ok(existsSync(index));
      const blind = await run(["sessions", "search", "端口", "--lang", "zh"], limited("blind"));
      assert.equal(blind.code, 2);
      assert.match(blind.stderr, /^narnat: 无法查找：没有读取 .*\.narnat 的权限/);
    });
  },
);

slow(
  "a session that /search has found can be entered, and two narnats search at once",
  async () => {
    await stage(async ({ root, run }) => {
      const both = await Promise.all([1, 2].map(() => run(["sessions", "search", "端口"])));
      assert.deepEqual(both.map(({ code }) => code), [0, 0]);
      const id = /^\S+/.exec(both[0]!.stdout)![0];
      const { lines, code } = await runNarnat(BUNDLED, [
        "--model",
        "demo",
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
      ], {
        cwd: root,
        stdin: ["/search 端口", `/enter ${id}`]
          .map((text) => JSON.stringify({ type: "user", text }) + "\n").join(""),
      });
      assert.equal(code, 0);
      const notices = lines.filter(({ type }) => type === "notice").map(({ text }) => text);
      assert.match(notices[0], new RegExp(`^${id} .*我们把«端口»改成了 8080`));
      assert.match(notices[1], new RegExp(id));
    });
  },
);
