import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { sha256, sha256Bytes } from "../src/sha256.ts";

Deno.test("the hash of a text is what others make of it", () => {
  const same = (text: string) =>
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), text);
  for (let n = 0; n < 200; n++) same("x".repeat(n));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), same), { numRuns: 300 });
});

Deno.test("the hash of bytes is what others make of it", () => {
  const same = (bytes: Uint8Array) =>
    assert.equal(sha256Bytes(bytes), createHash("sha256").update(bytes).digest("hex"));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), same), { numRuns: 300 });
  same(crypto.getRandomValues(new Uint8Array(60_000)).subarray(3));
});
