import assert from "node:assert/strict";
import { truncate } from "../../src/base/truncate.ts";

Deno.test("a text within the limit stays, a longer one is cut and marked", () => {
  assert.equal(truncate("four", 4), "four");
  assert.equal(truncate("fives", 4), "five…");
  assert.equal(truncate("", 0), "");
});

Deno.test("half a character is no part of what is left", () => {
  assert.equal(truncate("a😀b", 2), "a\ufffd…");
});
