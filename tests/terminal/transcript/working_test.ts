import assert from "node:assert/strict";
import { english } from "../../../src/base/t.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import { Spinner, Thoughts } from "../../../src/terminal/transcript/working.ts";

const look: Look = { style: createStyle("none"), t: english, workspace: "/space", keys: true };

function thinking() {
  let now = 0;
  const told: string[] = [];
  const lines = (rows: readonly Row[]) => rows.map(lineOf);
  const thoughts = new Thoughts(look, () => now, (rows) => told.push(...lines(rows)));
  return {
    thoughts,
    told,
    live: (max: number, width = 80) =>
      // deno-lint-ignore no-control-regex -- colours
      thoughts.lines(width, max).map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, "")),
    wait: (ms: number) => now += ms,
  };
}

Deno.test("thinking is its last line while it lasts, and one line afterwards", () => {
  const { thoughts, told, live, wait } = thinking();
  thoughts.push("first I\nlook at");
  thoughts.push(" the file\x1b[2J");
  assert.deepEqual(live(5), ["│ look at the file"]);
  wait(3200);
  thoughts.end();
  thoughts.end();
  assert.deepEqual(live(5), []);
  assert.deepEqual(told, ["✻ thought for 3.2 s · ctrl-t shows it"]);
});

Deno.test("unfolded, the turn's thoughts are told in full once, and the next as they end", () => {
  const { thoughts, told, live } = thinking();
  thoughts.push("one\nmore");
  thoughts.end();
  thoughts.push("two");
  thoughts.end();
  told.length = 0;
  thoughts.toggle();
  assert.deepEqual(told, ["│ one", "│ more", "│ two"]);
  thoughts.newTurn();
  thoughts.push("a\nb\nc");
  assert.deepEqual(live(2), ["│ b", "│ c"]);
  told.length = 0;
  thoughts.end();
  assert.deepEqual(told, ["✻ thought for 0.0 s", "│ a", "│ b", "│ c"]);
  thoughts.toggle();
  thoughts.toggle();
  assert.equal(told.length, 4, "what has been shown is not shown again");
});

Deno.test("a new turn keeps the last thoughts until it has its own; void ones are forgotten", () => {
  const { thoughts, told } = thinking();
  thoughts.push("old");
  thoughts.end();
  thoughts.newTurn();
  thoughts.push("void");
  thoughts.drop();
  thoughts.end();
  thoughts.push(" \n");
  thoughts.end();
  told.length = 0;
  thoughts.push("new");
  thoughts.end();
  thoughts.toggle();
  assert.deepEqual(told, ["✻ thought for 0.0 s · ctrl-t shows it", "│ new"]);
});

Deno.test("of a long paragraph the newest words are seen, in rows that stand still", () => {
  const { thoughts, live } = thinking();
  let before: string[] = [];
  let moved = 0;
  for (let n = 0; n < 300; n++) {
    thoughts.push(`word${n} `);
    const rows = live(5, 30);
    assert.ok(rows.length <= 2 && rows.at(-1)!.endsWith(`word${n}`), rows.join("\n"));
    if (rows[0] !== before[0] && rows[0] !== before[1]) moved++;
    before = rows;
  }
  assert.ok(moved < 60, `${moved}`);
  thoughts.toggle();
  assert.equal(live(5, 30).length, 5);
  assert.match(live(5, 30).at(-1)!, /word299$/);
});

const spinnerLook: Look = { style: createStyle("none"), t: english, workspace: "/space" };

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
  assert.equal(spinner.line(spinnerLook), "⠙ Working 2.1 s · esc to interrupt");
  const usage = { input: 12_300, output: 512, cached: 0, cost: null };
  assert.equal(
    spinner.line(spinnerLook, { usage }),
    "⠙ Working 2.1 s · ↑12.3k ↓512 · esc to interrupt",
  );
  spinner.doing = "stopping";
  assert.equal(spinner.line(spinnerLook), "⠙ Stopping 2.1 s");
  spinner.stop();
});

Deno.test("a model silent for 20 seconds is told, until something comes", () => {
  const { spinner, at } = started();
  const line = (waiting = false) => spinner.line(spinnerLook, { waiting }).slice(2);
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
  assert.match(spinner.line(spinnerLook), /^. Writing a Write call \(12\.3k characters\) 30\.0 s/);
  spinner.heard({ name: "Edit", chars: 900, path: "/space/src/a\x1b[2J.ts" });
  assert.match(spinner.line(spinnerLook), /^. Writing Edit src\/a\.ts \(900 characters\)/);
  spinner.heard();
  assert.match(spinner.line(spinnerLook), /^. Working/);
  spinner.stop();
});

Deno.test("a summary that is being written is told, and is no silence", () => {
  const { spinner, at } = started();
  spinner.doing = "compressing";
  at(30_000);
  spinner.heard({ name: "", chars: 12_345 });
  assert.match(spinner.line(spinnerLook), /^. Compressing… 12\.3k characters of a summary 30\.0 s/);
  spinner.stop();
});

Deno.test("a summary of the window's older part within a turn is called by its name too", () => {
  const { spinner } = started();
  spinner.heard({ name: "", chars: 0 });
  assert.match(spinner.line(spinnerLook), /^. Compressing… 0\.0 s/);
  spinner.heard();
  assert.match(spinner.line(spinnerLook), /^. Working/);
  spinner.heard({ name: "", chars: 0 });
  spinner.doing = "stopping";
  assert.match(spinner.line(spinnerLook), /^. Stopping/);
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
