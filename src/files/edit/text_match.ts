import { alignment } from "./diff.ts";
import { graft, plainQuotes } from "./graft.ts";
import { noRest, type Rest, STEPS_A_LOOK } from "../rest.ts";

/**
 * Gives the replacement the indentation of the place, when one rule explains all of its lines, else
 * returns undefined. `firstLine` tells whether the place begins with its line.
 */
function reindent(
  place: string,
  wanted: string,
  replacement: string,
  firstLine: boolean,
): string | undefined {
  const indents = (text: string) =>
    text.split("\n").map((line) => line.trim() === "" ? undefined : /^[ \t]*/.exec(line)![0]);
  const theirs = indents(place);
  const ours = indents(wanted);
  const pairs: [ours: string, theirs: string][] = [];
  for (let line = firstLine ? 0 : 1; line < ours.length; line++) {
    const [from, to] = [ours[line], theirs[line]];
    if (from !== undefined && to !== undefined) pairs.push([from, to]);
  }
  const rule = indentRule(pairs);
  if (!rule) return undefined;
  if (firstLine && hasIndentOf(replacement, pairs)) return replacement;
  return replacement.split("\n").map((line, index) => {
    if (line.trim() === "" || (index === 0 && !firstLine)) return line;
    const indent = /^[ \t]*/.exec(line)![0];
    return rule(indent) + line.slice(indent.length);
  }).join("\n");
}

/** Whether the new lines have the place's indentation already, which the text that was looked for has not. */
function hasIndentOf(replacement: string, pairs: readonly [string, string][]): boolean {
  const { 0: ours, 1: theirs } = pairs[0]!;
  if (ours !== "" || theirs === "") return false;
  const lines = replacement.split("\n").filter((line) => line.trim() !== "");
  return lines[0] !== undefined && /^[ \t]*/.exec(lines[0])![0] === theirs &&
    lines.every((line) => line.startsWith(theirs));
}

function indentRule(
  pairs: readonly [string, string][],
): ((indent: string) => string) | undefined {
  const first = pairs[0];
  if (!first) return undefined;
  const [ours, theirs] = first;
  const rules: ((indent: string) => string)[] = [];
  if (theirs.endsWith(ours)) {
    const more = theirs.slice(0, theirs.length - ours.length);
    rules.push((indent) => more + indent);
  }
  if (ours.endsWith(theirs)) {
    const less = ours.slice(0, ours.length - theirs.length);
    rules.push((indent) => indent.startsWith(less) ? indent.slice(less.length) : "");
  }
  for (const width of [4, 2, 8, 3]) {
    const spaces = " ".repeat(width);
    rules.push((indent) => indent.replaceAll(spaces, "\t"));
    rules.push((indent) => indent.replaceAll("\t", spaces));
    for (const other of [4, 2, 8, 3]) {
      rules.push((indent) => indent.replaceAll(spaces, "\v").replaceAll("\v", " ".repeat(other)));
    }
  }
  return rules.find((rule) => pairs.every(([from, to]) => rule(from) === to));
}

/** How exactly a text was found; each rung forgives more than the one before. */
export type Rung = "exact" | "newlines" | "trailing" | "indentation" | "quotes";

/** A stretch of the text and what takes its place. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Where a text was found. */
export interface Match {
  readonly rung: Rung;
  /** Per searched text, all occurrences that do not overlap, in order. */
  readonly places: readonly (readonly Place[])[];
  /** How many occurrences there are, overlapping ones too. */
  readonly count: number;
  /** What was done to the replacement so that it fits in. */
  readonly fitted: ReadonlySet<Fitting>;
}

/** `indented`: the file's indentation; `line_ends`: the file's instead of those that were given. */
export type Fitting = "indented" | "line_ends";

const RUNGS: readonly Rung[] = ["exact", "newlines", "trailing", "indentation", "quotes"];

/** The rungs to try, in order, all unless given, and when other work gets its turn. */
export interface FindOptions {
  readonly rungs?: readonly Rung[] | undefined;
  readonly rest?: Rest | undefined;
}

/**
 * Looks for `wanted` in `texts`, pieces of whole lines of one file, on each rung in turn and
 * returns the first rung that finds any. Replacements take the line ends of the place, its indentation
 * where `wanted` has less of it, and its own form of the lines that the edit leaves as they are.
 */
