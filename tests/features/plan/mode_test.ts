import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createJobs } from "../../../src/shell/process/jobs.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { plan } from "../../../src/features/plan/tool.ts";
import type { Searcher } from "../../../src/search/mod.ts";
import type { Answer, Tool } from "../../../src/base/types.ts";
import { agentsStage, firstLine, lastText } from "../subagents/stage.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { TestAgent, type TestAgentOptions, tool } from "../../support/test_agent.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const ON = /^\[narnat\] Plan mode is on/;
const OFF = /^\[narnat\] Plan mode is off/;
const look = tool("Look", () => ({ ok: true, text: "seen" }));

/** An agent with a reading and a changing tool, which counts its runs. */
function stage(
  script: ConstructorParameters<typeof ScriptedModel>[0],
  more: Partial<TestAgentOptions> = {},
  extra: readonly Tool[] = [],
) {
  const model = new ScriptedModel(script);
  const changes = { count: 0 };
  const change = tool("Change", () => ({ ok: true, text: `${++changes.count}` }), {
    readOnly: false,
    needs: ["write"],
  });
  const tools = [look, change, ...extra];
  const t = new TestAgent({ model, tools, consentPolicy: "ask", ...more });
  return { model, t, changes };
}

/** Answers each question with the next answer, and with No when there is none left. */
function consentPolicy(t: TestAgent, answers: Answer[] = []): void {
  t.agent.bus.subscribe((event) => {
    if (event.type !== "ask") return;
    const value = answers.shift() ?? false;
    t.agent.bus.send({ type: "answer", lane: "main", id: event.id, value });
  });
}

const modes = (t: TestAgent) => t.of("plan_mode").map((e) => e.on);
const THE_PLAN = "So:\n1. mend it\n2. test it";
const LOOK_AND_CHANGE: Step = { calls: [{ name: "Look" }, { name: "Change" }] };

Deno.test("in plan mode only what changes nothing runs, and the model knows why", async () => {
  const { model, t, changes } = stage([LOOK_AND_CHANGE, { text: "a plan" }]);
  consentPolicy(t);
  t.agent.controller.usePlanMode(true);
  await t.say("how would you do it?");
  assert.equal(changes.count, 0);
  assert.deepEqual(t.of("tool_end").map((e) => e.ok), [true, false]);
  assert.match(t.of("tool_end")[1]!.text, /^Error: Change may not be called in plan mode/);
  assert.deepEqual(model.requests[0]!.messages.map((m) => m.text.slice(0, 20)), [
    "how would you do it?",
    "[narnat] Plan mode i",
  ]);
});

