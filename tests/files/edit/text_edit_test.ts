import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { reasonOf } from "../../../src/base/errors.ts";
import { writeAtomic } from "../../../src/files/atomic.ts";
import { cutPieces, spliced } from "../../../src/files/edit/pieces.ts";
import {
  applyEdits,
  findEdits,
  type Found,
  takenBy,
  type TextEdit,
} from "../../../src/files/edit/text_edit.ts";
import { resting } from "../../../src/files/rest.ts";
import { type Coding, encodeText } from "../../../src/files/text_file.ts";
import { runs, slow, SOAK } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

/** One edit of one text: the text afterwards with how it was made, or why it was not. */
async function make(text: string, wanted: string, replacement: string, more = {}) {
  const outcome = await applyEdits([text], [{ wanted, replacement, all: false, ...more }]);
  if (!outcome.ok) return outcome.refusal.reason;
  const { rung, adapted } = outcome.made[0]!;
  return [outcome.texts[0], rung, ...adapted].join("|");
}

const CODE = "def f():\n    x()\n        if x:\n            return 1\n";

Deno.test("line numbers pasted from Read are taken off both texts, whatever the new one does with them", async () => {
  const after = CODE.replace("if x:\n", "if y:\n            z = 1\n");
  const olds: string[][] = [[" | "], ["→"], ["\t"], ["| "], ["|"]];
  for (const [bar] of olds) {
    const old = `3${bar}        if x:\n4${bar}            return 1`;
    const news = [
      `3${bar}        if y:\n            z = 1\n4${bar}            return 1`,
      `3${bar}        if y:\n4${bar}            z = 1\n6${bar}            return 1`,
      "        if y:\n            z = 1\n            return 1",
    ];
    for (const given of news) {
      assert.equal(await make(CODE, old, given), `${after}|exact|numbers`, given);
    }
  }
  const padded = "   3\t        if x:\n   4\t            return 1";
  assert.equal(
    await make(CODE, padded, "        pass"),
    "def f():\n    x()\n        pass\n|exact|numbers",
  );
  const first = "if x:\n4 |             return 1";
  assert.equal(
    await make(CODE, first, "if y:\n4 |             return 1"),
    `${CODE.replace("if x", "if y")}|exact|numbers`,
  );
});

Deno.test("line numbers in the new text alone are refused, but not where the file has such lines", async () => {
  const old = "        if x:\n            return 1";
  assert.equal(await make(CODE, old, "3 |         if y:\n4 |             return 1"), "numbers");
  assert.equal(await make(CODE, old, "3 |         if y:\n5 |             return 1"), "numbers");
  assert.equal(await make(CODE, "return 1", "4 | return 2"), "numbers");
  assert.equal(
    await make("id | n\n1 | a\n", "1 | a", "1 | a\n2 | b"),
    "id | n\n1 | a\n2 | b\n|exact",
  );
  assert.equal(await make("a\nb\n", "b", "x = 1 | y\nz"), "a\nx = 1 | y\nz\n|exact");
});

Deno.test("a match that begins inside of the indentation gives the new lines the file's", async () => {
  assert.equal(
    await make("        if x:\n            return 1\n", "    return 1", "    y = 2\n    return 1"),
    "        if x:\n            y = 2\n            return 1\n|exact|indented",
  );
  assert.equal(
    await make("\t\t\ta\n", "\ta", "\tif b:\n\t\ta"),
    "\t\t\tif b:\n\t\t\t\ta\n|exact|indented",
  );
  assert.equal(await make("    a\n", "  a", "  b"), "    b\n|exact");
  // nothing says what the file's is
  assert.equal(await make("    a\n", "a", "b\nc"), "    b\nc\n|exact");
  assert.equal(
    await make("    a  \r\n", "  a\n", "  b\n  c\n"),
    "    b\r\n    c\r\n|trailing|indented|line_ends",
  );
});

