import assert from "node:assert/strict";
import { askInOwnLane } from "../../../src/features/memory/run_dream.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { plan } from "../../../src/features/plan/tool.ts";
import type { Searcher } from "../../../src/search/mod.ts";
import { type Answer, type Message, ModelError } from "../../../src/base/types.ts";
import { protocols, withProvider } from "../../models/setup.ts";
import type { Script } from "../../support/fake_provider.ts";
import { assertPrefixes } from "../../support/prefixes.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { TestAgent, type TestAgentOptions, tool } from "../../support/test_agent.ts";

const THREE = '["look", "mend", "test"]';
const steps = (t: TestAgent) =>
  t.of("turn_start").filter((e) => e.from === "plan").map((e) => e.text);
const told = (t: TestAgent) => t.of("notice").map((e) => e.text);
const said = (messages: readonly Message[]) => messages.map((m) => `${m.role}: ${m.text}`);

/** An agent that plans first, over a script. */
function planner(
  script: readonly Step[] | ConstructorParameters<typeof ScriptedModel>[0],
  more: Partial<TestAgentOptions> = {},
) {
  const model = new ScriptedModel(script);
  return { model, t: new TestAgent({ model, planFirst: true, ...more }) };
}

/** Answers each plan question with the next answer. */
function consentPolicy(t: TestAgent, answers: Answer[]): void {
  t.agent.bus.subscribe((event) => {
    if (event.type !== "ask" || event.kind !== "plan") return;
    const value = answers.shift() ?? false;
    t.agent.bus.send({ type: "answer", lane: "main", id: event.id, value });
  });
}

Deno.test("--plan asks for a plan first and then for each step, in one session", async () => {
  const { model, t } = planner([
    { text: "Sure:\n```json\n" + THREE + "\n```" },
    { text: "looked" },
    { text: "mended" },
    { text: "tested" },
  ]);
  await t.say("mend the build");
  assert.deepEqual(t.of("plan_mode"), [], "no mode was on");
  assert.equal(told(t)[0], "[Plan] 3 steps created\n  1. look\n  2. mend\n  3. test");
  assert.deepEqual(steps(t), ["[Step 1/3] look", "[Step 2/3] mend", "[Step 3/3] test"]);
  assert.deepEqual(t.of("turn_end").map((e) => e.reason), ["done", "done", "done", "done"]);
  assert.equal(t.agent.controller.current().turns, 1, "steps are no questions of a person's");
  assert.equal(model.requests.length, 4);
  assert.equal(model.requests[0]!.toolChoice, "unwanted");
  for (const [i, request] of model.requests.entries()) {
    const before = model.requests[i - 1];
    if (!before) continue;
    const same = request.messages.slice(0, before.messages.length);
    assert.deepEqual(same, before.messages, `request ${i} goes on with request ${i - 1}`);
  }
  const last = said(model.requests[3]!.messages);
  assert.match(last[1]!, /^user: \[narnat\] Before anything is done, break the task/);
  assert.match(last[2]!, /"look", "mend", "test"/, "the plan is known from the first step on");
  assert.deepEqual(last.slice(3), [
    "user: [Step 1/3] look",
    "assistant: looked",
    "user: [Step 2/3] mend",
    "assistant: mended",
    "user: [Step 3/3] test",
  ]);
});

Deno.test("the plan itself is not streamed as an answer", async () => {
  const { t } = planner([{ text: THREE }, { text: "a" }, { text: "b" }, { text: "c" }]);
  await t.say("go");
  assert.equal(t.of("text").map((e) => e.delta).join(""), "abc");
});

Deno.test("an answer that is no plan makes the task the only step", async () => {
  for (const text of ["I will just do it.", "[]", JSON.stringify(Array(21).fill("x"))]) {
    const { t } = planner([{ text }, { text: "done" }]);
    await t.say("say hello");
    assert.deepEqual(steps(t), ["[Step 1/1] say hello"], text);
    assert.match(told(t)[0]!, /^\[Plan\] 1 steps created\n/);
  }
});

