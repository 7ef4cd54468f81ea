import { strict as assert } from "node:assert";
import { contentOf, openObjects } from "../../../../src/features/undo/store/objects.ts";
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
