import fc from "fast-check";
import assert from "node:assert/strict";
import { createKernel } from "../../../src/files/edit/kernel.ts";
import { LAYOUT } from "../../../src/files/edit/kernel_bytes.ts";
import { Dfa } from "../../../src/search/regex/dfa.ts";
import { buildNfa } from "../../../src/search/regex/moves.ts";
import { parse } from "../../../src/search/regex/parse.ts";
import { Unicode } from "../../../src/search/regex/unicode.ts";
import { fitsKernel } from "../../../src/search/scan/dfa_table.ts";
import { DfaScan, lineMatcher, NeedleScan } from "../../../src/search/scan/line_matcher.ts";
import { threadMs } from "../../support/processes.ts";
import { runs, slow } from "../../support/soak.ts";
import { pattern } from "../judge.ts";

Deno.test("several needles are found in the order of their places", () => {
  const kernel = createKernel();
  const word = fc.string({ unit: fc.constantFrom("a", "b", "A", "c"), minLength: 1, maxLength: 4 });
  const needle = fc.record({ text: word, ignoreCase: fc.boolean() });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "c", " "), maxLength: 200 });
  const steps = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(needle, { minLength: 1, maxLength: 5 }),
      text,
      steps,
      fc.nat(20),
      (needles, text, steps, begin) => {
        kernel.forget();
        kernel.reserve(begin + 500).fill(0x61).set(new TextEncoder().encode(text), begin);
        const lower = text.toLowerCase();
        const place = (from: number) =>
          needles.map(({ text: word, ignoreCase }) =>
            ignoreCase ? lower.indexOf(word.toLowerCase(), from) : text.indexOf(word, from)
          ).filter((at) => at >= 0).reduce((least, at) => Math.min(least, at), Infinity);
        const scan = new NeedleScan(
          kernel,
          needles.map(({ text, ignoreCase }) => ({
            bytes: new TextEncoder().encode(ignoreCase ? text.toLowerCase() : text),
            ignoreCase,
          })),
        );
        scan.begin(begin, begin + text.length);
        let from = 0;
        for (const step of steps) {
          const wanted = place(from);
          assert.equal(scan.next(begin + from), wanted === Infinity ? -1 : begin + wanted);
          from = Math.min(text.length, from + step);
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});

/** An automaton whose cache is thrown away after `cells` cells. */
function dfaOf(source: string, cells?: number): Dfa {
  const unicode = new Unicode();
  const options = { ignoreCase: false, dotAll: false, groupsBefore: 0 };
  const { node } = parse(source, options, unicode);
  return new Dfa(buildNfa(node, 30_000)!, () => unicode.word, cells);
}

const bytesOf = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(..."foo bar x 1 42 foobar_ 中 文件 é É 😀".split(" ")),
    },
    { weight: 3, arbitrary: fc.constantFrom("\n", "\r\n", " ") },
  ).map((text) => [...new TextEncoder().encode(text)]),
  { minLength: 1, maxLength: 120 },
);
const bad = fc.array(fc.constantFrom(0xff, 0xe4, 0x80, 0xf0, 0xc0, 0xed, 0xa0), { maxLength: 3 });

// an anchored pattern soon knows that the rest of a line does not matter
const anchored = fc.oneof(pattern, pattern.map((source) => "^" + source));

Deno.test("the automaton in the kernel finds the lines that it finds by itself, also when its cache overflows", () => {
  const kernel = createKernel();
  const texts = fc.tuple(bytesOf, bad, fc.integer({ min: 1, max: 40 }), fc.nat(3));
  fc.assert(
    fc.property(texts, anchored, fc.constantFrom(undefined, 64, 256), (text, source, cells) => {
      const [pieces, invalid, times, from] = text;
      const once = Uint8Array.from([...pieces.flat(), ...invalid]);
      const to = from + once.length * times;
      const area = kernel.reserve(to + 100);
      for (let k = 0; k < times; k++) area.set(once, from + k * once.length);
      area.fill(0x61, to, to + 100);

      const judge = dfaOf(source);
      const lines: [number, number][] = [];
      for (let at = from; at < to;) {
        const found = area.subarray(at, to).indexOf(10);
        const end = found < 0 ? to : at + found;
        if (judge.matchesLine(area, at, end)) lines.push([at, end]);
        at = end + 1;
      }
      const scan = new DfaScan(kernel, dfaOf(source, cells), () => false);
      let at = from;
      for (const [start, end] of lines) {
        const place = scan.next(at, to);
        assert.ok(place >= start && place <= end, `${place} in ${start}–${end}`);
        at = end + 1;
      }
      if (at < to) assert.equal(scan.next(at, to), -1);
      assert.equal(scan.count(from, to, Infinity), lines.length);
      assert.equal(scan.count(from, to, 1), Math.min(1, lines.length));
      assert.equal(scan.count(from, to, 3), Math.min(3, lines.length));
    }),
    { numRuns: runs(400) },
  );
});

