import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { liveToolbox, type Supply } from "../../../src/features/mcp/live_toolbox.ts";
import type { Tool } from "../../../src/base/types.ts";
import { tool } from "../../support/test_agent.ts";

const { signal } = new AbortController();
const named = (name: string, description = name): Tool =>
  tool(name, () => ({ ok: true, text: description }), { description });

/** A toolbox over what the test puts into `supply`. */
function staged(...first: Tool[]) {
  const supply: { now: Supply } = { now: { tools: first, texts: [] } };
  const box = liveToolbox(first, () => Promise.resolve(supply.now), english);
  const set = (tools: Tool[], texts: string[] = []) => void (supply.now = { tools, texts });
  return { box, set, names: () => box.definitions.map(({ name }) => name) };
}

Deno.test("what comes with the first refresh is there and needs no telling", async () => {
  const { box, set, names } = staged(named("Read"));
  assert.deepEqual(names(), ["Read"]);
  set([named("Read"), named("mcp_a_x")], ["a server failed"]);
  assert.deepEqual(await box.refresh(signal), ["a server failed"]);
  assert.deepEqual(names(), ["Read", "mcp_a_x"]);
  assert.deepEqual(box.tools.map(({ name }) => name), ["Read", "mcp_a_x"]);
});

Deno.test("later changes hold from the next refresh on, and are told", async () => {
  const { box, set, names } = staged(named("Read"), named("mcp_a_x"));
  await box.refresh(signal);
  set([named("Read"), named("mcp_b_y"), named("mcp_b_z")]);
  assert.deepEqual(names(), ["Read", "mcp_a_x"]);
  assert.equal(typeof box.prepare("mcp_b_y", "{}", english), "string");
  assert.deepEqual(await box.refresh(signal), [
    "2 tools added: mcp_b_y, mcp_b_z",
    "1 tool gone: mcp_a_x",
  ]);
  assert.deepEqual(names(), ["Read", "mcp_b_y", "mcp_b_z"]);
  assert.equal(typeof box.prepare("mcp_b_y", "{}", english), "object");
  set([named("Read"), named("mcp_b_y", "other words"), named("mcp_b_z")]);
  assert.deepEqual(await box.refresh(signal), ["1 tool has another definition: mcp_b_y"]);
});

Deno.test("as long as nothing changes the definitions are the same object, with the newest tools behind them", async () => {
  const { box, set } = staged(named("Read"));
  await box.refresh(signal);
  const { definitions } = box;
  const newer = named("Read");
  set([newer]);
  assert.deepEqual(await box.refresh(signal), []);
  assert.equal(box.definitions, definitions);
  const prepared = box.prepare("Read", "{}", english);
  assert.ok(typeof prepared !== "string" && prepared.tool === newer);
});

Deno.test("of many names only some are told", async () => {
  const { box, set } = staged();
  await box.refresh(signal);
  set(Array.from({ length: 30 }, (_, i) => named(`mcp_a_${i}`)));
  const [text] = await box.refresh(signal);
  assert.match(text!, /^30 tools added: (mcp_a_\d, ){8}…$/);
});
