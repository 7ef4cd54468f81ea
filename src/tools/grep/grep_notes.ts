import type { Searcher } from "../../search/mod.ts";
import { PatternError } from "../../search/regex/syntax.ts";
import type { GrepFound, GrepQuery } from "../../search/types.ts";
import { say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { excerpt } from "../excerpt.ts";
import { isUnclosed } from "../glob/globs.ts";
import { walkNotes } from "../files.ts";

const SHOWN_BESIDE = 40;

/** Says what is wrong with a regular expression, and shows where. */
export function badRegexText(error: PatternError, lang: Lang): string {
  const { reason, pattern, at, found } = error;
  const before = pattern.slice(0, at);
  const left = oneLine(before.split("\n").at(-1)!.slice(-SHOWN_BESIDE));
  const right = oneLine(pattern.slice(at).split("\n")[0]!.slice(0, SHOWN_BESIDE));
  // a wide blank for each character that is likely to be wide
  const gap = left.replace(/[^]/gu, (each) => each < "\x80" ? " " : "\u3000");
  return say(lang, "grep.bad_regex", {
    why: say(lang, `grep.regex.${reason}`, { found: excerpt(oneLine(found)) }),
    column: [...before].length + 1,
    place: `${left}${right}\n${gap}^`,
  });
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
  lang: Lang,
  cut = false,
): string[] {
  const notes = found.matches > 0 ? pageNotes(found, query, shown, lang, cut) : [];
  notes.push(...walkNotes(found.report, lang, found.matches > 0 ? found.stopped : undefined));
  if (found.slow > 0) notes.push(say(lang, "grep.slow", { count: found.slow }));
  if (found.cut > 0) notes.push(say(lang, "grep.cut_binary", { count: found.cut }));
  if (found.binary > 0) notes.push(say(lang, "grep.binary", { count: found.binary }));
  if (found.unopened > 0) notes.push(say(lang, "grep.unopened", { count: found.unopened }));
  if (found.tooLarge > 0) notes.push(say(lang, "grep.too_large", { count: found.tooLarge }));
  return notes;
}

/** Which part of the whole is shown, and how to go on. */
function pageNotes(
  found: GrepFound,
  query: GrepQuery,
  shown: number,
  lang: Lang,
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
    const key = content ? "grep.past_end" : "grep.past_end_files";
    return [say(lang, key, { ...values, offset: query.offset })];
  }
  if (!counted) return [say(lang, "grep.too_long")];
  if (last < total) return [say(lang, content ? "grep.cut" : "grep.cut_files", values)];
  const end = query.offset > 0
    ? [say(lang, content ? "grep.last" : "grep.last_files", values)]
    : [];
  return cut ? [say(lang, "grep.too_long"), ...end] : end;
}

/** What a search that found nothing was, and what a hint may cost. */
export interface HintQuestion {
  readonly found: GrepFound;
  readonly query: GrepQuery;
  readonly searcher: Searcher;
  readonly lang: Lang;
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
  const { found, query, searcher, lang, signal, name, ms } = question;
  if (found.matches > 0 || found.stopped) return undefined;
  if (found.searched === 0) return found.binary === 0 ? whyNoFile(query, lang) : undefined;
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
    for (const { key, patterns, multiline } of readings) {
      const only = { root, folder: false, globs: [], types: [], literal: false };
      if (await look({ patterns, multiline, ...only }) !== undefined) {
        return say(lang, key, { file: name(path) });
      }
    }
  } catch (error) {
    // a reading need not be a valid expression
    if (!(error instanceof PatternError)) throw error;
  }
  return undefined;
}

function whyNoFile(query: GrepQuery, lang: Lang): string {
  const unclosed = query.globs.find(isUnclosed);
  if (unclosed !== undefined) return say(lang, "glob.unclosed", { pattern: excerpt(unclosed) });
  const away = query.globs.find((glob) => /^(~|\.\.)?\/./.test(glob) && !glob.startsWith("!"));
  const hint = say(lang, "grep.no_files");
  return away === undefined ? hint : hint + say(lang, "grep.glob_away", { glob: excerpt(away) });
}

/** One thing that patterns may have meant. */
interface Reading {
  readonly key: "grep.try_multiline" | "grep.try_bar" | "grep.try_literal" | "grep.try_case";
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
    readings.push({ key: "grep.try_multiline", patterns: regexes, multiline: true });
  }
  if (!literal && some(/\\\|/)) {
    readings.push({ key: "grep.try_bar", patterns: patterns.map(barsFreed), multiline });
  }
  if (!literal && some(/[\\^$*+?()[\]{}]/, (each) => each.replace(/\.[*+?]?/g, ""))) {
    readings.push({ key: "grep.try_literal", patterns: patterns.map(quoted), multiline });
  }
  if (!ignoreCase && some(/\p{Ll}|\p{Lu}/u, literal ? undefined : withoutEscapes)) {
    const either = regexes.map((each) => `(?i)${each}`);
    readings.push({ key: "grep.try_case", patterns: either, multiline });
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
