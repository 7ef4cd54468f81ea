import fc from "fast-check";
import assert from "node:assert/strict";
import { parseNotebook } from "../../../src/tools/read/read_notebook.ts";
import { runs } from "../../support/soak.ts";

const cell = fc.record({
  cell_type: fc.constantFrom("code", "markdown", "raw"),
  source: fc.oneof(fc.array(fc.string(), { maxLength: 3 }), fc.string()),
  metadata: fc.constantFrom({}, { cells: ["}", { cells: [{}] }] }, { 'a"]': "[{" }),
});

Deno.test("each cell knows the lines of the file it stands on, however the file is laid out", () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), fc.constantFrom(0, 1, 2), (cells, indent) => {
      const metadata = { cells: [{ no: "cell" }] };
      const root = { metadata, cells, nbformat: 4, nbformat_minor: 5 };
      const text = JSON.stringify(root, null, indent);
      const book = parseNotebook(text)!;
      const lines = text.split("\n");
      assert.equal(book.cells.length, cells.length);
      for (const [index, { firstLine, lastLine, kind, source }] of book.cells.entries()) {
        assert.equal(kind, cells[index]!.cell_type);
        assert.equal(source, [cells[index]!.source].flat().join(""));
        if (indent === 0) continue;
        const own = lines.slice(firstLine - 1, lastLine).join("\n").replace(/,$/, "");
        assert.deepEqual(JSON.parse(own), JSON.parse(JSON.stringify(cells[index])));
      }
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("outputs are text, errors without colours, or media with their size", () => {
  const outputs = [
    { output_type: "stream", name: "stdout", text: ["a\n", "b"] },
    { output_type: "error", ename: "E", evalue: "v", traceback: ["\x1b[31mred\x1b[0m", "end"] },
    { output_type: "display_data", data: { "image/png": "AAAABBBB", "text/plain": "<Figure>" } },
  ];
  const root = {
    cells: [{ cell_type: "code", execution_count: 7, source: "x", outputs }],
    nbformat: 4,
  };
  const [first] = parseNotebook(JSON.stringify(root))!.cells;
  assert.equal(first!.run, 7);
  assert.deepEqual(first!.outputs, [
    { kind: "text", text: "a\nb" },
    { kind: "error", text: "red\nend" },
    { kind: "media", type: "image/png", bytes: 6 },
    { kind: "text", text: "<Figure>" },
  ]);
});

Deno.test("other JSON, broken JSON and an older format are no notebooks", () => {
  for (
    const text of ["", "{", "[]", '{"cells": []}', '{"nbformat": 3, "worksheets": []}', "null"]
  ) {
    assert.equal(parseNotebook(text), undefined, text);
  }
});
