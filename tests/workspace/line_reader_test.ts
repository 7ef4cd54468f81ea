import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readPage } from "../../src/workspace/line_reader.ts";
import { splitLines } from "../../src/workspace/text_file.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const signal = new AbortController().signal;

Deno.test("a page holds the same lines as the whole file read at once", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const text = fc.array(fc.constantFrom("a\n", "\n", "b\r\n", "中文\n", "last"), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 6 }),
        async (pieces, offset, limit) => {
          await Deno.writeTextFile(path, pieces.join(""));
          const all = splitLines(pieces.join(""));
          const first = Math.min(offset, Math.max(1, all.length));
          const page = await readPage(path, offset, limit, 100, signal);
          const count = offset > all.length ? 1 : limit;
          const wanted = all.slice(first - 1, first - 1 + count);
          assert.deepEqual(page.lines.map((line) => line.text), wanted);
          if (wanted.length > 0) assert.equal(page.first, first);
          assert.equal(page.end, first - 1 + wanted.length >= all.length);
        },
      ),
    );
  });
});

Deno.test("lines are found beyond the first chunk and long ones are cut", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const lines = Array.from({ length: 40_000 }, (_, i) => `${i + 1} ${"x".repeat(50)}`);
    lines[29_999] = "y".repeat(3_000_000);
    await Deno.writeTextFile(path, lines.join("\n") + "\n");
    const page = await readPage(path, 29_999, 3, 1000, signal);
    assert.equal(page.first, 29_999);
    assert.equal(page.lines[0]!.text, lines[29_998]);
    assert.deepEqual(page.lines[1], { text: "y".repeat(1000), bytes: 3_000_000 });
    assert.equal(page.lines[2]!.text, lines[30_000]);
    assert.equal(page.end, false);
  });
});

Deno.test("reading stops when aborted", async () => {
  await withWorkspace({ "f": "a\nb\n" }, async (root) => {
    const stop = AbortSignal.abort(new Error("stop"));
    await assert.rejects(readPage(join(root, "f"), 1, 1, 10, stop), /stop/);
  });
});
