import assert from "node:assert/strict";
import type { Tool, ToolContext } from "../../src/base/types.ts";
import { deferred } from "../../src/tools/declaration.ts";

const context = {} as ToolContext;

function counted(asks?: Tool["asks"]) {
  const tool: Tool = {
    name: "Work",
    description: "",
    input: { type: "object" },
    readOnly: true,
    needs: [],
    ...asks ? { asks } : {},
    run: ({ n }) => Promise.resolve({ ok: true, text: `ran ${n}` }),
  };
  const { run: _run, asks: _asks, ...declaration } = tool;
  let loads = 0;
  const load = () => {
    loads++;
    return Promise.resolve(tool);
  };
  return { made: deferred(declaration, load), loads: () => loads };
}

Deno.test("a deferred tool is declared at once and loaded once, with its first call", async () => {
  const { made, loads } = counted();
  assert.equal(made.name, "Work");
  assert.equal(loads(), 0);
  const results = await Promise.all([1, 2].map((n) => made.run({ n }, context)));
  assert.deepEqual(results.map(({ text }) => text), ["ran 1", "ran 2"]);
  assert.equal(loads(), 1);
});

Deno.test("a deferred tool is loaded when a call of it begins to arrive; a failure waits for the call", async () => {
  const { made, loads } = counted();
  made.warm?.();
  assert.equal(loads(), 1);
  const broken = deferred(made, () => Promise.reject(new Error("gone")));
  broken.warm?.();
  await assert.rejects(broken.run({}, context), /gone/);
});

Deno.test("a deferred tool asks what its own code asks, and nothing where that asks nothing", async () => {
  assert.equal(await counted(() => Promise.resolve(true)).made.asks!({}, context), true);
  assert.equal(await counted().made.asks!({}, context), false);
});
