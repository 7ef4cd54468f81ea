import { truncate } from "../base/strings.ts";
import { unifiedDiff } from "./edit/diff.ts";
import { noRest, type Rest, STEPS_A_LOOK } from "./rest.ts";
import { splitLines } from "./text_file.ts";
import { plainQuotes } from "./edit/graft.ts";

const UNSEEN = /[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g;
const NAMES: { readonly [char: string]: string } = {
  "\t": "TAB",
  "\r": "CR",
  "\u00a0": "NBSP",
  "\u3000": "U+3000",
  "\ufeff": "BOM",
};

/** What models write for the characters in HTML, or read of them. */
const ENTITIES: { readonly [name: string]: string } = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "",
};
const ENTITY = /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,5})|#x([0-9a-f]{1,4}));/gi;
/** A string of JSON within another one is written so. */
const ESCAPE = /\\(?:([nrt])|u([0-9a-f]{4})|(["'`/$]))/gi;

const plainEntities = (text: string) =>
  text.replace(
    ENTITY,
    (_all, name?: string, decimal?: string, hex?: string) =>
      name === undefined
        ? String.fromCharCode(decimal === undefined ? parseInt(hex!, 16) : Number(decimal))
        : ENTITIES[name.toLowerCase()]!,
  );
const plainEscapes = (text: string) =>
  text.replace(
    ESCAPE,
    (_all, blank?: string, hex?: string, sign?: string) =>
      blank === undefined ? sign ?? String.fromCharCode(parseInt(hex!, 16)) : "",
  );

/** What is left of a text without spaces, case kept, and with every character that only looks different made plain. */
function looks(text: string): string {
  // what was written twice for HTML is so in the text that was read
  const plain = plainEscapes(plainEntities(plainEntities(text)));
  const bare = plain.replace(UNSEEN, "");
  // deno-lint-ignore no-control-regex -- the bound of ASCII
  if (/^[\x00-\x7f]*$/.test(bare)) return bare;
  return plainQuotes(bare.normalize("NFKC")).replaceAll("。", ".").replaceAll("、", ",");
}

/** Makes what cannot be seen visible: `⟨TAB⟩`, `⟨NBSP⟩`, `⟨CR⟩`, `⟨U+200B⟩`; blanks at the end as `·`. */
function reveal(line: string): string {
  return line
    .replace(/ +$/, (blanks) => "·".repeat(blanks.length))
    .replace(/[^\S \n]|[\u00ad\u200b-\u200f\u2060\ufeff]/g, (char) => {
      return `⟨${NAMES[char] ?? codePoint(char)}⟩`;
    });
}

/** The first character in which two texts differ: its line and column from 1, and what stands there. */
function firstDifference(
  wanted: string,
  found: string,
): { line: number; column: number; wanted: string; found: string } | undefined {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at++;
  if (at === wanted.length && at === found.length) return undefined;
  const before = found.slice(0, at);
  const column = at - (before.lastIndexOf("\n") + 1) + 1;
  return {
    line: before.split("\n").length,
    column,
    wanted: named(wanted, at),
    found: named(found, at),
  };
}

function named(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined || code === 10) return "⟨↵⟩";
  const char = String.fromCodePoint(code);
  const shown = char === " " ? '" "' : reveal(char) === char ? `"${char}"` : reveal(char);
  return `${shown} (${codePoint(char)})`;
}

function codePoint(char: string): string {
  return "U+" + char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

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
    .map((line) => truncate(line, DIFF_LINE_CHARS));
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
