import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { NO_CHECKPOINTS } from "../../../src/agent/none.ts";
import {
  changeTimes,
  createTurnMonitor,
  evidenceText,
} from "../../../src/agent/loop/turn_monitor.ts";
import type { ToolResult, TurnMark } from "../../../src/base/types.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const exactly = (time: number) => ({ from: time, to: time });

/** A turn monitor whose clock goes on by one with each call; files have changed when `at` says so. */
function stage(at: { readonly [path: string]: number } = {}) {
  let time = 0;
  const monitor = createTurnMonitor(english, () => time);
  const call = (name: string, input: object, result: Partial<ToolResult>) => {
    time++;
    return monitor.watch(name, JSON.stringify(input), { ok: true, text: `${time}`, ...result }, 5);
  };
  return {
    monitor,
    edit: (path: string) => call("Edit", { path }, { changed: [path] }),
    run: (command: string, exit: number | null = 0, more = {}, verified = true) =>
      call("Bash", { command }, {
        ok: exit === 0,
        ...verified ? { verified } : {},
        detail: { kind: "command", exit, ...more },
      }),
    evidence: (found: string[] = []) => monitor.evidence(found, (path) => exactly(at[path] ?? 0)),
  };
}
const said = (t: ReturnType<typeof stage>, found?: string[]) =>
  evidenceText(t.evidence(found)!, english);

Deno.test("a change counts as behind a command within the same millisecond too", () => {
  const monitor = createTurnMonitor(english, () => 7);
  const detail = { kind: "command", exit: 0 } as const;
  monitor.watch("Bash", '{"command":"t"}', { ok: true, text: "", verified: true, detail }, 0);
  monitor.watch("Edit", "{}", { ok: true, text: "", changed: ["b.ts"] }, 0);
  assert.deepEqual(monitor.evidence([], () => exactly(0))?.unverified, ["b.ts"]);
});

Deno.test("a command counts for what was changed before it, not for what was changed behind it", () => {
  const t = stage();
  t.edit("a.ts");
  t.run("deno test");
  t.edit("b.ts");
  assert.deepEqual(t.evidence(), {
    changed: ["a.ts", "b.ts"],
    runs: [{ command: "deno test", exit: 0, ms: 5 }],
    unverified: ["b.ts"],
  });
  assert.equal(said(t), "✓ deno test → exit 0 after 2 files changed; not verified: b.ts");
  t.run("deno test");
  assert.equal(said(t), "✓ deno test → exit 0 after 2 files changed");
});

Deno.test("a command that ran before every change says nothing of them", () => {
  const t = stage();
  t.run("deno test");
  t.edit("a.ts");
  assert.equal(said(t), "1 file changed; not verified: a.ts");
});

Deno.test("a command that failed has run, with its exit, and has verified nothing", () => {
  const t = stage();
  t.edit("a.ts");
  t.run("deno test", 1);
  assert.deepEqual(t.evidence()!.runs, [{ command: "deno test", exit: 1, ms: 5 }]);
  assert.equal(said(t), "✗ deno test → exit 1 after 1 file changed; not verified: a.ts");
  t.run("deno lint");
  assert.deepEqual(t.evidence()!.unverified, ["a.ts"], "one of the two still fails");
  t.run("deno test");
  assert.deepEqual(t.evidence()!.unverified, []);
  t.run("deno test", 1);
  t.edit("a.ts");
  t.run("deno lint");
  assert.deepEqual(t.evidence()!.unverified, [], "what failed was another content");
});

Deno.test("a command that only looks is no evidence, and a folder is nothing that has changed", () => {
  const t = stage();
  t.edit("a.ts");
  t.run("ls", 0, {}, false);
  assert.deepEqual(t.evidence(), { changed: ["a.ts"], runs: [], unverified: ["a.ts"] });
  const { monitor } = stage();
  assert.equal(monitor.evidence(["d"], () => undefined), undefined);
});

Deno.test("an exit that is a pipe's is told, and proves nothing", () => {
  const t = stage();
  t.edit("a.ts");
  t.run("npm test | tail", 0, { masked: true });
  assert.deepEqual(t.evidence()!.unverified, ["a.ts"]);
  assert.match(said(t), /^\? npm test \| tail → exit 0 \(not that of the test in it\)/);
});

Deno.test("what Bash has changed counts by the time of the file", () => {
  const t = stage({ "by_bash.ts": 1, "late.ts": 3 });
  t.edit("x.ts");
  t.run("deno test");
  assert.deepEqual(t.evidence(["by_bash.ts", "late.ts"])!.unverified, ["late.ts"]);
  t.edit("y.ts");
  t.edit("b.ts");
  const { unverified } = t.evidence(["late.ts"])!;
  assert.deepEqual(unverified, ["b.ts", "late.ts", "y.ts"], "in the order of their names");
});

Deno.test("a time that is known by the second is before the end of the last call, where it may be", () => {
  const monitor = createTurnMonitor(english, () => 5400);
  const run = (command: string) =>
    monitor.watch("Bash", JSON.stringify({ command }), {
      ok: true,
      text: "",
      verified: true,
      detail: { kind: "command", exit: 0 },
    }, 5);
  run("mv a.ts b.ts && deno test");
  const unverified = (from: number) =>
    monitor.evidence(["b.ts"], () => ({ from, to: from + 999 }))!.unverified;
  assert.deepEqual(unverified(5000), []);
  assert.deepEqual(unverified(6000), ["b.ts"], "somebody has renamed it since");
});

