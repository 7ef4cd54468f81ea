import { say } from "../text.ts";
import type { Lang } from "../types.ts";
import type { Stopped, WalkReport } from "../search/types.ts";

const FOLDERS_NAMED = 3;

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
    const names = unreadable.slice(0, FOLDERS_NAMED).map(name).join(", ") +
      (unreadable.length > FOLDERS_NAMED ? ", …" : "");
    notes.push(say(lang, "search.unreadable", { count: unreadable.length, names }));
  }
  if (unnameable > 0) notes.push(say(lang, "search.unnameable", { count: unnameable }));
  if (dependencies > 0) notes.push(say(lang, "search.dependencies"));
  return notes;
}
