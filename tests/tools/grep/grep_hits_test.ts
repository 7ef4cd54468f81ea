import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { grepTool } from "../../../src/tools/grep/grep.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import type { Hit, ToolInput } from "../../../src/base/types.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { runs, slow } from "../../support/soak.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;

async function withHits(
  files: Files,
  use: (hits: (input: ToolInput) => Promise<readonly Hit[] | undefined>) => Promise<void>,
): Promise<void> {
  const searcher = createSearcher({ entry, workers: 1 });
  const toolbox = createToolbox([grepTool(searcher)]);
  try {
    await withWorkspace(files, async (root) => {
      const runner = new ToolRunner(root);
      await use(async (input) => {
        const call = toolbox.prepare("Grep", JSON.stringify(input), english);
        if (typeof call === "string") throw new Error(call);
        const { detail } = await runner.run(call.tool, call.input);
        return detail?.kind === "matches" ? detail.hits : undefined;
      });
    });
  } finally {
    searcher.close();
  }
}

/** `path:line:col:match`. */
const short = (hits: readonly Hit[] | undefined) =>
  hits?.map(({ path, line, col, match }) => `${path}:${line}:${col}:${match}`);

Deno.test("Grep's detail says where each match stands, and what it is", async () => {
  const files = { "a.ts": "let foo = foo1;\r\nbar\n\t😀 Foo\n", "b/c.ts": "xfoo\n" };
  await withHits(files, async (hits) => {
    assert.deepEqual(short(await hits({ pattern: "foo\\d?" })), [
      "a.ts:1:5:foo",
      "a.ts:1:11:foo1",
      "b/c.ts:1:2:foo",
    ]);
    assert.deepEqual(short(await hits({ pattern: "foo", "-i": true, word: true })), [
      "a.ts:1:5:foo",
      "a.ts:3:5:Foo",
    ]);
    assert.deepEqual(short(await hits({ pattern: "o+(?=1)" })), ["a.ts:1:12:oo"]);
    assert.deepEqual(short(await hits({ pattern: "foo1;", literal: true, path: "a.ts" })), [
      "a.ts:1:11:foo1;",
    ]);
    assert.deepEqual(short(await hits({ pattern: ";.*bar$", multiline: true })), [
      "a.ts:1:15:;\nbar",
    ]);
    assert.deepEqual(short(await hits({ pattern: "^" })), [
      "a.ts:1:1:",
      "a.ts:2:1:",
      "a.ts:3:1:",
      "b/c.ts:1:1:",
    ]);
    assert.deepEqual(short(await hits({ pattern: "bar", "-C": 1 })), ["a.ts:2:1:bar"]);
    assert.deepEqual(await hits({ pattern: "nothing" }), []);
    assert.equal(await hits({ pattern: "foo", output_mode: "count" }), undefined);
  });
});

Deno.test("up to 200 hits are listed, those that are not shown among them, from the offset on", async () => {
  const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i + 1}\n`).join("");
  const files = { "a": rows(90), "b": rows(90), "c": rows(90) };
  await withHits(files, async (hits) => {
    const all = await hits({ pattern: "row", "-C": 2 });
    assert.equal(all?.length, 200);
    assert.deepEqual(short(all?.slice(88, 92)), [
      "a:89:1:row",
      "a:90:1:row",
      "b:1:1:row",
      "b:2:1:row",
    ]);
    assert.equal(new Set(short(all)).size, 200);
    assert.deepEqual(short((await hits({ pattern: "row", offset: 260 }))?.slice(-1)), [
      "c:90:1:row",
    ]);
    assert.equal((await hits({ pattern: "row", offset: 260, head_limit: 3 }))?.length, 10);
  });
});

Deno.test("in a line that is shown cut the column is that of the whole line", async () => {
  const files = {
    "long": `${"é".repeat(1000)}needle${"x".repeat(1000)}\n`,
    "huge": `${"x".repeat(600_000)}needle\n`,
  };
  await withHits(files, async (hits) => {
    assert.deepEqual(short(await hits({ pattern: "needle" })), ["long:1:1001:needle"]);
  });
});

slow("an expression that takes for ever lists no hits, and the search is answered", async () => {
  await withHits({ "a": `${"a".repeat(40)}!\n` }, async (hits) => {
    assert.deepEqual(await hits({ pattern: "^(?=(a+)+$)|!" }), []);
  });
});

Deno.test("hits are what JavaScript finds in the line, for any text", async () => {
  const piece = fc.constantFrom("a", "b", "ab", " ", "中", "😀", "é", "\t", "…");
  const text = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (lines) => {
      await withHits({ "f": lines.join("\n") }, async (hits) => {
        const expected = lines.flatMap((line, at) =>
          [...line.matchAll(/ab?|中/gu)].map((m) => `f:${at + 1}:${m.index + 1}:${m[0]}`)
        );
        assert.deepEqual(short(await hits({ pattern: "ab?|中" })), expected);
      });
    }),
    { numRuns: runs(20) },
  );
});
