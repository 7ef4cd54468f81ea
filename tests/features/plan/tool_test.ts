import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { plan } from "../../../src/features/plan/tool.ts";
import type { Filled, Question, ToolResult } from "../../../src/base/types.ts";
import { ToolRunner } from "../../support/tool_context.ts";

const toolbox = createToolbox([plan]);

/** The input as the tool gets it. */
function input(raw: unknown) {
  const what = toolbox.prepare(
    "Plan",
    typeof raw === "string" ? raw : JSON.stringify(raw),
    english,
  );
  return typeof what === "string" ? what : what.input["steps"];
}

/** Runs it; `answer` is what the user fills in, the fields as they are when left out. */
async function run(
  raw: unknown,
  answer?: Filled,
  planned = false,
): Promise<{ result: ToolResult; questions: Question[] }> {
  const runner = new ToolRunner("/w");
  const questions: Question[] = [];
  runner.overrides = {
    planned,
    fill(question) {
      questions.push(question);
      return Promise.resolve(answer ?? { steps: question.fields![0]!.value! });
    },
  };
  const what = toolbox.prepare("Plan", JSON.stringify(raw), english);
  assert.ok(typeof what !== "string", String(what));
  return { result: await runner.run(plan, what.input), questions };
}

Deno.test("Plan takes steps in whatever form models send them", () => {
  const two = ["read it", "mend it"];
  for (
    const raw of [
      { steps: two },
      { steps: JSON.stringify(two) },
      { steps: { steps: two } },
      { steps: JSON.stringify({ steps: two }) },
      { plan: two },
      { steps: [{ step: 1, description: "read it" }, { content: "mend it" }] },
      { steps: "1. read it\n2. mend it" },
      { steps: "read it\nmend it" },
      { task: "all of it", steps: two },
    ]
  ) assert.deepEqual(input(raw), two, JSON.stringify(raw));
  assert.match(String(input({ task: "x" })), /steps/);
  assert.match(String(input({ steps: 7 })), /steps/);
});

Deno.test("an approved plan is what the turn leads to", async () => {
  const { result, questions } = await run({ steps: ["a", "b", "c"] });
  assert.deepEqual(result, { ok: true, text: "[Plan] 3 steps created", steps: ["a", "b", "c"] });
  assert.equal(questions[0]!.kind, "plan");
  assert.deepEqual(questions[0]!.fields?.map(({ name, type, value }) => ({ name, type, value })), [
    { name: "steps", type: "lines", value: ["a", "b", "c"] },
  ]);
});

Deno.test("a plan that the user has changed comes back as changed", async () => {
  const { result } = await run({ steps: ["a", "b"] }, { steps: ["a", "c"] });
  assert.deepEqual(result.steps, ["a", "c"]);
  assert.equal(
    result.text,
    "[Plan] 2 steps created\nThe user has changed the plan; its steps are now:\n  1. a\n  2. c",
  );
});

Deno.test("a refused plan leads to nothing and says what to do", async () => {
  for (const answer of [undefined, { steps: [] }]) {
    const runner = new ToolRunner("/w");
    runner.overrides = { fill: () => Promise.resolve(answer) };
    const result = await runner.run(plan, { steps: ["a"] });
    assert.equal(result.ok, false);
    assert.equal(result.steps, undefined);
    assert.match(result.text, /has not approved.*ask what is to be different/s);
  }
});

Deno.test("within a step of a plan there is no plan, and nobody is asked", async () => {
  const { result, questions } = await run({ steps: ["a"] }, {}, true);
  assert.deepEqual(result, { ok: false, text: "Error: Cannot plan within a plan" });
  assert.deepEqual(questions, []);
});

Deno.test("no steps, and more than twenty, are refused with what is wanted", async () => {
  assert.match((await run({ steps: [] })).result.text, /there are no steps; give 3 to 5/);
  const { result, questions } = await run({ steps: Array(21).fill("x") });
  assert.match(result.text, /has 21 steps, 20 at most/);
  assert.deepEqual(questions, []);
  assert.equal((await run({ steps: Array(20).fill("x") })).result.steps?.length, 20);
});