Deno.test("whatever the model calls in plan mode, nothing runs that could change something", async () => {
  const kinds = fc.array(fc.record({ readOnly: fc.boolean(), mode: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(kinds, async (calls) => {
      const ran: number[] = [];
      const tools = calls.map(({ readOnly }, n) =>
        tool(`T${n}`, () => ({ ok: true, text: `${ran.push(n)}` }), { readOnly, needs: ["write"] })
      );
      const model = new ScriptedModel((_r, i) =>
        i < calls.length ? { calls: [{ name: `T${i}` }] } : { text: "ok" }
      );
      const t: TestAgent = new TestAgent({ model, tools });
      // the mode may change between any two calls
      t.agent.bus.subscribe((event) => {
        if (event.type !== "usage") return;
        const next = calls[model.requests.length - 1];
        if (next) t.agent.controller.usePlanMode(next.mode);
      });
      await t.say("go");
      const may = calls.flatMap(({ readOnly, mode }, n) => readOnly || !mode ? [n] : []);
      assert.deepEqual(ran, may);
    }),
    { numRuns: runs(100) },
  );
});

Deno.test("the user is asked at the end: Yes ends the mode and the plan is carried out in the same session", async () => {
  const { model, t, changes } = stage([
    { text: THE_PLAN },
    { calls: [{ name: "Change" }] },
    { text: "done" },
  ]);
  consentPolicy(t, [true]);
  t.agent.controller.usePlanMode(true);
  await t.say("do it");
  assert.deepEqual(t.of("ask").map((e) => [e.kind, e.question]), [[
    "plan",
    "Run this plan?",
  ]]);
  assert.deepEqual(modes(t), [true, false]);
  assert.equal(t.agent.controller.planMode, false);
  assert.equal(changes.count, 1);
  assert.deepEqual(t.of("turn_start").map((e) => [e.from, e.text]), [
    [undefined, "do it"],
    ["plan", "The plan is approved; carry it out."],
  ]);
  const texts = model.requests[1]!.messages.map((m) => m.text);
  assert.deepEqual(texts.slice(0, 2), model.requests[0]!.messages.map((m) => m.text));
  assert.match(texts.at(-1)!, OFF);
  assert.equal(t.agent.controller.current().turns, 1);
});

Deno.test("an answer that holds no plan asks nothing", async () => {
  for (const text of ["It is in a.ts.", "The files are:\n- a.ts\n- b.ts"]) {
    const { t } = stage([{ text }]);
    consentPolicy(t);
    t.agent.controller.usePlanMode(true);
    await t.say("where is it?");
    assert.equal(t.of("ask").length, 0);
    assert.equal(t.agent.controller.planMode, true);
  }
});

Deno.test("a plan written as prose is asked about also where there is the tool Plan", async () => {
  const { t, changes } = stage(
    [{ text: THE_PLAN }, { calls: [{ name: "Change" }] }, { text: "done" }],
    {},
    [plan],
  );
  consentPolicy(t, [true]);
  t.agent.controller.usePlanMode(true);
  await t.say("do it");
  assert.deepEqual(t.of("ask").map((e) => e.question), ["Run this plan?"]);
  assert.deepEqual(modes(t), [true, false]);
  assert.equal(changes.count, 1);
});

Deno.test("a No, and a stop, leave the mode on and the question is not asked again", async () => {
  const { t, changes } = stage((_r, i) => i < 2 ? { text: THE_PLAN } : LOOK_AND_CHANGE, {
    limits: { iterations: 3 },
  });
  consentPolicy(t, [false]);
  t.agent.controller.usePlanMode(true);
  await t.say("do it");
  assert.equal(t.agent.controller.planMode, true);
  assert.equal(t.of("turn_start").length, 1);

  const stopped = stage([{ text: THE_PLAN }]);
  stopped.t.agent.controller.usePlanMode(true);
  stopped.t.send("do it");
  await stopped.t.until((e) => e.type === "ask");
  stopped.t.stop();
  await stopped.t.agent.idle();
  assert.equal(stopped.t.agent.controller.planMode, true);
  assert.equal(stopped.t.of("turn_start").length, 1);
  assert.equal(changes.count, 0);
});

Deno.test("the tool Plan asks the one question: approved ends the mode, refused asks nothing more", async () => {
  const approvedPlan = stage(
    [
      { calls: [{ name: "Plan", input: { steps: ["a", "b"] } }] },
      { calls: [{ name: "Change" }] },
      { text: "a" },
      { text: "b" },
    ],
    {},
    [plan],
  );
  consentPolicy(approvedPlan.t, [true]);
  approvedPlan.t.agent.controller.usePlanMode(true);
  await approvedPlan.t.say("do it");
  assert.equal(approvedPlan.t.of("ask").length, 1);
  assert.deepEqual(modes(approvedPlan.t), [true, false]);
  assert.equal(approvedPlan.changes.count, 1);

  const refused = stage(
    [
      { calls: [{ name: "Plan", input: { steps: ["a", "b"] } }, { name: "Change" }] },
      { text: "What is to be different?\n1. the order\n2. the tests" },
    ],
    {},
    [plan],
  );
  consentPolicy(refused.t, [false]);
  refused.t.agent.controller.usePlanMode(true);
  await refused.t.say("do it");
  assert.equal(refused.t.of("ask").length, 1);
  assert.equal(refused.t.agent.controller.planMode, true);
  assert.equal(refused.changes.count, 0);
});

Deno.test("with --plan the question about the steps is the only one too", async () => {
  for (const [answer, asked, on] of [[true, 1, false], [false, 1, true]] as const) {
    const { t } = stage((_r, i) => ({ text: i === 0 ? '["a", "b"]' : "ok" }), { planFirst: true });
    consentPolicy(t, [answer]);
    t.agent.controller.usePlanMode(true);
    await t.say("do it");
    assert.equal(t.of("ask").length, asked);
    assert.equal(t.agent.controller.planMode, on);
    assert.equal(t.of("turn_start").length, answer ? 3 : 1);
  }
});

Deno.test("where nobody can be asked a plan of plan mode is told and not carried out", async () => {
  for (const step of [{ text: THE_PLAN }, { calls: [{ name: "Plan", input: { steps: ["a"] } }] }]) {
    const { t, changes } = stage(
      (_r, i) => i === 0 ? step : i === 1 ? { calls: [{ name: "Change" }] } : { text: "end" },
      { consentPolicy: "deny" },
      [plan],
    );
    t.agent.controller.usePlanMode(true);
    await t.say("do it");
    assert.equal(t.agent.controller.planMode, true);
    assert.equal(changes.count, 0);
    assert.ok(t.of("turn_start").every((e) => e.from === undefined));
  }
});

Deno.test("who has more to say is asked when all is said", async () => {
  const { t } = stage([{ text: THE_PLAN }, { text: THE_PLAN }]);
  consentPolicy(t, [false]);
  t.agent.controller.usePlanMode(true);
  t.send("do it");
  t.send("no, do that");
  await t.agent.idle();
  assert.equal(t.of("ask").length, 1);
  assert.equal(t.of("ask")[0]!.turn, 2);
});

Deno.test("what agents are still to say is waited for before a plan is asked about", async () => {
  const { t } = agentsStage((request) => {
    if (firstLine(request) === "task") return { text: "found", hang: true };
    return lastText(request) === "[narnat] Plan mode is on" || request.messages.length === 2
      ? { calls: [{ name: "Spawn", input: { task: "task" } }] }
      : { text: THE_PLAN };
  }, { consentPolicy: "ask" });
  consentPolicy(t);
  t.agent.controller.usePlanMode(true);
  t.send("do it");
  await t.until((e) => e.type === "turn_end");
  await t.until((e) => e.type === "text" && e.delta === "found");
  assert.equal(t.of("ask").length, 0);
  t.agent.agents.stop(t.agent.agents.list()[0]!.id);
  await t.agent.idle();
  assert.equal(t.of("ask").length, 1);
});

Deno.test("a step of a plan that is being carried out is no new plan, whatever the mode is meanwhile", async () => {
  const { t } = stage((_r, i) => i === 0 ? { text: '["a", "b"]' } : { text: THE_PLAN }, {
    planFirst: true,
  });
  consentPolicy(t, [true, true, true]);
  t.agent.bus.subscribe((e) => {
    if (e.type === "turn_start" && e.from === "plan") t.agent.controller.usePlanMode(true);
  });
  await t.say("do it");
  assert.equal(t.of("ask").length, 1);
  assert.equal(t.of("turn_start").length, 3);
});

Deno.test("the model is told of each change once, behind the line, also after it forgot", async () => {
  const { model, t } = stage(() => ({ text: "ok" }));
  consentPolicy(t);
  const last = () => model.requests.at(-1)!.messages;
  const marks = () => last().filter((m) => m.text.startsWith("[narnat] Plan mode")).length;
  t.agent.controller.usePlanMode(true);
  t.agent.controller.usePlanMode(false);
  await t.say("one");
  assert.equal(marks(), 0, "there and back is no change");
  t.agent.controller.usePlanMode(true);
  await t.say("two");
  await t.say("three");
  assert.equal(marks(), 1);
  await t.say("/clear");
  await t.say("four");
  assert.match(last().at(-1)!.text, ON, "a new session is told again");
  t.agent.controller.usePlanMode(false);
  await t.say("five");
  assert.match(last().at(-1)!.text, OFF);
  await t.say("six");
  assert.equal(marks(), 2);
});

Deno.test("a turn that nothing answered takes the word of the mode back, and it is said again", async () => {
  const { model, t } = stage((_r, i) => i === 0 ? { error: new Error("x") } : { text: "ok" });
  consentPolicy(t);
  t.agent.controller.usePlanMode(true);
  await t.say("one");
  await t.say("two");
  assert.deepEqual(model.requests[1]!.messages.filter((m) => ON.test(m.text)).length, 1);
});

Deno.test("the user's own shell line and file mentions are theirs in plan mode too", async () => {
  await withWorkspace({ "a.txt": "hello\n" }, async (root) => {
    const jobs = createJobs({ guard: true });
    const tools = builtinTools({ searcher: {} as Searcher, jobs: () => Promise.resolve(jobs) });
    const model = new ScriptedModel(() => ({ text: "ok" }));
    const t = new TestAgent({
      model,
      tools,
      workspace: root,
      env: { PATH: Deno.env.get("PATH")! },
    });
    t.agent.controller.usePlanMode(true);
    await t.say("!touch b.txt");
    assert.ok(Deno.statSync(join(root, "b.txt")).isFile);
    await t.say("what is in @a.txt?");
    assert.match(model.requests[0]!.messages.at(-1)!.text, /hello/);
    await t.agent.close();
    await jobs.close();
  });
});

Deno.test("Bash runs in plan mode what surely only reads", async () => {
  await withWorkspace({ "a.txt": "hello\n" }, async (root) => {
    const jobs = createJobs({ guard: true });
    const tools = builtinTools({ searcher: {} as Searcher, jobs: () => Promise.resolve(jobs) });
    const call = (command: string) => ({ name: "Bash", input: { command } });
    const model = new ScriptedModel([
      { calls: [call("git --version"), call("touch b.txt"), call("wc -l a.txt | tr -d x")] },
      { text: "ok" },
    ]);
    const t = new TestAgent({
      model,
      tools,
      workspace: root,
      env: { PATH: Deno.env.get("PATH")! },
    });
    t.agent.controller.usePlanMode(true);
    await t.say("look");
    assert.deepEqual(t.of("tool_end").map((e) => e.ok), [true, false, true]);
    assert.match(t.of("tool_end")[1]!.text, /not sure that it only reads/);
    assert.throws(() => Deno.statSync(join(root, "b.txt")));
    await t.agent.close();
    await jobs.close();
  });
});

Deno.test("a lane that works for one in plan mode is as bound as that one is", async () => {
  const { t, changes } = stage((request) =>
    request.messages.at(-1)!.role === "tool" ? { text: "ok" } : { calls: [{ name: "Change" }] }
  );
  const { agent } = t;
  agent.open("sub:1", { readOnly: () => agent.controller.planMode });
  const ask = async () => {
    agent.bus.send({ type: "line", lane: "sub:1", text: "work", from: "main" });
    await agent.idle();
  };
  agent.controller.usePlanMode(true);
  await ask();
  assert.equal(changes.count, 0);
  assert.equal(t.of("ask").length, 0, "it asks nobody to end a mode that is not its own");
  agent.controller.usePlanMode(false);
  await ask();
  assert.equal(changes.count, 1);
  agent.drop("sub:1");
});

Deno.test("an agent that is started in plan mode reads only, and is told so", async () => {
  const { model, t, changes } = stage((request) => {
    const last = request.messages.at(-1)!;
    if (last.role === "tool") return { text: "found" };
    return request.messages[0]!.text.includes("look into it")
      ? { calls: [{ name: "Change" }] }
      : { text: "thanks" };
  });
  consentPolicy(t);
  t.agent.controller.usePlanMode(true);
  t.agent.controller.agents.start({ text: "look into it", label: "look" }, "main");
  await t.agent.idle();
  assert.equal(changes.count, 0);
  const its = model.requests[0]!.messages.map((m) => m.text);
  assert.ok(its.some((text) => text.startsWith("[narnat] Only read-only tools may be called now")));
  t.agent.controller.usePlanMode(false);
  t.agent.controller.agents.start({ text: "look into it", label: "look" }, "main");
  await t.agent.idle();
  assert.equal(changes.count, 1);
  await t.agent.close();
});
