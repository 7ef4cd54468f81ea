import { strict as assert } from "node:assert";
import fc from "fast-check";
import type { Entry } from "../../src/checkpoints/scan.ts";
import { readTree, treePieces } from "../../src/checkpoints/tree_file.ts";
import type { Uncovered } from "../../src/types.ts";

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
  scan: 0,
});

const bytesOf = (
  entries: ReadonlyMap<string, Entry>,
  left: readonly (readonly [string, { readonly why: Uncovered["why"] }])[],
) => new TextEncoder().encode([...treePieces(entries, left)].join(""));

const names = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 8 }).map((all) =>
  all.map((name) => `d/${name.replaceAll(/[/\0]/g, "_")}-`)
);

Deno.test("a tree is read as it was written, whatever its names", () => {
  fc.assert(fc.property(names, names, (covered, others) => {
    const entries = new Map(["\ufeffbom", "end", ...covered].map((path) => [path, entry(path)]));
    const left = [...new Set(others)].map((path) => [path, { why: "large" }] as const);
    const tree = readTree(bytesOf(entries, left))!;
    assert.deepEqual([...tree.entries], [...entries]);
    assert.deepEqual([...tree.left], left.map(([path, { why }]) => [path, why]));
  }));
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
});

Deno.test("a tree that is cut off is none", () => {
  const bytes = bytesOf(new Map([["a", entry("x")], ["end", entry("y")]]), []);
  for (let end = 0; end < bytes.length; end++) {
    assert.equal(readTree(bytes.subarray(0, end)), undefined, `after ${end} bytes`);
  }
});
