import type { Searcher } from "../search/mod.ts";
import type { PatternError } from "../search/regex/syntax.ts";
import type { GrepFound, GrepQuery } from "../search/types.ts";
import { say } from "../text.ts";
import type { Lang } from "../types.ts";
import { walkNotes } from "./search_notes.ts";

const SHOWN_BESIDE = 40;
const SECOND_TRY_MS = 1000;

/** Says what is wrong with a regular expression, and shows where. */
export function badRegexText(error: PatternError, lang: Lang): string {
  const { reason, pattern, at, found } = error;
  const before = pattern.slice(0, at);
  const left = oneLine(before.split("\n").at(-1)!.slice(-SHOWN_BESIDE));
  const right = oneLine(pattern.slice(at).split("\n")[0]!.slice(0, SHOWN_BESIDE));
  // a wide blank for each character that is likely to be wide
  const gap = left.replace(/[^]/gu, (each) => each < "\x80" ? " " : "\u3000");
  return say(lang, "grep.bad_regex", {
    why: say(lang, `grep.regex.${reason}`, { found: oneLine(found) }),
    column: [...before].length + 1,
    place: `${left}${right}\n${gap}^`,
  });
}

function oneLine(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, " ");
}

/** What the model should know of a result besides its lines, a sentence each. */
export function grepNotes(found: GrepFound, query: GrepQuery, lang: Lang): string[] {
  const notes: string[] = [];
  const total = query.mode === "content" ? found.matches : found.matchedFiles;
  const shown = Math.max(0, Math.min(query.limit, total - query.offset));
  if (total > 0 && shown < total) {
    const key = query.mode === "content" ? "grep.cut" : "grep.cut_files";
    const first = query.offset + 1;
    const last = query.offset + shown;
    notes.push(say(lang, key, { first, last, total, files: found.matchedFiles, next: last }));
  }
  notes.push(...walkNotes(found.report, lang, total > 0 ? found.stopped : undefined));
  if (found.slow > 0) notes.push(say(lang, "grep.slow", { count: found.slow }));
  if (found.cut > 0) notes.push(say(lang, "grep.cut_binary", { count: found.cut }));
  if (found.binary > 0) notes.push(say(lang, "grep.binary", { count: found.binary }));
  if (found.unopened > 0) notes.push(say(lang, "grep.unopened", { count: found.unopened }));
  if (found.tooLarge > 0) notes.push(say(lang, "grep.too_large", { count: found.tooLarge }));
  return notes;
}

/** Looks for what a query that found nothing may have meant; returns a hint only where that would find something. */
export async function hintFor(
  found: GrepFound,
  query: GrepQuery,
  searcher: Searcher,
  lang: Lang,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (found.matches > 0 || found.stopped) return undefined;
  if (found.searched === 0) {
    return found.binary === 0 ? say(lang, "grep.no_files") : undefined;
  }
  const { patterns, literal, ignoreCase, multiline } = query;
  const some = (test: RegExp) => patterns.some((each) => test.test(each));
  if (!multiline && some(literal ? /\n/ : /\\[nR]|\n/)) return say(lang, "grep.try_multiline");
  const tries = [
    !literal && some(/\\\|/)
      ? { key: "grep.try_bar", change: { patterns: patterns.map(barsFreed) } } as const
      : undefined,
    !literal && some(/[\\^$.*+?()[\]{}|]/)
      ? { key: "grep.try_literal", change: { literal: true } } as const
      : undefined,
    !ignoreCase && some(/\p{L}/u)
      ? { key: "grep.try_case", change: { ignoreCase: true } } as const
      : undefined,
  ];
  const files = { mode: "files", limit: 1, offset: 0, deadlineMs: SECOND_TRY_MS } as const;
  for (const each of tries) {
    if (!each) continue;
    const second = await searcher.grep({ ...query, ...each.change, ...files }, signal);
    if (second.stopped) return undefined;
    const count = second.matchedFiles;
    if (count > 0) return say(lang, each.key, { count });
  }
  return undefined;
}

/** `a\|b`, which is “or” in grep, as `a|b`; other escapes stay. */
function barsFreed(pattern: string): string {
  return pattern.replace(/\\(.)/gs, (whole, char) => char === "|" ? "|" : whole);
}
