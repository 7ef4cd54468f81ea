import assert from "node:assert/strict";
import fc from "fast-check";
import { visibleWidth } from "@earendil-works/pi-tui";
import { layRows, surelyFits } from "../../../src/terminal/markdown/lay.ts";
import type { Row } from "../../../src/terminal/transcript/rows.ts";

// deno-lint-ignore no-control-regex -- colours
const bare = (lines: string[]) => lines.map((line) => line.replaceAll(/\x1b\[\d*m/g, ""));

Deno.test("what is wrapped stays behind its lead", () => {
  const row: Row = { lead: "❯ ", text: "一二三四五六七", fit: "wrap" };
  assert.deepEqual(layRows([row], 10), ["❯ 一二三四", "  五六七"]);
});

Deno.test("a lead that leaves too little room is wrapped with its text, what follows is indented", () => {
  const row: Row = { lead: "/delete <id|name>  ", text: "delete a stored session", fit: "wrap" };
  assert.deepEqual(layRows([row], 60), ["/delete <id|name>  delete a stored session"]);
  assert.deepEqual(layRows([row], 40), ["/delete <id|name>  delete a stored", "    session"]);
});

Deno.test("the end of a cut row is seen, on a narrow screen the beginning", () => {
  const row: Row = { text: "● Bash deno test src/cart_test.ts", end: " · exit 1", fit: "cut" };
  assert.deepEqual(bare(layRows([row], 30)), ["● Bash deno test src… · exit 1"]);
  assert.deepEqual(bare(layRows([row], 12)), ["● Bash deno…"]);
  assert.deepEqual(layRows([row], 80), ["● Bash deno test src/cart_test.ts · exit 1"]);
});

Deno.test("what is broken goes on behind a mark that no line of the text can have", () => {
  const row = (text: string): Row => ({ lead: "  ", text, fit: "break" });
  assert.deepEqual(layRows([row("echo 1 > made/1"), row("  ade/1")], 14), [
    "  echo 1 > mad",
    "↳ e/1",
    "    ade/1",
  ]);
});

Deno.test("what is broken keeps every blank and its colour, and stays behind its lead", () => {
  const row = (text: string): Row => ({ lead: "  − ", text, fit: "break" });
  assert.deepEqual(layRows([row("/a  b/c   d e")], 10), ["  − /a  b/", "  ↳ c   d ", "  ↳ e"]);
  assert.deepEqual(layRows([row("一二 三四é")], 9), ["  − 一二 ", "  ↳ 三四é"]);
  assert.deepEqual(layRows([row("\x1b[31mabcdef gh\x1b[39m")], 10), [
    "  − \x1b[31mabcdef",
    "  ↳ \x1b[31m gh\x1b[39m",
  ]);
  assert.deepEqual(layRows([row("")], 10), ["  − "]);
});

Deno.test("no row is wider than the terminal", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab 一二，é😀") });
  const row = fc.record({
    lead: fc.constantFrom("", "  ", "❯ ", "/delete <id>     "),
    text,
    end: text,
    fit: fc.constantFrom("wrap" as const, "cut" as const, "break" as const),
  });
  fc.assert(fc.property(fc.array(row), fc.integer({ min: 6, max: 60 }), (rows, width) => {
    for (const line of layRows(rows, width)) assert.ok(visibleWidth(line) <= width, line);
  }));
});

Deno.test("a row that surely fits has as many columns at most, whatever character it is of", () => {
  let narrow = 0;
  for (let code = 0x20; code < 0x30000; code++) {
    const row = String.fromCodePoint(code).repeat(2);
    if (!surelyFits(row, 2)) continue;
    narrow++;
    assert.equal(visibleWidth(row), 2, `U+${code.toString(16)}`);
  }
  assert.ok(narrow > 400);
});

Deno.test("styles take no columns; what is not known to fit is left to who measures it", () => {
  const row = "\x1b[36m⠋\x1b[39m Working \x1b[2m2.1 s ·\x1b[22m";
  assert.equal(surelyFits(row, 17), true);
  assert.equal(surelyFits(row, 16), false);
  assert.equal(surelyFits("中", 80), false);
  assert.equal(surelyFits("e\u0301", 80), false);
  assert.equal(surelyFits("\x1b]8;;https://narnat.invalid\x07here\x1b]8;;\x07", 80), false);
});
