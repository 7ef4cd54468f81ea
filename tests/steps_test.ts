import assert from "node:assert/strict";
import fc from "fast-check";
import { approved, holdsPlan, planText, stepsIn, stepsOf } from "../src/steps.ts";

Deno.test("the steps of an answer are found in whatever form a model gives them", () => {
  const cases: readonly [string, readonly string[]][] = [
    ['["a", "b", "c"]', ["a", "b", "c"]],
    ['{"steps": ["a", "b"]}', ["a", "b"]],
    ['Here you are:\n```json\n["a",\n "b"]\n```\nShall I begin?', ["a", "b"]],
    ['I looked at [a] and {b}, so: {"plan": {"steps": ["x [1]", "y}"]}}.', ["x [1]", "y}"]],
    ['[{"step": 1, "description": "read it"}, {"step": 2, "description": "mend it"}]', [
      "read it",
      "mend it",
    ]],
    ['{"todos": [{"title": "读代码"}, {"content": "改代码"}]}', ["读代码", "改代码"]],
    ['{"anything": ["a"], "note": "n"}', ["a"]],
    ['["1. read", "Step 2: mend", "[Step 3/3] test", "步骤 4：完成"]', [
      "read",
      "mend",
      "test",
      "完成",
    ]],
    ["The plan:\n1. read the code\n2) mend it\n\nThat is all.", ["read the code", "mend it"]],
    ['["two\\nlines  here", "", "  "]', ["two lines here"]],
    ['["0.5 s is too long: look why", "10.5 GB"]', ["0.5 s is too long: look why", "10.5 GB"]],
    ["I will just do it.", []],
    ["1. only one point", []],
    ['["unclosed", "list"', []],
    ["[1, 2, 3]", []],
    ["{}", []],
    ["", []],
  ];
  for (const [text, steps] of cases) assert.deepEqual(stepsIn(text), steps, text);
});

Deno.test("steps survive being written as JSON with anything around it", () => {
  const step = fc.string({ minLength: 1, maxLength: 40 }).map((text) => `do ${text} now`);
  const noise = fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[[\]{}"]/g, "'"));
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      noise,
      noise,
      (steps, before, after) => {
        const flat = steps.map((text) => text.replaceAll(/\s+/g, " ").trim());
        assert.deepEqual(stepsIn(`${before}${JSON.stringify(steps)}${after}`), flat);
        assert.deepEqual(stepsIn(JSON.stringify({ steps }, null, 2)), flat);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("no text makes reading the steps throw or give an empty one", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.ok(stepsIn(text).every((step) => step.trim() !== ""), text);
    }),
    { numRuns: 500 },
  );
  assert.deepEqual(stepsIn("[".repeat(200_000)), []);
  assert.deepEqual(stepsOf(null), []);
});

Deno.test("an answer approves the steps, changes them, or refuses", () => {
  const steps = ["a", "b"];
  assert.deepEqual(approved(true, steps), steps);
  assert.deepEqual(approved({}, steps), steps);
  assert.deepEqual(approved({ steps: ["b", " 2. c "] }, steps), ["b", "c"]);
  assert.deepEqual(approved({ steps: "b\nc\n" }, steps), ["b", "c"]);
  assert.equal(approved(false, steps), undefined);
  assert.equal(approved({ steps: [] }, steps), undefined, "nothing is left of it");
  assert.equal(approved({ steps: " \n" }, steps), undefined);
});

Deno.test("the notice of a plan is the seed's, with the steps below it", () => {
  assert.equal(planText(["a", "b"], "zh"), "[Plan] 2 steps created\n  1. a\n  2. b");
});

Deno.test("an answer with a list of two items or more holds a plan, whatever the list looks like", () => {
  const plans = [
    "First:\n1. look\n2. mend",
    "- look\n- mend",
    "* look\n* mend",
    "## Step 1: look\nfind it\n## Step 2: mend",
    "**1. look**\n\n**2. mend**",
    "第一步：看\n第二步：改",
    "### 一、看\n### 二、改",
    '["look", "mend"]',
  ];
  for (const text of plans) assert.ok(holdsPlan(text), text);
  const none = ["It is in a.ts.", "1. only this", "a - b\nc - d", "-1\n-2", ""];
  for (const text of none) assert.ok(!holdsPlan(text), text);
});