export async function findPlaces(
  texts: readonly string[],
  wanted: string,
  replacement: string,
  { rungs = RUNGS, rest = noRest }: FindOptions = {},
): Promise<Match | undefined> {
  for (const rung of rungs) {
    const needle = fold(wanted, rung).text;
    if (needle === "" || (needle.trim() === "" && rung !== "exact")) continue;
    let fit: Fit | undefined;
    const found: Found[] = [];
    for (const text of texts) {
      const haystack = fold(text, rung);
      const first = haystack.text.indexOf(needle);
      if (first < 0) {
        found.push(NOWHERE);
        continue;
      }
      fit ??= fitter(rung, wanted, replacement);
      found.push(await findOn({ needle, replacement, fit, rest }, text, haystack, first));
    }
    await rest();
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (count > 0 && found.every((each) => each.fits)) {
      const fitted = new Set(found.flatMap((each) => [...each.fitted]));
      return { rung, count, places: found.map((each) => each.places), fitted };
    }
  }
  return undefined;
}

/** The longest stretch of `wanted` that stands in the file as it is, whatever rung finds the whole. */
export function stableStretch(wanted: string): string {
  return plainQuotes(wanted).split(/[\s'"-]+/)
    .reduce((longest, each) => each.length > longest.length ? each : longest, "");
}

/** Puts the replacements in; places must not overlap and stand in order. */
export async function replacePlaces(
  text: string,
  places: readonly Place[],
  rest: Rest = noRest,
): Promise<string> {
  if (places.length === 0) return text;
  let out = "";
  let parts: string[] = [];
  let at = 0;
  for (const place of places) {
    parts.push(text.slice(at, place.start), place.replacement);
    at = place.end;
    if (parts.length < 2 * STEPS_A_LOOK) continue;
    out += parts.join("");
    parts = [];
    await rest();
  }
  return out + parts.join("") + text.slice(at);
}

interface Found {
  readonly places: readonly Place[];
  readonly count: number;
  /** False when a place was found into which the replacement cannot be fitted. */
  readonly fits: boolean;
  readonly fitted: ReadonlySet<Fitting>;
}

const NOWHERE: Found = { places: [], count: 0, fits: true, fitted: new Set() };

/** What is looked for on one rung. */
interface Look {
  readonly needle: string;
  readonly replacement: string;
  readonly fit: Fit;
  readonly rest: Rest;
}

async function findOn(
  { needle, replacement, fit, rest }: Look,
  text: string,
  haystack: Folded,
  first: number,
): Promise<Found> {
  const fitted = new Set<Fitting>();
  const eolAt = eolReader(text);
  const withCrlf = replacement.includes("\r\n");
  const places: Place[] = [];
  let count = 0;
  let free = 0;
  for (let at = first; at >= 0; at = haystack.text.indexOf(needle, at + 1)) {
    if (++count % STEPS_A_LOOK === 0) await rest();
    if (at < free) continue;
    free = at + needle.length;
    const end = haystack.original(free - 1) + 1;
    const place = fit(text, haystack.original(at), end, places.at(-1)?.end ?? 0);
    if (!place) return { ...NOWHERE, count, fits: false };
    const replaced = text.slice(place.start, place.end);
    const ended = withLineEnds(place.replacement, eolAt(place.start), replaced);
    if (place.indented) fitted.add("indented");
    const isOther = ended.includes("\r\n") !== withCrlf ||
      place.replacement.includes("\n") && !ended.includes("\n");
    if (isOther) fitted.add("line_ends");
    places.push({ start: place.start, end: place.end, replacement: ended });
  }
  return { places, count, fits: true, fitted };
}

type Fit = (
  text: string,
  start: number,
  end: number,
  least: number,
) => Place & { readonly indented?: boolean } | undefined;

/** Makes the function that fits the replacement into a place, which may grow back to `least`. */
function fitter(rung: Rung, wanted: string, replacement: string): Fit {
  if (rung === "quotes") {
    return (text, start, end) => {
      const grafted = graft(text.slice(start, end), wanted, replacement);
      return grafted === undefined ? undefined : { start, end, replacement: grafted };
    };
  }
  const loose = rung === "trailing" || rung === "indentation";
  const given = loose ? replacement.replace(/[ \t]+$/, "") : replacement;
  const keep = loose ? lineKeeper(wanted, replacement) : undefined;
  const deeper = /^[ \t]+[^\s]/.test(wanted) && replacement.includes("\n");
  return (text, from, to, least) => {
    let [start, end, fitted] = [from, to, given];
    if (loose && text[end - 1] !== "\n") end += blanksAt(text, end);
    let lineStart = start;
    while (lineStart > least && /[ \t]/.test(text[lineStart - 1]!)) lineStart--;
    const whole = lineStart === 0 || text[lineStart - 1] === "\n";
    let indented = false;
    if (rung === "indentation") {
      if (whole) start = lineStart;
      else if (/^[ \t]/.test(wanted)) return undefined;
      const again = reindent(text.slice(start, end), wanted, fitted, whole);
      if (again === undefined) return undefined;
      fitted = again;
    } else if (deeper && whole && lineStart < start) {
      const again = reindent(text.slice(lineStart, end), wanted, fitted, true);
      if (again !== undefined) {
        [start, fitted, indented] = [lineStart, again, true];
      }
    }
    return { start, end, replacement: keep?.(text.slice(start, end), fitted) ?? fitted, indented };
  };
}

function blanksAt(text: string, at: number): number {
  const blanks = /[ \t]*(?=\r?\n|$)/y;
  blanks.lastIndex = at;
  return blanks.exec(text)?.[0].length ?? 0;
}

/** Gives back to `fitted` the place's own lines that the edit leaves as they are but for trailing blanks. */
function lineKeeper(
  wanted: string,
  replacement: string,
): (place: string, fitted: string) => string {
  const lines = (text: string) => text.replaceAll("\r\n", "\n").split("\n");
  const [ours, given] = [lines(wanted), lines(replacement)];
  const bare = (line: string) => line.trimEnd();
  const aligned = alignment(ours.map(bare), given.map(bare));
  return (place, fitted) => {
    const theirs = lines(place);
    return lines(fitted).map((line, j) => {
      const i = aligned[j];
      if (i === undefined) return line;
      const meant = given[j] !== ours[i] && ours[i] === theirs[i];
      return meant ? line : theirs[i]!;
    }).join("\n");
  };
}

/** A text with what a rung forgives taken out, and the way back to the original positions. */
interface Folded {
  readonly text: string;
  original(index: number): number;
}

const DROPPED: { readonly [rung in Rung]?: RegExp } = {
  newlines: /\r(?=\n)/g,
  trailing: /(?<![ \t\r])[ \t\r]+(?=\n|$)/g,
  indentation: /(?<![ \t\r])[ \t\r]+(?=\n|$)|(?<=^|\n)[ \t]+/g,
  quotes: /\r(?=\n)/g,
};

function fold(text: string, rung: Rung): Folded {
  const dropped = DROPPED[rung];
  if (!dropped) return { text, original: (index) => index };
  const starts: { folded: number; original: number }[] = [{ folded: 0, original: 0 }];
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  for (const { index, 0: gone } of text.matchAll(dropped)) {
    parts.push(text.slice(at, index));
    length += index - at;
    at = index + gone.length;
    starts.push({ folded: length, original: at });
  }
  parts.push(text.slice(at));
  const folded = parts.join("");
  return {
    text: rung === "quotes" ? plainQuotes(folded) : folded,
    original(index) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]!.folded <= index) low = middle;
        else high = middle - 1;
      }
      const { folded, original } = starts[low]!;
      return original + index - folded;
    },
  };
}

/** Tells the end of the line at a position (the last line: of the one before); asked in ascending order. */
function eolReader(text: string): (start: number) => "\n" | "\r\n" | "\r" | undefined {
  if (text.includes("\r") && !text.includes("\n")) return () => "\r";
  let end = -1;
  let isLast = false;
  return (start) => {
    if (end < start && !isLast) {
      end = text.indexOf("\n", start);
      isLast = end < 0;
      if (isLast) end = text.lastIndexOf("\n");
    }
    return end < 0 ? undefined : text[end - 1] === "\r" ? "\r\n" : "\n";
  };
}

function withLineEnds(text: string, eol: string | undefined, replaced: string): string {
  if (!text.includes("\n")) return text;
  const ends = replaced.match(/\r?\n/g) ?? [];
  if (ends.some((end) => end !== ends[0])) {
    let line = 0;
    return text.replace(/\r?\n/g, () => ends[line++] ?? eol!);
  }
  return eol === undefined ? text : text.replace(/\r?\n/g, eol);
}
