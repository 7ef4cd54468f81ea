import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  approved,
  holdsPlan,
  planText,
  stepsIn,
  stepsOf,
} from "../../../src/features/plan/steps.ts";
import { runs } from "../../support/soak.ts";

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
    ["（1）读代码\n（2）改代码", ["读代码", "改代码"]],
    ["① 读\n②改", ["读", "改"]],
    ["**步骤 1**：读\n**步骤 2：** 改 src/**/*.ts", ["读", "改 src/**/*.ts"]],
    ["**1. read**\n**2.** mend **it**", ["read", "mend **it**"]],
    ["1．读\n2．改", ["读", "改"]],
    ["1：读\n2：改", ["读", "改"]],
    ["- 第一步：读\n- 第二步：改", ["读", "改"]],
    ["> 1. read\n> 2. mend", ["read", "mend"]],
    ["### 一、读\n### 二、改", ["读", "改"]],
    ["1️⃣ read\n2️⃣ mend", ["read", "mend"]],
    ['["一、二年级的数据"]', ["一、二年级的数据"]],
    ["```\n1. read\n2. mend\n```", ["read", "mend"]],
    ["1. read\n```\n1. not a step\n```\n2. mend", ["read", "mend"]],
    ["10：30 to 11：30\n11：30 to 12", []],
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
    { numRuns: runs(300) },
  );
});

Deno.test("no text makes reading the steps throw or give an empty one", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.ok(stepsIn(text).every((step) => step.trim() !== ""), text);
    }),
    { numRuns: runs(500) },
  );
  assert.deepEqual(stepsIn("[".repeat(200_000)), []);
  assert.deepEqual(stepsOf(null), []);
});

Deno.test("an answer approves the steps, changes them, or refuses", () => {
  const steps = ["a", "b"];
  assert.deepEqual(approved(true, steps), steps);
  assert.deepEqual(approved({ steps: ["b", " 2. c "] }, steps), ["b", "c"]);
  assert.equal(approved(false, steps), undefined);
  assert.equal(approved({ steps: [] }, steps), undefined, "nothing is left of it");
  assert.equal(approved({}, steps), undefined);
});

Deno.test("the notice of a plan is the seed's, with the steps below it", () => {
  assert.equal(planText(["a", "b"], chinese), "[Plan] 2 steps created\n  1. a\n  2. b");
});

Deno.test("an answer with two numbered steps or more holds a plan, whatever they look like", () => {
  const plans = [
    "First:\n1. look\n2. mend",
    "## Step 1: look\nfind it\n## Step 2: mend",
    "**1. look**\n\n**2. mend**",
    "第一步：看\n第二步：改",
    "### 一、看\n### 二、改",
    '["look", "mend"]',
    "（1）看\n（2）改",
    "(1) look\n(2) mend",
    "① 看\n② 改",
    "**步骤 1**：看\n**步骤 2**：改",
    "步骤一：看\n步骤二：改",
    "1．看\n2．改",
    "1：看\n2：改",
    "- 第一步：看\n- 第二步：改",
    "> 1. look\n> 2. mend",
    "1. look\n\n```ts\nlet a = 1;\n```\n\n2. mend",
    "1. look\n2. mend\n\nShall I start with what is written above?",
    "1. 看\n2. 改\n\n要改什么都写了，可以开始吗？",
    "1. look\n2. mend\n\nWhat do you think?",
    "1. 看\n2. 改\n\n是否还有什么要改的？",
    "1. look\n2. ask: which one?\n\nThat is all.",
  ];
  for (const text of plans) assert.ok(holdsPlan(text), text);
  const none = [
    "It is in a.ts.",
    "1. only this",
    "a - b\nc - d",
    "- a.ts\n- b.ts",
    "* look\n* mend",
    "-1\n-2",
    "So it prints:\n```\n1. look\n2. mend\n```\nThat is all.",
    "~~~\n1. look\n2. mend",
    "1. 改 a.ts\n2. 改 b.ts\n\n你想先做哪个？",
    "1. 改 a.ts\n2. 改 b.ts\n\n都可以吗，先做哪个？👀",
    "1. mend a.ts\n2. mend b.ts\n\n**Both can be done. So which one do you want first?**\n",
    "",
  ];
  for (const text of none) assert.ok(!holdsPlan(text), text);
});
