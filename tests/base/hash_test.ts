import fc from "fast-check";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { codeFile } from "../../scripts/sha256.ts";
import { createSha256, fingerprint, sha256 } from "../../src/base/hash.ts";
import { runs, slow } from "../support/soak.ts";

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

Deno.test("the code of the hash is what its script makes", async () => {
  const path = new URL("../../src/base/sha256_code.ts", import.meta.url);
  assert.equal(await Deno.readTextFile(path), await codeFile());
});

Deno.test("the hash of a text is what others make of it", () => {
  const same = (text: string) =>
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), text);
  for (let n = 0; n < 200; n++) same("x".repeat(n));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), same), {
    numRuns: runs(300),
  });
});

Deno.test("the hash of bytes is what others make of it", () => {
  const hash = createSha256();
  const same = (bytes: Uint8Array) =>
    assert.equal(hash(bytes), createHash("sha256").update(bytes).digest("hex"));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), same), { numRuns: runs(300) });
  // more than is hashed at a time
  const many = new Uint8Array(200_000).map((_, i) => i * i >> 3);
  for (const length of [64_511, 64_512, 64_513, 129_024, 199_990]) {
    same(many.subarray(3, 3 + length));
  }
});
