import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { codeFile } from "../../scripts/sha256.ts";
import { createSha256, sha256 } from "../../src/base/sha256.ts";
import { runs } from "../support/soak.ts";

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
