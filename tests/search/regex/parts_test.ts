/** The parts the regular expressions are made from. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { unicodeTables } from "../../../scripts/unicode.ts";
import {
  ANY,
  codePoints,
  complement,
  contains,
  difference,
  intersection,
  sizeOf,
  SPACE,
  Unicode,
  union,
} from "../../../src/search/regex/unicode.ts";
import { compilePattern, decodeUtf8, INVALID } from "../../../src/search/regex/mod.ts";
import { runs, slow } from "../../support/soak.ts";

const ROOT = dirname(dirname(dirname(import.meta.dirname!)));

const smallSet = fc.array(fc.tuple(fc.nat(40), fc.nat(6)), { maxLength: 6 }).map((ranges) =>
  codePoints(ranges.flatMap(([low, more]) => [low, low + more]))
);
const members = (set: readonly number[]) => [...Array(60).keys()].filter((at) => contains(set, at));

Deno.test("sets of code points obey the laws of sets", () => {
  fc.assert(fc.property(smallSet, smallSet, (a, b) => {
    const [inA, inB] = [members(a), members(b)];
    assert.deepEqual(members(union(a, b)), [...new Set([...inA, ...inB])].sort((x, y) => x - y));
    assert.deepEqual(members(intersection(a, b)), inA.filter((each) => inB.includes(each)));
    assert.deepEqual(members(difference(a, b)), inA.filter((each) => !inB.includes(each)));
    assert.deepEqual(complement(complement(a)), a);
    assert.deepEqual(union(a, complement(a)), ANY);
    assert.equal(sizeOf(a), inA.length);
    for (let at = 2; at < a.length; at += 2) assert.ok(a[at]! > a[at - 1]! + 1);
  }));
});

slow("the tables of Unicode are those the script writes", async () => {
  const path = join(ROOT, "src/search/regex/unicode_tables.ts");
  const flat = (text: string) => text.replace(/\s+/g, " ").replace(/" \+ "/g, "").trim();
  assert.equal(flat(await Deno.readTextFile(path)), flat(unicodeTables()));
});

slow("Unicode's sets are V8's", () => {
  const unicode = new Unicode();
  const judged: [readonly number[] | undefined, RegExp][] = [
    [unicode.word, /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u],
    [unicode.digit, /\p{Nd}/u],
    [SPACE, /\p{White_Space}/u],
    [unicode.property("L"), /\p{L}/u],
    [unicode.property("script extensions=hira"), /\p{scx=Hira}/u],
    [unicode.property("assigned"), /\p{Assigned}/u],
    [unicode.property("Co"), /\p{Co}/u],
    [unicode.property("Cn"), /\p{Cn}/u],
  ];
  for (const [set, judge] of judged) {
    assert.ok(set);
    let at = 0;
    let wrong = 0;
    for (let code = 0; code <= 0x10ffff; code++) {
      while (at < set.length && set[at + 1]! < code) at += 2;
      const inside = at < set.length && set[at]! <= code;
      if (inside !== judge.test(String.fromCodePoint(code))) wrong++;
    }
    assert.equal(wrong, 0, `${judge}`);
  }
  for (const name of ["Nope", "sc=Nope", "nope=L", "", "L}", "a/b"]) {
    assert.equal(unicode.property(name), undefined, name);
  }
});

Deno.test("case is folded as V8 folds it", () => {
  const unicode = new Unicode();
  const cased = /[\p{Cased}\p{Changes_When_Casefolded}\p{Mn}]/u;
  for (let code = 0; code < 0x1f000; code++) {
    const char = String.fromCodePoint(code);
    if (!cased.test(char)) continue;
    const folded = unicode.fold([code, code]);
    for (const other of [char.toLowerCase(), char.toUpperCase()]) {
      const wanted = new RegExp(`^\\u{${code.toString(16)}}$`, "iu").test(other);
      if ([...other].length !== 1) continue;
      assert.equal(contains(folded, other.codePointAt(0)!), wanted, `${char} ${other}`);
    }
  }
  assert.deepEqual(unicode.fold([107, 107]), [75, 75, 107, 107, 0x212a, 0x212a]);
  assert.deepEqual(unicode.fold([0x17f, 0x17f]), [83, 83, 115, 115, 0x17f, 0x17f]);
});

Deno.test("UTF-8 is decoded as TextDecoder decodes it", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const byte = fc.oneof(
    fc.nat(255),
    fc.constantFrom(0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.array(byte), (head, tail) => {
      const bytes = Uint8Array.from([...tail, ...head]);
      const character = decodeUtf8(bytes, 0, bytes.length);
      const [code, length] = [character >>> 3, character & 7];
      if (code !== INVALID) {
        assert.equal(strict.decode(bytes.subarray(0, length)), String.fromCodePoint(code));
        return;
      }
      assert.equal(length, 1);
      for (let size = 1; size <= Math.min(4, bytes.length); size++) {
        assert.throws(() => strict.decode(bytes.subarray(0, size)));
      }
    }),
    { numRuns: runs(3000) },
  );
  for (
    const char of ["\0", "\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"]
  ) {
    const bytes = new TextEncoder().encode(char);
    const wanted = char.codePointAt(0)! << 3 | bytes.length;
    assert.equal(decodeUtf8(bytes, 0, bytes.length), wanted);
    if (bytes.length > 1) assert.equal(decodeUtf8(bytes, 0, 1), INVALID << 3 | 1);
  }
});

/** Needles as text, `i:` before those that ignore case; `!` behind a list that is exact. */
function needles(source: string, more: { ignoreCase?: boolean; literal?: boolean } = {}) {
  const { ignoreCase = false, literal = false } = more;
  const query = { patterns: [source], literal, ignoreCase, word: false, multiline: false };
  const { needles, exact } = compilePattern(query);
  const texts = needles?.map((each) =>
    (each.ignoreCase ? "i:" : "") + new TextDecoder().decode(each.bytes)
  );
  return texts && texts.join(" ") + (exact ? "!" : "");
}

