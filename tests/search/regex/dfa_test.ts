import assert from "node:assert/strict";
import { compilePattern, MATCH, UNKNOWN } from "../../../src/search/regex/mod.ts";
import { Dfa } from "../../../src/search/regex/dfa.ts";
import { buildNfa, isRegular } from "../../../src/search/regex/moves.ts";
import { parse } from "../../../src/search/regex/parse.ts";
import { Unicode } from "../../../src/search/regex/unicode.ts";
import { randomLine, randomPattern, RIPGREP, seeded } from "./random_patterns.ts";
import { slow } from "../../support/soak.ts";

const encoder = new TextEncoder();

function compile(source: string) {
  const plain = { literal: false, ignoreCase: false, word: false, multiline: false };
  return compilePattern({ patterns: [source], ...plain });
}

function dfaOf(source: string): Dfa {
  const { dfa } = compile(source);
  assert.ok(dfa, source);
  return dfa;
}

/** The automaton with a cache of as few states as it can have. */
function smallDfaOf(source: string): Dfa {
  const unicode = new Unicode();
  const options = { ignoreCase: false, dotAll: false, groupsBefore: 0 };
  const { node } = parse(source, options, unicode);
  assert.ok(isRegular(node));
  return new Dfa(buildNfa(node, 30_000)!, () => unicode.word, 0);
}

function matches(dfa: Dfa, line: string): boolean {
  const bytes = encoder.encode(line);
  return dfa.matchesLine(bytes, 0, bytes.length);
}

/** The numbers of the matching lines, as a scan over a whole file sees them. */
function scan(dfa: Dfa, text: string): number[] {
  const found: number[] = [];
  let state = dfa.start;
  text.split("\n").forEach((line, number, lines) => {
    for (const char of line) {
      if (state !== MATCH) state = dfa.step(state, dfa.columnOf(char.codePointAt(0)!));
    }
    if (state !== MATCH) state = dfa.step(state, number < lines.length - 1 ? dfa.newline : dfa.end);
    if (state === MATCH) found.push(number);
    else assert.equal(state, dfa.start);
    state = dfa.start;
  });
  return found;
}

Deno.test("a line ends before its carriage return", () => {
  const cases: [string, string, number[]][] = [
    ["a$", "a\r\nb\r\na\r\r\na", [0, 3]],
    ["^$", "\r\n\n\r\r\nx", [0, 1]],
    ["a\\b", "a\r\nab", [0]],
    ["\\r", "a\r\nb\rc\n\r\r\n", [1, 2]],
    ["a\\s", "a\r\na \n", [1]],
    ["a.", "a\r\na\rb\r", [1]],
  ];
  for (const [source, text, wanted] of cases) {
    assert.deepEqual(scan(dfaOf(source), text), wanted, source);
  }
});

slow("a scan over many lines finds the lines that match one by one", () => {
  const random = seeded(21);
  for (let round = 0; round < 100; round++) {
    const source = randomPattern(random, RIPGREP);
    const lines = Array.from({ length: 20 }, () => randomLine(random));
    const dfa = dfaOf(source);
    const single = lines.flatMap((line, number) => matches(dfa, line) ? [number] : []);
    assert.deepEqual(scan(dfa, lines.join("\n")), single, source);
    assert.deepEqual(scan(dfa, lines.join("\r\n")), single, source);
  }
});

slow("the cache may be thrown away at any step without changing an answer", () => {
  const random = seeded(22);
  let thrown = 0;
  for (let round = 0; round < 60; round++) {
    const source = `${randomPattern(random, RIPGREP)}.{0,9}${randomPattern(random, RIPGREP)}`;
    const [small, large] = [smallDfaOf(source), dfaOf(source)];
    for (let k = 0; k < 40; k++) {
      const line = randomLine(random) + randomLine(random) + randomLine(random);
      assert.equal(matches(small, line), matches(large, line), `${source} on ${line}`);
      assert.ok(small.size <= small.maxSize);
    }
    thrown += small.generation;
    assert.equal(large.generation, 0);
  }
  assert.ok(thrown > 100, `${thrown}`);
});

Deno.test("what the rows hold is what step says", () => {
  const dfa = dfaOf("(foo|\\bba+r)$");
  scan(dfa, "a foo\nbaar foo\nfoobar\nba\r\n");
  let known = 0;
  for (let state = 0; state < dfa.size; state++) {
    for (let column = 0; column < dfa.columns; column++) {
      const cell = dfa.rows[state * dfa.stride + column];
      if (cell === UNKNOWN) continue;
      known++;
      assert.equal(dfa.step(state, column), cell);
    }
  }
  assert.ok(known > 10);
  assert.ok(dfa.stride >= dfa.columns && dfa.stride === 1 << dfa.shift);
  for (let code = 0; code < 128; code++) assert.equal(dfa.ascii[code], dfa.columnOf(code));
});

Deno.test("the end of the shortest match is told", () => {
  const end = (source: string, line: string) => {
    const bytes = encoder.encode(line);
    return dfaOf(source).matchEnd(bytes, 0, bytes.length);
  };
  assert.equal(end("b+", "aabbb"), 3);
  assert.equal(end("中.", "x中文文"), 7);
  assert.equal(end("b$", "ab"), 2);
  assert.equal(end("c", "ab"), -1);
});

Deno.test("regular expressions that explode elsewhere take a moment here", () => {
  const bombs = [
    "(a+)+$",
    "(a|a)*b",
    "(\\w+\\s?)+$",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)*(.*)*(.*)*[^a]!{20}",
    "(a|b|ab)*(a|b|ab)*c{9}(?:x?){500}",
  ];
  const lines = ["a".repeat(100_000) + "!", "x".repeat(100_000), "中文 ".repeat(30_000) + "!"];
  const began = performance.now();
  for (const bomb of bombs) for (const line of lines) matches(dfaOf(bomb), line);
  assert.ok(matches(dfaOf("(a+)+$"), "a".repeat(100_000)));
  // V8 would not be through in a year
  assert.ok(performance.now() - began < 20_000);
});

slow("an automaton that would need countless states stays small and answers", () => {
  const dfa = dfaOf("(a|b)*a(a|b){60}c");
  const random = seeded(23);
  const line = Array.from({ length: 20_000 }, () => random() < 0.5 ? "a" : "b").join("");
  assert.ok(!matches(dfa, line));
  assert.ok(matches(dfa, line + "a" + "b".repeat(60) + "c"));
  assert.ok(dfa.size <= dfa.maxSize && dfa.rows.length <= 1 << 19);
});
