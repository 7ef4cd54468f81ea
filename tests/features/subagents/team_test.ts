import assert from "node:assert/strict";
import { join } from "node:path";
import { agentsStage, isMember, lastText, MEMBERS, team, teamStage as stage } from "./stage.ts";
import { sessionStore } from "../../support/parts.ts";
import type { Step } from "../../support/scripted_model.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { tool } from "../../support/test_agent.ts";
import { sendTool } from "../../../src/features/subagents/team_tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";

const TWO = MEMBERS.slice(0, 2);
const call = (name: string, input: object = {}): Step => ({ calls: [{ name, input }] });
const ask = (to: string, text: string): Step => call("Send", { to, text });

/** A tool that runs until it is let go, whatever is stopped meanwhile. */
function gate(name: string) {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const run = () => {
    reach();
    return promise.then(() => ({ ok: true, text: `${name} is over` }));
  };
  return { tool: tool(name, run), reached, open };
}

Deno.test("a team made anew while the old one still comes to rest stays, and is paid for once", async () => {
  const { promise: stuck, resolve: reach } = Promise.withResolvers<void>();
  const create = team({ action: "create", members: TWO });
  const send = (text: string) => team({ action: "send", to: "ann", text });
  const disband = team({ action: "disband" });
  const lead: Record<string, Step[]> = {
    go: [create, send("old work")],
    again: [{ calls: [...disband.calls!, ...create.calls!] }, send("new work")],
    "and more": [send("more")],
  };
  const { t, model, scopes } = agentsStage((request) => {
    const texts = request.messages.filter((m) => m.role === "user").map((m) => m.text);
    if (isMember(request)) {
      return texts.includes("old work") ? call("Stuck") : { text: `did ${texts.join(" and ")}` };
    }
    const at = request.messages.findLastIndex(({ text }) => text in lead);
    const since = request.messages.slice(at);
    const made = since.filter((m) => m.role === "assistant" && m.calls.length > 0).length;
    return lead[since[0]!.text]![made] ?? { text: "I wait" };
  }, {
    tools: [tool("Stuck", () => {
      reach();
      return new Promise(() => {});
    })],
  });
  t.send("go");
  await stuck;
  await t.say("again");
  await t.say("and more");
  assert.match(t.messages.map(({ text }) => text).join("\n"), /did new work and more/);
  assert.equal(t.agent.controller.current().usage.input, 100 * model.requests.length);
  await t.agent.close();
  assert.deepEqual(scopes, { opened: 4, ended: 4 });
});

Deno.test("who is stopped before its lane is there is asked nothing", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const s = stage(
    [
      team({ action: "create", members: TWO }),
      team({ action: "send", to: "ann", text: "work" }),
      { text: "I wait", hang: true },
    ],
    () => ({ text: "never" }),
    {
      async agentScope(_task, key, lead) {
        await held;
        const agents = () => s.t.agent.agents;
        const toolbox = createToolbox([sendTool({ agents, name: key.slice(5), lead })]);
        return { toolbox, store: sessionStore(undefined) };
      },
    },
  );
  s.t.send("go");
  await s.t.until((event) => event.type === "text" && event.delta === "t");
  s.t.stop();
  release();
  await s.t.agent.idle();
  assert.equal(s.model.requests.length, 3);
  await s.t.agent.close();
});

Deno.test("a stop while a member waits for another's answer leaves nothing that is waited for", async () => {
  const slow = gate("Slow");
  const s = stage(
    [
      team({ action: "create", members: TWO }),
      team({ action: "send", to: "ann", text: "begin" }),
      { text: "I wait" },
      { text: "noted" },
    ],
    (request, texts) => {
      if (texts[0] === "which port?") return call("Slow");
      return request.messages.length === 1
        ? ask("bob", "which port?")
        : { text: "half done", hang: true };
    },
    { tools: [slow.tool] },
  );
  s.t.send("go");
  await slow.reached;
  await s.t.until((event) => event.type === "text" && event.delta === "done");
  s.t.stop();
  slow.open();
  await s.t.agent.idle();
  assert.deepEqual(s.t.agent.agents.list().map(({ state }) => state), ["stopped", "stopped"]);
  await s.t.say("and?");
  assert.match(s.t.messages.map(({ text }) => text).join("\n"), /ann .* was stopped[^]*half done/);
  await s.t.agent.close();
});

