import fc from "fast-check";
import assert from "node:assert/strict";
import { evaluateText } from "../../../../src/shell/policy/reader/syntax.ts";
import { runs } from "../../../support/soak.ts";

const none = () => undefined;

Deno.test("arithmetic of known numbers comes out as bash's", () => {
  const number = fc.integer({ min: 0, max: 99 }).map(String);
  const { expression } = fc.letrec((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.tuple(tie("expression"), fc.constantFrom("+", "-", "*"), tie("expression"))
        .map((parts) => `(${parts.join(" ")})`),
    ),
  }));
  fc.assert(
    fc.property(expression, (text) => {
      // for these three operators and small whole numbers JavaScript agrees with bash
      assert.equal(evaluateText(String(text), none), Number(eval(String(text))));
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("variables are looked up, and what hangs on an unknown one is unknown", () => {
  const lookup = (name: string) => name === "i" ? 2 : undefined;
  for (const text of ["i+1", "$i+1", "${i}+1", "9/3", "7%4", "-(-3)"]) {
    assert.equal(evaluateText(text, lookup), 3, text);
  }
  for (const text of ["j", "i+j", "1/0", "$(echo 1)", "i++", "1 << 2", "", "a[0]"]) {
    assert.equal(evaluateText(text, lookup), undefined, text);
  }
});
