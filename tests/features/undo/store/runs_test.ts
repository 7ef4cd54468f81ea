import fc from "fast-check";
import assert from "node:assert/strict";
import type { Uncovered } from "../../../../src/base/types.ts";
import type { Entry } from "../../../../src/features/undo/store/entries.ts";
import { readTree, treePieces } from "../../../../src/features/undo/store/runs.ts";

const entry = (content: string): Entry => ({
  kind: "file",
  mode: 0o644,
  size: 3,
  mtime: 1_700_000_000_123,
  ctime: -5,
  ino: 18_446_744_073_709_552_000,
  readAt: 1_700_000_000_456,
  content,
  owner: "0:0",
  twin: "",
  sparse: false,
});

const bytesOf = (
  entries: ReadonlyMap<string, Entry>,
  left: readonly (readonly [string, { readonly why: Uncovered["why"] }])[],
) => new TextEncoder().encode([...treePieces(entries, left)].join(""));

/** Reads a tree from bytes that come so many at a time. */
const treeOf = (bytes: Uint8Array, atOnce = bytes.length) => {
  let at = 0;
  return readTree((to) => {
    const some = bytes.subarray(at, at + Math.min(atOnce, to.length));
    to.set(some);
    at += some.length;
    return some.length || null;
  });
};

const names = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 8 }).map((all) =>
  all.map((name) => `d/${name.replaceAll(/[/\0]/g, "_")}-`)
);

Deno.test("a tree is read as it was written, whatever its names", () => {
  fc.assert(
    fc.property(names, names, fc.integer({ min: 1, max: 99 }), (covered, others, atOnce) => {
      const entries = new Map(["\ufeffbom", "end", ...covered].map((path) => [path, entry(path)]));
      const left = [...new Set(others)].map((path) => [path, { why: "large" }] as const);
      const tree = treeOf(bytesOf(entries, left), atOnce)!;
      assert.deepEqual([...tree.entries], [...entries]);
      assert.deepEqual([...tree.left], left.map(([path, { why }]) => [path, why]));
    }),
  );
});

Deno.test("a tree of many files is written in pieces, and is what it was as one text", () => {
  const entries = new Map(Array.from({ length: 2000 }, (_, i) => [`f${i}`, entry(`h${i}`)]));
  const pieces = [...treePieces(entries, [["big", { why: "large" }]])];
  assert.ok(pieces.length > 3);
  const fields = [...entries].flatMap((
    [path, one],
  ) => [path, "file", one.mode, 3, one.mtime, -5, one.ino, one.readAt, one.content, "0:0", "", 0]);
  const whole = ["narnat tree 2", 2000, ...fields, "big", "large", "end"];
  assert.equal(pieces.join(""), whole.join("\0"));
  assert.deepEqual([...treeOf(new TextEncoder().encode(whole.join("\0")))!.entries], [...entries]);
});

Deno.test("a tree with a name that is longer than what is read at a time is read", () => {
  const entries = new Map([["a", entry("x")], ["n".repeat(300_000), entry("y")]]);
  assert.deepEqual([...treeOf(bytesOf(entries, []))!.entries], [...entries]);
});

Deno.test("a tree of an unknown kind is none", () => {
  const text = [...treePieces(new Map([["a", entry("x")]]), [])].join("");
  assert.ok(treeOf(new TextEncoder().encode(text)));
  assert.equal(treeOf(new TextEncoder().encode(text.replace("file", "pipe"))), undefined);
});

Deno.test("a tree that is cut off is none", () => {
  const bytes = bytesOf(new Map([["a", entry("x")], ["end", entry("y")]]), []);
  for (let end = 0; end < bytes.length; end++) {
    assert.equal(treeOf(bytes.subarray(0, end)), undefined, `after ${end} bytes`);
  }
});
