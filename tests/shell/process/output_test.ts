import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { OutputKeeper } from "../../../src/shell/process/output.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function keep(path: string, chunks: readonly Uint8Array[]) {
  const contextManager = new OutputKeeper(path);
  for (const chunk of chunks) await contextManager.push(chunk);
  return await contextManager.finish();
}

Deno.test("a short output is whole and leaves no file", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "deep/er/out.txt");
    const output = await keep(path, [bytes("a\n"), bytes("中\n")]);
    assert.deepEqual([output.head, output.tail, output.path], ["a\n中\n", undefined, undefined]);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});

Deno.test("an output written early stays on disk only when it comes not to fit", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "out.txt");
    for (const chunks of [["a\n"], ["a\n", "x".repeat(200_000)], ["a\n", "x".repeat(40_000)]]) {
      for (const at of [0, 1]) {
        const contextManager = new OutputKeeper(path);
        chunks.forEach((chunk, n) => {
          if (n === at) contextManager.writeEarly();
          contextManager.push(bytes(chunk));
        });
        if (at === chunks.length) contextManager.writeEarly();
        assert.equal(contextManager.path, undefined);
        const output = contextManager.finish();
        const text = chunks.join("");
        if (chunks.length === 1) {
          assert.equal(output.path, undefined);
          await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
        } else {
          assert.equal(output.path, path);
          assert.equal(await Deno.readTextFile(path), text);
          await Deno.remove(path);
        }
      }
    }
  });
});

Deno.test("an output over 30,000 characters keeps both ends, and all of it on disk", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "deep/er/out.txt");
    const text = "头" + "x".repeat(30_000) + "尾";
    const output = await keep(path, [bytes(text)]);
    assert.deepEqual([output.head.length, output.tail!.length, output.cut], [15_000, 15_000, 2]);
    assert.ok(output.head.startsWith("头") && output.tail!.endsWith("尾"));
    assert.equal(await Deno.readTextFile(output.path!), text);
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  });
});

Deno.test("any text in any chunks: kept ends and count agree with the text, the file is exact", async () => {
  await withWorkspace({}, async (root) => {
    let run = 0;
    const piece = fc.constantFrom(
      "a",
      "é",
      "中",
      "😀",
      "\n",
      "abc".repeat(4000),
      "中".repeat(9000),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.integer({ min: 1, max: 70_000 }),
        async (pieces, size) => {
          const text = pieces.join("");
          const all = bytes(text);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size));
          const output = await keep(join(root, `${run++}.txt`), chunks);
          assert.equal(output.lines, text.split("\n").length - (/^$|\n$/.test(text) ? 1 : 0));
          assert.ok(text.startsWith(output.head));
          if (output.tail === undefined) return assert.equal(output.head, text);
          assert.ok(text.endsWith(output.tail));
          const kept = [...output.head].length + [...output.tail].length;
          assert.equal(output.cut, [...text].length - kept);
          assert.equal(await Deno.readTextFile(output.path!), text);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

Deno.test("any bytes in any chunks are taken, whatever part of a buffer they are", async () => {
  await withWorkspace({}, async (root) => {
    await fc.assert(fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }),
      async (raw, sizes) => {
        const contextManager = new OutputKeeper(join(root, `${crypto.randomUUID()}.txt`));
        contextManager.keepFile();
        const lines = raw.map((byte) => byte % 5 === 0 ? 10 : byte % 7 === 0 ? 13 : byte);
        for (let at = 0, n = 0; at < lines.length; n++) {
          const size = sizes[n % sizes.length]!;
          contextManager.push(lines.subarray(at, at + size));
          at += size;
        }
        const { bytes, path } = contextManager.finish();
        assert.equal(bytes, lines.length);
        assert.deepEqual(await Deno.readFile(path!), lines);
      },
    ));
  });
});

Deno.test("taken piece by piece, the pieces make the whole; the file has all of it", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "o.txt");
    const contextManager = new OutputKeeper(path);
    contextManager.keepFile();
    const pieces: string[] = [];
    for (const part of ["one\n", "two ", "parts\n", "", "x".repeat(40_000)]) {
      contextManager.push(bytes(part));
      const output = contextManager.take();
      assert.equal(output.bytes, part.length);
      pieces.push(output.head + (output.tail ?? ""));
    }
    contextManager.close();
    assert.equal(pieces.join(""), "one\ntwo parts\n" + "x".repeat(30_000));
    assert.equal((await Deno.readTextFile(path)).length, 14 + 40_000);
  });
});

Deno.test("a file that is there already is not touched", async () => {
  await withWorkspace({ "o.txt": "theirs" }, async (root) => {
    const output = await keep(join(root, "o.txt"), [bytes("x".repeat(200_000))]);
    assert.equal(output.path, undefined);
    assert.equal(await Deno.readTextFile(join(root, "o.txt")), "theirs");
  });
});

Deno.test("binary output is recognised and saved, not shown", async () => {
  await withWorkspace({}, async (root) => {
    const output = await keep(join(root, "o"), [new Uint8Array([127, 69, 0, 1])]);
    assert.deepEqual([output.binary, output.head, output.bytes], [true, "", 4]);
    assert.deepEqual(await Deno.readFile(output.path!), new Uint8Array([127, 69, 0, 1]));
  });
});

Deno.test("bytes that are not UTF-8 do not throw, terminal sequences are left out", async () => {
  await withWorkspace({}, async (root) => {
    const chunk = new Uint8Array([0xd6, 0xd0, ...bytes("\x1b[31mred\x1b[0m\n")]);
    const output = await keep(join(root, "o"), [chunk]);
    assert.match(output.head, /red\n$/);
    assert.ok(!output.head.includes("\x1b"));
  });
});

Deno.test("an output that cannot be saved still comes back with both ends", async () => {
  await withWorkspace({ file: "" }, async (root) => {
    const output = await keep(join(root, "file/below"), [bytes("x".repeat(200_000)), bytes("end")]);
    assert.equal(output.path, undefined);
    assert.ok(output.tail!.endsWith("end"));
    assert.equal(output.cut, 170_003);
  });
});
