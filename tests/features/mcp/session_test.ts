/** Servers of tools in a session, over a scripted model. */
import assert from "node:assert/strict";
import type { Filled } from "../../../src/base/types.ts";
import { fakeConfig, stageAll, toolboxOf } from "./stage.ts";
import { eventually } from "../../support/processes.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { slow } from "../../support/soak.ts";

const { signal } = new AbortController();
const look = tool("Look", () => ({ ok: true, text: "seen" }));
const call = (name: string, input: unknown = {}): Step => ({ calls: [{ name, input }] });
const results = (t: TestAgent) => t.of("tool_end").map(({ ok, text }) => ({ ok, text }));

slow("a slow call times out with a result, and the session goes on", async () => {
  await using servers = stageAll([fakeConfig("s", {}, { timeoutMs: 1000 })]);
  await servers.settled(signal);
  const model = new ScriptedModel([
    call("mcp_s_slow", { ms: 60_000 }),
    call("mcp_s_echo", { text: "still there" }),
    { text: "done" },
  ]);
  const t = new TestAgent({ model, toolbox: toolboxOf([look], servers) });
  await t.say("go");
  assert.match(results(t)[0]!.text, /timed out after 1 s/);
  assert.match(results(t)[1]!.text, /still there$/);
  assert.equal(t.of("turn_end")[0]?.reason, "done");
});

Deno.test("a server that dies in a call costs that call, and the session goes on", async () => {
  await using servers = stageAll([fakeConfig("s", { diesInCall: true }), fakeConfig("t")]);
  await servers.settled(signal);
  const model = new ScriptedModel([
    call("mcp_s_echo", { text: "x" }),
    call("mcp_s_echo", { text: "x" }),
    call("mcp_t_echo", { text: "from t" }),
    { text: "done" },
  ]);
  const t = new TestAgent({ model, toolbox: toolboxOf([look], servers) });
  await t.say("go");
  const [first, second, third] = results(t);
  for (const { ok, text } of [first!, second!]) {
    assert.equal(ok, false);
    assert.match(text, /^The MCP server s is disconnected/);
  }
  assert.match(third!.text, /from t$/);
  assert.equal(t.of("turn_end")[0]?.reason, "done");
});

slow(
  "a server that joins does so at the next turn, told, and the prefix holds but there",
  async () => {
    await using servers = stageAll([
      fakeConfig("early"),
      fakeConfig("late", { initializeMs: 1000 }),
    ]);
    const model = new ScriptedModel((_request, at) => at % 3 < 2 ? call("Look") : { text: "done" });
    const toolbox = toolboxOf([look], servers);
    await servers.connection("early")!.opened;
    const t = new TestAgent({ model, toolbox });
    await t.say("one");
    await servers.settled(signal);
    await t.say("two");
    await t.say("three");
    const tools = model.requests.map((request) => JSON.stringify(request.tools));
    assert.equal(new Set(tools.slice(0, 3)).size, 1);
    assert.equal(new Set(tools.slice(3)).size, 1);
    assert.ok(tools[3]!.startsWith(tools[0]!.slice(0, -1)), "what was there stays where it was");
    assert.notEqual(tools[3], tools[0]);
    const notices = t.of("notice").map(({ text }) => text);
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /^10 tools added: mcp_late_echo, /);
  },
);

Deno.test("ESC stops a call at once, and the server is told", async () => {
  await using servers = stageAll([fakeConfig("s")]);
  await servers.settled(signal);
  const model = new ScriptedModel([call("mcp_s_slow", { ms: 60_000 }), call("mcp_s_cancelled")]);
  const t = new TestAgent({ model, toolbox: toolboxOf([look], servers) });
  t.send("go");
  assert.ok(await eventually(() => servers.stderr("s").includes("slow begins")));
  t.stop();
  await t.agent.idle();
  assert.equal(t.of("turn_end")[0]?.reason, "interrupted");
  await t.say("again");
  assert.match(results(t).at(-1)!.text, /requestId/);
});

Deno.test("progress of a call is seen", async () => {
  await using servers = stageAll([fakeConfig("s")]);
  await servers.settled(signal);
  const model = new ScriptedModel([call("mcp_s_progress", { steps: 2 }), { text: "done" }]);
  const t = new TestAgent({ model, toolbox: toolboxOf([look], servers) });
  await t.say("go");
  assert.deepEqual(t.of("tool_progress").map(({ text }) => text), ["1/2 at it", "2/2 at it"]);
});

Deno.test("what a server asks for is asked of the user of the lane, and the answer goes back", async () => {
  await using servers = stageAll([fakeConfig("s")]);
  await servers.settled(signal);
  const requestedSchema = { type: "object", properties: { city: { type: "string" } } };
  const model = new ScriptedModel([
    call("mcp_s_ask", { message: "Where?", requestedSchema }),
    { text: "done" },
  ]);
  const toolbox = toolboxOf([look], servers);
  const t = new TestAgent({ model, toolbox, consentPolicy: "ask" });
  t.send("go");
  const asked = await t.until(({ type }) => type === "ask");
  assert.ok(asked.type === "ask");
  assert.equal(asked.question, "The MCP server s asks you: Where?");
  const value: Filled = { city: "北京" };
  t.agent.bus.send({ type: "answer", lane: "main", id: asked.id, value });
  await t.agent.idle();
  assert.match(results(t)[0]!.text, /\{"action":"accept","content":\{"city":"北京"\}\}/);
});

Deno.test("with permission ask a server's tool that changes things needs a Yes", async () => {
  await using servers = stageAll([fakeConfig("s")]);
  await servers.settled(signal);
  const model = new ScriptedModel([call("mcp_s_echo", { text: "x" }), { text: "done" }]);
  const toolbox = toolboxOf([look], servers);
  const t = new TestAgent({ model, toolbox, permission: "ask", consentPolicy: "deny" });
  await t.say("go");
  assert.equal(results(t)[0]?.ok, false);
  assert.equal(t.of("ask")[0]?.call?.name, "mcp_s_echo");
});
