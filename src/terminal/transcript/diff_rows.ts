/** A unified diff as rows: line numbers, signs, and the words that changed. */
import { plain } from "../../base/control_characters.ts";
import type { Look, Row } from "./rows.ts";
import type { Style } from "../style.ts";
import { type Span, wordDiff } from "./word_diff.ts";

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
