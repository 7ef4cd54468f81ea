import type { Searcher } from "../../search/mod.ts";
import { PatternError } from "../../search/regex/syntax.ts";
import type { GrepFound, GrepQuery } from "../../search/types.ts";
import type { T, Text } from "../../base/t.ts";
import { excerpt } from "../../base/strings.ts";
import { isUnclosed } from "../glob/globs.ts";
import { walkNotes } from "../files.ts";

const REGEX_FAULTS = {
  too_large: "it is too large once its repetitions are written out; repeat less",
  unclosed_group: "this ( is never closed; for the character itself write \\(",
  unopened_group: "this ) closes nothing; for the character itself write \\)",
  unclosed_class:
    "this [ is never closed (a ] right after it is a plain character); for the character itself write \\[",
  reversed_range: "the range {found} ends before it begins",
  reversed_repeat: "the repetition {found} asks for more than it allows",
  nothing_to_repeat:
    "there is nothing before {found} to repeat; for the character itself write \\{found}",
  unknown_escape: "there is no escape {found}; a plain letter needs no \\",
  bad_escape: "the escape {found} is incomplete or not valid",
  trailing_backslash: "nothing follows this \\; for the character itself write \\\\",
  unknown_property:
    "the Unicode property {found} is not known (gc, sc, scx and the yes-or-no ones are)",
  unknown_class: "there is no class {found}",
  unknown_flag: "there is no flag {found}; there are i m s x u",
  unknown_group: "{found} begins no kind of group",
  no_such_group: "there is no group {found} to refer to",
  unsupported: "{found} is not supported (recursion, conditions, verbs and the like)",
  too_deep: "it is nested too deeply",
} as const;

const SHOWN_BESIDE = 40;

/** Says what is wrong with a regular expression, and shows where. */
export function badRegexText(error: PatternError, t: T): string {
  const { reason, pattern, at, found } = error;
  const before = pattern.slice(0, at);
  const left = oneLine(before.split("\n").at(-1)!.slice(-SHOWN_BESIDE));
  const right = oneLine(pattern.slice(at).split("\n")[0]!.slice(0, SHOWN_BESIDE));
  // a wide blank for each character that is likely to be wide
  const gap = left.replace(/[^]/gu, (each) => each < "\x80" ? " " : "\u3000");
  return t(
    "Regular expression syntax error: {why} (column {column})\n{place}\nTo search for the text itself set literal.",
    {
      why: t(REGEX_FAULTS[reason], { found: excerpt(oneLine(found)) }),
      column: [...before].length + 1,
      place: `${left}${right}\n${gap}^`,
    },
  );
}

function oneLine(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, " ");
}

/**
 * What the model should know of a result besides its lines, a sentence each. `shown`: how many of
 * the matches (or files, outside `content` mode) the lines hold; `cut`: lines did not fit.
 */
export function grepNotes(
  found: GrepFound,
  query: GrepQuery,
  shown: number,
  t: T,
  cut = false,
): string[] {
  const notes = found.matches > 0 ? pageNotes(found, query, shown, t, cut) : [];
  notes.push(...walkNotes(found.report, t, found.matches > 0 ? found.stopped : undefined));
  if (found.slow > 0) {
    notes.push(
      t(
        "Gave up on {count} {count:file|files}: the expression took too long there; simplify it (no look-around, back-references or nested repetition).",
        { count: found.slow },
      ),
    );
  }
  if (found.cut > 0) {
    notes.push(
      t(
        "In {count} {count:file|files} binary data began half-way; only what stands before it was searched.",
        { count: found.cut },
      ),
    );
  }
  if (found.binary > 0) {
    notes.push(t("Skipped {count} binary {count:file|files}.", { count: found.binary }));
  }
  if (found.unopened > 0) {
    notes.push(t("{count} {count:file|files} could not be read.", { count: found.unopened }));
  }
  if (found.tooLarge > 0) {
    notes.push(
      t("Too large to search this way: {count} {count:file|files}.", { count: found.tooLarge }),
    );
  }
  return notes;
}

/** Which part of the whole is shown, and how to go on. */
function pageNotes(
  found: GrepFound,
  query: GrepQuery,
  shown: number,
  t: T,
  cut: boolean,
): string[] {
  const content = query.mode === "content";
  const total = content ? found.matches : found.matchedFiles;
  // a match over several lines is as many lines, so what did not fit cannot be counted
  const counted = !(cut && content && query.multiline);
  const here = content && query.multiline
    ? Math.max(0, Math.min(query.limit, total - query.offset))
    : shown;
  const [first, last] = [query.offset + 1, query.offset + here];
  const values = { first, last, total, files: found.matchedFiles, next: last };
  if (here === 0) {
    const text = content
      ? "Nothing is left after offset {offset}: there are {total} matches in {files} {files:file|files}."
      : "Nothing is left after offset {offset}: there {total:is|are} {total} {total:file|files}.";
    return [t(text, { ...values, offset: query.offset })];
  }
  if (!counted) {
    return [
      t("The result is too long, later lines are left out; narrow the search, or ask for less with head_limit or context."),
    ];
  }
  if (last < total) {
    return [t(
      content
        ? "Truncated: matches {first}–{last} of {total} in {files} {files:file|files}; narrow the search, or go on with offset={next}."
        : "Truncated: files {first}–{last} of {total}; narrow the search, or go on with offset={next}.",
      values,
    )];
  }
  const end = query.offset > 0
    ? [
      t(
        content
          ? "Matches {first}–{last} of {total} in {files} {files:file|files}; nothing is left."
          : "Files {first}–{last} of {total}; nothing is left.",
        values,
      ),
    ]
    : [];
  return cut
    ? [
      t("The result is too long, later lines are left out; narrow the search, or ask for less with head_limit or context."),
      ...end,
    ]
    : end;
}