Deno.test("a model that calls tools instead of planning is asked once more, and nothing runs", async () => {
  let ran = 0;
  const look = tool("Look", () => ({ ok: true, text: `${++ran}` }));
  const call = { calls: [{ name: "Look" }] };
  const { model, t } = planner([call, { text: '["a"]' }, { text: "done" }], { tools: [look] });
  await t.say("go");
  assert.equal(ran, 0);
  assert.deepEqual(model.requests.map((r) => r.toolChoice), ["unwanted", "none", "auto"]);
  assert.deepEqual(steps(t), ["[Step 1/1] a"]);

  const both = { text: '["b"]', calls: [{ name: "Look" }] };
  const eager = planner([both, { text: "done" }], { tools: [look] });
  await eager.t.say("go");
  assert.equal(ran, 0);
  assert.deepEqual(steps(eager.t), ["[Step 1/1] b"]);
});

Deno.test("a step that fails, or hits a limit, ends the plan and says how many are left", async () => {
  const again = { calls: [{ name: "Look" }] };
  const failures: [Step, string][] = [
    [{ error: new ModelError("refused", "no") }, "error"],
    [again, "max_iterations"],
    [{ text: "half a", stop: "length" }, "length"],
    [{ text: "I cannot", stop: "refused" }, "refused"],
  ];
  for (const [failure, reason] of failures) {
    const { t } = planner(
      (_request, i) => i === 0 ? { text: THREE } : i === 1 ? { text: "ok" } : failure,
      { tools: [tool("Look", () => ({ ok: true, text: "x" }))], limits: { iterations: 2 } },
    );
    await t.say("go");
    assert.deepEqual(steps(t), ["[Step 1/3] look", "[Step 2/3] mend"], reason);
    assert.equal(t.of("turn_end").at(-1)!.reason, reason);
    const left = "The plan stops at this step; 1 more step will not be run";
    assert.ok(told(t).includes(left), reason);
    // nothing of the plan is left behind
    await t.say("/status");
    assert.equal(steps(t).length, 2);
  }
});

Deno.test("a stop ends the plan, whatever step it is at", async () => {
  const { t } = planner([{ text: THREE }, { text: "half", hang: true }, { text: "never" }]);
  t.send("go");
  await t.until((e) => e.type === "text");
  t.stop();
  await t.agent.idle();
  assert.deepEqual(steps(t), ["[Step 1/3] look"]);
  assert.equal(t.of("turn_end").at(-1)!.reason, "interrupted");
  assert.match(told(t).at(-1)!, /2 more steps/);
});

Deno.test("a stop that comes when a step has just been answered ends the plan too", async () => {
  const { t } = planner([{ text: THREE }, { text: "looked" }, { text: "never" }]);
  let answers = 0;
  t.agent.bus.subscribe((event) => {
    if (event.type === "usage" && ++answers === 2) t.stop();
  });
  await t.say("go");
  assert.equal(answers, 2);
  assert.deepEqual(steps(t), ["[Step 1/3] look"]);
});

Deno.test("a stop while the plan is written, or asked about, carries nothing out", async () => {
  const writing = planner([{ text: '["a", ', hang: true }]);
  writing.t.send("go");
  await writing.t.until((e) => e.type === "turn_start");
  while (writing.model.requests.length === 0) await new Promise((r) => setTimeout(r, 1));
  writing.t.stop();
  await writing.t.agent.idle();
  assert.deepEqual(steps(writing.t), []);

  const asked = planner([{ text: THREE }], { consentPolicy: "ask" });
  asked.t.send("go");
  await asked.t.until((e) => e.type === "ask");
  asked.t.stop();
  await asked.t.agent.idle();
  assert.deepEqual(steps(asked.t), []);
  assert.equal(asked.t.of("turn_end").at(-1)!.reason, "interrupted");
});