Deno.test("lines that an edit leaves keep their trailing blanks", async () => {
  const text = "# T  \none  \ntwo  \nthree\n";
  assert.equal(
    await make(text, "one\ntwo\nthree", "one\n2\nthree"),
    "# T  \none  \n2\nthree\n|trailing",
  );
  assert.equal(
    await make(text, "one\ntwo\n", "one\ntwo\nnew\n"),
    "# T  \none  \ntwo  \nnew\nthree\n|trailing",
  );
  assert.equal(
    await make("  a:  \n    b  \n    c\n", "a:\n  b\n  c", "a:\n  b\n  d"),
    "  a:  \n    b  \n    d\n|indentation",
  );
  // it is these blanks that the edit takes away
  assert.equal(await make("a  \nb \nc\n", "a  \nb\nc", "a\nb\nc"), "a\nb \nc\n|trailing");
  assert.equal(await make("a \n  \nb\n", "a\n", "x\n"), "x\n  \nb\n|trailing");
});

Deno.test("a new text takes the line ends of the file, in both directions", async () => {
  assert.equal(await make("a\nb\n", "a", "x\r\ny"), "x\ny\nb\n|exact|line_ends");
  assert.equal(await make("a\r\nb\r\n", "a", "x\ny"), "x\r\ny\r\nb\r\n|exact|line_ends");
  assert.equal(await make("a\r\nb\r\n", "a", "x\r\ny"), "x\r\ny\r\nb\r\n|exact");
  assert.equal(await make("a", "a", "x\r\ny"), "x\r\ny|exact");
});

Deno.test("quotes that cannot be matched up are no match", async () => {
  assert.equal(await make("say “hi", 'say "hi', 'say "hello" and "hi" or "'), "nowhere");
});

Deno.test("the number of places that was expected is held against what is there", async () => {
  assert.equal(await make("a a\na\n", "a", "b", { expected: 3 }), "b b\nb\n|exact");
  assert.equal(await make("a a\na\n", "a", "b", { expected: 2 }), "count");
  assert.equal(await make("a a\na\n", "a", "b", { expected: 1 }), "count");
  assert.equal(await make("a a\na\n", "a", "b", { all: true, expected: 2 }), "count");
});

Deno.test("the edit that took another's place is known", async () => {
  const edits = ["x>y", "one>1", "one\ntwo>2", "x>y"].map((each) => {
    const [wanted, replacement] = each.split(">") as [string, string];
    return { wanted, replacement, all: false };
  });
  const texts = ["x\none\ntwo\n"];
  const taken = [await takenBy(texts, edits, 2), await takenBy(texts, edits, 3)];
  assert.deepEqual(taken, [1, 0]);
  assert.equal(await takenBy(["one\ntwo\n"], edits.slice(1), 2), undefined);
});

slow("other work gets its turn within one edit of many places, and may stop it", async () => {
  const edit = { wanted: "x", replacement: "yy", all: true };
  const text = "ab x\n".repeat(200_000);
  let turns = 0;
  const outcome = await applyEdits([text], [edit], { rest: () => void turns++ });
  assert.ok(outcome.ok && outcome.texts[0] === text.replaceAll("x", "yy"));
  assert.ok(turns > 300, `${turns}`);
  const rest = () => turns-- > 0 ? undefined : Promise.reject(new Error("stopped"));
  turns = 10;
  await assert.rejects(applyEdits([text], [edit], { rest }), /stopped/);
});

Deno.test("line ends behind the old text that the file has not there are left out of both texts", async () => {
  const apply = async (text: string, wanted: string, replacement: string, all = false) => {
    const outcome = await applyEdits([text], [{ wanted, replacement, all }]);
    return outcome.ok ? [outcome.texts[0], ...outcome.made[0]!.adapted] : outcome.refusal.reason;
  };
  assert.deepEqual(await apply("a\nno end", "no end\n", "an end\n"), ["a\nan end", "ends"]);
  assert.deepEqual(await apply("a\nno end", "no end\n", "an end"), ["a\nan end", "ends"]);
  assert.deepEqual(await apply("a\nno end", "a\nno end\n\n", "b\n\n"), ["b", "ends"]);
  assert.deepEqual(await apply("a\nb\nc\n", "b\n\n", "B\n\n"), ["a\nB\nc\n", "ends"]);
  assert.deepEqual(await apply("a\nb\nc\n", "b\n\n", ""), ["a\nc\n", "ends"]);
  assert.deepEqual(await apply("a\r\nb", "b\r\n", "B\r\n"), ["a\r\nB", "ends"]);
  assert.deepEqual(await apply("end ending\nend", "end\n", "END\n"), ["end ending\nEND", "ends"]);
  assert.equal(await apply("ending\n", "end\n", "END\n"), "nowhere");
  assert.equal(await apply("b\nb\n", "b\n\n", "B\n\n"), "many");
  assert.deepEqual(await apply("a\nb", "\n\n", "x"), "nowhere");
});

