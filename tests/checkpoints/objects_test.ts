import { strict as assert } from "node:assert";
import { openObjects } from "../../src/checkpoints/objects.ts";

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

Deno.test("of more than can be held the last are", () => {
  const dir = Deno.makeTempDirSync();
  const objects = openObjects(dir, "one");
  const all = Array.from({ length: 24 }, (_, n) => ({
    content: objects.put(text(900_000, n)),
    size: 900_000,
  }));
  objects.holdLast([...all, all.at(-1)!]);
  const held = all.map(({ content }) => objects.held.has(content));
  const first = held.indexOf(true);
  assert.ok(first > 0 && first <= 24 - 17);
  assert.ok(held.slice(first).every(Boolean));
  Deno.removeSync(dir, { recursive: true });
});