Deno.test("a planning request that fails gives the prompt back and leaves nothing behind", async () => {
  const { t } = planner([{ error: new ModelError("auth", "no key") }]);
  await t.say("go");
  assert.equal(t.of("turn_end")[0]!.prompt, "go");
  assert.deepEqual(t.messages, []);
  assert.deepEqual([told(t), t.of("ask")], [[], []], "there is no plan to tell or ask about");
});

Deno.test("the plan is asked about where a person is: a No carries nothing out and the model hears of it", async () => {
  const { model, t } = planner([{ text: THREE }, { text: THREE }], { consentPolicy: "ask" });
  consentPolicy(t, [false, false]);
  await t.say("go");
  assert.deepEqual(steps(t), []);
  assert.equal(told(t).at(-1), "The plan is not run");
  await t.say("another way");
  assert.match(
    said(model.requests[1]!.messages)[3]!,
    /^user: \[narnat\] The user has not approved this plan/,
  );
});

Deno.test("a plan that the user has changed is carried out as changed, and the model knows all of it", async () => {
  const { model, t } = planner([{ text: THREE }, { text: "1" }, { text: "2" }], {
    consentPolicy: "ask",
  });
  consentPolicy(t, [{ steps: ["look well", "mend"] }]);
  await t.say("go");
  assert.deepEqual(steps(t), ["[Step 1/2] look well", "[Step 2/2] mend"]);
  const note = said(model.requests[1]!.messages).at(-2)!;
  assert.equal(
    note,
    "user: [narnat] The user has changed the plan; its steps are now:\n  1. look well\n  2. mend",
  );
});

Deno.test("what is typed meanwhile joins the running step and leaves the others in their order", async () => {
  const wait = Promise.withResolvers<void>();
  const look = tool("Look", async () => {
    await wait.promise;
    return { ok: true, text: "x" };
  });
  const { model, t } = planner((request) => {
    const last = request.messages.at(-1)!;
    if (last.text.includes("break the task")) return { text: '["a", "b"]' };
    return last.text === "[Step 1/2] a" ? { calls: [{ name: "Look" }] } : { text: "ok" };
  }, { tools: [look] });
  t.send("go");
  await t.until((e) => e.type === "tool_start");
  t.send("and mind the tests");
  wait.resolve();
  await t.agent.idle();
  assert.equal(model.requests[2]!.messages.at(-1)!.text, "and mind the tests");
  assert.deepEqual(steps(t), ["[Step 1/2] a", "[Step 2/2] b"]);
  assert.equal(t.of("notice").filter((e) => e.joined !== undefined).length, 1);
});

Deno.test("the tool Plan makes steps of the same kind, and none within a step", async () => {
  const model = new ScriptedModel([
    { text: "I plan.", calls: [{ name: "Plan", input: { steps: ["a", "b"] } }] },
    { calls: [{ name: "Plan", input: { steps: ["x"] } }] },
    { text: "a done" },
    { text: "b done" },
  ]);
  const t = new TestAgent({ model, tools: [plan] });
  await t.say("do much");
  assert.deepEqual(steps(t), ["[Step 1/2] a", "[Step 2/2] b"]);
  assert.deepEqual(t.of("tool_end").map((e) => [e.ok, e.text]), [
    [true, "[Plan] 2 steps created"],
    [false, "Error: Cannot plan within a plan"],
  ]);
});

Deno.test("of two plans in one answer only the first is asked about and carried out", async () => {
  const model = new ScriptedModel([
    {
      calls: [{ name: "Plan", input: { steps: ["a"] } }, { name: "Plan", input: { steps: ["b"] } }],
    },
    { text: "ok" },
  ]);
  const t = new TestAgent({ model, tools: [plan], consentPolicy: "ask" });
  consentPolicy(t, [true, true]);
  await t.say("go");
  assert.equal(t.of("ask").length, 1);
  assert.deepEqual(steps(t), ["[Step 1/1] a"]);
});