Deno.test("new lines that have the file's indentation already are not indented twice", async () => {
  const file = "def f():\n    one()\n\n    two()\n    three()\n";
  const edit = { wanted: "two()\nthree()", replacement: "    two()\n    # new\n    three()" };
  const outcome = await applyEdits([file], [{ ...edit, all: false }]);
  assert.ok(outcome.ok);
  assert.equal(
    outcome.texts[0],
    "def f():\n    one()\n\n    two()\n    # new\n    three()\n",
  );
  const deeper = await applyEdits([file], [{
    wanted: "two()\nthree()",
    replacement: "if x:\n    two()\n    three()",
    all: false,
  }]);
  assert.ok(deeper.ok);
  assert.match(deeper.texts[0]!, /\n {4}if x:\n {8}two\(\)\n {8}three\(\)\n/);
});

const MOST = 64 * 1024 * 1024;
const signal = new AbortController().signal;
const encode = (text: string) => new TextEncoder().encode(text);

/** The outcome in a form that does not tell how the file was cut. */
async function outcomeOf(path: string, { coding, pieces, outcome }: Found) {
  if (!outcome.ok) {
    const { index, refusal } = outcome;
    const many = refusal.reason === "many" &&
      { rung: refusal.match.rung, count: refusal.match.count };
    return { index, reason: refusal.reason, many };
  }
  const contents = outcome.texts.map((text) =>
    encodeText(text, { encoding: coding.encoding, bom: false })
  );
  const parts = await Array.fromAsync(spliced(path, pieces, contents), (part) => part.slice());
  return { made: outcome.made, bytes: await new Blob(parts).bytes() };
}

const WORDS = Array.from({ length: 4 }, (_, i) => `w${i}“q”`);

const line = fc.tuple(
  fc.constantFrom("", "  ", "\t", "    "),
  fc.constantFrom("a", "foo", "bar(1)", "“x”", "中文", "a-b", "}", "", "ab ab", ...WORDS, ...WORDS),
  fc.constantFrom("", " ", "\t"),
  fc.constantFrom("\n", "\r\n"),
).map((parts) => parts.join(""));
/** So long that many a file falls into several pieces. */
const filler = fc.integer({ min: 1, max: 25 }).map((lines) => "nothing\n".repeat(lines));
const content = fc.tuple(
  fc.array(fc.oneof(line, line, filler), { minLength: 4, maxLength: 30, size: "max" }),
  fc.constantFrom("", "foo", "  bar(1)", "}\r"),
).map(([lines, last]) => lines.join("") + last);
const codings: Coding[] = [
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: true },
  { encoding: "gb18030", bom: false },
  { encoding: "utf-16le", bom: true },
];

