import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AgentKind, AgentTask, ToolMessage } from "../../../src/base/types.ts";
import { spawnTool } from "../../../src/features/subagents/spawn_tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { agentsStage, firstLine } from "./stage.ts";
import { NO_AGENTS } from "../../support/test_controller.ts";
import { eventually } from "../../support/processes.ts";
import { tool } from "../../support/test_agent.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { runs } from "../../support/soak.ts";

const KINDS: readonly AgentKind[] = [
  { name: "reviewer", description: "Reads code for faults", prompt: "You review." },
  { name: "tester", description: "Writes tests", prompt: "You test." },
];

/** Runs Spawn over agents that only note what they are given. */
async function spawned(input: object, kinds = KINDS) {
  const tasks: AgentTask[] = [];
  const info = (task: AgentTask) => {
    tasks.push(task);
    const { label } = task;
    const usage = { input: 0, output: 0, cached: 0, cost: 0 };
    return {
      id: "ab12cd34",
      label,
      kind: "",
      state: "running",
      steps: 0,
      doing: "",
      usage,
      ms: 0,
    } as const;
  };
  const agents = { ...NO_AGENTS, start: info };
  const box = createToolbox([spawnTool({ agents: () => agents, kinds })]);
  const call = box.prepare("Spawn", JSON.stringify(input), english);
  if (typeof call === "string") return { tasks, ok: false, text: call };
  const result = await call.tool.run(call.input, new ToolRunner("/w").context());
  return { tasks, ...result };
}

Deno.test("a started agent is told in the seed's words", async () => {
  const { text, tasks } = await spawned({ task: "Look at a.ts", label: "分析项目架构" });
  assert.equal(text.split("\n")[0], "Subagent [分析项目架构] started (id: ab12cd34)");
  assert.deepEqual(tasks, [{ text: "Look at a.ts", label: "分析项目架构" }]);
});

Deno.test("without a label the task's beginning is one", async () => {
  const { tasks } = await spawned({ task: `  Find all\tcallers of ${"x".repeat(100)}\nand more` });
  assert.equal(tasks[0]!.label, `Find all callers of ${"x".repeat(20)}…`);
});

Deno.test("other agents' spellings are understood", async () => {
  const { tasks } = await spawned({
    description: "review",
    prompt: "Look at a.ts",
    subagent_type: "Reviewer",
    run_in_background: true,
  });
  assert.deepEqual(tasks, [{ text: "Look at a.ts", label: "review", kind: KINDS[0]! }]);
  const general = await spawned({ prompt: "x", subagent_type: "general-purpose" });
  assert.equal(general.tasks[0]!.kind, undefined);
  const none = await spawned({ prompt: "x", subagent_type: "general-purpose" }, []);
  assert.equal(none.tasks.length, 1);
  const box = createToolbox([spawnTool({ agents: () => NO_AGENTS, kinds: [] })]);
  const inFront = box.prepare("Task", '{"prompt": "x", "run_in_background": false}', english);
  assert.equal(typeof inFront === "object" && inFront.input["wait"], true);
});

Deno.test("an unknown type is refused with those there are, the nearest first", async () => {
  const { ok, text, tasks } = await spawned({ task: "x", type: "testr" });
  assert.equal(ok, false);
  assert.match(text, /no agent type testr.*tester, reviewer/);
  assert.deepEqual(tasks, []);
});

Deno.test("a blank task is refused", async () => {
  const { ok, text } = await spawned({ task: " \n " });
  assert.equal(ok, false);
  assert.match(text, /task is empty/);
});

Deno.test("the description names the kinds within bounds, and no type where there are none", () => {
  const many = Array.from({ length: 500 }, (_, i) => ({
    name: `kind-${i}`,
    description: "d".repeat(2000),
    prompt: "p",
  }));
  const { description } = spawnTool({ agents: () => NO_AGENTS, kinds: many });
  assert.ok(description.length < 14_000, `${description.length}`);
  assert.match(description, /kind-499/);
  const plain = spawnTool({ agents: () => NO_AGENTS, kinds: [] });
  assert.doesNotMatch(plain.description, /one of these/);
  assert.equal(plain.input.properties!["type"], undefined);
});

