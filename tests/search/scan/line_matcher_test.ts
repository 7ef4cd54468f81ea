import fc from "fast-check";
import assert from "node:assert/strict";
import { createKernel } from "../../../src/files/edit/kernel.ts";
import { NeedleScan } from "../../../src/search/scan/line_matcher.ts";
import { runs } from "../../support/soak.ts";

Deno.test("several needles are found in the order of their places", () => {
  const kernel = createKernel();
  const word = fc.string({ unit: fc.constantFrom("a", "b", "A", "c"), minLength: 1, maxLength: 4 });
  const needle = fc.record({ text: word, ignoreCase: fc.boolean() });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "c", " "), maxLength: 200 });
  const steps = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(needle, { minLength: 1, maxLength: 5 }),
      text,
      steps,
      fc.nat(20),
      (needles, text, steps, begin) => {
        kernel.forget();
        kernel.reserve(begin + 500).fill(0x61).set(new TextEncoder().encode(text), begin);
        const lower = text.toLowerCase();
        const place = (from: number) =>
          needles.map(({ text: word, ignoreCase }) =>
            ignoreCase ? lower.indexOf(word.toLowerCase(), from) : text.indexOf(word, from)
          ).filter((at) => at >= 0).reduce((least, at) => Math.min(least, at), Infinity);
        const scan = new NeedleScan(
          kernel,
          needles.map(({ text, ignoreCase }) => ({
            bytes: new TextEncoder().encode(ignoreCase ? text.toLowerCase() : text),
            ignoreCase,
          })),
        );
        scan.begin(begin, begin + text.length);
        let from = 0;
        for (const step of steps) {
          const wanted = place(from);
          assert.equal(scan.next(begin + from), wanted === Infinity ? -1 : begin + wanted);
          from = Math.min(text.length, from + step);
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});
