import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import type { Look } from "../../../src/terminal/transcript/rows.ts";
import { Spinner } from "../../../src/terminal/transcript/spinner.ts";
import { createStyle } from "../../../src/terminal/style.ts";

const look: Look = { style: createStyle("none"), t: english, workspace: "/space" };

/** A spinner that has been started at 0, and its clock. */
function started(): { spinner: Spinner; at(ms: number): void } {
  let now = 0;
  const spinner = new Spinner(() => {}, () => now);
  spinner.start();
  return { spinner, at: (ms) => now = ms };
}

Deno.test("the spinner tells how long it takes, the tokens so far, and how to stop", () => {
  const { spinner, at } = started();
  at(2140);
  assert.equal(spinner.line(look), "⠙ Working 2.1 s · esc to interrupt");
  const usage = { input: 12_300, output: 512, cached: 0, cost: null };
  assert.equal(spinner.line(look, { usage }), "⠙ Working 2.1 s · ↑12.3k ↓512 · esc to interrupt");
  spinner.doing = "stopping";
  assert.equal(spinner.line(look), "⠙ Stopping 2.1 s");
  spinner.stop();
});

Deno.test("a model silent for 20 seconds is told, until something comes", () => {
  const { spinner, at } = started();
  const line = (waiting = false) => spinner.line(look, { waiting }).slice(2);
  at(19_900);
  assert.match(line(), /^Working/);
  at(23_400);
  assert.equal(line(), "nothing from the model for 23 s · esc to interrupt");
  assert.match(line(true), /^Working/, "a tool at work is no silence");
  spinner.heard();
  at(25_000);
  assert.match(line(), /^Working/);
  spinner.countDown(30_000);
  at(50_000);
  assert.equal(line(), "Retrying in 5 s · esc to interrupt");
  at(60_000);
  assert.match(line(), /^Working/, "the silence begins with the new attempt");
  at(75_000);
  assert.match(line(), /^nothing from the model for 20 s/);
  spinner.stop();
});

Deno.test("a long call that is being written is no silence", () => {
  const { spinner, at } = started();
  at(30_000);
  spinner.heard({ name: "Write\x1b[2J", chars: 12_345 });
  assert.match(spinner.line(look), /^. Writing a Write call \(12\.3k characters\) 30\.0 s/);
  spinner.heard({ name: "Edit", chars: 900, path: "/space/src/a\x1b[2J.ts" });
  assert.match(spinner.line(look), /^. Writing Edit src\/a\.ts \(900 characters\)/);
  spinner.heard();
  assert.match(spinner.line(look), /^. Working/);
  spinner.stop();
});

Deno.test("a summary that is being written is told, and is no silence", () => {
  const { spinner, at } = started();
  spinner.doing = "compressing";
  at(30_000);
  spinner.heard({ name: "", chars: 12_345 });
  assert.match(spinner.line(look), /^. Compressing… 12\.3k characters of a summary 30\.0 s/);
  spinner.stop();
});

Deno.test("a summary of the window's older part within a turn is called by its name too", () => {
  const { spinner } = started();
  spinner.heard({ name: "", chars: 0 });
  assert.match(spinner.line(look), /^. Compressing… 0\.0 s/);
  spinner.heard();
  assert.match(spinner.line(look), /^. Working/);
  spinner.heard({ name: "", chars: 0 });
  spinner.doing = "stopping";
  assert.match(spinner.line(look), /^. Stopping/);
  spinner.stop();
});

Deno.test("nothing ticks while nothing is going on, and ten times a second otherwise", async () => {
  let ticks = 0;
  const spinner = new Spinner(() => ticks++, () => performance.now());
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(ticks, 0);
  spinner.start();
  spinner.start();
  const began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 520));
  spinner.stop();
  // a busy machine waits longer
  const most = (performance.now() - began) / 100 + 1;
  assert.ok(ticks >= 1 && ticks <= most, `${ticks} of ${most}`);
  const before = ticks;
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(ticks, before);
});
