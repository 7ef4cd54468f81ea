import { unifiedDiff } from "./diff.ts";
import { splitLines } from "./text_file.ts";
import { plainQuotes } from "./text_match.ts";

const POSITIONS_PER_LINE = 50;
const LINES_COMPARED = 20_000;
const LIKE_ENOUGH = 0.5;
const DIFF_LINES = 40;
const DIFF_LINE_CHARS = 500;

/** The stretch of a text that resembles one that was not found. */
export interface NearestPlace {
  /** First and last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** Lines with `-` as wanted, `+` as in the file, ` ` the same in both. */
  readonly diff: string;
  /** What alone keeps them apart. */
  readonly cause: "case" | "spaces" | "other";
}

/** Finds the lines most like `wanted`; undefined when nothing resembles it. */
export function nearestPlace(text: string, wanted: string): NearestPlace | undefined {
  const lines = splitLines(text);
  const sought = splitLines(wanted.replace(/^\s*\n/, "").trimEnd());
  if (sought.length === 0 || lines.length === 0) return undefined;
  const start = byEqualLines(lines, sought) ?? byLikeness(lines, sought);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const place = lines.slice(first, Math.min(lines.length, start + sought.length));
  if (place.length === 0) return undefined;
  const { diff } = unifiedDiff(sought.join("\n") + "\n", place.join("\n") + "\n");
  const body = diff.split("\n").filter((line) => !line.startsWith("@@"))
    .map((line) => line.length > DIFF_LINE_CHARS ? line.slice(0, DIFF_LINE_CHARS) + "…" : line);
  return {
    first: first + 1,
    last: first + place.length,
    diff: body.length > DIFF_LINES
      ? [...body.slice(0, DIFF_LINES), "…"].join("\n")
      : body.join("\n"),
    cause: causeOf(sought.join("\n"), place.join("\n")),
  };
}

function causeOf(wanted: string, found: string): NearestPlace["cause"] {
  if (wanted.toLowerCase() === found.toLowerCase()) return "case";
  const bare = (text: string) => plainQuotes(text).replace(/\s+/g, "");
  return bare(wanted) === bare(found) ? "spaces" : "other";
}

function keyOf(line: string): string {
  return plainQuotes(line).trim().replace(/\s+/g, " ").toLowerCase();
}

/** Each line that occurs in the file votes for the place where the whole would begin. */
function byEqualLines(lines: readonly string[], sought: readonly string[]): number | undefined {
  const positions = new Map<string, number[]>();
  for (const line of sought) {
    const key = keyOf(line);
    if (key.length > 2) positions.set(key, []);
  }
  lines.forEach((line, index) => {
    const known = positions.get(keyOf(line));
    if (known && known.length < POSITIONS_PER_LINE) known.push(index);
  });
  const votes = new Map<number, number>();
  sought.forEach((line, index) => {
    const key = keyOf(line);
    for (const position of positions.get(key) ?? []) {
      const start = position - index;
      votes.set(start, (votes.get(start) ?? 0) + key.length);
    }
  });
  let best: number | undefined;
  for (const [start, weight] of votes) {
    if (best === undefined || weight > votes.get(best)!) best = start;
  }
  return best;
}

/** The longest wanted line against every line of the file, by the pairs of letters they share. */
function byLikeness(lines: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce(
    (best, line, i) => keyOf(line).length > keyOf(sought[best]!).length ? i : best,
    0,
  );
  const wanted = pairsOf(keyOf(sought[longest]!));
  let best: number | undefined;
  let bestScore = LIKE_ENOUGH;
  lines.slice(0, LINES_COMPARED).forEach((line, index) => {
    const pairs = pairsOf(keyOf(line));
    let shared = 0;
    for (const pair of pairs) if (wanted.has(pair)) shared++;
    const score = 2 * shared / (pairs.size + wanted.size || 1);
    if (score > bestScore) {
      bestScore = score;
      best = index - longest;
    }
  });
  return best;
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(text.length, 500); at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
