import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { unifiedDiff } from "../../../src/files/edit/diff.ts";
import { diffRows, wordDiff } from "../../../src/terminal/transcript/diff_rows.ts";
import { lineOf, type Look } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { threadMs } from "../../support/processes.ts";

const look: Look = { style: createStyle("none"), t: english, workspace: "/space" };
/** Marks changed words. */
const marked: Look = { ...look, style: { ...look.style, inverse: (text) => `[${text}]` } };

const rows = (diff: string, how = marked) => diffRows(diff, how).map(lineOf);

Deno.test("a diff has the number of each line, its sign, and the words that changed", () => {
  const before = "a\nb\nconst total = sum(list, 1);\nc\nd\n";
  const after = "a\nb\nconst total = sum(items, 2);\nc\nnew\nd\n";
  assert.deepEqual(rows(unifiedDiff(before, after).diff), [
    "  1   a",
    "  2   b",
    "  3 - const total = sum([list], [1]);",
    "  3 + const total = sum([items], [2]);",
    "  4   c",
    "  5 + new",
    "  6   d",
  ]);
});

Deno.test("lines that have little in common, or no plain partner, are not compared", () => {
  assert.deepEqual(rows("@@ -1 +1 @@\n-import one;\n+return 2 + two();"), [
    "  1 - import one;",
    "  1 + return 2 + two();",
  ]);
  assert.deepEqual(rows("@@ -1,2 +1 @@\n-call(one);\n-call(two);\n+call(three);"), [
    "  1 - call(one);",
    "  2 - call(two);",
    "  1 + call(three);",
  ]);
});

Deno.test("hunks are parted, numbers stand under one another, odd lines do no harm", () => {
  const diff =
    "@@ -9 +9 @@\n-x1 y z\n+x2 y z\n\\ No newline at end of file\n@@ -100,0 +101 @@\n+中\x1b[2J文\n…";
  assert.deepEqual(rows(diff), [
    "    9 - [x1] y z",
    "    9 + [x2] y z",
    "    ⋮",
    "  101 + 中文",
  ]);
  assert.deepEqual(rows(""), []);
  const colour = { ...look, style: createStyle("color") };
  assert.equal(
    rows("@@ -1 +1 @@\n+a", colour)[0],
    "\x1b[2m  1 \x1b[22m\x1b[32m+ \x1b[39m\x1b[32ma\x1b[39m",
  );
});

Deno.test("kept and changed words together are the lines, whatever they are", () => {
  const line = fc.array(fc.constantFrom("a", "bc", " ", "(", "中", "😀", ".", "  "), {
    maxLength: 30,
  })
    .map((parts) => parts.join(""));
  fc.assert(fc.property(line, line, (before, after) => {
    const found = wordDiff(before, after);
    if (found === undefined) return;
    const text = (side: 0 | 1) => found[side].map((span) => span.text).join("");
    assert.equal(text(0), before);
    assert.equal(text(1), after);
    const kept = (side: 0 | 1) =>
      found[side].filter((span) => !span.changed).map((span) => span.text);
    assert.equal(kept(0).join(""), kept(1).join(""));
  }));
});

Deno.test("a huge line is compared at its ends only, in linear time", () => {
  const words = (mark: string) => "begin " + `${mark} word `.repeat(50_000) + "end";
  const began = threadMs();
  const found = wordDiff(words("a"), words("b"));
  assert.ok(threadMs() - began < 2000);
  assert.equal(found, undefined);
  const near = wordDiff("x ".repeat(50_000) + "a", "x ".repeat(50_000) + "b")!;
  assert.deepEqual(near[1].at(-1), { text: "b", changed: true });
});
