import assert from "node:assert/strict";
import { addUsage, count, duration, lessUsage, NO_USAGE, spent } from "../../src/base/figures.ts";
import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";

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

const ONE = { input: 10, output: 2, cached: 1, cost: 0.5 };

Deno.test("usage adds up and is taken off again, and a cost once unknown stays unknown", () => {
  const two = { input: 20, output: 4, cached: 2, cost: 1 };
  assert.deepEqual(addUsage(NO_USAGE, ONE), ONE);
  assert.deepEqual(addUsage(ONE, ONE), two);
  assert.deepEqual(lessUsage(two, ONE), ONE);
  const unknown = { ...ONE, cost: null };
  assert.equal(addUsage(unknown, ONE).cost, null);
  assert.equal(lessUsage(ONE, unknown).cost, null);
});

Deno.test("what was spent is told apart from what came from the cache, and without an unknown price", () => {
  const usage = { input: 3000, output: 200, cached: 2000, cost: 0.0123 };
  assert.equal(spent(usage, english), "1.2k tokens + 2.0k cached, $0.0123");
  assert.equal(spent(usage, chinese), "1.2k token + 缓存 2.0k，$0.0123");
  assert.equal(spent({ ...usage, cost: null }, english), "1.2k tokens + 2.0k cached");
  assert.equal(spent({ ...usage, cached: 0 }, english), "3.2k tokens, $0.0123");
});
