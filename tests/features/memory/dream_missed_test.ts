import assert from "node:assert/strict";
import fc from "fast-check";
import { missedIn } from "../../../src/features/memory/dream_missed.ts";
import type { Finding } from "../../../src/features/memory/dream_findings.ts";
import { runs } from "../../support/soak.ts";

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
