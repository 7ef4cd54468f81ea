/** A unified diff as rows: line numbers, signs, and the words that changed. */
import { plain } from "../../base/control_characters.ts";
import type { Look, Row } from "./rows.ts";
import type { Style } from "../style.ts";

// What changed within a line, word by word.

/** A stretch of a line. */
interface Span {
  readonly text: string;
  readonly changed: boolean;
}

/** Cells of the comparison's table above which only what is common at both ends counts as kept. */
const MOST_CELLS = 40_000;
/** Of lines that share less than this part nothing is said. */
const LEAST_KEPT = 0.3;
const WORD = /[\p{L}\p{N}_]+|\s+|[^]/gu;

/** The two lines in spans, kept words and changed ones; undefined when they have little in common. */
export function wordDiff(before: string, after: string): [Span[], Span[]] | undefined {
  const old = before.match(WORD) ?? [];
  const now = after.match(WORD) ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const kept = a.length * b.length > MOST_CELLS ? [] : longestCommon(a, b);
  const keptOf = (side: 0 | 1) => new Set(kept.map((pair) => pair[side] + head));
  const sides = [spans(old, keptOf(0), head, tail), spans(now, keptOf(1), head, tail)] as const;
  const letters = (all: readonly Span[]) =>
    all.reduce((sum, { text, changed }) => changed ? sum : sum + text.trim().length, 0);
  const whole = Math.max(before.trim().length, after.trim().length);
  return Math.max(letters(sides[0]), letters(sides[1])) < whole * LEAST_KEPT
    ? undefined
    : [...sides];
}

function spans(
  words: readonly string[],
  kept: ReadonlySet<number>,
  head: number,
  tail: number,
): Span[] {
  const out: { text: string; changed: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const changed = at >= head && at < words.length - tail && !kept.has(at);
    const last = out.at(-1);
    if (last?.changed === changed) last.text += text;
    else out.push({ text, changed });
  }
  return out;
}

/** Pairs of places at which the two lists have the same word, as many as there can be in order. */
function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j]
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

type Sign = " " | "-" | "+";

interface Line {
  readonly sign: Sign;
  /** As it is numbered before (`-`) or after. */
  readonly number: number;
  readonly spans: readonly Span[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff without file headers; `fit` says what becomes of long lines. */
export function diffRows(diff: string, look: Look, fit: "cut" | "wrap" = "cut"): Row[] {
  const hunks = hunksOf(plain(diff).trimEnd());
  const numbers = hunks.flat().map(({ number }) => number);
  const columns = String(Math.max(0, ...numbers)).length;
  return hunks.flatMap((lines, index) => [
    ...index === 0 ? [] : [{ text: look.style.dim(`  ${" ".repeat(columns - 1)}⋮`), fit }],
    ...lines.map((line) => rowOf(line, columns, look.style, fit)),
  ]);
}

function rowOf(
  { sign, number, spans }: Line,
  columns: number,
  style: Style,
  fit: "cut" | "wrap",
): Row {
  const colour = sign === "-" ? style.red : sign === "+" ? style.green : style.dim;
  const gutter = style.dim(`  ${String(number).padStart(columns)} `);
  const text = spans.map(({ text, changed }) => changed ? style.inverse(text) : text).join("");
  return { lead: gutter + colour(`${sign} `), text: colour(text), fit };
}

function hunksOf(diff: string): Line[][] {
  const hunks: Line[][] = [];
  let lines: Line[] = [];
  let [before, after] = [1, 1];
  for (const line of diff === "" ? [] : diff.split("\n")) {
    const head = HUNK.exec(line);
    if (head !== null) {
      [before, after] = [Number(head[1]), Number(head[2])];
      lines = [];
    } else if (/^[-+ ]/.test(line)) {
      const sign = line[0] as Sign;
      if (lines.length === 0) hunks.push(lines);
      lines.push({
        sign,
        number: sign === "-" ? before : after,
        spans: [{ text: line.slice(1), changed: false }],
      });
      if (sign !== "+") before++;
      if (sign !== "-") after++;
    }
  }
  return hunks.map(withWords);
}

/** Compares removed lines with the added ones that follow them, the first with the first. */
function withWords(lines: readonly Line[]): Line[] {
  const out = [...lines];
  for (let at = 0; at < out.length;) {
    const removed = runOf(out, at, "-");
    const added = runOf(out, at + removed, "+");
    // Only where it is plain which line became which.
    for (let n = 0; removed === added && n < removed; n++) {
      const [old, now] = [out[at + n]!, out[at + removed + n]!];
      const words = wordDiff(old.spans[0]!.text, now.spans[0]!.text);
      if (words === undefined) continue;
      out[at + n] = { ...old, spans: words[0] };
      out[at + removed + n] = { ...now, spans: words[1] };
    }
    at += Math.max(1, removed + added);
  }
  return out;
}

function runOf(lines: readonly Line[], from: number, sign: Sign): number {
  let length = 0;
  while (lines[from + length]?.sign === sign) length++;
  return length;
}
