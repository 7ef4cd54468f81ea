import assert from "node:assert/strict";
import { mendsFor } from "../../../src/models/demo/rules.ts";

function first(source: string, args: string[], actual: string, expected: string) {
  const lines = source.split("\n").map((text, at) => ({ number: at + 1, text }));
  return mendsFor(lines, { args, actual, expected }, lines)[0];
}

Deno.test("mendsFor() opens a limit on which the test stands", () => {
  const mend = first("const MOST = 1_000;\n  return n > MOST ? 1 : 2;", ["1000"], "2", "1");
  assert.equal(mend?.after, "  return n >= MOST ? 1 : 2;");
  assert.equal(mend?.line.number, 2);
});

Deno.test("mendsFor() closes a limit on which the test stands", () => {
  assert.equal(first("if (n <= 10) return 0;", ["10"], "0", "1")?.after, "if (n < 10) return 0;");
});

Deno.test("mendsFor() finds the operator that gives the expected value", () => {
  assert.equal(first("return a - b;", ["2", "3"], "-1", "5")?.after, "return a + b;");
  assert.equal(first("return a + b;", ["4", "3"], "7", "12")?.after, "return a * b;");
});

Deno.test("mendsFor() needs no blanks about an operator and leaves comments alone", () => {
  assert.equal(first("return a-b", ["2", "3"], "-1", "5")?.after, "return a+b");
  assert.equal(first("// a - b\nreturn a - b", ["2", "3"], "-1", "5")?.line.number, 2);
  assert.equal(first("    # a - b\n    return a - b", ["2", "3"], "-1", "5")?.line.number, 2);
});

Deno.test("mendsFor() knows what is easily mistaken in Python", () => {
  const python = (line: string, actual: string, expected: string) =>
    first(`def f(a, b):\n    ${line}`, ["x"], actual, expected)?.after.trim();
  assert.equal(python("return a and b", "False", "True"), "return a or b");
  assert.equal(python("return a == b", "False", "True"), "return a != b");
  assert.equal(python("for i in range(1, n):", "3", "6"), "for i in range(n):");
  assert.equal(python("for i in range(len(a) - 1):", "3", "6"), "for i in range(len(a)):");
  assert.equal(python("return sum(range(n))", "3", "6"), undefined);
});

Deno.test("mendsFor() replaces a wrong constant", () => {
  assert.equal(first('return "Helo";', [], "'Helo'", "'Hello'")?.after, 'return "Hello";');
  assert.equal(first("return price * 0.8;", ["100"], "80", "90")?.after, "return price * 0.9;");
});

Deno.test("mendsFor() tries the edges of a loop", () => {
  const mend = first("for (let i = 1; i < all.length; i++) sum += all[i];", ["[1, 2]"], "2", "3");
  assert.equal(mend?.after, "for (let i = 0; i < all.length; i++) sum += all[i];");
});

Deno.test("mendsFor() proposes nothing for code it has no rule for", () => {
  assert.equal(first("return parse(text);", ["x"], "a", "b"), undefined);
});