Deno.test("a job has seen what was there when it began", () => {
  const t = stage();
  t.edit("a.ts");
  t.edit("b.ts");
  t.run("", 0, { job: { command: "make check", ms: 1.75 } });
  assert.deepEqual(t.evidence(), {
    changed: ["a.ts", "b.ts"],
    runs: [{ command: "make check", exit: 0, ms: 2 }],
    unverified: ["b.ts"],
  });
});

Deno.test("an exit that is not the test's own leaves the reminder as it is", () => {
  const t = stage();
  t.edit("a.ts");
  t.run("deno test; true", 0, { masked: true });
  assert.match(t.edit("b.ts").note, /Not verified yet: a\.ts, b\.ts/);
  t.run("deno test");
  assert.match(t.edit("c.ts").note, /Not verified yet: c\.ts$/);
});

Deno.test("what an agent has changed and verified is taken over, until it is changed again", () => {
  const t = stage();
  const runs = [{ command: "deno test", exit: 0, ms: 9 }];
  t.monitor.vouch({ changed: ["a.ts", "b.ts"], runs, unverified: ["b.ts"] });
  assert.deepEqual(t.evidence(), { changed: ["a.ts", "b.ts"], runs, unverified: ["b.ts"] });
  t.edit("a.ts");
  assert.deepEqual(t.evidence()!.unverified, ["a.ts", "b.ts"]);
});

Deno.test("a turn that has changed nothing says nothing", () => {
  const t = stage();
  t.run("deno test");
  assert.equal(t.evidence(), undefined);
});

Deno.test("long lists are cut short for people, in both languages", () => {
  const t = stage();
  for (let i = 1; i <= 8; i++) t.edit(`f${i}.ts`);
  for (let i = 1; i <= 4; i++) t.run(`check ${i}`, 1);
  assert.match(
    said(t),
    /^1 more command, ✗ check 2 .* after 8 files changed; not verified: f1\.ts, .*f5\.ts and 3 more$/,
  );
  assert.match(
    evidenceText(t.evidence()!, chinese),
    /^已运行：另有 1 条命令，✗ check 2 → 退出码 1.*在改动 8 个文件之后；未验证：f1\.ts.*另有 3 个$/,
  );
});

Deno.test("of very many files the first are named and all are counted; a long command is cut", () => {
  const t = stage();
  for (let i = 1; i <= 1003; i++) t.edit(`f${i}`);
  t.run(`check ${"x".repeat(100)}`);
  const { changed, more } = t.evidence()!;
  assert.deepEqual([changed.length, more], [1000, 3]);
  assert.match(
    said(t),
    /^✓ check x{54}… → exit 0 after 1003 files changed; not verified: 3 files$/,
  );
});

Deno.test("a result reminds of what was changed last, however much there is", () => {
  const t = stage();
  for (let i = 1; i < 25; i++) t.edit(`f${i}`);
  assert.match(t.edit("f25").note, /Not verified yet: f6, .*f24, f25 and 5 more$/);
});

Deno.test("a name that would steer the terminal or begin a line of its own does neither", () => {
  const t = stage();
  t.edit("a\x1b[2J\nnarnat: b.ts");
  assert.equal(said(t), "1 file changed; not verified: a\ufffd[2J\ufffdnarnat: b.ts");
});

Deno.test("commands are named in the order in which they ran last", () => {
  const t = stage();
  t.edit("a.ts");
  for (const one of ["deno lint", "deno test", "deno lint"]) t.run(one);
  assert.match(said(t), /deno test.*deno lint/);
});

Deno.test("a file changes with its content, mode and name; a folder is none; what is gone went at the latest when its folder changed", () =>
  withWorkspace({ "a.ts": "a", "d/b.ts": "b" }, async (root) => {
    const at = changeTimes(root);
    const old = new Date(Date.now() - 60_000);
    await Deno.utime(join(root, "a.ts"), old, old);
    const began = Date.now();
    await Deno.chmod(join(root, "a.ts"), 0o600);
    assert.ok(at("a.ts")!.to >= began, "no content, but the mode");
    assert.equal(at("d"), undefined);
    await Deno.utime(join(root, "d"), old, old);
    await Deno.remove(join(root, "d/b.ts"));
    assert.ok(at("d/b.ts")!.to >= began - 10);
    await Deno.utime(root, old, old);
    await Deno.remove(join(root, "d"));
    assert.ok(at("d/b.ts")!.to >= began - 10);
  }));

Deno.test("a session knows what Bash has changed in a turn, also when it is read again", () =>
  withWorkspace({}, async (root) => {
    const bash = tool("Bash", async () => {
      await Deno.writeTextFile(join(root, "made.ts"), "x");
      return { ok: true, text: "" };
    }, { readOnly: false });
    const found = ["made.ts"];
    const options = {
      model: new ScriptedModel([
        { calls: [{ name: "Bash" }] },
        { text: "done" },
        { text: "nothing to do" },
      ]),
      tools: [bash],
      workspace: root,
      dir: join(root, "sessions"),
      checkpoints: {
        ...NO_CHECKPOINTS,
        begin: (lane: string, turn: TurnMark) => ({
          ...NO_CHECKPOINTS.begin(lane, turn),
          look: () => Promise.resolve(found.splice(0)),
          end() {},
        }),
      },
    };
    const t = new TestAgent(options);
    await t.say("go");
    const { id, changed } = t.agent.controller.current();
    assert.deepEqual([...changed], [["made.ts", false]]);
    await t.say("and?");
    assert.equal(t.of("evidence").length, 1, "the next turn has changed nothing");
    await t.agent.close();
    const again = new TestAgent(options);
    await again.agent.resume(id);
    assert.deepEqual([...again.agent.controller.current().changed], [["made.ts", false]]);
    await again.agent.close();
  }));
