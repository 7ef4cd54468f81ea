import { unifiedDiff } from "./edit/diff.ts";
import { firstDifference, looks, reveal } from "./edit/looks.ts";
import { noRest, type Rest, STEPS_A_LOOK } from "./rest.ts";
import { splitLines } from "./text_file.ts";

const POSITIONS_PER_LINE = 50;
const LINES_COMPARED = 20_000;
const LIKE_ENOUGH = 0.45;
const DIFF_LINES = 40;
const DIFF_LINE_CHARS = 500;
const PART_CHARS = 1000;

/** The stretch of a text that resembles one that was not found. */
export interface NearestPlace {
  /** First and last line, from 1. */
  readonly first: number;
  readonly last: number;
  /**
   * Lines with `-` as wanted, `+` as in the file, ` ` the same in both. Where two lines only look
   * alike, what cannot be seen in them is spelt out.
   */
  readonly diff: string;
  /** What alone keeps them apart; `looks`: spaces, quotes, widths and the like; `blank`: lines before and behind. */
  readonly cause: "blank" | "case" | "looks" | "other";
  /** Where they first differ (line of the file, column from 1), when they only look alike. */
  readonly at?: {
    readonly line: number;
    readonly column: number;
    readonly wanted: string;
    readonly found: string;
  };
}

/** Finds the lines most like `wanted`; undefined when nothing resembles it. */
export async function nearestPlace(
  text: string,
  wanted: string,
  rest: Rest = noRest,
): Promise<NearestPlace | undefined> {
  const given = wanted.replace(/^\s*\n/, "").trimEnd();
  const near = await nearest(text, given, given, rest);
  if (near && near.cause !== "other" || !given.includes("\\n")) return near;
  // its line ends may be escaped
  const like = given.replaceAll(/(?:\\r)?\\n/g, "\n").trim();
  const apart = await nearest(text, like, given, rest);
  return !near || apart?.cause === "looks" ? apart : near;
}

/** Where lines are like `like`, and how they differ from `wantedText`. */
async function nearest(
  text: string,
  like: string,
  wantedText: string,
  rest: Rest,
): Promise<NearestPlace | undefined> {
  const lines = splitLines(text);
  const sought = splitLines(like);
  if (sought.length === 0 || lines.length === 0) return undefined;
  const start = await byEqualLines(lines, sought, rest) ??
    await byContaining(lines, sought, rest) ?? await byLikeness(lines, sought, rest);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const place = lines.slice(first, Math.min(lines.length, start + sought.length));
  if (place.length === 0) return undefined;
  const { text: foundText, from } = partLike(place, sought);
  const cause = causeOf(wantedText, foundText);
  const { diff } = unifiedDiff(wantedText + "\n", place.join("\n") + "\n");
  const body = spelledOut(diff.split("\n").filter((line) => !line.startsWith("@@")), cause)
    .map((line) => line.length > DIFF_LINE_CHARS ? line.slice(0, DIFF_LINE_CHARS) + "…" : line);
  const at = cause === "looks" && firstDifference(wantedText, foundText);
  return {
    first: first + 1,
    last: first + place.length,
    diff: body.length > DIFF_LINES
      ? [...body.slice(0, DIFF_LINES), "…"].join("\n")
      : body.join("\n"),
    cause,
    ...(at ? { at: { ...at, line: first + at.line, column: from + at.column } } : {}),
  };
}

/** The part of a line that looks like the one line wanted, else the whole place. */
function partLike(
  place: readonly string[],
  sought: readonly string[],
): { text: string; from: number } {
  const key = keyOf(sought[0]!);
  const line = place[0]!;
  const like = (text: string) => keyOf(text).includes(key);
  if (sought.length > 1 || line.length > PART_CHARS || key === "" || !like(line)) {
    return { text: place.join("\n"), from: 0 };
  }
  let from = 0;
  while (like(line.slice(from + 1))) from++;
  let to = line.length;
  while (like(line.slice(from, to - 1))) to--;
  const indent = /^\s*/.exec(sought[0]!)![0];
  if (line.slice(0, from).endsWith(indent)) from -= indent.length;
  return { text: line.slice(from, to), from };
}

/** Reveals what cannot be seen in lines that only look like one of the other side. */
function spelledOut(diff: readonly string[], cause: NearestPlace["cause"]): string[] {
  const seen = (sign: string) =>
    new Set(diff.filter((line) => line.startsWith(sign)).map((line) => looks(line.slice(1))));
  const sides = new Map([["-", seen("+")], ["+", seen("-")]]);
  return diff.map((line) => {
    const others = sides.get(line[0]!);
    const alike = others && (cause === "looks" || others.has(looks(line.slice(1))));
    return alike ? line[0] + reveal(line.slice(1)) : line;
  });
}

function causeOf(wanted: string, found: string): NearestPlace["cause"] {
  if (wanted === found) return "blank";
  if (wanted.toLowerCase() === found.toLowerCase()) return "case";
  return looks(wanted) === looks(found) ? "looks" : "other";
}

function keyOf(line: string): string {
  return looks(line).toLowerCase();
}

/** Each line that occurs in the file votes for the place where the whole would begin. */
async function byEqualLines(
  lines: readonly string[],
  sought: readonly string[],
  rest: Rest,
): Promise<number | undefined> {
  const positions = new Map<string, number[]>();
  for (const line of sought) {
    const key = keyOf(line);
    if (key.length > 2) positions.set(key, []);
  }
  for (const [index, line] of lines.entries()) {
    if (index % STEPS_A_LOOK === 0) await rest();
    const known = positions.get(keyOf(line));
    if (known && known.length < POSITIONS_PER_LINE) known.push(index);
  }
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

/** The first line that holds the one line wanted, apart from case and looks. */
async function byContaining(
  lines: readonly string[],
  sought: readonly string[],
  rest: Rest,
): Promise<number | undefined> {
  const key = keyOf(sought[0]!);
  if (sought.length > 1 || key === "") return undefined;
  for (const [index, line] of lines.entries()) {
    if (index % STEPS_A_LOOK === 0) await rest();
    // one letter stands in many a line by chance
    if (key.length < 2 ? keyOf(line) === key : keyOf(line).includes(key)) return index;
  }
  return undefined;
}

/** The longest wanted line against every line of the file, by the pairs of letters they share. */
async function byLikeness(
  lines: readonly string[],
  sought: readonly string[],
  rest: Rest,
): Promise<number | undefined> {
  const longest = sought.reduce(
    (best, line, i) => keyOf(line).length > keyOf(sought[best]!).length ? i : best,
    0,
  );
  const wanted = pairsOf(keyOf(sought[longest]!));
  let best: number | undefined;
  let bestScore = LIKE_ENOUGH;
  for (const [index, line] of lines.slice(0, LINES_COMPARED).entries()) {
    if (index % STEPS_A_LOOK === 0) await rest();
    const pairs = pairsOf(keyOf(line));
    let shared = 0;
    for (const pair of pairs) if (wanted.has(pair)) shared++;
    const score = 2 * shared / (pairs.size + wanted.size || 1);
    if (score > bestScore) {
      bestScore = score;
      best = index - longest;
    }
  }
  return best;
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(text.length, 500); at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
