import assert from "node:assert/strict";
import fc from "fast-check";
import { hunksOf, unifiedDiff } from "../../../src/files/edit/diff.ts";
import { runs } from "../../support/soak.ts";

Deno.test("one changed line shows three lines of context on each side", () => {
  const before = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");
  const { diff, added, removed } = unifiedDiff(before, before.replace("line 5", "five"));
  assert.equal(
    diff,
    [
      "@@ -2,7 +2,7 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+five",
      " line 6",
      " line 7",
      " line 8",
    ].join("\n"),
  );
  assert.deepEqual({ added, removed }, { added: 1, removed: 1 });
});

Deno.test("a missing final newline is a difference", () => {
  assert.equal(
    unifiedDiff("a\n", "a").diff,
    "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file",
  );
  assert.deepEqual(unifiedDiff("a", "a"), { diff: "", added: 0, removed: 0 });
});

Deno.test("patch turns the old text into the new one by the diff", async () => {
  const folder = await Deno.makeTempDir();
  const texts = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 })
    .map((lines) => lines.map((line) => line + "\n").join(""));
  try {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, after) => {
        const { diff, added, removed } = unifiedDiff(before, after);
        const lines = diff.split("\n");
        assert.equal(lines.filter((line) => line.startsWith("+")).length, added);
        assert.equal(lines.filter((line) => line.startsWith("-")).length, removed);
        if (diff === "") return assert.equal(before, after);
        await Deno.writeTextFile(`${folder}/f`, before);
        await Deno.writeTextFile(`${folder}/d`, `--- a/f\n+++ b/f\n${diff}\n`);
        const { code } = await new Deno.Command("git", {
          args: ["apply", "--unsafe-paths", "--unidiff-zero", "d"],
          cwd: folder,
          env: { GIT_CEILING_DIRECTORIES: folder },
          stderr: "null",
        }).output();
        if (code === 0) assert.equal(await Deno.readTextFile(`${folder}/f`), after);
        else assert.equal(after, "", `git apply refused:\n${diff}`);
      }),
      { numRuns: runs(60) },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("two large texts with nothing in common are compared at once", () => {
  const text = (mark: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${mark} ${i}\n`).join("");
  const { added, removed, diff } = unifiedDiff(text("a"), text("b"));
  assert.deepEqual({ added, removed }, { added: 20_000, removed: 20_000 });
  assert.ok(diff.length <= 66_000);
});

Deno.test("of very many changed lines only what can be shown is written out, and all are counted", () => {
  const many = (letter: string) => `${letter}\n`.repeat(500_000);
  const whole = hunksOf("", many("a"));
  assert.ok(whole.length === 1 && whole[0]!.steps.length < 40_000);
  const { diff, added, removed } = unifiedDiff("", many("a"));
  assert.deepEqual([added, removed], [500_000, 0]);
  assert.match(diff, /^@@ -0,0 \+1,500000 @@\n\+a\n[^]*\n…$/);
  const [head, tail] = ["1\n2\n3\n4\n", "5\n6\n7\n8"];
  const replaced = unifiedDiff(head + many("a") + tail, head + many("b") + "x\n" + tail);
  assert.deepEqual([replaced.added, replaced.removed], [500_001, 500_000]);
  assert.match(replaced.diff, /^@@ -2,500006 \+2,500007 @@\n 2\n 3\n 4\n-a\n[^]*\n…$/);
  const short = unifiedDiff(head + many("a") + tail, head + tail);
  assert.deepEqual([short.added, short.removed], [0, 500_000]);
  const grown = hunksOf(head + "a\n" + tail, head + many("b") + tail)[0]!;
  assert.deepEqual([grown.same, grown.removed, grown.added], [6, 1, 500_000]);
});
