import assert from "node:assert/strict";
import { withoutEmptyEnds } from "../../src/base/empty_ends.ts";

Deno.test("empty lines around a text go, the blanks before its first line stay", () => {
  assert.equal(withoutEmptyEnds("\n \t\r\n  a\n\n  b \n\n"), "  a\n\n  b");
  assert.equal(withoutEmptyEnds("\u3000段首"), "\u3000段首");
  assert.equal(withoutEmptyEnds(" \n\t\n "), "");
});
