import assert from "node:assert/strict";
import { join } from "node:path";
import { edit } from "../../../src/tools/edit/edit.ts";
import { read } from "../../../src/tools/read/read.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { TestDesk } from "../../support/tool_context.ts";

const notebook = (source: string) =>
  `{\n "cells": [\n  {\n   "cell_type": "code",\n   "source": [\n    ${source}\n   ]\n  }\n ],\n` +
  ` "metadata": {},\n "nbformat": 4\n}\n`;

async function withNotebook(
  source: string,
  use: (change: (from: string, to: string) => Promise<string>, path: string) => Promise<void>,
): Promise<void> {
  await withWorkspace({ "a.ipynb": notebook(source) }, async (root) => {
    const desk = new TestDesk(root);
    await desk.run(read, { file_path: "a.ipynb" });
    const change = async (from: string, to: string) =>
      (await desk.run(edit, { file_path: "a.ipynb", old_string: from, new_string: to })).text;
    await use(change, join(root, "a.ipynb"));
  });
}

Deno.test("an edit after which a notebook is not JSON is refused with the place and the way out", async () => {
  await withNotebook('"x = 1\\n",\n    "y"', async (change, path) => {
    const refused = await change("x = 1", 'x = "a"');
    assert.match(refused, /^Cannot edit a\.ipynb: the notebook would no longer be valid JSON/);
    assert.ok(refused.includes('at line 6, column 11: `a"\\n",`'), refused);
    assert.ok(refused.includes('a quote as \\", a backslash as \\\\'), refused);
    assert.equal(await Deno.readTextFile(path), notebook('"x = 1\\n",\n    "y"'));
    await change("x = 1", 'x = \\"a\\"');
    assert.equal(await Deno.readTextFile(path), notebook('"x = \\"a\\"\\n",\n    "y"'));
  });
});

Deno.test("a notebook that is broken may be mended, step by step", async () => {
  await withNotebook('"x = "a"\\n"\n    "y"', async (change, path) => {
    await change('"x = "a"', '"x = \\"a\\"');
    await change('\\n"\n', '\\n",\n');
    assert.equal(await Deno.readTextFile(path), notebook('"x = \\"a\\"\\n",\n    "y"'));
  });
});
