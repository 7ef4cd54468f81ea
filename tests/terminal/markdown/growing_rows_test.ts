import assert from "node:assert/strict";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { createWrapGrowing } from "../../../src/terminal/markdown/growing_rows.ts";
import { runs } from "../../support/soak.ts";

const bold = (text: string) => `\x1b[1m${text}\x1b[22m`;
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,9}[ ,.]{0,3}$/) },
  fc.stringMatching(/^[一-鿿，。]{1,6}$/),
  fc.stringMatching(/^[a-z ]{1,30}$/).map(bold),
  fc.stringMatching(/^[a-z ]{1,30}$/).map((text) => `\x1b[4m${bold(text)} more\x1b[24m`),
  fc.constantFrom(
    "\n",
    "\n\n",
    " \n  ",
    "\x1b[36m",
    "\x1b[39m",
    "\u0301",
    "👩",
    "\u200d",
    "👧",
    "🇩",
    "🇪",
    "☎",
    "\ufe0e",
    "\ufe0f",
    "\u00a0",
  ),
  fc.stringMatching(/^[a-z]{30,60}$/),
);

const trimmed = (rows: readonly string[]) => rows.map((row) => row.trimEnd());

Deno.test("a text that grows, and others between, has the rows it has when it is wrapped at once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ piece, width: fc.integer({ min: 0, max: 40 }) }), { maxLength: 40 }),
      fc.integer({ min: 4, max: 30 }),
      (steps, usual) => {
        const wrap = createWrapGrowing();
        let text = "";
        for (const { piece, width } of steps) {
          if (width === 40) text = "";
          text += piece;
          const columns = width < 36 ? usual : width;
          assert.deepEqual(
            trimmed(wrap(text, columns)),
            trimmed(wrapTextWithAnsi(text, columns)),
            JSON.stringify([text, columns]),
          );
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

Deno.test("of a text that grows only the end is wrapped again", () => {
  const wrap = createWrapGrowing();
  const words = "some words of one long paragraph ".repeat(400);
  const before = wrap(words, 40);
  const segment = Intl.Segmenter.prototype.segment;
  let looked = 0;
  Intl.Segmenter.prototype.segment = function (text) {
    looked += text.length;
    return segment.call(this, text);
  };
  try {
    const after = wrap(words + "more", 40);
    assert.equal(after.length - before.length, 0);
  } finally {
    Intl.Segmenter.prototype.segment = segment;
  }
  assert.ok(looked < 400, `${looked} characters`);
});
