import { say } from "../base/text.ts";
import type { Lang } from "../base/types.ts";
import type { Stopped, WalkReport } from "../search/types.ts";

const FOLDERS_NAMED = 3;

/** A path on one line of a result, whatever is in its name. */
export function onOneLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

/**
 * What a walk left out, a sentence each; a model must not take silence for completeness. `name`
 * makes a folder's path from one relative to the walk's root.
 */
export function walkNotes(
  report: WalkReport,
  lang: Lang,
  stopped?: Stopped,
  name: (path: string) => string = (path) => path,
): string[] {
  const notes: string[] = [];
  const { unreadable, unnameable, dependencies } = report;
  if (stopped === "deadline") notes.push(say(lang, "search.deadline"));
  if (unreadable.length > 0) {
    const names = listed(unreadable.map(name), FOLDERS_NAMED);
    notes.push(say(lang, "search.unreadable", { count: unreadable.length, names }));
  }
  if (unnameable > 0) notes.push(say(lang, "search.unnameable", { count: unnameable }));
  if (dependencies > 0) notes.push(say(lang, "search.dependencies"));
  return notes;
}

/** The first names, and a mark when there are more. */
export function listed(names: readonly string[], most: number): string {
  return names.slice(0, most).join(", ") + (names.length > most ? ", …" : "");
}
