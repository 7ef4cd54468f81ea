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
}

const RUNGS: readonly Rung[] = ["exact", "newlines", "trailing", "indentation", "quotes"];

/**
 * Looks for `wanted` in `texts`, pieces of whole lines of one file, on each rung in turn and
 * returns the first rung that finds any. Replacements take the line ends of the place, and on the
 * indentation rung its indentation.
 */
export function findPlaces(
  texts: readonly string[],
  wanted: string,
  replacement: string,
  rungs: readonly Rung[] = RUNGS,
): Match | undefined {
  for (const rung of rungs) {
    const found = texts.map((text) => findOn(rung, text, wanted, replacement));
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (count > 0 && found.every((each) => each.fits)) {
      return { rung, count, places: found.map((each) => each.places) };
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
export function replacePlaces(text: string, places: readonly Place[]): string {
  let out = "";
  let at = 0;
  for (const place of places) {
    out += text.slice(at, place.start) + place.replacement;
    at = place.end;
  }
  return out + text.slice(at);
}

/**
 * Takes off the line numbers that Read puts before each line (or a tab instead of ` | `).
 * Undefined when not every line carries one, or they do not count up by one.
 */
export function withoutLineNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const last = lines.at(-1) === "" ? lines.pop() : undefined;
  let before: number | undefined;
  const bare: string[] = [];
  for (const line of lines) {
    const [whole, digits] = /^ *(\d+)(?: \|(?: |$)|\t)/.exec(line) ?? [];
    if (whole === undefined) return undefined;
    const number = Number(digits);
    if (before !== undefined && number !== before + 1) return undefined;
    before = number;
    bare.push(line.slice(whole.length));
  }
  return bare.length === 0 ? undefined : bare.join("\n") + (last === undefined ? "" : "\n");
}

/** Replaces typographic quotes, dashes and spaces by their plain forms, character for character. */
export function plainQuotes(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2002-\u200a\u202f\u3000]/g, " ");
}

interface Found {
  readonly places: readonly Place[];
  readonly count: number;
  /** False when a place was found into which the replacement cannot be fitted. */
  readonly fits: boolean;
}

function findOn(rung: Rung, text: string, wanted: string, replacement: string): Found {
  const none: Found = { places: [], count: 0, fits: true };
  const needle = fold(wanted, rung).text;
  if (needle === "" || (needle.trim() === "" && rung !== "exact")) return none;
  const haystack = fold(text, rung);
  const crlfAt = crlfReader(text);
  const places: Place[] = [];
  let count = 0;
  let free = 0;
  for (
    let at = haystack.text.indexOf(needle);
    at >= 0;
    at = haystack.text.indexOf(needle, at + 1)
  ) {
    count++;
    if (at < free) continue;
    free = at + needle.length;
    const place = placeAt(rung, text, wanted, replacement, {
      start: haystack.original(at),
      end: haystack.original(free - 1) + 1,
    });
    if (!place) return { places: [], count, fits: false };
    const replaced = text.slice(place.start, place.end);
    const fitted = withLineEnds(place.replacement, rung, crlfAt(place.start), replaced);
    places.push({ ...place, replacement: fitted });
  }
  return { places, count, fits: true };
}

function placeAt(
  rung: Rung,
  text: string,
  wanted: string,
  replacement: string,
  found: { start: number; end: number },
): Place | undefined {
  let { start, end } = found;
  let fitted = replacement;
  if (rung === "trailing" || rung === "indentation") {
    const spaces = /[ \t]*(?=\r?\n|$)/y;
    spaces.lastIndex = end;
    end += spaces.exec(text)?.[0].length ?? 0;
    fitted = fitted.replace(/[ \t]+$/, "");
  }
  if (rung === "indentation") {
    let lineStart = start;
    while (text[lineStart - 1] === " " || text[lineStart - 1] === "\t") lineStart--;
    const whole = lineStart === 0 || text[lineStart - 1] === "\n";
    if (whole) start = lineStart;
    else if (/^[ \t]/.test(wanted)) return undefined;
    const indented = reindent(text.slice(start, end), wanted, fitted, whole);
    if (indented === undefined) return undefined;
    fitted = indented;
  }
  if (rung === "quotes") fitted = graft(text.slice(start, end), wanted, fitted);
  return { start, end, replacement: fitted };
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

/** Gives the replacement the indentation of the place, when one rule explains all of its lines. */
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
  return replacement.split("\n").map((line, index) => {
    if (line.trim() === "" || (index === 0 && !firstLine)) return line;
    const indent = /^[ \t]*/.exec(line)![0];
    return rule(indent) + line.slice(indent.length);
  }).join("\n");
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

/** Keeps the original's quotes in what the replacement leaves as it was. */
function graft(place: string, wanted: string, replacement: string): string {
  if (place.length !== wanted.length) return replacement;
  const most = Math.min(wanted.length, replacement.length);
  let head = 0;
  while (head < most && wanted[head] === replacement[head]) head++;
  let tail = 0;
  while (tail < most - head && wanted.at(-1 - tail) === replacement.at(-1 - tail)) tail++;
  return place.slice(0, head) + replacement.slice(head, replacement.length - tail) +
    place.slice(place.length - tail);
}

/** Tells whether the line at a position ends in CRLF (the last line: the one before); asked in ascending order. */
function crlfReader(text: string): (start: number) => boolean {
  let end = -1;
  let isLast = false;
  return (start) => {
    if (end < start && !isLast) {
      end = text.indexOf("\n", start);
      isLast = end < 0;
      if (isLast) end = text.lastIndexOf("\n");
    }
    return end > 0 && text[end - 1] === "\r";
  };
}

function withLineEnds(text: string, rung: Rung, crlf: boolean, replaced: string): string {
  if (replaced.includes("\n")) {
    const ends = replaced.match(/\r?\n/g)!;
    if (ends.some((end) => end !== ends[0])) {
      let line = 0;
      return text.replace(/\r?\n/g, () => ends[line++] ?? (crlf ? "\r\n" : "\n"));
    }
  }
  if (crlf) return text.replace(/\r?\n/g, "\r\n");
  return rung === "exact" ? text : text.replaceAll("\r\n", "\n");
}
