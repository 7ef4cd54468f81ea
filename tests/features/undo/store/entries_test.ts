import assert from "node:assert/strict";
import fc from "fast-check";
import { Entries, type Entry, KINDS } from "../../../../src/features/undo/store/entries.ts";
import { slow } from "../../../support/soak.ts";

const number = fc.double({ noNaN: true });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.toHex());
const bare: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom(...KINDS),
  mode: fc.nat(0o7777),
  size: fc.nat(),
  mtime: number,
  ctime: number,
  ino: number,
  readAt: number,
  content: fc.oneof(hash, fc.constant(""), fc.string({ unit: "grapheme" })),
  owner: fc.constantFrom("0:0", "1000:1000", "4294967295:7", ""),
  twin: fc.constantFrom("", "", "other"),
  sparse: fc.boolean(),
}, { noNullPrototype: true });
const entry = fc.tuple(bare, fc.constantFrom("blank" as const, "binary" as const, undefined)).map(
  ([one, texture]): Entry => texture ? { ...one, texture } : one,
);

const paths = fc.nat(200).map((n) => `folder/f${n}`);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path: paths, entry }) },
  { weight: 1, arbitrary: fc.record({ path: paths }) },
);

slow("entries are as a plain map of them is, whatever is put in and taken out", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
    const entries = new Entries();
    const plain = new Map<string, Entry>();
    for (const one of steps) {
      if ("entry" in one) {
        entries.set(one.path, one.entry);
        plain.set(one.path, one.entry);
      } else {
        entries.delete(one.path);
        plain.delete(one.path);
      }
      assert.deepEqual(entries.get(one.path), plain.get(one.path));
      assert.equal(entries.has(one.path), plain.has(one.path));
    }
    assert.deepEqual([...entries], [...plain]);
    assert.deepEqual([...entries.keys()], [...plain.keys()]);
    assert.deepEqual([...entries.values()], [...plain.values()]);
    assert.equal(entries.size, plain.size);
    const kept = plain.values().filter(({ kind, content }) => kind === "file" && content !== "");
    assert.equal(entries.bytes, kept.reduce((sum, { size }) => sum + size, 0));
    assert.deepEqual([...new Entries(plain)], [...plain]);
  }));
});

Deno.test("what an entry was stays readable after its path holds another", () => {
  fc.assert(fc.property(entry, entry, (one, other) => {
    const entries = new Entries([["a", one]]);
    const before = entries.get("a");
    entries.set("a", other);
    assert.deepEqual(before, one);
  }));
});

Deno.test("a scan has not seen what is new, also where it takes the place of another", () => {
  const entry = (content: string): Entry => ({
    ...{ kind: "file", mode: 0o644, size: 1, mtime: 1, ctime: 1, ino: 1, readAt: 1 },
    ...{ content, owner: "0:0", twin: "", sparse: false },
  });
  const entries = new Entries([["a", entry("1")], ["b", entry("2")]]);
  for (const path of ["a", "b"]) entries.see(entries.rowOf(path)!, 7);
  assert.deepEqual([...entries.unseen(7)], []);
  entries.delete("a");
  const row = entries.set("c", entry("3"));
  assert.deepEqual([...entries.unseen(7)], [["c", row]]);
  assert.deepEqual([...entries.unseen(8)].map(([path]) => path), ["b", "c"]);
});