Deno.test("a plan that the tool submits and the user refuses: the turn goes on without it", async () => {
  const model = new ScriptedModel([
    { calls: [{ name: "Plan", input: { steps: ["a"] } }] },
    { text: "What is to be different?" },
  ]);
  const t = new TestAgent({ model, tools: [plan], consentPolicy: "ask" });
  consentPolicy(t, [false]);
  await t.say("go");
  assert.deepEqual(steps(t), []);
  assert.match(t.of("tool_end")[0]!.text, /has not approved this plan/);
  assert.equal(t.messages.at(-1)!.text, "What is to be different?");
});

for (const protocol of protocols) {
  Deno.test(`with the tool Plan each request's bytes begin the next one's: ${protocol}`, async () => {
    const script: Script = [
      { text: "I look.", calls: [{ name: "Look", input: {} }] },
      {
        calls: [
          { name: "Plan", input: { steps: ["a", "b"] } },
          { name: "Look", input: {} },
        ],
      },
      { text: "a done" },
      { calls: [{ name: "Plan", input: { steps: ["c"] } }] },
      { text: "b done" },
      { text: "yes" },
    ];
    await withProvider(protocol, script, async (model, provider) => {
      const look = tool("Look", () => ({ ok: true, text: "seen" }));
      const t = new TestAgent({ model, tools: [look, plan], consentPolicy: "ask" });
      consentPolicy(t, [{ steps: ["a", "b too"] }]);
      await t.say("do much");
      await t.say("is it done?");
      assert.deepEqual(steps(t), ["[Step 1/2] a", "[Step 2/2] b too"]);
      assert.equal(provider.requests.length, 6);
      assertPrefixes(provider.requests);
      assert.deepEqual(provider.pairingErrors, []);
    });
  });
}

Deno.test("work in a lane of its own is not planned first", async () => {
  const { model, t } = planner(() => ({ text: "done" }));
  const { signal } = new AbortController();
  const { text } = await askInOwnLane(
    t.agent,
    "apart",
    { consentPolicy: "deny" },
    "tidy up",
    signal,
  );
  assert.equal(text, "done");
  assert.deepEqual(model.requests.map((r) => r.messages.map((m) => m.text)), [["tidy up"]]);
});

Deno.test("the nine tools are the default: Plan is no part of them", () => {
  assert.ok(!builtinTools({ searcher: {} as Searcher }).includes(plan));
});

Deno.test("what a hook asks for behind a plan makes no other, however often it asks", async () => {
  const model = new ScriptedModel((request) => {
    const last = request.messages.at(-1)!.text;
    if (last === "go") return { calls: [{ name: "Plan", input: { steps: ["one", "two"] } }] };
    if (last === "run the tests") {
      return { calls: [{ name: "Plan", input: { steps: ["three", "four"] } }] };
    }
    return { text: "ok" };
  });
  const t = new TestAgent({
    model,
    tools: [plan],
    hooks: {
      has: (event) => event === "turn_end",
      run({ event }) {
        return Promise.resolve(event === "turn_end" ? "run the tests" : undefined);
      },
    },
  });
  await t.say("go");
  assert.deepEqual(steps(t), ["[Step 1/2] one", "[Step 2/2] two"]);
  const refused = t.messages.filter((m) => m.role === "tool" && !m.ok).map(({ text }) => text);
  assert.deepEqual(refused, ["Error: Cannot plan within a plan"]);
});

Deno.test("a line typed during a step that calls the model once joins the next step", async () => {
  const model = new ScriptedModel((_r, i) => ({ text: i === 0 ? '["a", "b", "c"]' : "ok" }));
  const t: TestAgent = new TestAgent({ model, planFirst: true });
  t.agent.bus.subscribe((event) => {
    if (event.type === "usage" && model.requests.length === 2) t.send("wait: use tabs");
  });
  await t.say("do it");
  const texts = model.requests[2]!.messages.map(({ text }) => text);
  assert.deepEqual(texts.slice(-2), ["[Step 2/3] b", "wait: use tabs"]);
  assert.deepEqual(t.of("notice").flatMap(({ joined }) => joined ?? []), ["wait: use tabs"]);
  assert.equal(model.requests.length, 4, "it is no task of its own");
});
