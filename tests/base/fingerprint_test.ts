import assert from "node:assert/strict";
import fc from "fast-check";
import { fingerprint } from "../../src/base/fingerprint.ts";
import { slow } from "../support/soak.ts";

Deno.test("texts that differ in one place, in their order or in blanks at the end have other prints", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  fc.assert(fc.property(text, text, fc.nat(), (one, other, place) => {
    const at = place % one.length;
    const code = one.charCodeAt(at);
    const changed = one.slice(0, at) + (code === 120 ? "y" : "x") + one.slice(at + 1);
    const prints = [one, changed, `${one}\0`, `${one} `].map(fingerprint);
    assert.equal(new Set(prints).size, new Set([one, changed, `${one}\0`, `${one} `]).size);
    if (one + other !== other + one) {
      assert.notEqual(fingerprint(one + other), fingerprint(other + one));
    }
    assert.equal(fingerprint(one), fingerprint(one.slice(0, at) + one.slice(at)));
  }));
});

slow("100,000 texts that are nearly the same have as many prints", () => {
  const prints = new Set<string>();
  for (let n = 0; n < 100_000; n++) prints.add(fingerprint(`a rule of ${n} words: ${n % 7} apart`));
  assert.equal(prints.size, 100_000);
});