slow("edits on pieces of a file come out as on the whole, on every rung", async () => {
  const rungs = new Map<string, number>();
  let several = 0;
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const plain = WORDS.map((word) => word.replace(/[“”]/g, '"'));
    const wanted = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS, ...plain) },
      fc.constantFrom("foo", "bar(1)", "ab", "a\nfoo", "foo\n}", '"x"', "中文\n", "1 | foo", "zz"),
      fc.array(fc.constantFrom("foo", "bar(1)", "a", "}", '"x"', "中文"), {
        minLength: 2,
        maxLength: 3,
      }).map((lines) => lines.join("\n")),
    );
    const edit = fc.record({
      wanted,
      replacement: fc.constantFrom("", "new", "x\ny", "foo", "中\n文", "a"),
      all: fc.oneof(fc.constant(true), fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.constantFrom(...codings),
        fc.oneof(fc.tuple(edit), fc.tuple(edit, edit)),
        fc.integer({ min: 1, max: 40 }),
        async (text, coding, edits, chunkBytes) => {
          await Deno.writeFile(path, encodeText(text, coding));
          const { size } = await Deno.stat(path);
          const options = { most: MOST, signal, chunkBytes };
          const whole = await findEdits(path, size, edits, { ...options, whole: Infinity });
          const cut = await findEdits(path, size, edits, { ...options, whole: -1 });
          if (whole.coding.encoding !== cut.coding.encoding) return;
          assert.deepEqual(await outcomeOf(path, cut), await outcomeOf(path, whole));
          if (cut.pieces.length > 1) several++;
          if (!whole.outcome.ok) return;
          for (const { rung } of whole.outcome.made) rungs.set(rung, (rungs.get(rung) ?? 0) + 1);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
  if (SOAK < 1) return;
  const least = SOAK > 1 ? 4 : 2;
  assert.ok(rungs.size >= least && several > 50, `${[...rungs].join("; ")}; ${several}`);
});

Deno.test("a piece knows its line, whole lines around its finds, and nothing else is decoded", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("x", "needle", "", "yy", "中"), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 30 }),
        async (lines, margin, chunkBytes) => {
          const text = lines.join("\n") + "\n";
          await Deno.writeTextFile(path, text);
          const cut = await cutPieces(path, ["needle"], { margin, most: MOST, chunkBytes });
          const bytes = encode(text);
          const covered = new Set<number>();
          for (const { start, end, line, text: part } of cut.pieces) {
            assert.equal(part, new TextDecoder().decode(bytes.subarray(start, end)));
            const before = new TextDecoder().decode(bytes.subarray(0, start));
            assert.equal(before.split("\n").length, line);
            part.split("\n").slice(0, -1).forEach((_, i) => covered.add(line - 1 + i));
          }
          lines.forEach((each, at) => {
            if (each !== "needle") return;
            for (let near = at - margin; near <= at + margin; near++) {
              if (near >= 0 && near < lines.length) assert.ok(covered.has(near));
            }
          });
          if (!lines.includes("needle")) assert.deepEqual(cut.pieces, []);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

Deno.test("a file in pieces is known for UTF-8 or not by all of its bytes", async () => {
  const filler = "plain text\n".repeat(50);
  const gbk = (text: string) => encodeText(text, { encoding: "gb18030", bom: false });
  const files = {
    utf8: encode(`${filler}needle 中文\n`),
    gbk: gbk(`${filler}needle\n这是一个用来测试编码的中文句子，我们希望它能被正确识别。\n`),
  };
  await withWorkspace(files, async (root) => {
    for (const chunkBytes of [7, 64, 100_000]) {
      const cut = (name: string, text: string) =>
        cutPieces(join(root, name), [text], { margin: 0, most: MOST, chunkBytes });
      const utf8 = await cut("utf8", "needle 中");
      assert.deepEqual(utf8.coding, { encoding: "utf-8", bom: false });
      assert.equal(utf8.pieces[0]?.text, "needle 中文\n");
      const found = await cut("gbk", "needle");
      assert.equal(found.coding.encoding, "gb18030");
      assert.match((await cut("gbk", "编码的")).pieces[0]!.text, /正确识别/);
    }
  });
});

Deno.test("a line beyond the bound is refused, not decoded", async () => {
  await withWorkspace({ "f": "x".repeat(50_000) + "needle" + "x".repeat(50_000) }, async (root) => {
    await assert.rejects(
      cutPieces(join(root, "f"), ["needle"], { margin: 0, most: 20_000 }),
      (error) => reasonOf(error) === "too_large",
    );
  });
});

Deno.test("a search through a large file stops when asked to", async () => {
  await withWorkspace({ "f": "" }, async (root) => {
    const path = join(root, "f");
    await Deno.truncate(path, 200 * 1024 * 1024);
    const stop = new AbortController();
    stop.abort(new Error("stop"));
    const cut = cutPieces(path, ["needle"], { margin: 0, most: MOST, rest: resting(stop.signal) });
    await assert.rejects(cut, /stop/);
  });
});

slow("many edits of a large file look only at what is around them", async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `this is line ${i}.\n`).join("");
  await withWorkspace({ "f": text }, async (root) => {
    const path = join(root, "f");
    const edits = Array.from({ length: 150 }, (_, i): TextEdit => ({
      wanted: `line ${i * 400}.`,
      replacement: `row ${i}.`,
      all: false,
    }));
    for (const whole of [-1, Infinity]) {
      const options = { whole, most: MOST, signal };
      const { pieces, outcome } = await findEdits(path, text.length, edits, options);
      assert.ok(outcome.ok);
      assert.equal(pieces.length, 150);
      const looked = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
      assert.ok(looked < text.length / 5, `${looked} of ${text.length}`);
      const parts = spliced(path, pieces, outcome.texts.map(encode));
      const after = await new Blob(await Array.fromAsync(parts, (part) => part.slice())).text();
      assert.equal(after, edits.reduce((now, e) => now.replace(e.wanted, e.replacement), text));
    }
  });
});

