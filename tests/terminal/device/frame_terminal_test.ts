import assert from "node:assert/strict";
import {
  hardRows,
  rowsAboveCursor,
  unwrapped,
  withoutGone,
} from "../../../src/terminal/device/frame_terminal.ts";

/** What was drawn last: these lines, the cursor in one of them. */
function drawn(lines: readonly string[], row: number, column: number) {
  return {
    previousLines: [...lines],
    previousWidth: 20,
    previousHeight: 10,
    cursorRow: lines.length - 1,
    hardwareCursorRow: row,
    cursorColumn: column,
    maxLinesRendered: lines.length,
    previousViewportTop: 0,
  };
}

Deno.test("a terminal breaks a line anywhere but within a wide character, and drops no blank", () => {
  assert.deepEqual(hardRows("one two three", 6), ["one tw", "o thre", "e"]);
  assert.deepEqual(hardRows("a中文字", 4), ["a中", "文字"]);
  assert.deepEqual(hardRows("\x1b[1mab\x1b[22mcd", 3), ["abc", "d"]);
  assert.deepEqual(hardRows("", 3), [""]);
});

Deno.test("lines above the cursor that a narrower window has wrapped count their new rows", () => {
  const state = drawn(["x".repeat(20), "short", "❯ draft"], 2, 7);
  assert.equal(rowsAboveCursor(state, 20), 2);
  assert.equal(rowsAboveCursor(state, 10, { row: 5, column: 7 }), 3);
  assert.equal(rowsAboveCursor(state, 7, { row: 5, column: 6 }), 4);
});

Deno.test("the cursor's own line counts its new rows where the terminal wraps it, one where it cuts it", () => {
  const state = drawn(["above", "y".repeat(18)], 1, 18);
  assert.equal(rowsAboveCursor(state, 10, { row: 5, column: 8 }), 2);
  assert.equal(rowsAboveCursor(state, 10, { row: 5, column: 9 }), 1);
  assert.equal(rowsAboveCursor(state, 10), 1);
});

Deno.test("what has scrolled off is taken from the beginning, however it is wrapped anew", () => {
  const gone = unwrapped(["one two", " three"]);
  assert.deepEqual(withoutGone(gone, ["one", "two three", "four"]), {
    lines: ["four"],
    met: gone.length,
  });
  assert.deepEqual(withoutGone(gone, ["one two three four"]).lines.map((l) => l.trim()), ["four"]);
});

Deno.test("where less is told than has scrolled off, the rest stays to be met", () => {
  const gone = unwrapped(["one two"]);
  assert.deepEqual(withoutGone(gone, ["one"]), { lines: [], met: 3 });
});

Deno.test("where anything else is told than what has scrolled off, all of it is", () => {
  assert.deepEqual(withoutGone("onetwo", ["one three"]), { lines: ["one three"], met: 0 });
  assert.deepEqual(withoutGone("", ["one"]), { lines: ["one"], met: 0 });
});
