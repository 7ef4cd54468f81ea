import { visibleWidth } from "@earendil-works/pi-tui";
import assert from "node:assert/strict";
import { join } from "node:path";
import { english } from "../../../src/base/t.ts";
import type { Session, SessionController } from "../../../src/base/types.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import type { Look } from "../../../src/terminal/transcript/rows.ts";
import {
  branchOf,
  type Status,
  StatusLine,
  statusLine,
} from "../../../src/terminal/transcript/status_line.ts";
import { chinese } from "../../support/chinese.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { fakeController } from "../fake_bus.ts";

const look: Look = { style: createStyle("none"), t: english, workspace: "/space" };
const full: Status = {
  model: "claude-opus-4-5",
  last: { input: 11_800, output: 500, cached: 9000, cost: 0.01 },
  usage: { input: 40_000, output: 2000, cached: 30_000, cost: 0.1234 },
  turns: 7,
  permission: "ask",
  branch: "main",
};

Deno.test("the status line tells model, window, cache, cost, turn, permission and branch", () => {
  assert.equal(
    statusLine(full, look, 200),
    "  claude-opus-4-5 · 12.3k/200k 6% · cache 75% · $0.12 · turn 7/120 · ask · git:main",
  );
  assert.equal(
    statusLine(full, { ...look, t: chinese }, 200),
    "  claude-opus-4-5 · 12.3k/200k 6% · 缓存 75% · $0.12 · 第 7/120 轮 · ask · git:main",
  );
  const none = { input: 0, output: 0, cached: 0, cost: null };
  const fresh = { ...full, model: "x", last: undefined, usage: none, turns: 0, branch: undefined };
  assert.equal(statusLine(fresh, look, 80), "  x · ask");
  assert.equal(statusLine({ ...fresh, last: full.last }, look, 80), "  x · 12.3k/~128k 10% · ask");
  const told = { ...fresh, last: full.last, window: 32_768 };
  assert.equal(statusLine(told, look, 80), "  x · 12.3k/32.8k 38% · ask");
});

Deno.test("where there is no room the least needed goes first, and no line is ever too long", () => {
  assert.equal(
    statusLine(full, look, 70),
    "  claude-opus-4-5 · 12.3k/200k 6% · $0.12 · turn 7/120 · ask",
  );
  assert.equal(statusLine(full, look, 38), "  claude-opus-4-5 · 12.3k/200k 6%");
  assert.equal(statusLine(full, look, 20), "  12.3k/200k 6%");
  assert.equal(statusLine({ ...full, branch: "x\x1b[2J\n" }, look, 200).includes("\x1b"), false);
  for (let width = 1; width < 90; width++) {
    assert.ok(visibleWidth(statusLine(full, look, width)) <= width);
  }
});

Deno.test("the turn changes colour at 50, 100 and 120 turns, the window when it fills", () => {
  const colour: Look = { ...look, style: createStyle("color") };
  const turn = (turns: number) =>
    // deno-lint-ignore no-control-regex -- the colours are the matter
    /(?:· \x1b\[22m)((?:\x1b\[\d+m)+)turn/.exec(statusLine({ ...full, turns }, colour, 200))?.[1];
  assert.deepEqual([1, 49].map(turn), ["\x1b[2m", "\x1b[2m"]);
  assert.deepEqual([50, 99].map(turn), ["\x1b[33m", "\x1b[33m"]);
  assert.deepEqual([100, 119].map(turn), ["\x1b[31m", "\x1b[31m"]);
  assert.equal(turn(120), "\x1b[1m\x1b[31m");
  const used = (input: number) =>
    statusLine({ ...full, last: { ...full.last!, input, output: 0 } }, colour, 200);
  assert.ok(used(150_000).includes("\x1b[33m150.0k/200k 75%"));
  assert.ok(used(190_000).includes("\x1b[31m190.0k/200k 95%"));
});

Deno.test("the branch is read when told, and a frame is asked for only when it changed", async () => {
  await withWorkspace({ ".git/HEAD": "ref: refs/heads/one\n" }, async (workspace) => {
    let frames = 0;
    const line = new StatusLine({ ...fakeController, workspace }, look, () => frames++);
    assert.deepEqual(line.render(80), ["  demo · open"]);
    await line.refresh();
    await line.refresh();
    assert.equal(frames, 1);
    assert.deepEqual(line.render(80), ["  demo · open · git:one"]);
  });
});

Deno.test("what goes on from a summary has a figure and a turn before its first answer", async () => {
  await withWorkspace({}, async (workspace) => {
    const { usage } = full;
    const carried = {
      parent: "old",
      title: "",
      summary: "s",
      todos: [],
      changed: [],
      skills: [],
      cwd: "/",
      usage,
    };
    let session: Session = { ...fakeController.current(), carried };
    const controller: SessionController = {
      ...fakeController,
      workspace,
      model: "claude-opus-4-5",
      current: () => session,
      shares: () => Promise.resolve([{ kind: "prompt", name: "base", tokens: 5200 }]),
    };
    let frames = 0;
    const line = new StatusLine(controller, look, () => frames++);
    assert.doesNotMatch(line.render(80)[0]!, /turn/);
    await line.refresh();
    assert.equal(frames, 1);
    assert.deepEqual(line.render(80), ["  claude-opus-4-5 · ~5.2k/200k 3% · turn 0/120 · open"]);
    session = { ...session, lastUsage: usage, turns: 1 };
    assert.match(line.render(80)[0]!, / 42\.0k\/200k 21% · turn 1\/120/);
  });
});

Deno.test("plan mode is the last thing that goes", () => {
  const planning = { ...full, planMode: true };
  assert.match(
    statusLine(planning, look, 200),
    /^ {2}claude-opus-4-5 · plan mode \(shift-tab\) · /,
  );
  assert.equal(statusLine(planning, look, 24), "  plan mode (shift-tab)");
});

async function git(cwd: string, ...args: string[]): Promise<string> {
  const user = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...user, ...args],
    cwd,
    env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("the branch is told in a repository, below its top, in a worktree, and detached", async () => {
  await withWorkspace({ "repo/src/a.txt": "a" }, async (root) => {
    const repo = join(root, "repo");
    await git(repo, "init", "-q", "-b", "main");
    assert.equal(await branchOf(repo), "main");
    await git(repo, "add", ".");
    await git(repo, "commit", "-q", "-m", "one");
    await git(repo, "switch", "-q", "-c", "feature/中文");
    assert.equal(await branchOf(join(repo, "src")), "feature/中文");
    await git(repo, "worktree", "add", "-q", "../tree", "main");
    assert.equal(await branchOf(join(root, "tree")), "main");
    await git(repo, "switch", "-q", "--detach");
    assert.equal(await branchOf(repo), (await git(repo, "rev-parse", "HEAD")).slice(0, 7));
  });
});

Deno.test("outside a repository, and in one that is broken, there is no branch", async () => {
  await withWorkspace(
    { "a/.git/HEAD": "nonsense", "b/.git": "gitdir: ../nowhere\n" },
    async (root) => {
      assert.equal(await branchOf(join(root, "a")), undefined);
      assert.equal(await branchOf(join(root, "b")), undefined);
      assert.equal(await branchOf(join(root, "missing")), undefined);
      await new Deno.Command("mkfifo", { args: [join(root, "a/.git/HEAD2")] }).output();
      await Deno.rename(join(root, "a/.git/HEAD2"), join(root, "a/.git/HEAD"));
      assert.equal(await branchOf(join(root, "a")), undefined);
    },
  );
});
