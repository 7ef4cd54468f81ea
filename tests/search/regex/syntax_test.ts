import assert from "node:assert/strict";
import { compilePattern, PatternError, type PatternQuery } from "../../../src/search/regex/mod.ts";
import { slow } from "../../support/soak.ts";

function compile(pattern: string, more: Partial<PatternQuery> = {}) {
  const plain = { literal: false, ignoreCase: false, word: false, multiline: false };
  return compilePattern({ patterns: [pattern], ...plain, ...more });
}

function matches(pattern: string, line: string, more: Partial<PatternQuery> = {}): boolean {
  const { dfa, regex } = compile(pattern, more);
  const bytes = new TextEncoder().encode(line);
  const found = regex.test(line);
  if (dfa) assert.equal(dfa.matchesLine(bytes, 0, bytes.length), found, `${pattern} on ${line}`);
  return found;
}

/** Each pattern with lines it matches and lines it does not. */
const SPELLINGS: readonly [string, readonly string[], readonly string[]][] = [
  // what code looks like is text where it can be nothing else
  ["interface {", ["interface {"], ["interface"]],
  ["interface{}", ["var x interface{}"], ["interface"]],
  ["foo({", ["foo({ a })"], ["foo{"]],
  ["\\({|\\[{", ["f({", "[{"], ["{"]],
  ["${name}", [], ["$name"]],
  ["\\${name}", ["${name}"], []],
  ["a{,x}", ["a{,x}"], ["a"]],
  ["}]", ["x }]"], ["]}"]],
  // places
  ["\\<word\\>", ["a word b"], ["sword", "words"]],
  ["\\b{start}a\\b{end}", ["a"], ["ab"]],
  ["\\b{start-half}a", ["ab", " a"], ["ba"]],
  ["\\Aab\\z", ["ab"], ["xab", "abx"]],
  ["^\\s*$", ["", " \t"], ["x"]],
  ["b\\Z", ["ab"], ["ba"]],
  ["\\bé", ["é", "-é"], ["aé", "中é"]],
  ["(?-u)\\bé", ["aé"], ["é"]],
  // flags
  ["(?i)HELLO", ["hello"], ["hell"]],
  ["a(?i)b", ["aB"], ["AB"]],
  ["(a(?i)b)c", ["aBc"], ["aBC"]],
  ["(?i:a)b", ["Ab"], ["AB"]],
  ["(?i)a(?-i)b", ["Ab"], ["AB"]],
  ["(?x) a b # c", ["ab"], ["a b"]],
  ["(?x:a [ b ] \\ c)", ["ab c"], ["abc"]],
  ["(?i)k", ["K", "\u212a"], ["j"]],
  ["(?i)[^k]", ["j"], ["K", "\u212a"]],
  ["(?i-u:k)", ["K"], ["\u212a"]],
  ["(?U)a+", ["a"], []],
  // groups
  ["(?P<name>a)b", ["ab"], ["a"]],
  ["(?<name>a)\\k<name>", ["aa"], ["a"]],
  ["(?'name'a)\\k'name'", ["aa"], ["a"]],
  ["(?P<name>a|b)(?P=name)", ["bb"], ["ab"]],
  ["(a|b)\\1", ["aa"], ["ab"]],
  ["(a)(b)\\g{2}\\g{-2}", ["abba"], ["abab"]],
  ["(a)\\g1", ["aa"], ["a"]],
  ["(?i)(a)\\1", ["aA"], ["ab"]],
  ["(?#a comment)a", ["a"], ["b"]],
  ["a(?=b)", ["ab"], ["ac"]],
  ["a(?!b)", ["ac"], ["ab"]],
  ["(?<=a)b", ["ab"], ["cb"]],
  ["(?<!a)b", ["cb"], ["ab"]],
  ["()", [""], []],
  // what is not given back
  ["a++b", ["aab"], ["a"]],
  ["a++ab", [], ["aab"]],
  ["(?>a|ab)c", ["ac"], ["abc"]],
  ["x\\w*+", ["xyz"], ["y"]],
  // repetitions
  ["a{2}", ["aa"], ["a"]],
  ["^a{1,2}$", ["a", "aa"], ["aaa"]],
  ["^a{2,}$", ["aaa"], ["a"]],
  ["^a{,2}b", ["b", "aab"], ["aaab"]],
  ["^(?:a{2}){2}$", ["aaaa"], ["aa"]],
  ["^a**b", ["b", "aab"], ["c"]],
  ["^a+?b??$", ["a", "ab"], ["b"]],
  ["a\\Q.*\\E+b", ["a.**b"], ["a.b"]],
  ["\\Qa(b", ["a(b"], []],
  // classes
  ["[[:alpha:]_]+=", ["a_b="], ["1="]],
  ["[^[:space:]]x", ["ax"], [" x"]],
  ["[[:^digit:]]", ["a"], ["1"]],
  ["[:digit:]", ["1"], ["d", ":"]],
  ["[]a]", ["]", "a"], ["["]],
  ["[^]a]", ["b"], ["]"]],
  ["[[]", ["["], ["]"]],
  ["\\[[^[]]", ["[a]"], ["[[]"]],
  ["[a-]", ["-"], ["b"]],
  ["[\\w-.]", ["-", ".", "a"], ["!"]],
  ["[a-z&&[^aeiou]]", ["b"], ["a"]],
  ["[\\w--[0-9_]]", ["a"], ["1", "_"]],
  ["[a-c~~[b-d]]", ["a", "d"], ["b"]],
  ["[\\]\\[\\\\]", ["\\", "["], ["a"]],
  ["[\\b]", ["\b"], ["b"]],
  ["[.*]", [".", "*"], ["a"]],
  // sets by name
  ["\\p{Han}+", ["中文"], ["abc"]],
  ["\\p{L}\\pN", ["é1"], ["1é"]],
  ["\\p{Letter}\\p{lowercase_letter}", ["Aa"], ["aA"]],
  ["\\p{sc=Greek}\\p{Script=greek}\\p{gc:Lu}", ["αβΓ"], ["aaA"]],
  ["\\p{^L}\\P{L}\\p{L}", ["12a"], ["a2a"]],
  ["\\p{Uppercase}\\p{White Space}", ["A "], ["a "]],
  ["^\\w+$", ["é中_1٣"], ["a-b"]],
  ["^\\d$", ["1", "٣"], ["a"]],
  ["a\\sb", ["a b", "a\u3000b"], ["ab"]],
  ["a\\hb", ["a\tb", "a\u00a0b"], ["a\u2028b"]],
  ["a\\Hb", ["axb"], ["a b"]],
  ["a\\Nb", ["axb"], ["ab"]],
  ["a\\Rb", ["a\u2028b", "a\rb"], ["axb"]],
  // characters
  ["\\x41\\x{42}\\u0043\\u{44}\\U00000045\\o{106}\\cI\\0", ["ABCDEF\t\0"], []],
  ["\\ud83d\\ude00", ["😀"], ["x"]],
  ["\\a\\e\\f\\v\\t", ["\x07\x1b\f\v\t"], []],
  ["a\\/b\\-c\\_\\#\\@\\中", ["a/b-c_#@中"], []],
  ["foo\\Kbar", ["foobar"], ["bar"]],
  ["^.$", ["😀", "中", "\r"].slice(0, 2), ["ab"]],
];

