import assert from "node:assert/strict";
import { createHasher, nodeCrypto } from "../../../../src/features/undo/store/hash.ts";

Deno.test("node:crypto is loaded for many bytes in a row, not for a long session's many small ones", () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const hash = nodeCrypto().createHash("sha256").update(bytes).digest("hex");
  for (const { pause, loaded } of [{ pause: 40, loaded: 0 }, { pause: 1, loaded: 1 }]) {
    let [now, loads] = [0, 0];
    const hashOf = createHasher(() => now, () => {
      loads++;
      return nodeCrypto();
    });
    for (let times = 0; times < 100; times++, now += pause) assert.equal(hashOf(bytes), hash);
    assert.equal(loads, loaded);
  }
});

Deno.test("for small contents node:crypto is not loaded, however many there are in a row", () => {
  const small = crypto.getRandomValues(new Uint8Array(1000));
  const expected = nodeCrypto().createHash("sha256").update(small).digest("hex");
  const hashOf = createHasher(() => 0, () => assert.fail("it is loaded"));
  for (let times = 0; times < 3000; times++) assert.equal(hashOf(small), expected);
});
