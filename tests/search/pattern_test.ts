import assert from "node:assert/strict";
import fc from "fast-check";
import { compilePattern, PatternError, type PatternQuery } from "../../src/search/pattern.ts";

const compile = (pattern: string, more: Partial<PatternQuery> = {}) =>
  compilePattern({
    pattern,
    literal: false,
    ignoreCase: false,
    word: false,
    multiline: false,
    ...more,
  });
const matches = (pattern: string, line: string, more: Partial<PatternQuery> = {}) =>
  compile(pattern, more).regex.test(line);

Deno.test("the spellings of other engines are understood", () => {
  const yes: [string, string][] = [
    ["\\<word\\>", "a word b"],
    ["(?i)HELLO", "say hello"],
    ["[[:alpha:]_]+=", "a_b="],
    ["[^[:space:]]x", "ax"],
    ["(?P<name>a)b", "ab"],
    ["interface{}", "var x interface{}"],
    ["\\p{Han}+", "中文"],
    ["[]a]", "]"],
    ["[[]", "["],
    ["foo\\-bar", "foo-bar"],
    ["^\\s*$", ""],
    ["a.c", "a\rc"],
    ["\\Aab\\z", "ab"],
  ];
  for (const [pattern, line] of yes) assert.ok(matches(pattern, line), `${pattern} on ${line}`);
  assert.ok(!matches("\\<word\\>", "sword"));
});

Deno.test("literal, word and case are what they say", () => {
  assert.ok(matches("a.b(", "x a.b( y", { literal: true }));
  assert.ok(!matches("a.b(", "axb(", { literal: true }));
  assert.ok(matches("ab", "x ab.", { word: true }));
  assert.ok(!matches("ab", "xab", { word: true }));
  assert.ok(matches("ÄB", "äb", { ignoreCase: true }));
});

Deno.test("a pattern that cannot be compiled says why", () => {
  const reasons: [string, RegExp][] = [
    ["foo(", /Unterminated group/],
    ["[a", /Unterminated character class/],
    ["*a", /Nothing to repeat/],
    ["\\p{Nope}", /property name/],
  ];
  for (const [pattern, reason] of reasons) {
    assert.throws(
      () => compile(pattern),
      (error) => error instanceof PatternError && reason.test(error.message),
    );
  }
});

Deno.test("what a match must contain is a part of every match", () => {
  const cases: [string, string | undefined][] = [
    ["hello", "hello"],
    ["foo\\w+bar_baz", "bar_baz"],
    ["colou?r", "colo"],
    ["a|b", undefined],
    ["(a|b)cd", "cd"],
    ["x{2,3}yz", "yz"],
    ["\\bfoo\\b", "foo"],
    ["\\u0041bc", undefined],
    ["a\\.b\\(", "a.b("],
    ["[abc]+", undefined],
  ];
  for (const [pattern, wanted] of cases) {
    assert.equal(compile(pattern).requiredText, wanted, pattern);
  }
});

Deno.test("the shortcut never hides a match", () => {
  const piece = fc.constantFrom("a", "b", ".", "a?", "b*", "(a|b)", "[ab]", "\\w", "ab+", "^", "$");
  const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const line = fc.array(fc.constantFrom("a", "b", "c", " "), { maxLength: 8 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(pattern, line, fc.boolean(), (source, text, ignoreCase) => {
      let compiled;
      try {
        compiled = compile(source, { ignoreCase });
      } catch {
        return;
      }
      const { required, requiredText, regex } = compiled;
      if (!regex.test(text)) return;
      if (requiredText !== undefined) assert.ok(text.includes(requiredText), source);
      if (required) assert.ok(text.search(required) >= 0, source);
    }),
    { numRuns: 1000 },
  );
});
