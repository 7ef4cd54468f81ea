import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { NO_PLACES } from "../../src/search/walk/git_settings.ts";
import { SearchesHere, SearchHere } from "../../src/search/here.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { createPart } from "../../src/search/file_search.ts";
import { PatternError } from "../../src/search/regex/mod.ts";
import { drain, FileLists } from "../../src/search/run.ts";
import type { GrepFound, GrepQuery, SearchJob } from "../../src/search/types.ts";
import { WorkList, workListMemory } from "../../src/search/work_list.ts";
import { grepQuery } from "./judge.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

const signal = new AbortController().signal;
/** A slice that is over as soon as anybody looks. */
const AT_ONCE = -1000;

const grep = (root: string, pattern: string, more: Partial<GrepQuery> = {}): SearchJob => ({
  kind: "grep",
  query: grepQuery(root, pattern, more),
});

/** Begins a search here, lets it go on for some slices, and shares out the rest. */
function sharedOut(job: SearchJob, slices: number, listBytes?: number): GrepFound {
  const search = new SearchesHere(NO_PLACES).begin(job)!;
  for (let i = 0; i < slices && !search.slice(AT_ONCE); i++);
  const parts = [];
  while (!search.complete) {
    const list = new WorkList(workListMemory(listBytes));
    while (!search.deal(list));
    list.end();
    const part = createPart(job, () => false);
    drain(list, part, () => false);
    parts.push(part.result());
  }
  return search.result(parts) as GrepFound;
}

/** A worker that notes that it was started, and answers nothing. */
async function noting(root: string): Promise<{ entry: string; started: () => boolean }> {
  const note = join(root, ".git", "note");
  const program = `Deno.writeTextFileSync(${JSON.stringify(note)}, ""); postMessage({ready:true})`;
  await Deno.mkdir(join(root, ".git"), { recursive: true });
  await Deno.writeTextFile(join(root, ".git", "worker.js"), program);
  const started = () => {
    try {
      return Deno.statSync(note).isFile;
    } catch {
      return false;
    }
  };
  return { entry: `file://${join(root, ".git", "worker.js")}`, started };
}

Deno.test("only what an automaton decides in little time is searched in this thread", async () => {
  await withWorkspace({ "a.txt": "x\n" }, (root) => {
    const here = new SearchesHere(NO_PLACES);
    const begins = (pattern: string, more: Partial<GrepQuery> = {}) =>
      here.begin(grep(root, pattern, more)) !== undefined;
    for (const pattern of ["x", "\\bfoo\\w+(?:a|b)*$", "(?i)straße", "(a+)+$", "\\p{Lu}\\d{4}"]) {
      assert.ok(begins(pattern), pattern);
    }
    for (const pattern of ["(?=x)", "(?<!a)b", "(a)\\1", "\\w{400}", "x".repeat(501)]) {
      assert.ok(!begins(pattern), pattern);
    }
    assert.ok(!begins("a.b", { multiline: true }));
    assert.throws(() => begins("(a"), PatternError);
    for (const root of ["/proc", "/sys/kernel", "/dev"]) {
      assert.equal(here.begin(grep(root, "x")), undefined);
    }
  });
});

slow("an expression for V8 leaves this thread free, whatever it does", async () => {
  const entry = new URL("../../main.ts", import.meta.url).href;
  await withWorkspace({ "bomb.txt": "a".repeat(40) + "b\n" }, async (root) => {
    const searcher = createSearcher({ entry });
    try {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const query = grepQuery(root, "^(?=(a+)+$)", { deadlineMs: 700 });
      const found = await searcher.grep(query, signal);
      clearInterval(timer);
      assert.equal(found.stopped, "deadline");
      assert.ok(turns >= 20, `${turns} turns`);
    } finally {
      searcher.close();
    }
  });
});