/** What a search that found nothing was, and what a hint may cost. */
export interface HintQuestion {
  readonly found: GrepFound;
  readonly query: GrepQuery;
  readonly searcher: Searcher;
  readonly t: T;
  readonly signal: AbortSignal;
  /** Shows a path of the result. */
  readonly name: (path: string) => string;
  /** Milliseconds. */
  readonly ms: number;
}

/**
 * Looks for what a query that found nothing may have meant; returns a hint only where that finds
 * something. One search asks for all readings at once and may be stopped half-way; the file it finds
 * tells which reading it was.
 */
export async function hintFor(question: HintQuestion): Promise<string | undefined> {
  const { found, query, searcher, t, signal, name, ms } = question;
  if (found.matches > 0 || found.stopped) return undefined;
  if (found.searched === 0) return found.binary === 0 ? whyNoFile(query, t) : undefined;
  const readings = readingsOf(query);
  if (readings.length === 0) return undefined;
  const look = async (change: Partial<GrepQuery>) => {
    const files = { mode: "files", limit: 1, offset: 0, deadlineMs: ms } as const;
    const { files: [first] } = await searcher.grep({ ...query, ...files, ...change }, signal);
    return first?.path;
  };
  try {
    const patterns = readings.flatMap((each) => each.patterns);
    const multiline = readings.some((each) => each.multiline);
    const path = await look({ patterns, multiline, literal: false });
    if (path === undefined) return undefined;
    const root = query.folder ? `${query.root}/${path}` : query.root;
    for (const { hint, patterns, multiline } of readings) {
      const only = { root, folder: false, globs: [], types: [], literal: false };
      if (await look({ patterns, multiline, ...only }) !== undefined) {
        return t(hint, { file: name(path) });
      }
    }
  } catch (error) {
    // a reading need not be a valid expression
    if (!(error instanceof PatternError)) throw error;
  }
  return undefined;
}

function whyNoFile(query: GrepQuery, t: T): string {
  const unclosed = query.globs.find(isUnclosed);
  if (unclosed !== undefined) {
    return t("In {pattern} a { is never closed; for the character itself write \\{.", {
      pattern: excerpt(unclosed),
    });
  }
  const away = query.globs.find((glob) => /^(~|\.\.)?\/./.test(glob) && !glob.startsWith("!"));
  const hint = t(
    "There was no file to search: check path, glob and the ignore rules (an ignored folder must be named as path).",
  );
  return away === undefined ? hint : hint +
    t(" The glob {glob} leads out of what is searched; name the folder as path.", {
      glob: excerpt(away),
    });
}

/** One thing that patterns may have meant. */
interface Reading {
  readonly hint: Text;
  /** Regular expressions. */
  readonly patterns: readonly string[];
  readonly multiline: boolean;
}

function readingsOf({ patterns, literal, ignoreCase, multiline }: GrepQuery): Reading[] {
  const some = (test: RegExp, shape = (pattern: string) => pattern) =>
    patterns.some((each) => test.test(shape(each)));
  const regexes = literal ? patterns.map(quoted) : patterns;
  const readings: Reading[] = [];
  if (!multiline && some(literal ? /[\r\n]/ : ACROSS_LINES)) {
    readings.push({
      hint:
        "Matching is line by line, without line ends; with multiline: true there are matches, such as in {file}.",
      patterns: regexes,
      multiline: true,
    });
  }
  if (!literal && some(/\\\|/)) {
    readings.push({
      hint:
        "Here \\| is the character itself; with | for “or” there are matches, such as in {file}.",
      patterns: patterns.map(barsFreed),
      multiline,
    });
  }
  if (!literal && some(/[\\^$*+?()[\]{}]/, (each) => each.replace(/\.[*+?]?/g, ""))) {
    readings.push({
      hint: "As plain text (literal) there are matches, such as in {file}.",
      patterns: patterns.map(quoted),
      multiline,
    });
  }
  if (!ignoreCase && some(/\p{Ll}|\p{Lu}/u, literal ? undefined : withoutEscapes)) {
    const either = regexes.map((each) => `(?i)${each}`);
    readings.push({
      hint: "With -i there are matches, such as in {file}.",
      patterns: either,
      multiline,
    });
  }
  return readings;
}

/** What can match a line end. */
const ACROSS_LINES =
  /\\[nRr]|[\r\n]|\(\?\w*s\w*[:)]|\[\\(?:s\\S|S\\s|w\\W|W\\w|d\\D|D\\d)\]|\\s[*+]/;

function withoutEscapes(pattern: string): string {
  return pattern.replace(/\\./gs, "");
}

/** A regular expression for the text itself. */
function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** `a\|b`, which is “or” in grep, as `a|b`; other escapes stay. */
function barsFreed(pattern: string): string {
  return pattern.replace(/\\(.)/gs, (whole, char) => char === "|" ? "|" : whole);
}
