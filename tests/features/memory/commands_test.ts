import assert from "node:assert/strict";
import { join } from "node:path";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import {
  dream,
  dreamLog,
  dreamRestore,
  memory,
  remember,
} from "../../../src/features/memory/commands.ts";
import { chinese } from "../../support/chinese.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { testController } from "../../support/test_controller.ts";

Deno.test("/memory shows the files and where they are, and opens one in the editor", () =>
  withWorkspace({ "memory/MEMORY.md": "- port 8430\n", "memory/USER.md": " \n" }, async (root) => {
    const { controller, asked } = testController();
    const dir = join(root, "memory");
    const here = { ...controller, memory: { ...NO_MEMORY, dir } };
    const shown = await memory.run("", here);
    assert.match(shown, /USER\.md\n\(none yet\)[^]*MEMORY\.md\n- port 8430/);
    assert.ok(shown.includes(dir));
    for (const args of ["edit", "edit user", "edit SOUL.md"]) {
      assert.equal(await memory.run(args, here), "");
    }
    assert.deepEqual(
      asked,
      ["MEMORY", "USER", "SOUL"].map((name) => `edit ${join(dir, `${name}.md`)}`),
    );
    assert.throws(() => memory.run("edit ../x", here), /no memory file \.\.\/x/);
    assert.throws(() => memory.run("show", here), /show/);
    assert.equal((await memory.complete!(here))[0]?.value, "edit MEMORY.md");
  }));

Deno.test("/memory says so where nothing is kept", () => {
  assert.throws(() => memory.run("", testController([], chinese).controller), /没有记忆/);
});

Deno.test("/remember keeps a line and tells the model; a known one is neither kept nor told", () =>
  withWorkspace({}, async (dir) => {
    const { controller, asked } = testController();
    const here = { ...controller, memory: { ...NO_MEMORY, dir } };
    assert.match(await remember.run("use pnpm", here), /takes effect now/);
    assert.match(await remember.run("use pnpm", here), /already/);
    assert.deepEqual(asked, ["note The user asks you to remember: use pnpm"]);
    assert.match(Deno.readTextFileSync(join(dir, "MEMORY.md")), /^- use pnpm$/m);
    assert.throws(() => remember.run("", here), /Usage/);
  }));

Deno.test("/remember says when the file is longer than what the model reads of it", () =>
  withWorkspace({ "MEMORY.md": `# Memory\n\n- ${"x".repeat(16_340)}\n` }, async (dir) => {
    const here = { ...testController().controller, memory: { ...NO_MEMORY, dir } };
    assert.doesNotMatch(await remember.run("use deno", here), /longer/);
    assert.match(
      await remember.run("use pnpm and nothing else", here),
      /\nMEMORY\.md has 16\d\d\d bytes, more than the 16384 .*\/dream/,
    );
  }));

Deno.test("/dream goes on beside the turns", async () => {
  const { controller } = testController();
  let told = "";
  const here = {
    ...controller,
    memory: { ...NO_MEMORY, dir: "/m", dream: () => Promise.resolve("dreamt") },
    background: async (work: (signal: AbortSignal) => Promise<string>) => {
      told = await work(new AbortController().signal);
    },
  };
  assert.match(await dream.run("", here), /in the background/);
  assert.equal(told, "dreamt");
});

Deno.test("/dream stop stops it, and anything else is refused", async () => {
  const { controller, asked } = testController();
  const dreaming = { ...controller, memory: { ...NO_MEMORY, dir: "/m", dreaming: true } };
  assert.equal(await dream.run("stop", dreaming), "");
  assert.deepEqual(asked, ["stop beside"]);
  assert.throws(() => dream.run("deeply", controller), /got deeply/);
});

Deno.test("/dream says when one is at work here already, /dream stop when none is", async () => {
  const { controller, asked } = testController();
  const memory = { ...NO_MEMORY, dir: "/m", dreaming: true };
  const background = () => assert.fail("begun");
  assert.match(await dream.run("", { ...controller, memory, background }), /at work already/);
  assert.match(await dream.run("stop", controller), /No Dream is running/);
  assert.deepEqual(asked, []);
});

Deno.test("/dream that would do nothing says why and begins nothing", async () => {
  const { controller, asked } = testController();
  const memory = { ...NO_MEMORY, dir: "/m", whyNoDream: () => "nothing new" };
  assert.equal(await dream.run("", { ...controller, memory }), "nothing new");
  assert.deepEqual(asked, []);
});

Deno.test("the demo model does not dream, and says what to do", () => {
  const { controller, asked } = testController();
  assert.throws(() => dream.run("", { ...controller, model: "demo" }), /\/model/);
  assert.deepEqual(asked, []);
});

Deno.test("where nothing is kept /dream says so and begins nothing", () => {
  const { controller, asked } = testController();
  assert.throws(() => dream.run("", { ...controller, memory: NO_MEMORY }), /There is no memory/);
  assert.deepEqual(asked, []);
});

Deno.test("/dream-log shows the last changes, as many as asked for", async () => {
  const { controller } = testController();
  const here = {
    ...controller,
    memory: { ...NO_MEMORY, log: (n: number) => Promise.resolve(`${n}`) },
  };
  assert.equal(await dreamLog.run("", here), "5");
  assert.equal(await dreamLog.run("12", here), "12");
  for (const bad of ["0", "x", "1.5", "101"]) {
    await assert.rejects(async () => await dreamLog.run(bad, here), /1 to 100/);
  }
  assert.match(await dreamLog.run("", controller), /no record yet/);
});

Deno.test("/dream-restore undoes the last Dream or a named one, and says which", async () => {
  const { controller } = testController();
  const restore = (id: string | undefined) => Promise.resolve(id ?? "the last");
  const here = { ...controller, memory: { ...NO_MEMORY, restore } };
  assert.match(await dreamRestore.run("", here), /Undone: the last/);
  assert.match(await dreamRestore.run("abc1234", here), /Undone: abc1234/);
});
