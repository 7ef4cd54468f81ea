// deno-lint-ignore-file no-control-regex -- control characters are the subject
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { character } from "../../support/fast_check.ts";
import assert from "node:assert/strict";
import { hide, picture, reveal } from "../../../src/terminal/input/pasted.ts";
import { runs, slow } from "../../support/soak.ts";

slow("what is hidden comes back to the letter, and nothing of it could steer a terminal", () => {
  const text = fc.string({ unit: character, maxLength: 50 });
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(reveal(hide(text)), text);
      assert.equal(reveal(hide(hide(text))), hide(text));
      assert.ok(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/.test(hide(text)));
      assert.equal(hide(text).split("\n").length, text.split("\n").length);
    }),
    { numRuns: runs(2000) },
  );
});

Deno.test("what people write is not touched", () => {
  for (const text of ["plain", "中文", "👨‍👩‍👧 👍🏽 🇨🇳", "क्‍ष", "e\u0301", "\ue009"]) {
    assert.equal(hide(text), text);
    assert.equal(picture(text), text);
  }
});

Deno.test("a picture is as wide as what it stands for is laid out", () => {
  for (let code = 0; code <= 0xffff; code++) {
    if (code === 10 || code >= 0xd800 && code < 0xe000) continue;
    const hidden = hide(String.fromCodePoint(code));
    if (hidden.codePointAt(0)! < 0x100000) continue;
    assert.equal(visibleWidth(hidden), 1, code.toString(16));
    assert.equal(visibleWidth(picture(hidden)), 1, code.toString(16));
  }
});