slow(
  "in a small folder no worker is started, but for an expression that V8 must decide",
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`d${i % 9}/${i}`, "x\n"]),
    );
    await withWorkspace(files, async (root) => {
      const { entry, started } = await noting(root);
      const searcher = createSearcher({ entry });
      try {
        searcher.start();
        searcher.warm(root);
        const glob = { root, patterns: ["**"], hidden: false, limit: 9, deadlineMs: 9000 };
        assert.equal((await searcher.glob(glob, signal)).total, 200);
        for (const pattern of ["x", "\\w$", "none"]) {
          await searcher.grep(grepQuery(root, pattern), signal);
        }
        for await (const batch of searcher.walk(root, signal)) assert.ok(batch.length > 0);
        await Promise.all([1, 2, 3].map(() => searcher.grep(grepQuery(root, "x"), signal)));
        assert.ok(!started());
        await searcher.grep(grepQuery(root, "x(?=y)", { deadlineMs: 50 }), signal);
        assert.ok(started());
      } finally {
        searcher.close();
      }
    });
  },
);

const text = fc.array(fc.constantFrom("one", "two", "x", "", "one two", "\0"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));
const trees = fc.dictionary(
  fc.stringMatching(/^[ab]{1,2}(\/[cd]{1,2}){0,2}\/f[0-9]{1,2}$/),
  text,
  { minKeys: 1, maxKeys: 60 },
);

Deno.test("wherever a search is handed on, and however little room the list has, the result is the same", async () => {
  const queries: Partial<GrepQuery>[] = [
    { before: 1, after: 1 },
    { mode: "count", limit: 5, offset: 3 },
    { mode: "files", globs: ["a*/**"] },
    { limit: 4, offset: 2 },
  ];
  const cases = fc.tuple(
    trees,
    fc.constantFrom(...queries),
    fc.nat(20),
    fc.constantFrom(300, 9000),
  );
  for (const [files, more, slices, room] of fc.sample(cases, { numRuns: runs(40), seed: 3 })) {
    await withWorkspace(files as Files, (root) => {
      const job = grep(root, "one|x$", more);
      const whole = new SearchesHere(NO_PLACES).beginAlone(job);
      while (!whole.slice());
      assert.deepEqual(sharedOut(job, slices, room), whole.result());
    });
  }
});

Deno.test("a file that takes longer than a slice is left for others, and counts once", async () => {
  const long = "a line without anything of the kind\n".repeat(8000) + "needle\n";
  await withWorkspace({ "a.txt": "needle\n", "b.log": long, "c.txt": "needle\n" }, (root) => {
    const job = grep(root, "needle", { before: 1 });
    const search = new SearchesHere(NO_PLACES).begin(job)!;
    while (!search.slice(AT_ONCE));
    assert.equal(search.complete, false);
    assert.equal((search.result() as GrepFound).matches, 2);
    const { matches, searched, lines } = sharedOut(job, 99);
    assert.deepEqual([matches, searched, lines.length], [3, 3, 4]);
    const patient = new SearchesHere(NO_PLACES).begin(job)!;
    while (!patient.slice(10_000));
    assert.deepEqual([patient.complete, (patient.result() as GrepFound).matches], [true, 3]);
  });
});

Deno.test("a folder too wide for a slice is refused", async () => {
  await withWorkspace({ "a/b.txt": "x\n" }, (root) => {
    const search = new SearchHere(grep(root, "x"), new FileLists(NO_PLACES, 0), undefined);
    assert.ok(search.slice());
    assert.deepEqual([search.refused, search.complete], [true, false]);
  });
});

Deno.test("a search in this thread keeps its deadline and answers an abort", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}`, "x\n"]));
  await withWorkspace(files, async (root) => {
    const searcher = createSearcher({ entry: "not a url" });
    try {
      const found = await searcher.grep(grepQuery(root, "x", { deadlineMs: 0 }), signal);
      assert.equal(found.stopped, "deadline");
      const stop = new AbortController();
      const running = searcher.grep(grepQuery(root, "x"), stop.signal);
      stop.abort(new Error("stop"));
      await assert.rejects(
        Promise.all([running, searcher.grep(grepQuery(root, "x"), stop.signal)]),
        /stop/,
      );
      assert.equal((await searcher.grep(grepQuery(root, "x"), signal)).matches, 300);
    } finally {
      searcher.close();
    }
  });
});
