import assert from "node:assert/strict";
import { NO_SERVERS } from "../support/test_controller.ts";
import { read } from "../../src/tools/read/read.ts";
import type { Servers } from "../../src/base/types.ts";
import { fakeConfig, stageAll } from "../features/mcp/stage.ts";
import { eventually } from "../support/processes.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";

async function withAgent(servers: Servers, play: (agent: TestAgent) => Promise<void>) {
  await withWorkspace({ "a.txt": "the file" }, async (workspace) => {
    const model = new ScriptedModel([{ text: "ok" }, { text: "ok" }]);
    const agent = new TestAgent({ model, tools: [read], workspace, servers });
    await play(agent);
    await agent.agent.close();
  });
}

const users = (agent: TestAgent) =>
  agent.messages.filter((one) => one.role === "user").map((one) => one.text);
const notices = (agent: TestAgent) => agent.of("notice").map(({ text }) => text);

Deno.test("a resource stands behind its line, files beside it, and the screen is told", async () => {
  await using servers = stageAll([fakeConfig("fake", { more: true })]);
  await servers.settled(AbortSignal.timeout(10_000));
  await eventually(() => servers.resources().length > 0, 20_000);
  const { uri } = servers.resources().find(({ template }) => !template)!;
  await withAgent(servers, async (t) => {
    await t.say(`compare @fake:${uri} and @a.txt, twice @fake:${uri}`);
    const [line, resource, file, ...more] = users(t);
    assert.equal(line, `compare @fake:${uri} and @a.txt, twice @fake:${uri}`);
    assert.ok(resource!.startsWith(`[narnat] The user attached the MCP resource fake:${uri}`));
    assert.match(file!, /the file/);
    assert.deepEqual(more, []);
    assert.ok(notices(t).some((text) => text.startsWith(`attached fake:${uri} (`)));
  });
});

Deno.test("a resource that cannot be read is told, and the line is asked all the same", async () => {
  const servers: Servers = {
    ...NO_SERVERS,
    list: () => [{
      name: "fake",
      state: "error",
      what: "",
      tools: [],
      resources: 0,
      prompts: 0,
      why: "",
      file: "",
    }],
    read: () => Promise.reject(new Error("it is gone")),
  };
  await withAgent(servers, async (t) => {
    await t.say("see @fake:x://y please");
    assert.deepEqual(users(t), ["see @fake:x://y please"]);
    assert.ok(notices(t).includes("fake:x://y was not attached: it is gone"));
    assert.equal(t.of("turn_end").at(-1)?.reason, "done");
  });
});

Deno.test("a stop while a resource is read ends the turn", async () => {
  const servers: Servers = {
    ...NO_SERVERS,
    list: () => [{
      name: "fake",
      state: "ready",
      what: "",
      tools: [],
      resources: 1,
      prompts: 0,
      why: "",
      file: "",
    }],
    read: (_server, _uri, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  await withAgent(servers, async (t) => {
    const said = t.say("see @fake:x://y please");
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.agent.bus.send({ type: "stop", lane: "main" });
    await said;
    assert.equal(t.of("turn_end").at(-1)?.reason, "interrupted");
  });
});