Deno.test("an answer for a member that has gone is for nobody", async () => {
  for (const gone of [true, false]) {
    const [slow, stuck] = [gate("Slow"), gate("Stuck")];
    const s = stage(
      [
        team({ action: "create", members: TWO }),
        team({ action: "send", to: "ann", text: "begin" }),
        { text: "I wait" },
        { text: "a pity" },
      ],
      (request, texts) => {
        if (texts[0] === "which port?") {
          return request.messages.length === 1 ? call("Slow") : { text: "port 8080" };
        }
        if (request.messages.length === 1) return ask("bob", "which port?");
        return request.messages.length > 3 ? { text: "too late" } : call("Stuck");
      },
      { tools: [slow.tool, stuck.tool] },
    );
    s.t.send("go");
    await Promise.all([slow.reached, stuck.reached]);
    s.t.agent.agents.stop("ann");
    // at once, it is still coming to rest; later, nothing of it is left
    if (gone) await s.t.until((event) => event.type === "agent" && event.state === "stopped");
    slow.open();
    await s.t.agent.idle();
    const starts = s.t.of("turn_start").map(({ text }) => text);
    assert.equal(starts.filter((text) => /port 8080/.test(text)).length, 0);
    assert.deepEqual(s.t.agent.agents.list().map(({ id }) => id), ["bob"]);
    await s.t.agent.close();
    assert.deepEqual(s.scopes, { opened: 2, ended: 2 });
  }
});

Deno.test("after a stop all members can be asked again, those that had nothing to do too", async () => {
  const s = stage(
    [
      team({ action: "create", members: TWO }),
      team({ action: "send", to: "ann", text: "work" }),
      { text: "I wait" },
      team({ action: "send", to: "bob", text: "help" }),
      team({ action: "send", to: "ann", text: "help" }),
      { text: "I wait" },
      { text: "good" },
      { text: "good" },
    ],
    (_request, texts) => texts.at(-1) === "work" ? { text: "busy", hang: true } : { text: "here" },
  );
  s.t.send("go");
  await s.t.until((event) => event.type === "text" && event.delta === "busy");
  await s.t.until((event) => event.type === "turn_end");
  s.t.stop();
  await s.t.agent.idle();
  await s.t.say("go on");
  const all = s.t.messages.map(({ text }) => text).join("\n");
  assert.match(all, /bob .* of the team answers/);
  assert.match(all, /ann .* of the team answers/);
  await s.t.agent.close();
});

Deno.test("who comes back to a session is told that its team is gone, once, unless it was disbanded", async () => {
  for (const disbanded of [false, true]) {
    await withWorkspace({}, async (root) => {
      const dir = join(root, "sessions");
      const first = stage(
        [
          team({ action: "create", members: [{ name: "ann", role: "x" }] }),
          team({ action: "create", members: TWO }),
          ...disbanded ? [team({ action: "disband" })] : [],
          { text: "here they are" },
        ],
        () => ({ text: "ok" }),
        { dir },
      );
      await first.t.say("go");
      await first.t.say("and?");
      const { id, messages } = first.t.agent.controller.current();
      assert.ok(!messages.some(({ text }) => /is gone/.test(text)), "it is there");
      await first.t.agent.close();

      const { t } = stage([], () => ({}), { dir });
      t.agent.resume(id);
      await t.say("go on");
      await t.say("and on");
      const told = t.messages.filter((m) => /is gone/.test(m.text)).map(({ text }) => text);
      assert.equal(told.length, disbanded ? 0 : 1);
      if (!disbanded) assert.match(told[0]!, /^\[narnat\] The team is gone/);
      await t.agent.close();
    });
  }
});

Deno.test("a new session hears nothing of what members of the old one had begun", async () => {
  const s = stage(
    [
      team({ action: "create", members: TWO }),
      team({ action: "send", to: "ann", text: "work" }),
      { text: "I wait" },
      { text: "hello" },
    ],
    () => call("Stuck"),
    { tools: [tool("Stuck", () => new Promise(() => {}))] },
  );
  s.t.send("go");
  await s.t.until((event) => event.type === "tool_start" && event.name === "Stuck");
  await s.t.until((event) => event.type === "turn_end");
  s.t.send("/new");
  await s.t.until((event) => event.type === "turn_end" && event.reason === "command");
  // while the member still comes to rest
  s.t.stop();
  await s.t.agent.idle();
  assert.deepEqual(s.t.messages, []);
  assert.match(s.t.of("notice").map(({ text }) => text).join("\n"), /^1 agent that worked/m);
  await s.t.say("hello");
  assert.deepEqual(s.t.messages.map(({ text }) => text), ["hello", "hello"]);
  assert.equal(lastText(s.model.requests.at(-1)!), "hello");
});
