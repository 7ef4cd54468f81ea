import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { Thoughts } from "../../../src/terminal/transcript/thoughts.ts";

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
