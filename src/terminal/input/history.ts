/** What was typed before, in this session and in others. */
import type { T } from "../../base/t.ts";

/** What pi-tui's editor writes for a large paste: its number, and how it counts. */
export const MARKER = /\[paste #(\d+)(?: (?:\+\d+ (lines)|\d+ chars))?\]/g;

/** The markers of pastes as people read them, never wider than pi-tui's; any other text stays. */
export function sayMarkers(
  text: string,
  t: T,
  pasteOf: (id: string) => string | undefined,
): string {
  if (!text.includes("[paste #")) return text;
  return text.replace(MARKER, (marker, id: string, lines: string | undefined) => {
    const paste = pasteOf(id);
    if (paste === undefined) return marker;
    if (lines === undefined) return t("[paste #{id} {count} chars]", { id, count: paste.length });
    return t("[paste #{id} +{count} lines]", { id, count: countLines(paste) });
  });
}

/** How an entry looks, its pastes as markers. */
export function shownEntry({ text, pastes }: Entry, t: T): string {
  return sayMarkers(text, t, (id) => pastes?.[id]);
}

/** The newline at the end is no line. */
function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** A submitted line: `text` as it stood in the editor, and what its paste markers stand for. */
export interface Entry {
  readonly text: string;
  /** By number of the marker. */
  readonly pastes?: { readonly [number: string]: string };
}

/** Where lines are kept between sessions. */
export interface HistoryStore {
  /** Resolves with the lines, oldest first; with none when they cannot be read. */
  load(): Promise<readonly Entry[]>;
  /** Never throws. */
  append(entry: Entry): void;
}

const ENTRIES_AT_MOST = 1000;

/** The lines, the newest first; of equal ones only the newest is there. */
export class History {
  readonly #store: HistoryStore | undefined;
  #entries: Entry[] = [];

  constructor(store?: HistoryStore) {
    this.#store = store;
  }

  /** Puts the stored lines behind those of this session. */
  async load(): Promise<void> {
    const stored = await this.#store?.load() ?? [];
    const known = new Set(this.#entries.map(keyOf));
    for (const entry of stored.toReversed()) {
      if (this.#entries.length >= ENTRIES_AT_MOST) break;
      const key = keyOf(entry);
      if (known.has(key)) continue;
      known.add(key);
      this.#entries.push(entry);
    }
  }

  /** Keeps a line; one that begins with a blank is private, as in a shell. */
  add(entry: Entry): void {
    if (entry.text.trim() === "" || /^\s/.test(entry.text)) return;
    const key = keyOf(entry);
    if (this.#entries[0] && keyOf(this.#entries[0]) === key) return;
    this.#entries = [entry, ...this.#entries.filter((one) => keyOf(one) !== key)]
      .slice(0, ENTRIES_AT_MOST);
    this.#store?.append(entry);
  }

  at(index: number): Entry | undefined {
    return this.#entries[index];
  }

  /** The nearest line from `from` on that passes, going by `step` (1: older); -1 when there is none. */
  find(passes: (entry: Entry) => boolean, from: number, step: 1 | -1): number {
    for (let at = from; at >= 0 && at < this.#entries.length; at += step) {
      if (passes(this.#entries[at]!)) return at;
    }
    return -1;
  }
}

const keyOf = ({ text, pastes }: Entry) => pastes ? JSON.stringify([text, pastes]) : text;