Deno.test(
  "edits of what other edits wrote come out as on the whole, however far they lead",
  async () => {
    await withWorkspace({}, async (root) => {
      const path = join(root, "f");
      // each edit wants a line written by the one before, and the next line of the file
      const chain = fc.tuple(
        fc.integer({ min: 10, max: 14 }),
        fc.integer({ min: 3, max: 40 }),
        fc.boolean(),
        fc.boolean(),
      ).map(([first, length, up, twice]) => {
        const step = up ? -1 : 1;
        const start = up ? first + length : first;
        const edits: TextEdit[] = [{ wanted: `[${start}]`, replacement: "<here>", all: false }];
        for (let i = 1; i < length; i++) {
          const lines = ["<here>", `[${start + step * i}]`];
          const wanted = (up ? lines.reverse() : lines).join("\n");
          edits.push({ wanted, replacement: "<here>", all: false });
        }
        if (twice) edits.push({ wanted: "<here>", replacement: "<end>", all: false });
        return edits;
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(chain, { minLength: 1, maxLength: 2 }).map((each) => each.flat()),
          fc.integer({ min: 60, max: 130 }),
          fc.boolean(),
          async (edits, lines, again) => {
            const numbers = Array.from({ length: lines }, (_, i) => `[${i}]\n`).join("");
            // a second place, where only the edits before make it one
            const last = again ? edits.at(-1)!.wanted : "";
            const text = `${numbers}${"-\n".repeat(20)}${last}\n`;
            await Deno.writeTextFile(path, text);
            const options = { most: MOST, signal, chunkBytes: 30 };
            const whole = await findEdits(path, text.length, edits, {
              ...options,
              whole: Infinity,
            });
            const cut = await findEdits(path, text.length, edits, { ...options, whole: -1 });
            assert.deepEqual(await outcomeOf(path, cut), await outcomeOf(path, whole));
          },
        ),
        { numRuns: runs(600) },
      );
    });
  },
);

Deno.test("a splice copies what stands around its pieces, also into a file with two names", async () => {
  const text = Array.from({ length: 3000 }, (_, i) => `line ${i}\n`).join("");
  await withWorkspace({ "f": text }, async (root) => {
    const path = join(root, "f");
    await Deno.link(path, join(root, "twin"));
    const edits: TextEdit[] = [
      { wanted: "line 7\n", replacement: "seven\n", all: false },
      { wanted: "line 2999", replacement: "last", all: false },
    ];
    const options = { whole: 0, most: MOST, signal, chunkBytes: 512 };
    const { pieces, outcome } = await findEdits(path, text.length, edits, options);
    assert.ok(outcome.ok && pieces.length === 2);
    await writeAtomic(path, () => spliced(path, pieces, outcome.texts.map(encode)));
    const after = text.replace("line 7\n", "seven\n").replace("line 2999", "last");
    assert.equal(await Deno.readTextFile(join(root, "twin")), after);
  });
});
