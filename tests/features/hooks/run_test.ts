import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { parseSettings } from "../../../src/config/parse.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { createHooks } from "../../../src/features/hooks/run.ts";
import type { HookEvent } from "../../../src/base/types.ts";
import { alive, eventually, uniqueSleep } from "../../support/processes.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const AT = { session: "s1", lane: "main" };
const EDIT: HookEvent = { event: "before_tool", tool: "Edit", input: { file_path: "a.ts" } };

/** The hooks as a file of settings gives them. */
function hooksFrom(hooks: unknown) {
  const { config } = loadConfig({
    t: english,
    flags: {},
    env: () => undefined,
    userFile: "/user.json",
    projectFile: "/project.json",
    readTextFile(path) {
      if (path === "/user.json") return JSON.stringify({ model: "demo", hooks });
      throw new Deno.errors.NotFound(path);
    },
  });
  return config.hooks ?? [];
}

interface Staged {
  readonly root: string;
  readonly told: string[];
  run(event: HookEvent, signal?: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

async function withHooks(hooks: unknown, use: (staged: Staged) => Promise<void>): Promise<void> {
  await withWorkspace({}, async (root) => {
    const made = createHooks({
      hooks: hooksFrom(hooks),
      t: english,
      workspace: root,
      env: { PATH: Deno.env.get("PATH") ?? "" },
      now: () => new Date(0),
    });
    const told: string[] = [];
    const never = new AbortController().signal;
    try {
      await use({
        root,
        told,
        close: made.close,
        run: (event, signal = never) => made.run(event, AT, signal, (text) => told.push(text)),
      });
    } finally {
      await made.close();
    }
  });
}

Deno.test("a hook gets the event as one line of JSON, in the workspace", async () => {
  await withHooks(
    { before_tool: ["cat >event; pwd >where; env >env; exit 0"] },
    async ({ root, run }) => {
      assert.equal(await run(EDIT), undefined);
      const text = await Deno.readTextFile(join(root, "event"));
      assert.equal(text.split("\n").length, 2);
      assert.deepEqual(JSON.parse(text), {
        event: "before_tool",
        tool: "Edit",
        input: { file_path: "a.ts" },
        session: "s1",
        lane: "main",
        workspace: root,
        time: "1970-01-01T00:00:00.000Z",
      });
      assert.equal((await Deno.readTextFile(join(root, "where"))).trim(), root);
      // nothing of narnat's own environment
      assert.doesNotMatch(await Deno.readTextFile(join(root, "env")), /^HOME=/m);
    },
  );
});

Deno.test("exit 2 blocks with what the hook said on stderr, and no later hook runs", async () => {
  const hooks = { before_tool: ["echo 'not on main' >&2; exit 2", "touch later"] };
  await withHooks(hooks, async ({ root, run, told }) => {
    assert.equal(await run(EDIT), "not on main");
    assert.deepEqual(told, []);
    await assert.rejects(Deno.stat(join(root, "later")));
  });
});

Deno.test("a hook that blocks without a word is named", async () => {
  await withHooks({ turn_end: ["exit 2"] }, async ({ run }) => {
    const said = await run({ event: "turn_end", reason: "done", text: "" });
    assert.match(said!, /turn_end hook exit 2 blocked it and did not say why/);
  });
});

Deno.test("any other exit is told and goes on", async () => {
  const hooks = {
    before_tool: ["echo broken >&2; echo more >&2; exit 1", "kill -9 $$", "touch on"],
  };
  await withHooks(hooks, async ({ root, run, told }) => {
    assert.equal(await run(EDIT), undefined);
    assert.match(told[0]!, /before_tool hook echo broken.* failed \(exit 1\): broken$/);
    assert.match(told[1]!, /failed \(SIGKILL\)/);
    assert.ok((await Deno.stat(join(root, "on"))).isFile);
  });
});

Deno.test("match is the whole name, several names, a pattern, or all", async () => {
  const matches: [match: string, tools: string[]][] = [
    ["Edit", ["Edit"]],
    ["Edit|Write", ["Edit", "Write"]],
    ["mcp_.*", ["mcp_fs_Edit"]],
    ["*", ["Edit", "Write", "EditMore", "mcp_fs_Edit"]],
    ["", ["Edit", "Write", "EditMore", "mcp_fs_Edit"]],
  ];
  for (const [match, expected] of matches) {
    const hooks = { before_tool: [{ match, command: "echo no >&2; exit 2" }] };
    await withHooks(hooks, async ({ run }) => {
      const hit: string[] = [];
      for (const tool of ["Edit", "Write", "EditMore", "mcp_fs_Edit"]) {
        if (await run({ event: "before_tool", tool, input: {} })) hit.push(tool);
      }
      assert.deepEqual(hit, expected, match);
    });
  }
});

Deno.test("all hooks behind a call are heard", async () => {
  const hooks = { after_tool: ["echo one >&2; exit 2", "exit 0", "echo two >&2; exit 2"] };
  await withHooks(hooks, async ({ run }) => {
    const event = { event: "after_tool", tool: "Edit", input: {}, ok: true, result: "" } as const;
    assert.equal(await run(event), "one\ntwo");
  });
});

Deno.test("what a hook says at a session's start is returned, and it cannot block", async () => {
  const hooks = { session_start: ["echo 'on branch main'", "echo no >&2; exit 2"] };
  await withHooks(hooks, async ({ run, told }) => {
    assert.equal(await run({ event: "session_start" }), "on branch main");
    assert.match(told.join(), /failed \(exit 2\): no/);
  });
});

Deno.test("a timeout stops the whole tree and goes on", async () => {
  const sleep = uniqueSleep();
  const hooks = { before_tool: [{ command: `${sleep} & ${sleep}`, timeout: 0.3 }, "touch on"] };
  await withHooks(hooks, async ({ root, run, told }) => {
    assert.equal(await run(EDIT), undefined);
    assert.match(told.join(), /was stopped after 0\.3 s/);
    assert.equal(await alive(sleep), 0);
    assert.ok((await Deno.stat(join(root, "on"))).isFile);
  });
});

Deno.test("a hook that hears no SIGTERM is stopped all the same", async () => {
  const sleep = uniqueSleep();
  const command = `trap '' TERM; while :; do ${sleep}; done`;
  await withHooks({ before_tool: [{ command, timeout: 0.2 }] }, async ({ run, told }) => {
    assert.equal(await run(EDIT), undefined);
    assert.equal(told.length, 1);
    assert.equal(await alive(sleep), 0);
  });
});

Deno.test("a stop ends the hook and those behind it at once, and is not told", async () => {
  const sleep = uniqueSleep();
  await withHooks({ before_tool: [sleep, "touch later"] }, async ({ root, run, told }) => {
    const stop = new AbortController();
    const running = run(EDIT, stop.signal);
    assert.ok(await eventually(async () => await alive(sleep) > 0));
    stop.abort();
    assert.equal(await running, undefined);
    assert.deepEqual(told, []);
    assert.ok(await eventually(async () => await alive(sleep) === 0));
    await assert.rejects(Deno.stat(join(root, "later")));
  });
});

Deno.test("a hook that reads nothing of a large event breaks no pipe", async () => {
  const event: HookEvent = {
    event: "after_tool",
    tool: "Read",
    input: {},
    ok: true,
    result: "x".repeat(4_000_000),
  };
  await withHooks(
    { after_tool: ["exit 0", "exec 0<&-; sleep 0.1; echo ok >&2; exit 2"] },
    async ({ run, told }) => {
      assert.equal(await run(event), "ok");
      assert.deepEqual(told, []);
    },
  );
});

Deno.test("what a hook floods is cut", async () => {
  const hooks = { before_tool: ["yes | head -c 20000000; yes no | head -c 3000000 >&2; exit 2"] };
  await withHooks(hooks, async ({ run }) => {
    const said = await run(EDIT);
    assert.equal(said!.length, 8193);
    assert.ok(said!.endsWith("…"));
  });
});

Deno.test("what a hook leaves in the background holds nothing up, and ends with narnat", async () => {
  const [loud, quiet] = [uniqueSleep(), uniqueSleep()];
  const hooks = { before_tool: [`${loud} & ${quiet} >/dev/null 2>&1 & exit 0`] };
  await withHooks(hooks, async ({ run, told }) => {
    assert.equal(await run(EDIT), undefined);
    assert.deepEqual(told, []);
    assert.equal(await alive(quiet), 1);
  });
  assert.deepEqual([await alive(loud), await alive(quiet)], [0, 0]);
});

Deno.test("what comes through a pipe right behind a hook's end is heard", async () => {
  const behind = "while kill -0 $$ 2>/dev/null; do sleep 0.01; done; echo late >&2";
  await withHooks({ turn_end: [`(${behind}) & exit 2`] }, async ({ run }) => {
    assert.equal(await run({ event: "turn_end", reason: "done", text: "" }), "late");
  });
});

slow("a hook that nobody waits for is heard out when narnat ends, for a moment", async () => {
  const hanging = uniqueSleep();
  const notify = ["sleep 0.3; echo said >note", "echo late >late"];
  // it cannot be known by its environment
  const bare = `env -i "$(command -v sleep)" ${hanging.split(" ")[1]}`;
  await withHooks({ notify, turn_end: [bare] }, async ({ root, run, close }) => {
    const ending: HookEvent = { event: "turn_end", reason: "done", text: "" };
    const done = [run({ event: "notify", text: "over" }), run(ending)];
    await close();
    assert.equal(await Deno.readTextFile(join(root, "note")), "said\n");
    assert.equal(await alive(hanging), 0);
    await Promise.all(done);
    await assert.rejects(Deno.stat(join(root, "late")));
  });
});

Deno.test("a workspace that is gone is told, never thrown", async () => {
  await withHooks({ before_tool: ["exit 2"] }, async ({ root, run, told }) => {
    await Deno.remove(root, { recursive: true });
    assert.equal(await run(EDIT), undefined);
    assert.match(told.join(), /could not be started/);
    await Deno.mkdir(root);
  });
});

Deno.test("settings that are no hooks name the place and what is expected", () => {
  const fault = (hooks: unknown) => {
    try {
      parseSettings(JSON.stringify({ hooks }), "narnat.json", english);
    } catch (error) {
      return (error as Error).message;
    }
    return "none";
  };
  const faults: [unknown, RegExp][] = [
    [[], /hooks: it must be an object like/],
    [{ on_save: [] }, /no event on_save; there are session_start, before_tool/],
    [{ turn_end: "x" }, /turn_end must be a list/],
    [{ turn_end: ["a", ""] }, /turn_end\[1\] must be a command, or/],
    [
      { turn_end: [{ comand: "x" }] },
      /turn_end\[0\]\.comand must be left out \(did you mean command\?\): a hook has the keys match, command, timeout/,
    ],
    [{ turn_end: [{ command: 1 }] }, /\.command must be a non-empty string/],
    [{ turn_end: [{ command: "x", timeout: 0 }] }, /\.timeout must be seconds/],
    [{ turn_end: [{ command: "x", match: "Edit" }] }, /\.match must be left out/],
    [{ before_tool: [{ command: "x", match: "(" }] }, /\.match must be a regular expression/],
  ];
  for (const [hooks, expected] of faults) assert.match(fault(hooks), expected);
  assert.equal(fault({ before_tool: ["x", { command: "x", match: "*", timeout: 0.5 }] }), "none");
});
