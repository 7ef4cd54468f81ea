/** No string steers the terminal; `deno task soak` shows many more of them. */
import assert from "node:assert/strict";
import { type Outcome, trialOfHeadless, trialOfPlain, trialOfScreen } from "./hostile_trial.ts";
import { slow } from "../support/soak.ts";

const STRINGS = 6000;

function assertHarmless({ strings, foreign }: Outcome): void {
  assert.ok(strings >= STRINGS);
  assert.deepEqual(foreign.slice(0, 5), [], `${foreign.length} of ${strings} strings`);
}

slow("no string that anybody else says steers the live screen", async () => {
  const outcome = await trialOfScreen(1, STRINGS);
  assertHarmless(outcome);
  assert.ok(outcome.own > 1000, "the screen was drawn");
});

Deno.test("no string that anybody else says puts a control sequence into the plain mode", async () => {
  const outcome = await trialOfPlain(2, STRINGS);
  assertHarmless(outcome);
  assert.equal(outcome.own, 0);
});

Deno.test("no string that anybody else says steers the terminal under -p", async () => {
  const outcome = await trialOfHeadless(3, STRINGS);
  assertHarmless(outcome);
  assert.equal(outcome.own, 0);
});
