import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { pageOf, readPage } from "../../src/files/line_reader.ts";
import { type Coding, encodeText, splitLines } from "../../src/files/text_file.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs } from "../support/soak.ts";

const signal = new AbortController().signal;

const CODINGS: readonly Coding[] = [
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: true },
  { encoding: "utf-16le", bom: true },
  { encoding: "utf-16be", bom: true },
];

Deno.test("a page holds the same lines as the whole text split, streamed in any pieces or at once", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const text = fc.array(
      fc.constantFrom("a\n", "\n", "b\r\n", "中文\n", "ਊ\u0a00\n", "x\ry", "last"),
      {
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...CODINGS),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(8, 10, 16, 64),
        async (pieces, coding, offset, limit, chunk) => {
          const bytes = encodeText(pieces.join(""), coding);
          await Deno.writeFile(path, bytes);
          const all = splitLines(pieces.join(""));
          // a mark alone is one empty line
          if (all.length === 0 && coding.bom) all.push("");
          const first = Math.min(offset, Math.max(1, all.length));
          const wanted = all.slice(first - 1, first - 1 + (offset > all.length ? 1 : limit));
          const range = { offset, limit, lineBytes: 100 };
          const memory = pageOf(bytes, coding, range);
          assert.equal(memory.total, all.length);
          const stream = await readPage(path, range, signal, chunk);
          for (const page of [stream, memory]) {
            assert.deepEqual(page.lines.map((line) => line.text), wanted);
            if (wanted.length > 0) assert.equal(page.first, first);
            assert.equal(page.end, first - 1 + wanted.length >= all.length);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

Deno.test("lines are found beyond the first chunk and long ones are cut", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const lines = Array.from({ length: 90_000 }, (_, i) => `${i + 1} ${"x".repeat(50)}`);
    lines[79_999] = "y".repeat(9_000_000);
    await Deno.writeTextFile(path, lines.join("\n") + "\n");
    const page = await readPage(path, { offset: 79_999, limit: 3, lineBytes: 1000 }, signal);
    assert.equal(page.first, 79_999);
    assert.equal(page.lines[0]!.text, lines[79_998]);
    assert.deepEqual(page.lines[1], { text: "y".repeat(1000), bytes: 9_000_000, cut: true });
    assert.equal(page.lines[2]!.text, lines[80_000]);
    assert.equal(page.end, false);
  });
});

Deno.test("an encoding that shows only far behind the beginning is recognised", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const text = "plain ascii\n".repeat(50_000) + "打开文件失败，请检查路径\n";
    await Deno.writeFile(path, encodeText(text, { encoding: "gb18030", bom: false }));
    const page = await readPage(path, { offset: 50_001, limit: 1, lineBytes: 1000 }, signal);
    assert.deepEqual(page.coding, { encoding: "gb18030", bom: false });
    assert.equal(page.lines[0]!.text, "打开文件失败，请检查路径");
  });
});

Deno.test("reading stops when aborted", async () => {
  await withWorkspace({ "f": "a\nb\n" }, async (root) => {
    const stop = AbortSignal.abort(new Error("stop"));
    const range = { offset: 1, limit: 1, lineBytes: 10 };
    await assert.rejects(readPage(join(root, "f"), range, stop), /stop/);
  });
});
