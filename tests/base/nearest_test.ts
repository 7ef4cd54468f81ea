import assert from "node:assert/strict";
import { editDistance, nearest } from "../../src/base/nearest.ts";

Deno.test("a swap, a missing, an added and a wrong letter are one slip each", () => {
  for (const [a, b] of [["hlep", "help"], ["hlp", "help"], ["heelp", "help"], ["halp", "help"]]) {
    assert.equal(editDistance(a!, b!, 2), 1, a);
  }
  assert.equal(editDistance("", "abc", 5), 3);
  assert.equal(editDistance("kitten", "sitting", 2), 3, "beyond the limit is limit + 1");
});

Deno.test("nearest() offers what a slip of the pen could explain, best first, and nothing else", () => {
  assert.deepEqual(nearest("docter", ["doctor", "init", "sessions"]), ["doctor"]);
  assert.deepEqual(nearest("zzzz", ["doctor", "init"]), []);
});

Deno.test("a slip is nearer than a part, and a beginning nearer than an inside", () => {
  assert.deepEqual(nearest("rea", ["create", "read"]), ["read", "create"]);
  assert.deepEqual(nearest("list", ["enlisting", "listings"], 1), ["listings"]);
});
