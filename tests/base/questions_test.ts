import fc from "fast-check";
import assert from "node:assert/strict";
import { checked, judged } from "../../src/base/questions.ts";
import { english } from "../../src/base/t.ts";
import type { Field, Json, Question } from "../../src/base/types.ts";
import { planQuestion } from "../../src/features/plan/steps.ts";
import { runs } from "../support/soak.ts";

const DELETE: Question = { kind: "delete", question: "Delete a?", command: "rm a" };
const PLAN = planQuestion(["look", "mend"], english);
const FORM: Question = {
  kind: "input",
  question: "Who is it?",
  fields: [
    { name: "name", label: "Name", type: "text", required: true },
    { name: "check", label: "Check", type: "boolean" },
    { name: "age", label: "Age", type: "integer", minimum: 0 },
    { name: "size", label: "Size", type: "choice", choices: [{ value: "s", label: "small" }] },
  ],
};
const judge = (question: Question, given: Json) => judged(question, given, english);

Deno.test("yes is a Yes and no a No, in the words that people use", () => {
  for (const given of [true, "yes", "Y", " true ", "是", "好"]) {
    assert.deepEqual(judge(DELETE, given), { answer: true });
    assert.deepEqual(judge(PLAN, given), { answer: true });
  }
  for (const given of [false, "no", "N", "false", "否"]) {
    assert.deepEqual(judge(DELETE, given), { answer: false });
  }
});

Deno.test("what is neither is a No, and why is said", () => {
  const odd: Json[] = [
    {},
    { foo: 1 },
    { allow: false, answer: "no" },
    [],
    ["yes"],
    null,
    1,
    "maybe",
  ];
  for (const given of odd) {
    for (const question of [DELETE, FORM, PLAN]) {
      const { answer, wrong } = judge(question, given);
      assert.equal(answer, false, JSON.stringify(given));
      assert.ok(wrong?.includes(JSON.stringify(given)), wrong);
    }
  }
  assert.equal(
    judge(DELETE, { foo: 1 }).wrong,
    'The answer {"foo":1} to "Delete a?" counts as No: expected "yes" or "no"',
  );
  assert.match(judge(PLAN, { stpes: ["x"] }).wrong!, /no field stpes; expected .*with steps$/);
});

Deno.test("an object is a Yes when its fields are the question's and hold", () => {
  const good: Json[] = [
    { name: "Ada" },
    { name: "Ada", check: false, age: 36, size: "s" },
    { name: "Ada", age: null },
  ];
  for (const given of good) assert.deepEqual(judge(FORM, given), { answer: given });
  const bad: [Json, RegExp][] = [
    [{ check: true }, /name: this must be filled in/],
    [{ name: " " }, /name: this must be filled in/],
    [{ name: 1 }, /name: this must be text/],
    [{ name: "Ada", check: "notbool" }, /check: this must be y or n/],
    [{ name: "Ada", age: "x" }, /age: this must be a whole number/],
    [{ name: "Ada", age: -1 }, /age: this must be 0 or more/],
    [{ name: "Ada", size: "m" }, /size: this must be one of s$/],
  ];
  for (const [given, why] of bad) {
    const { answer, wrong } = judge(FORM, given);
    assert.equal(answer, false);
    assert.match(wrong!, why);
  }
  assert.deepEqual(judge(PLAN, { steps: ["other"] }), { answer: { steps: ["other"] } });
  for (const steps of [[], [" "], ["", "\t"]]) {
    const { answer, wrong } = judge(PLAN, { steps });
    assert.equal(answer, false);
    assert.match(wrong!, /counts as No: steps: this must be filled in$/);
  }
  assert.equal(judge(PLAN, { steps: [1] }).answer, false);
});

Deno.test("a plain Yes needs what is required to be there already", () => {
  assert.match(judge(FORM, true).wrong!, /name: this must be filled in/);
  const filled = FORM.fields!.map((field) =>
    field.name === "name" ? { ...field, value: "A" } : field
  );
  assert.deepEqual(judge({ ...FORM, fields: filled }, "yes"), { answer: true });
});

Deno.test("Property: nothing but a Yes or a question's own fields is ever more than a No", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const given = value as Json;
      fc.pre(typeof given !== "string" || !/^\s*(y|yes|true|是|好)\s*$/i.test(given));
      assert.equal(judge(DELETE, given).answer, given === true);
      assert.equal(judge(FORM, given).answer, false);
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("a text has the form that is asked for", () => {
  const takes = (format: NonNullable<Field["format"]>, value: string) =>
    !("wrong" in checked({ name: "f", label: "F", type: "text", format }, value, english));
  const cases = [
    ["email", ["a@b.org", "root@localhost"], ["bad email", "@b", "a@", "a b@c"]],
    ["uri", ["https://a.org/x?y", "mailto:a@b"], ["nouri", "http://a b", "/x"]],
    ["date", ["2026-02-28", "2024-02-29"], ["2026-02-30", "2026-2-3", "nouri", "2026-02-28T00:00"]],
    ["date-time", ["2026-02-28T09:30:00Z", "2026-02-28T09:30:00.5+08:00"], [
      "2026-02-28",
      "2026-02-30T09:30:00Z",
      "2026-02-28T25:30:00Z",
      "2026-02-28 09:30:00",
    ]],
  ] as const;
  for (const [format, good, bad] of cases) {
    for (const text of good) assert.ok(takes(format, text), text);
    for (const text of bad) assert.ok(!takes(format, text), text);
    assert.ok(takes(format, ""), "what need not be filled in");
  }
});

Deno.test("a list has as many items as are asked for", () => {
  const field: Field = { name: "f", label: "F", type: "lines", minimum: 2, maximum: 3 };
  const wrong = (value: Json) => {
    const read = checked(field, value, english);
    return "wrong" in read ? read.wrong : undefined;
  };
  assert.equal(wrong(["a"]), "at least 2 items");
  assert.equal(wrong(["a", "b", "c", "d"]), "at most 3 items");
  assert.equal(wrong(["a", "b"]), undefined);
});
