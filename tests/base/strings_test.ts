import assert from "node:assert/strict";
import { truncate, withoutEmptyEnds } from "../../src/base/strings.ts";

Deno.test("a text within the limit stays, a longer one is cut and marked", () => {
  assert.equal(truncate("four", 4), "four");
  assert.equal(truncate("fives", 4), "five…");
  assert.equal(truncate("", 0), "");
});

Deno.test("half a character is no part of what is left", () => {
  assert.equal(truncate("a😀b", 2), "a\ufffd…");
});

Deno.test("empty lines around a text go, the blanks before its first line stay", () => {
  assert.equal(withoutEmptyEnds("\n \t\r\n  a\n\n  b \n\n"), "  a\n\n  b");
  assert.equal(withoutEmptyEnds("\u3000段首"), "\u3000段首");
  assert.equal(withoutEmptyEnds(" \n\t\n "), "");
});
