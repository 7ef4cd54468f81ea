import assert from "node:assert/strict";
import { excerpt, truncate, withoutEmptyEnds } from "../../src/base/strings.ts";
import { english } from "../../src/base/t.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { createJobs } from "../../src/shell/process/jobs.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { read } from "../../src/tools/read/read.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { ToolRunner } from "../support/tool_context.ts";

Deno.test("a text within the limit stays, a longer one is cut and marked", () => {
  assert.equal(truncate("four", 4), "four");
  assert.equal(truncate("fives", 4), "five…");
  assert.equal(truncate("", 0), "");
});

Deno.test("half a character is no part of what is left", () => {
  assert.equal(truncate("a😀b", 2), "a\ufffd…");
});

Deno.test("empty lines around a text go, the blanks before its first line stay", () => {
  assert.equal(withoutEmptyEnds("\n \t\r\n  a\n\n  b \n\n"), "  a\n\n  b");
  assert.equal(withoutEmptyEnds("\u3000段首"), "\u3000段首");
  assert.equal(withoutEmptyEnds(" \n\t\n "), "");
});

const entry = new URL("../../main.ts", import.meta.url).href;

Deno.test("an excerpt is the text itself, or its beginning with a mark", () => {
  assert.equal(excerpt("a".repeat(200)), "a".repeat(200));
  assert.equal(excerpt("a".repeat(201)), "a".repeat(200) + "…");
  assert.ok(excerpt("a" + "\u{1f600}".repeat(200)).isWellFormed());
});

slow("no tool repeats a huge input, nor works on one that can mean nothing", async () => {
  const searcher = createSearcher({ entry, workers: 1 });
  const jobs = createJobs({ guard: false });
  const tools = builtinTools({ searcher, jobs: () => Promise.resolve(jobs) });
  const toolbox = createToolbox(tools);
  try {
    await withWorkspace({ "a": "one\ntwo\n" }, async (root) => {
      const runner = new ToolRunner(root);
      await runner.run(read, { file_path: "a" });
      for (const huge of ["x", "d/", "中", "x\n", "ab cd "].map((each) => each.repeat(100_000))) {
        const calls: [string, unknown][] = [
          ["Read", { file_path: huge }],
          ["Read", { file_path: "a", offset: huge }],
          ["Read", { file_path: "a", [huge]: 1 }],
          ["Read", huge],
          ["Write", { file_path: huge, content: "" }],
          ["Edit", { file_path: huge, old_string: "a", new_string: "b" }],
          ["Edit", { file_path: "a", edits: Array(5000).fill({ [huge.slice(0, 500)]: 1 }) }],
          ["Glob", { pattern: huge }],
          ["Glob", { pattern: "{" + huge.slice(0, 5000) }],
          ["Glob", { pattern: "*", path: huge }],
          ["Grep", { pattern: huge }],
          ["Grep", { pattern: huge, multiline: true }],
          ["Grep", { patterns: Array(1000).fill(huge.slice(0, 300)) }],
          ["Grep", { pattern: huge.slice(0, 5000), literal: true }],
          ["Grep", { pattern: "a", glob: huge }],
          ["Grep", { pattern: "a", glob: "../" + huge.slice(0, 5000) }],
          ["Grep", { pattern: "a", type: huge }],
          ["Grep", { pattern: "a", type: huge.slice(0, 5000) }],
          ["Grep", { pattern: "a", path: huge }],
          ["Grep", { pattern: "a", path: "*" + huge }],
          ["Grep", { pattern: `\\p{${huge.slice(0, 5000)}}` }],
          ["Bash", { command: "rm " + huge.slice(0, 100_000) }],
          ["Bash", { command: "true", run_in_background: true, pattern: "(" + huge }],
          ["Bash", { action: "kill", job: huge }],
          ["WebFetch", { url: huge }],
          ["WebFetch", { url: "http://127.0.0.1/" + huge }],
          ["TodoWrite", { todos: Array(5000).fill({ content: "a", status: "no" }) }],
          [huge, {}],
        ];
        for (const [name, input] of calls) {
          const call = toolbox.prepare(name, JSON.stringify(input), english);
          const { text } = typeof call === "string"
            ? { text: call }
            : await runner.run(call.tool, call.input);
          const short = JSON.stringify(input).slice(0, 60);
          assert.ok(text.length < 3000, `${name.slice(0, 20)} ${short}: ${text.length}`);
        }
      }
    });
  } finally {
    await jobs.close();
    searcher.close();
  }
});
