import assert from "node:assert/strict";
import { dream } from "../../../src/features/memory/dream_command.ts";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import { testDesk } from "../../support/test_desk.ts";

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
