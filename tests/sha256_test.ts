import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { sha256 } from "../src/sha256.ts";

Deno.test("the hash of a text is what others make of it", () => {
  const same = (text: string) =>
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), text);
  for (let n = 0; n < 200; n++) same("x".repeat(n));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), same), { numRuns: 300 });
});