slow("the spellings of ripgrep, PCRE, grep, Python and JavaScript are understood", () => {
  for (const [pattern, yes, no] of SPELLINGS) {
    for (const line of yes) assert.ok(matches(pattern, line), `${pattern} on ${line}`);
    for (const line of no) assert.ok(!matches(pattern, line), `${pattern} not on ${line}`);
  }
});

/** Pattern, reason, index, what was found there. */
const REFUSED: readonly [string, string, number, string][] = [
  ["f(x", "unclosed_group", 1, "("],
  ["foo({|x)(", "unclosed_group", 8, "("],
  ["(a|b", "unclosed_group", 0, "("],
  ["a)", "unopened_group", 1, ")"],
  ["x[a", "unclosed_class", 1, "["],
  ["int[]", "unclosed_class", 3, "["],
  ["[^]", "unclosed_class", 0, "["],
  ["[z-a]", "reversed_range", 1, "z-a"],
  ["a{3,1}", "reversed_repeat", 1, "{3,1}"],
  ["*.ts", "nothing_to_repeat", 0, "*"],
  ["a|+", "nothing_to_repeat", 2, "+"],
  ["(?i)*", "nothing_to_repeat", 4, "*"],
  ["{2}", "nothing_to_repeat", 0, "{"],
  ["a\\yb", "unknown_escape", 1, "\\y"],
  ["[\\y]", "unknown_escape", 1, "\\y"],
  ["\\xg", "bad_escape", 0, "\\x"],
  ["\\x{110000}", "bad_escape", 0, "\\x{110000}"],
  ["\\u{", "bad_escape", 0, "\\u"],
  ["\\p", "bad_escape", 0, "\\p"],
  ["\\b{middle}", "bad_escape", 0, "\\b{middle}"],
  ["\\b{constructor}", "bad_escape", 0, "\\b{constructor}"],
  ["\\p{constructor=x}", "unknown_property", 0, "\\p{constructor=x}"],
  ["a\\", "trailing_backslash", 1, "\\"],
  ["中\\p{Nope}", "unknown_property", 1, "\\p{Nope}"],
  ["[[:nope:]]", "unknown_class", 1, "[:nope:]"],
  ["(?iy)a", "unknown_flag", 3, "y"],
  ["(?<1>a)", "unknown_group", 0, "(?<1"],
  ["(a)\\2", "no_such_group", 3, "2"],
  ["\\k<x>", "no_such_group", 0, "x"],
  ["a(?R)", "unsupported", 1, "?R"],
  ["\\((?:(?R)|a)*\\)", "unsupported", 5, "?R"],
  ["\\p{gcb=prepend}", "unknown_property", 0, "\\p{gcb=prepend}"],
  ["\\p{wb=format}", "unknown_property", 0, "\\p{wb=format}"],
  ["(?(1)a|b)", "unsupported", 0, "?(1"],
  ["(*UTF8)a", "unsupported", 0, "*UTF8"],
  ["\\X", "unsupported", 0, "\\X"],
  ["a{100001}", "too_large", 1, "{100001}"],
  ["(?:a{300}){300}", "too_large", 0, ""],
  ["(".repeat(10_000), "too_deep", 250, ""],
  ["[".repeat(10_000), "too_deep", 101, "["],
];

