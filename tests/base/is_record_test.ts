import assert from "node:assert/strict";
import { isRecord } from "../../src/base/is_record.ts";

Deno.test("an object with keys is a record; null, a list and plain values are none", () => {
  assert.ok([{}, { a: 1 }, Object.create(null)].every(isRecord));
  assert.ok(![null, undefined, [], ["a"], "{}", 1, true].some(isRecord));
});