slow("an automaton too wide for the kernel finds its lines without it", () => {
  assert.ok(fitsKernel(dfaOf("[a-z]+\\d")));
  const letters = Array.from({ length: 8100 }, (_, i) => String.fromCodePoint(0x4e00 + 2 * i));
  const dfa = dfaOf(letters.map((letter) => letter + "x").join("|"));
  assert.ok(!fitsKernel(dfa));
  const kernel = createKernel();
  const text = new TextEncoder().encode(`-\n..${letters[7]}x\n${letters[8]}y\n${letters[9]}x`);
  kernel.reserve(10 + text.length).set(text, 10);
  const pattern = { dfa, regex: /x/, needles: undefined, exact: false };
  const matcher = lineMatcher(kernel, pattern, () => false);
  matcher.begin(10, 10 + text.length);
  assert.equal(matcher.next(10), 10 + 2 + 2 + 4);
  assert.equal(matcher.next(17), 10 + text.length);
});

Deno.test("an automaton finds its lines also when its states outgrow the room for pairs of bytes", () => {
  const kernel = createKernel();
  // a column for each letter, and a state for each choice of the last letters that were a "k"
  const source = "k.{10}z|0" + [..."abcdefghijklmnopqrstuvw"].map((each) => each + "1").join("");
  const lines: string[] = [];
  let random = 1;
  for (let line = 0; line < 2000; line++) {
    let text = "";
    for (let at = 0; at < 40; at++) {
      random = (Math.imul(random, 48271) >>> 0) % 0x7fffffff;
      text += "kkkkabcw01"[random >>> 16 & 7] ?? "";
    }
    lines.push(line % 50 === 0 ? text + "z" : text);
  }
  const bytes = new TextEncoder().encode(lines.join("\n"));
  kernel.reserve(bytes.length).set(bytes);
  const dfa = dfaOf(source);
  const scan = new DfaScan(kernel, dfa, () => false);
  const expected = lines.filter((line) => new RegExp(source).test(line)).length;
  assert.ok(expected > 10);
  assert.equal(scan.count(0, bytes.length, Infinity), expected);
  const pairs = (dfa.columns + 1) ** 2;
  assert.ok(dfa.size * 4 * pairs > LAYOUT.data - LAYOUT.table, "the room for pairs was enough");
  assert.equal(scan.count(0, bytes.length, Infinity), expected);
});

slow("patterns that ruin backtracking engines run at the speed of the text", () => {
  const kernel = createKernel();
  const size = 4 << 20;
  const area = kernel.reserve(size);
  const bombs = ["(a+)+$", "(a|a)*b", "(\\w+\\s?)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"];
  for (const fill of ["a", "x", "中"]) {
    const unit = new TextEncoder().encode(fill);
    for (let at = 0; at + 3 <= size; at += unit.length) area.set(unit, at);
    area.fill(33, size - 4, size);
    for (const bomb of bombs) {
      const began = threadMs();
      assert.equal(new DfaScan(kernel, dfaOf(bomb), () => false).next(0, size), -1);
      assert.ok(threadMs() - began < 2000);
    }
  }
});

Deno.test("a stop ends a scan", () => {
  const kernel = createKernel();
  const size = 32 << 20;
  kernel.reserve(size).fill(97, 0, size);
  let asked = 0;
  const scan = new DfaScan(kernel, dfaOf("b|[c-e]"), () => ++asked === 3);
  assert.throws(() => scan.next(0, size), { name: "ScanStopped" });
});