Deno.test("agents that are waited for in one answer work side by side, and give their texts in order", async () => {
  let now = 0;
  let most = 0;
  const work = tool("Work", async () => {
    most = Math.max(most, ++now);
    await eventually(() => most === 3, 20_000);
    now--;
    return { ok: true, text: "done" };
  });
  const { t } = agentsStage((request) => {
    const name = /^part (\w)$/.exec(firstLine(request))?.[1];
    if (name === undefined) {
      return request.messages.length > 1 ? { text: "ok" } : {
        calls: ["a", "b", "c"].map((part) => ({
          name: "Spawn",
          input: { task: `part ${part}`, wait: true },
        })),
      };
    }
    return request.messages.length === 1 ? { calls: [{ name: "Work" }] } : { text: `did ${name}` };
  }, { tools: [work] });
  await t.say("go");
  const texts = t.messages.filter((m) => m.role === "tool").map((m) => m.text);
  assert.deepEqual(texts, ["did a", "did b", "did c"]);
  assert.equal(most, 3);
  assert.equal(t.of("turn_start").filter(({ from }) => from !== "main").length, 1);
});

Deno.test("a stop of the turn stops the agent that is waited for", async () => {
  const { t, scopes } = agentsStage((request) =>
    firstLine(request) === "task"
      ? { text: "hm", hang: true }
      : { calls: [{ name: "Spawn", input: { task: "task", wait: true } }] }
  );
  t.send("go");
  await t.until((event) => event.type === "text" && event.delta === "hm");
  t.stop();
  await t.agent.idle();
  assert.deepEqual(scopes, { opened: 1, ended: 1 });
  const result = t.messages.find((m) => m.role === "tool")!;
  assert.equal(result.role === "tool" && result.ok, false);
  assert.equal(t.of("turn_end").find(({ turn }) => turn === 1)!.reason, "interrupted");
});

Deno.test("an agent that is waited for may take longer than any one call", async () => {
  const nap = tool("Nap", async () => {
    await new Promise((wake) => setTimeout(wake, 10));
    return { ok: true, text: "slept" };
  });
  const { t } = agentsStage((request) => {
    if (firstLine(request) !== "task") {
      return request.messages.length === 1
        ? { calls: [{ name: "Spawn", input: { task: "task", wait: true } }] }
        : { text: "ok" };
    }
    const naps = request.messages.filter(({ role }) => role === "tool").length;
    return naps < 6 ? { calls: [{ name: "Nap", input: { naps } }] } : { text: "rested" };
  }, { tools: [nap], limits: { toolMs: 30 } });
  await t.say("go");
  assert.equal(t.messages.find((m) => m.role === "tool")!.text, "rested");
});

Deno.test("Feature: agent-system-optimization, Property 14: N calls give N results with their ids, agents among them", async () => {
  const kinds = ["ok", "fails", "started", "waited", "broken", "bad_type"] as const;
  const tools = [
    tool("ok", () => ({ ok: true, text: "fine" })),
    tool("fails", () => ({ ok: false, text: "no" })),
  ];
  const good = ["ok", "started", "waited"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (list, mostAgents) => {
        const calls = list.map((kind, i) => ({
          id: `id-${i}`,
          name: tools.some(({ name }) => name === kind) ? kind : "Spawn",
          input: {
            task: kind === "broken" ? "break" : `task ${i}`,
            wait: kind !== "started",
            ...kind === "bad_type" ? { type: "none such" } : {},
          },
        }));
        const { t, scopes } = agentsStage((request) => {
          if (firstLine(request) === "break") return { error: new Error("boom") };
          if (firstLine(request).startsWith("task")) return { text: firstLine(request) };
          return request.messages.length === 1 ? { calls } : { text: "end" };
        }, { tools, mostAgents });
        await t.say("go");
        const results = t.messages.filter((m): m is ToolMessage => m.role === "tool");
        assert.deepEqual(results.map((m) => m.id), calls.map((call) => call.id));
        assert.deepEqual(results.map((m) => m.ok), list.map((kind) => good.includes(kind)));
        for (const [i, kind] of list.entries()) {
          if (kind === "waited") assert.equal(results[i]!.text, `task ${i}`);
        }
        // those that were not waited for have answered in lines
        const lines = t.messages.filter((m) => m.role === "user" && /has finished/.test(m.text));
        assert.equal(lines.length, list.filter((kind) => kind === "started").length);
        assert.equal(scopes.opened, scopes.ended);
      },
    ),
    { numRuns: runs(100) },
  );
});
