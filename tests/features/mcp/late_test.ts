import assert from "node:assert/strict";
import { english } from "../../../src/base/t.ts";
import type { Tool } from "../../../src/base/types.ts";
import { lateServers, liveToolbox, type Supply } from "../../../src/features/mcp/late.ts";
import type { ConnectedServers } from "../../../src/features/mcp/types.ts";
import { slow } from "../../support/soak.ts";
import { tool } from "../../support/test_agent.ts";
import { fakeConfig, said, stageAll, TestCaller } from "./stage.ts";

const { signal } = new AbortController();

/** Late servers over one fake, and how often it was loaded. */
function late() {
  const loads: ConnectedServers[] = [];
  const servers = lateServers(() => {
    const real = stageAll([fakeConfig("one", {}, { scope: "project" })], {}, () => false);
    loads.push(real);
    return Promise.resolve(real);
  });
  return { servers, loads };
}

Deno.test("nothing is loaded before the start", async () => {
  const { servers, loads } = late();
  await servers.settled(signal);
  await servers.known(signal);
  assert.deepEqual([servers.list(), servers.tools(), servers.configs], [[], [], []]);
  assert.equal(servers.connection("one"), undefined);
  await servers.shutdown();
  assert.equal(loads.length, 0);
});

slow("once begun they are the servers that were loaded, once", async () => {
  const { servers, loads } = late();
  servers.start(() => false);
  servers.start(() => true);
  await servers.known(signal);
  assert.equal(servers.list()[0]?.state, "ready");
  const echo = servers.tools().find(({ tool }) => tool.name === "echo")!;
  assert.equal(said(await echo.call({ text: "hi" }, new TestCaller())), "hi");
  assert.equal(loads.length, 1);
  await servers.shutdown();
  assert.equal(servers.list()[0]?.state, "closed");
});

Deno.test("what is shut down while it loads is never begun", async () => {
  const { servers, loads } = late();
  servers.start(() => true);
  await servers.shutdown();
  assert.equal(loads.length, 1);
  assert.ok(servers.list().every(({ state }) => state !== "ready" && state !== "connecting"));
});

Deno.test("who wants to know which there are waits for them to be loaded, not for trust", async () => {
  const loading = Promise.withResolvers<ConnectedServers>();
  const servers = lateServers(() => loading.promise, () => new Promise(() => {}));
  const listed = servers.listed(signal);
  servers.start(() => true);
  loading.resolve(stageAll([fakeConfig("one", {}, { scope: "project" })], {}, () => false));
  await listed;
  assert.equal(servers.list()[0]?.state, "connecting");
  await servers.shutdown();
});

Deno.test("where nothing starts servers, there are none as soon as that is known", async () => {
  const servers = lateServers(() => new Promise(() => {}));
  await servers.listed(signal);
  assert.deepEqual(servers.list(), []);
});

Deno.test("waiting ends with the signal", async () => {
  const servers = lateServers(() => new Promise(() => {}));
  servers.start(() => true);
  await servers.settled(AbortSignal.abort());
  await servers.listed(AbortSignal.abort());
});

Deno.test("who asks for a server's prompts waits for it to be started, connected and listed", async () => {
  const starting = Promise.withResolvers<void>();
  const real = () => Promise.resolve(stageAll([fakeConfig("one", { more: true })]));
  const servers = lateServers(real, () => starting.promise);
  const ready = servers.ready("one", signal);
  assert.deepEqual(servers.prompts(), []);
  servers.start(() => true);
  starting.resolve();
  await ready;
  assert.ok(servers.prompts().length > 0);
  await servers.ready("nobody", signal);
  await servers.shutdown();
});

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