Deno.test("what a match must hold is found", () => {
  const cases: [string, string | undefined][] = [
    ["hello", "hello!"],
    ["foo\\w+bar_baz", "bar_baz"],
    ["TODO|FIXME", "TODO FIXME!"],
    ["(get|set)_value", "_value"],
    ["(a|b)cd\\(", "cd("],
    ["\\bfoo\\b", "foo"],
    ["^import .* from", " from"],
    ["a\\.b\\(", "a.b(!"],
    ["\\u0041bc", "Abc!"],
    ["[A-Z]+_SUSPEND", "_SUSPEND"],
    ["foo(?!bar)", "foo"],
    ["(?:foo){3}", "foofoofoo!"],
    ["foo+bar", "bar"],
    ["zebrax?y", "zebra"],
    ["gr[ae]y", "gray grey!"],
    ["(?i:foo)BAR", "i:foobar"],
    ["中文", "中文!"],
    ["a|", undefined],
    ["[abc]+", undefined],
    ["\\w{20,}\\d", undefined],
    ["e.*t", undefined],
    [".*", undefined],
    [
      "zonk|twixt|thrum|fjord|fizzy|joust|gawk|vexed",
      "zonk twixt thrum fjord fizzy joust gawk vexed!",
    ],
    ["zonk|twixt|thrum|fjord|fizzy|joust|gawk|vexed|nymph", undefined],
    ["x((((a{9}){9}){9}){3})y", "a".repeat(8)],
  ];
  for (const [source, wanted] of cases) {
    assert.equal(needles(source), wanted, source);
  }
});

Deno.test("needles keep to what case folding does beyond ASCII", () => {
  assert.equal(needles("FooBar", { ignoreCase: true }), "i:foobar!");
  assert.equal(needles("kernel", { ignoreCase: true }), "i:ernel");
  assert.equal(needles("ks", { ignoreCase: true }), "i:ks i:kſ i:\u212as \u212aſ!");
  assert.equal(needles("ß", { ignoreCase: true }), "ß ẞ!");
  assert.equal(needles("f(x", { literal: true }), "f(x!");
});

Deno.test("a needle that may reach into a line's end is not taken for a match", () => {
  assert.equal(needles("a_b\\r"), "a_b\r");
  assert.equal(needles("a_b\\nc"), "a_b\nc");
});
