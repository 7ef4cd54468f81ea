import assert from "node:assert/strict";
import { lateServers } from "../../../src/features/mcp/late.ts";
import type { ConnectedServers } from "../../../src/features/mcp/types.ts";
import { fakeConfig, said, stageAll, TestCaller } from "./stage.ts";
import { slow } from "../../support/soak.ts";

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
