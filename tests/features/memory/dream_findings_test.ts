import fc from "fast-check";
import assert from "node:assert/strict";
import {
  type Finding,
  findingLines,
  missedIn,
  readFindings,
} from "../../../src/features/memory/dream_findings.ts";
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

const finding = (kind: "add" | "remove") => (text: string): Finding => ({
  kind,
  about: "MEMORY.md",
  text,
});
const missed = (before: string, after: string, adds: string[], removes: string[] = []) =>
  missedIn(before, after, [
    ...adds.map(finding("add")),
    ...removes.map(finding("remove")),
  ]).map(({ text }) => text);

const POSTGRES = "The database is Postgres 16";
const TESTS = "测试命令是 deno task test";

Deno.test("a finding is in when its own words stand in a line that was added", () => {
  for (const line of ["- Postgres 16", "- database: Postgres 16 (since May)", `- ${POSTGRES}`]) {
    assert.deepEqual(missed("# M\n", `# M\n\n${line}\n`, [POSTGRES]), []);
    assert.deepEqual(missed("# M\n", `# M\n\n${line}\n`, [POSTGRES, TESTS]), [TESTS]);
  }
  assert.deepEqual(missed("", `- Postgres 16\n- 测试：deno task test\n`, [POSTGRES, TESTS]), []);
});

Deno.test("one line may hold several findings", () => {
  const line = "- database Postgres 16; 测试 deno task test\n";
  assert.deepEqual(missed("", line, [POSTGRES, TESTS]), []);
});

Deno.test("words that findings share are no sign of either", () => {
  const [test, lint] = ["tests are run by deno task test", "lint is run by deno task lint"];
  assert.deepEqual(missed("", "- tests: run by deno task test\n", [test, lint]), [lint]);
  assert.deepEqual(missed("", "- lint: run by deno task lint\n", [test, lint]), [test]);
});

Deno.test("several lines about one finding do not stand for another", () => {
  const text = "# Database\n\n- Postgres 16\n- it is on port 5432\n- its name is app\n";
  assert.deepEqual(missed("", text, [POSTGRES, TESTS]), [TESTS]);
});

Deno.test("what a file says word for word already is not missed; what it says otherwise is", () => {
  assert.deepEqual(missed(`- ${TESTS}\n`, `- ${TESTS}\n- Postgres 16\n`, [TESTS, POSTGRES]), []);
  const port = "the service listens on port 8430";
  assert.deepEqual(missed("- the service listens on port 8080\n", "- x\n", [port]), [port]);
});

Deno.test("a removal is in when a line with its words went or changed", () => {
  const before = "- sprint of May\n- port 8080\n- uses deno\n";
  const gone = ["sprint of May: over", "port 8080: the service moved"];
  assert.deepEqual(missed(before, "- uses deno\n", [], gone), []);
  assert.deepEqual(missed(before, "- port 8080\n- uses deno\n", [], gone), [gone[1]]);
  assert.deepEqual(
    missed(before, "- sprint of May (to be checked)\n- uses deno\n", [], gone),
    [],
  );
  assert.deepEqual(missed(before, before, [], gone), gone);
  const replaced = "- sprint of May\n- port 8430\n- uses deno\n";
  const forwarding = "the port forwarding through the gateway: not needed any more";
  assert.deepEqual(missed(before, replaced, ["port 8430"], [forwarding]), [forwarding]);
});

Deno.test("what was written as it was found is never missed, what left no line always is", () => {
  const word = fc.stringMatching(/^[a-z]{4,9}[0-9]{1,3}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(" ")), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.nat(8),
      (texts, from) => {
        const written = texts.slice(0, from);
        const after = written.map((text) => `- ${text}\n`).join("");
        const lost = new Set(missed("", after, texts));
        for (const text of written) assert.ok(!lost.has(text), text);
        assert.deepEqual(missed("", "", texts), texts);
      },
    ),
    { numRuns: runs(200) },
  );
});
