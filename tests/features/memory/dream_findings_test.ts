import assert from "node:assert/strict";
import fc from "fast-check";
import { findingLines, readFindings } from "../../../src/features/memory/dream_findings.ts";
import { runs } from "../../support/soak.ts";

const cursors = new Set([3, 8, 9]);

Deno.test("lines of the known forms are findings; everything else is passed over", () => {
  const { found, understood } = readFindings(
    [
      "Here is what I found:",
      "[USER] lives in Tokyo, not Osaka",
      "- [SOUL] answers in one sentence",
      "[MEMORY-REMOVE] the sprint of May: over",
      "[USERS] no such file",
      "[user] no such form",
      "see [MEMORY] in the middle",
      "[MEMORY]",
      "[FILE] ../../etc/passwd",
    ].join("\n"),
    cursors,
  );
  assert.equal(understood, true);
  assert.deepEqual(found, [
    { kind: "add", about: "USER.md", text: "lives in Tokyo, not Osaka" },
    { kind: "add", about: "SOUL.md", text: "answers in one sentence" },
    { kind: "remove", about: "MEMORY.md", text: "the sprint of May: over" },
  ]);
  assert.equal(
    findingLines(found).split("\n").at(-1),
    "[MEMORY-REMOVE] the sprint of May: over",
  );
});

Deno.test("a skill needs two entries that there are, and a name that is one", () => {
  const names = (line: string) => readFindings(line, cursors).found.map(({ about }) => about);
  assert.deepEqual(names("[SKILL] release-check (#3, #8): run the checks before a release"), [
    "release-check",
  ]);
  for (
    const line of [
      "[SKILL] release-check (#3): seen once",
      "[SKILL] release-check (#3, #3): the same entry twice",
      "[SKILL] release-check (#3, #77): one that there is not",
      "[SKILL] release-check: no entries",
      "[SKILL] ../evil (#3, #8): a path",
      "[SKILL] Release (#3, #8): a capital",
      `[SKILL] ${"a".repeat(65)} (#3, #8): too long`,
    ]
  ) assert.deepEqual(names(line), [], line);
});

Deno.test("that there is nothing is understood; anything else is not", () => {
  assert.deepEqual(readFindings("[SKIP] nothing new", cursors), { found: [], understood: true });
  for (const text of ["", "I could not do it", "<html>"]) {
    assert.deepEqual(readFindings(text, cursors), { found: [], understood: false });
  }
});

Deno.test("no answer names a file or a skill outside of the forms", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("[USER]", "[SKILL]", "(#3, #8):", "../", "/", "-REMOVE", "\n", " ", "a-b"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const { kind, about } of readFindings(pieces.join(""), cursors).found) {
        assert.match(about, kind === "skill" ? /^[a-z0-9-]{1,64}$/ : /^(USER|SOUL|MEMORY)\.md$/);
      }
    }),
    { numRuns: runs(300) },
  );
});
