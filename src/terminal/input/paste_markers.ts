import { say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import type { Entry } from "./history.ts";

/** What pi-tui's editor writes for a large paste: its number, and how it counts. */
export const MARKER = /\[paste #(\d+)(?: (?:\+\d+ (lines)|\d+ chars))?\]/g;

/** The markers of pastes as people read them, never wider than pi-tui's; any other text stays. */
export function sayMarkers(
  text: string,
  lang: Lang,
  pasteOf: (id: string) => string | undefined,
): string {
  if (!text.includes("[paste #")) return text;
  return text.replace(MARKER, (marker, id: string, lines: string | undefined) => {
    const paste = pasteOf(id);
    if (paste === undefined) return marker;
    if (lines === undefined) return say(lang, "screen.paste_chars", { id, count: paste.length });
    return say(lang, "screen.paste_lines", { id, count: countLines(paste) });
  });
}

/** How an entry looks, its pastes as markers. */
export function shownEntry({ text, pastes }: Entry, lang: Lang): string {
  return sayMarkers(text, lang, (id) => pastes?.[id]);
}

/** The newline at the end is no line. */
function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
