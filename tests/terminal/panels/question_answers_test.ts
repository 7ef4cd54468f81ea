import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { choicesOf } from "../../../src/terminal/panels/question_answers.ts";

Deno.test("a budget is gone beyond by what is offered, or by another amount", () => {
  const fields = [{ name: "more", label: "US dollars more", type: "number", value: 1 }] as const;
  const question = { kind: "budget", question: "Go on?", fields } as const;
  assert.deepEqual(choicesOf(question, english), [
    { value: "no", label: "No" },
    { value: "yes", label: "Raise and continue" },
    { value: "fill", label: "Raise by another amount" },
  ]);
  assert.deepEqual(choicesOf(question, chinese).map(({ label }) => label).slice(1), [
    "提高上限并继续",
    "改一个数额再继续",
  ]);
});
