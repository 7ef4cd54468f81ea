import assert from "node:assert/strict";
import { count, duration } from "../../src/base/figures.ts";

Deno.test("durations and counts read well at their borders", () => {
  assert.deepEqual([0, 49, 59_949, 59_950, 185_000].map(duration), [
    "0.0 s",
    "0.0 s",
    "59.9 s",
    "1 min 00 s",
    "3 min 05 s",
  ]);
  assert.deepEqual([0, 999, 1000, 999_949, 999_950].map(count), [
    "0",
    "999",
    "1.0k",
    "999.9k",
    "1.0M",
  ]);
});
