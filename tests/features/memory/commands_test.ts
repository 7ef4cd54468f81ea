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
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/memory shows the files and where they are, and opens one in the editor", () =>
  withWorkspace({ "memory/MEMORY.md": "- port 8430\n", "memory/USER.md": " \n" }, async (root) => {
    const { desk, asked } = testDesk();
    const dir = join(root, "memory");
    const here = { ...desk, memory: { ...NO_MEMORY, dir } };
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
  assert.throws(() => memory.run("", testDesk([], chinese).desk), /没有记忆/);
});

Deno.test("/remember keeps a line and tells the model; a known one is neither kept nor told", () =>
  withWorkspace({}, async (dir) => {
    const { desk, asked } = testDesk();
    const here = { ...desk, memory: { ...NO_MEMORY, dir } };
    assert.match(await remember.run("use pnpm", here), /takes effect now/);
    assert.match(await remember.run("use pnpm", here), /already/);
    assert.deepEqual(asked, ["note The user asks you to remember: use pnpm"]);
    assert.match(Deno.readTextFileSync(join(dir, "MEMORY.md")), /^- use pnpm$/m);
    assert.throws(() => remember.run("", here), /Usage/);
  }));

Deno.test("/remember says when the file is longer than what the model reads of it", () =>
  withWorkspace({ "MEMORY.md": `# Memory\n\n- ${"x".repeat(16_340)}\n` }, async (dir) => {
    const here = { ...testDesk().desk, memory: { ...NO_MEMORY, dir } };
    assert.doesNotMatch(await remember.run("use deno", here), /longer/);
    assert.match(
      await remember.run("use pnpm and nothing else", here),
      /\nMEMORY\.md has 16\d\d\d bytes, more than the 16384 .*\/dream/,
    );
  }));

Deno.test("/dream goes on beside the turns", async () => {
  const { desk } = testDesk();
  let told = "";
  const here = {
    ...desk,
    memory: { ...NO_MEMORY, dir: "/m", dream: () => Promise.resolve("dreamt") },
    beside: async (work: (signal: AbortSignal) => Promise<string>) => {
      told = await work(new AbortController().signal);
    },
  };
  assert.match(await dream.run("", here), /in the background/);
  assert.equal(told, "dreamt");
});

Deno.test("/dream stop stops it, and anything else is refused", async () => {
  const { desk, asked } = testDesk();
  const dreaming = { ...desk, memory: { ...NO_MEMORY, dir: "/m", dreaming: true } };
  assert.equal(await dream.run("stop", dreaming), "");
  assert.deepEqual(asked, ["stop beside"]);
  assert.throws(() => dream.run("deeply", desk), /got deeply/);
});

Deno.test("/dream says when one is at work here already, /dream stop when none is", async () => {
  const { desk, asked } = testDesk();
  const memory = { ...NO_MEMORY, dir: "/m", dreaming: true };
  const beside = () => assert.fail("begun");
  assert.match(await dream.run("", { ...desk, memory, beside }), /at work already/);
  assert.match(await dream.run("stop", desk), /No Dream is running/);
  assert.deepEqual(asked, []);
});

Deno.test("/dream that would do nothing says why and begins nothing", async () => {
  const { desk, asked } = testDesk();
  const memory = { ...NO_MEMORY, dir: "/m", whyNoDream: () => "nothing new" };
  assert.equal(await dream.run("", { ...desk, memory }), "nothing new");
  assert.deepEqual(asked, []);
});

Deno.test("the demo model does not dream, and says what to do", () => {
  const { desk, asked } = testDesk();
  assert.throws(() => dream.run("", { ...desk, model: "demo" }), /\/model/);
  assert.deepEqual(asked, []);
});

Deno.test("where nothing is kept /dream says so and begins nothing", () => {
  const { desk, asked } = testDesk();
  assert.throws(() => dream.run("", { ...desk, memory: NO_MEMORY }), /There is no memory/);
  assert.deepEqual(asked, []);
});

Deno.test("/dream-log shows the last changes, as many as asked for", async () => {
  const { desk } = testDesk();
  const here = { ...desk, memory: { ...NO_MEMORY, log: (n: number) => Promise.resolve(`${n}`) } };
  assert.equal(await dreamLog.run("", here), "5");
  assert.equal(await dreamLog.run("12", here), "12");
  for (const bad of ["0", "x", "1.5", "101"]) {
    await assert.rejects(async () => await dreamLog.run(bad, here), /1 to 100/);
  }
  assert.match(await dreamLog.run("", desk), /no record yet/);
});

Deno.test("/dream-restore undoes the last Dream or a named one, and says which", async () => {
  const { desk } = testDesk();
  const restore = (id: string | undefined) => Promise.resolve(id ?? "the last");
  const here = { ...desk, memory: { ...NO_MEMORY, restore } };
  assert.match(await dreamRestore.run("", here), /Undone: the last/);
  assert.match(await dreamRestore.run("abc1234", here), /Undone: abc1234/);
});
