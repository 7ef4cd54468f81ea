/** Colours for code, a line at a time: comments, strings, numbers and the language's own words. */
import type { Style } from "../style.ts";
import { type Grammar, GRAMMARS } from "./grammars.ts";

/** What a line left open, for the next one: the end of a comment or a string is still to come. */
export interface Open {
  readonly close: string;
  readonly kind: "comment" | "string";
}

export interface Highlighted {
  readonly lines: string[];
  readonly open: Open | undefined;
}

/** Colours `code`, which goes on where `open` was left; code in a language it does not know stays as it is. */
export type Highlighter = (code: string, lang: string, open?: Open) => Highlighted;

const ESCAPES = /[.*+?^${}()|[\]\\]/g;
const NUMBER =
  "(?<number>\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*)";

/** One pattern per grammar; what it does not match is left as it is. */
function patternOf(grammar: Grammar): RegExp {
  const quoted = (texts: readonly string[]) =>
    texts.map((text) => text.replace(ESCAPES, "\\$&")).join("|");
  const openers = [...grammar.block ?? [], ...grammar.long ?? []].map(([open]) => open);
  const parts = [
    ...grammar.line ? [`(?<comment>(?:${grammar.line})[^\\n]*)`] : [],
    ...openers.length > 0 ? [`(?<opener>${quoted(openers)})`] : [],
    ...grammar.key ? [`(?<key>${grammar.key})`] : [],
    ...grammar.string ? [`(?<string>${grammar.string})`] : [],
    NUMBER,
    `(?<word>${grammar.word ?? "[\\p{L}_$][\\p{L}\\p{N}_$]*"})`,
  ];
  return new RegExp(parts.join("|"), "gu");
}

export function createHighlighter(style: Style): Highlighter {
  const patterns = new Map<Grammar, RegExp>();
  const paints = { comment: style.dim, string: style.green };

  const paintLine = (
    line: string,
    grammar: Grammar,
    pattern: RegExp,
    from: Open | undefined,
  ): [string, Open | undefined] => {
    let out = "";
    let at = 0;
    const take = (open: Open, start: number): Open | undefined => {
      const end = closing(line, open.close, start);
      out += paints[open.kind](line.slice(at, end < 0 ? undefined : end));
      at = end < 0 ? line.length : end;
      return end < 0 ? open : undefined;
    };
    let open = from && take(from, 0);
    while (at < line.length) {
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (match === null) break;
      const text = match[0];
      const { opener, comment, string, key, number, word } = match.groups!;
      out += line.slice(at, match.index);
      at = match.index;
      if (opener !== undefined) {
        const block = grammar.block?.find(([begin]) => begin === opener);
        const [, close] = block ?? grammar.long!.find(([begin]) => begin === opener)!;
        open = take({ close, kind: block ? "comment" : "string" }, at + opener.length);
        continue;
      }
      at += text.length;
      if (comment !== undefined) out += style.dim(text);
      else if (string !== undefined) out += style.green(text);
      else if (key !== undefined) out += style.blue(text);
      else if (number !== undefined) out += style.cyan(text);
      else out += isWord(word!, grammar) ? style.blue(text) : text;
    }
    return [out + line.slice(at), open];
  };

  return (code, lang, from) => {
    const name = /^[\w+#-]*/.exec(lang.trim().toLowerCase())![0];
    const lines = code.split("\n");
    if (name === "diff" || name === "patch") {
      return { lines: lines.map((line) => diffLine(line, style)), open: undefined };
    }
    const grammar = GRAMMARS.find(({ names }) => names.includes(name));
    if (grammar === undefined) return { lines, open: undefined };
    let pattern = patterns.get(grammar);
    if (pattern === undefined) patterns.set(grammar, pattern = patternOf(grammar));
    let open = from;
    const painted = lines.map((line) => {
      const [text, next] = paintLine(line, grammar, pattern, open);
      open = next;
      return text;
    });
    return { lines: painted, open };
  };
}

function isWord(word: string, { words, anyCase }: Grammar): boolean {
  return words.has(anyCase ? word.toLowerCase() : word);
}

/** Index behind the next `close` that no backslash makes harmless, or -1. */
function closing(line: string, close: string, from: number): number {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0 || close.length > 1) return at + close.length;
  }
  return -1;
}

function diffLine(line: string, style: Style): string {
  if (/^(?:@@|diff |index |--- |\+\+\+ )/.test(line)) return style.cyan(line);
  return line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line;
}
