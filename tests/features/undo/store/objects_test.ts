import assert from "node:assert/strict";
import {
  contentOf,
  createHasher,
  nodeCrypto,
  openObjects,
} from "../../../../src/features/undo/store/objects.ts";
import { slow } from "../../../support/soak.ts";

const text = (size: number, n: number) => new TextEncoder().encode(`${n} `.padEnd(size, "x"));

Deno.test("contents of every size are held as they were, also when their files are gone", () => {
  const dir = Deno.makeTempDirSync();
  const objects = openObjects(dir, "one");
  const sizes = [0, 1, 100, 40_000, 62_500, 62_501, 999_999, 1_000_000];
  const all = [...sizes, ...Array.from({ length: 60 }, () => 30_000)]
    .map((size, n) => size === 0 ? new Uint8Array() : text(size, n));
  const hashes = all.map((bytes) => objects.put(bytes));
  for (const hash of hashes) objects.hold(hash);
  Deno.removeSync(dir, { recursive: true });
  for (const [n, hash] of hashes.entries()) assert.deepEqual(objects.get(hash), all[n]);
  const elsewhere = openObjects(dir, "two", structuredClone(objects.held));
  for (const [n, hash] of hashes.entries()) assert.deepEqual(elsewhere.get(hash), all[n]);
});

slow(
  "of more than can be held those that come first are, and the oldest go for what is new",
  () => {
    const dir = Deno.makeTempDirSync();
    const objects = openObjects(dir, "one");
    const all = Array.from({ length: 24 }, (_, n) => ({
      content: objects.put(text(900_000, n)),
      size: 900_000,
    }));
    const large = { content: objects.put(text(2_000_000, 0)), size: 2_000_000 };
    for (const one of [large, all[0]!, ...all]) objects.holdFitting(one);
    objects.hold(all[20]!.content);
    Deno.removeSync(dir, { recursive: true });
    const held = all.map(({ content }) => contentOf(content, objects) !== undefined);
    assert.deepEqual(held, all.map((_, n) => n >= 1 && n < 17 || n === 20));
    assert.equal(contentOf(large.content, objects), undefined);
  },
);

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