Deno.test("(?R) in front is ripgrep's flag, and holds in any case", () => {
  for (
    const pattern of ["(?R)^ab$", "(?i)(?R)^AB$", "(?mR)^ab$", "x|(?R:ab)$", "(?-R)ab", "(?i-R:AB)"]
  ) {
    assert.ok(matches(pattern, "ab"), pattern);
    assert.ok(!matches(pattern, "ba"), pattern);
  }
});

Deno.test("with lines off, an end is the text's own", () => {
  const found = (pattern: string, text: string) =>
    compile(pattern, { multiline: true }).regex.test(text);
  assert.ok(!found("(?-m)b$", "a\nb\n"));
  assert.ok(found("(?-m)b$", "a\nb"));
  assert.ok(found("b\\Z", "a\nb\n"));
  assert.ok(found("b$", "b\na\n"));
});

slow("properties are known however their words are put together", () => {
  const known = [
    "extendedpictographic",
    "Extended Pictographic",
    "EXTENDEDPICTOGRAPHIC",
    "extpict",
    "isExtendedPictographic",
    "emoji_presentation",
    "gc=othersymbol",
    "General_Category=Other-Symbol",
    "changeswhennfkccasefolded",
  ];
  for (const name of known.slice(0, -1)) assert.ok(matches(`^\\p{${name}}$`, "😀"), name);
  assert.ok(matches(`^\\p{${known.at(-1)}}$`, "A"));
  for (const name of ["regionalindicator", "RI", "ri"]) {
    assert.ok(matches(`^\\p{${name}}+$`, "🇨🇭"), name);
  }
  assert.ok(matches("^\\p{sc=oldpersian}\\P{olditalic}$", "𐎠x"));
  assert.ok(matches("^\\p{lowercaseletter}\\p{idstart}\\p{whitespace}$", "aB "));
});

Deno.test("a pattern that cannot be read is refused with the reason and the place", () => {
  for (const [pattern, reason, at, found] of REFUSED) {
    assert.throws(() => compile(pattern), (error) => {
      assert.ok(error instanceof PatternError, `${pattern}: ${error}`);
      const told = [error.pattern, error.reason, error.at, error.found];
      assert.deepEqual(told, [pattern, reason, at, found]);
      return true;
    }, pattern.slice(0, 50));
  }
});

Deno.test("literal, word and case are what they say", () => {
  assert.ok(matches("a.b(", "x a.b( y", { literal: true }));
  assert.ok(!matches("a.b(", "axb(", { literal: true }));
  assert.ok(matches("\\Q(é", "\\q(É", { literal: true, ignoreCase: true }));
  assert.ok(matches("ab", "x ab.", { word: true }));
  assert.ok(!matches("ab", "xab", { word: true }));
  assert.ok(!matches("ab", "ab中", { word: true }));
  assert.ok(matches("a|b", "x b", { word: true }));
  assert.ok(matches("-ab", "x -ab", { word: true }));
  assert.ok(!matches("-ab", "x-ab", { word: true }));
  assert.ok(matches("ÄB", "äb", { ignoreCase: true }));
});

Deno.test("several patterns match when one does, each with its own flags and groups", () => {
  const patterns = ["(?i)foo", "(a)\\1", "(b|c)\\1$"];
  const several = (line: string) => matches("", line, { patterns });
  for (const line of ["FOO", "xaa", "bb", "cc"]) assert.ok(several(line), line);
  for (const line of ["ba", "bbx", "a", "BB"]) assert.ok(!several(line), line);
  assert.ok(!matches("", "anything", { patterns: [] }));
});

Deno.test("a multiline pattern sees line ends as lines end, and finds all its matches", () => {
  const found = (pattern: string, text: string) =>
    [...text.matchAll(compile(pattern, { multiline: true }).regex)].map((match) => match[0]);
  assert.deepEqual(found("^b$", "a\nb\r\nb\n\u2028b"), ["b", "b"]);
  assert.deepEqual(found("a.*?c", "a\nb\nc"), ["a\nb\nc"]);
  assert.deepEqual(found("(?-s)a.*", "ab\nc"), ["ab"]);
  assert.deepEqual(found("a\\Rb", "a\nb a\r\nb"), ["a\nb", "a\r\nb"]);
  assert.deepEqual(found("\\Aa", "a\na"), ["a"]);
  assert.deepEqual(found("a\\z", "a\na"), ["a"]);
  assert.deepEqual(found("a\\Z", "a\na\r\n"), ["a"]);
  assert.deepEqual(found("(?-m)^a", "a\na"), ["a"]);
  assert.equal(compile("a", { multiline: true }).dfa, undefined);
});
