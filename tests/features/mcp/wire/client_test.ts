import assert from "node:assert/strict";
import { Deadline } from "../../../../src/features/mcp/wire/client.ts";
import { slow } from "../../../support/soak.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the deadline is over. */
const over = ({ signal }: Deadline) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

slow("signs of life put a limit off, and no more than ten times its length", async () => {
  const deadline = new Deadline(100);
  const began = performance.now();
  const busy = setInterval(() => deadline.reset(), 5);
  await over(deadline);
  clearInterval(busy);
  const ms = performance.now() - began;
  assert.ok(ms >= 950, `over after ${ms} ms`);
});

Deno.test("the time of a question counts neither to the limit nor to all of them", async () => {
  const deadline = new Deadline(50);
  await deadline.without(sleep(700));
  assert.equal(deadline.signal.aborted, false);
  await over(deadline);
});

Deno.test("a limit that nobody puts off ends by itself; one that is stopped does not", async () => {
  const stopped = new Deadline(5);
  stopped.stop();
  stopped.reset();
  const deadline = new Deadline(20);
  await over(deadline);
  assert.equal(stopped.signal.aborted, false);
});
