import assert from "node:assert/strict";
import { visibleWidth } from "@earendil-works/pi-tui";
import { surelyFits } from "../../../src/terminal/markdown/narrow.ts";

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
