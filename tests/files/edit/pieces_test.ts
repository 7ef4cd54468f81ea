import assert from "node:assert/strict";
import { join } from "node:path";
import { type Piece, spliced } from "../../../src/files/edit/pieces.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const piece = (start: number, end: number): Piece => ({ start, end, line: 1, text: "" });

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const each of pieces) {
    const then = each.slice();
    // whoever writes takes its time, and what it writes stays the same
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(each, then);
    text += new TextDecoder().decode(then);
  }
  return text;
}

slow(
  "pieces are replaced in files of every size, though one stretch is read while another is written",
  async () => {
    for (const lines of [0, 3, 40_000, 700_000]) {
      const text = Array.from({ length: lines }, (_, i) => `line ${i}\n`).join("");
      await withWorkspace({ "a.txt": text }, async (root) => {
        const path = join(root, "a.txt");
        const middle = text.length >> 1;
        const places = lines === 0
          ? []
          : [[0, 4], [middle, middle + 2], [text.length - 3, text.length]];
        const contents = ["first", "", "the end"].slice(0, places.length);
        let [wanted, at] = ["", 0];
        places.forEach(([start = 0, end = 0], i) => {
          wanted += text.slice(at, start) + contents[i];
          at = end;
        });
        const pieces = places.map(([start = 0, end = 0]) => piece(start, end));
        const all = await joined(spliced(path, pieces, contents.map(encode)));
        assert.ok(all === wanted + text.slice(at), `${lines} lines`);
      });
    }
  },
);

Deno.test("a file that becomes shorter while it is copied is told, and nothing else breaks", async () => {
  await withWorkspace({ "a.txt": "a line\n".repeat(1_000_000) }, async (root) => {
    const path = join(root, "a.txt");
    const copy = spliced(path, [], []);
    await copy.next();
    await Deno.truncate(path, 100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await assert.rejects(Array.fromAsync(copy), { reason: "changed" });
    const left = spliced(path, [], []);
    await left.next();
    await left.return(undefined);
  });
});
