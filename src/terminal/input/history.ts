/**
 * What was typed before, in this session and in others: the file of all sessions' lines is for the
 * user's eyes only.
 */
import {
  CURSOR_MARKER,
  decodeKittyPrintable,
  matchesKey,
  sliceByColumn,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { dirname } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type { Look } from "../transcript/rows.ts";
import { hide, picture } from "./pasted.ts";

const FILE_BYTES_AT_MOST = 2_000_000;
const ENTRY_BYTES_AT_MOST = 500_000;
/** Of each paste of an entry that is longer than that; halved until it fits. */
const PASTE_CHARS = 100_000;

/** How to keep a history. */
export interface HistoryFileOptions {
  readonly path: string;
  /** False: lines are read, none is written. */
  readonly write: boolean;
  /** Replaces keys in what is written; nothing is replaced when left out. */
  readonly redactAlways?: (text: string) => string;
}

/**
 * The history in a file of mode 0600. Several narnats may append at a time; a file that has grown
 * too long loses its older half, a line that cannot be read is passed over.
 */
export function historyFile(
  { path, write, redactAlways = (text) => text }: HistoryFileOptions,
): HistoryStore {
  return {
    async load() {
      try {
        const bytes = await Deno.readFile(path);
        if (write && bytes.length > FILE_BYTES_AT_MOST) shorten(path);
        return entriesIn(new TextDecoder().decode(bytes));
      } catch {
        return [];
      }
    },
    append(entry) {
      if (!write) return;
      const safe = mapTexts(entry, redactAlways);
      let bytes = bytesOf(safe);
      for (let chars = PASTE_CHARS; bytes.length > ENTRY_BYTES_AT_MOST && chars > 1; chars /= 2) {
        bytes = bytesOf(shortened(safe, chars));
      }
      try {
        Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
        // Whoever shortens the file holds it.
        file.lockSync(true);
        file.writeSync(bytes);
      } catch { /* a line that cannot be kept is no reason not to run it */ }
    },
  };
}

const bytesOf = (entry: Entry) => new TextEncoder().encode(JSON.stringify(entry) + "\n");

/** The entry with the beginning of each long text of it. */
function shortened(entry: Entry, chars: number): Entry {
  return mapTexts(
    entry,
    (whole) => whole.length <= chars ? whole : `${whole.slice(0, chars).toWellFormed()}\n…`,
  );
}

/** The entry with each text of it changed. */
function mapTexts({ text, pastes = {} }: Entry, change: (text: string) => string): Entry {
  const changed = Object.entries(pastes).map(([id, paste]) => [id, change(paste)]);
  return {
    text: change(text),
    ...changed.length > 0 ? { pastes: Object.fromEntries(changed) } : {},
  };
}

function entriesIn(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as Partial<Entry>;
      return typeof entry?.text === "string" && isPastes(entry.pastes) ? [entry as Entry] : [];
    } catch {
      return [];
    }
  });
}

function isPastes(pastes: unknown): boolean {
  return pastes === undefined ||
    typeof pastes === "object" && pastes !== null &&
      Object.values(pastes).every((text) => typeof text === "string");
}

/** Keeps the newer half, in place: who waits to append holds this very file. */
function shorten(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.lockSync(true);
  const bytes = Deno.readFileSync(path);
  const from = bytes.indexOf(10, Math.max(0, bytes.length - FILE_BYTES_AT_MOST / 2)) + 1;
  const kept = bytes.subarray(from);
  file.seekSync(0, Deno.SeekMode.Start);
  for (let done = 0; done < kept.length;) done += file.writeSync(kept.subarray(done));
  file.truncateSync(kept.length);
}

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

/** A walk through the history with Up and Down, over the lines that begin as the one being written. */
export class HistoryWalk {
  readonly #history: History;
  readonly #prefix: string;
  #at = -1;
  /** The line that was being written. */
  readonly draft: Entry;

  /** `prefix` is what stands before the cursor. */
  constructor(history: History, prefix: string, draft: Entry) {
    this.#history = history;
    this.#prefix = prefix;
    this.draft = draft;
  }

  /** The next older line; undefined, and no step, when there is none. */
  older(): Entry | undefined {
    const at = this.#find(this.#at + 1, 1);
    if (at >= 0) this.#at = at;
    return this.#history.at(at);
  }

  /** The next newer line; undefined when the draft is next. */
  newer(): Entry | undefined {
    this.#at = this.#find(this.#at - 1, -1);
    return this.#history.at(this.#at);
  }

  #find(from: number, step: 1 | -1): number {
    return this.#history.find(
      ({ text }) => text.startsWith(this.#prefix) && text !== this.draft.text,
      from,
      step,
    );
  }
}

const FOUND_ROWS = 5;

/** What a key did to a search; `take` and `pass` end it, the latter hands the key on. */
type SearchStep = "stay" | "take" | "pass" | "leave";

/** Ctrl-R: looks through the history while one types. */
export class HistorySearch {
  readonly #history: History;
  #at = -1;
  #query = "";
  /** True when nothing (more) was found. */
  #failed = false;

  constructor(history: History) {
    this.#history = history;
  }

  /** The line that is found. */
  get found(): Entry | undefined {
    return this.#history.at(this.#at);
  }

  /** Deals with a key. */
  key(data: string): SearchStep {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+g") || matchesKey(data, "ctrl+c")) {
      return "leave";
    }
    if (matchesKey(data, "enter")) return this.found ? "take" : "leave";
    if (matchesKey(data, "ctrl+r")) this.#look(this.#at + 1, 1);
    else if (matchesKey(data, "ctrl+s")) this.#look(this.#at - 1, -1);
    else if (matchesKey(data, "backspace")) this.#retype([...this.#query].slice(0, -1).join(""));
    else if (matchesKey(data, "ctrl+u")) this.#retype("");
    else {
      const typed = decodeKittyPrintable(data) ?? (data >= " " && data !== "\x7f" ? data : "");
      if (typed === "") return "pass";
      this.#retype(this.#query + hide(typed));
    }
    return "stay";
  }

  /** The line that is found, and below it what is looked for, which always has its room. */
  render({ style, t }: Look, focused: boolean, width: number): string[] {
    const lines = picture(hide(this.found ? shownEntry(this.found, t) : "")).split("\n");
    const more = lines.length - FOUND_ROWS;
    const rows = lines.slice(0, FOUND_ROWS).map((line, index) =>
      (index === 0 ? style.cyan("❯ ") : "  ") + style.dim(line)
    );
    if (more > 0) rows.push(style.dim(`  ${t("… {count} more", { count: more })}`));
    const whole = picture(this.#query);
    const query = sliceByColumn(whole, Math.max(0, visibleWidth(whole) + 1 - width), width);
    const label = `${t(this.#failed ? "not in the history" : "search history")}: `;
    const keys = `  ${t("ctrl-r older · enter takes it · esc goes back")}`;
    const cursor = (focused ? CURSOR_MARKER : "") + style.inverse(" ");
    let room = width - visibleWidth(query) - 1;
    const fitting = (text: string) => {
      if (visibleWidth(text) > room) return "";
      room -= visibleWidth(text);
      return style.dim(text);
    };
    return [...rows, fitting(label) + query + cursor + fitting(keys)];
  }

  #retype(query: string): void {
    const grown = query.startsWith(this.#query);
    this.#query = query;
    if (query !== "") return this.#look(grown ? Math.max(0, this.#at) : 0, 1);
    this.#at = -1;
    this.#failed = false;
  }

  #look(from: number, step: 1 | -1): void {
    const query = this.#query.toLowerCase();
    if (query === "") return;
    const at = this.#history.find(({ text }) => text.toLowerCase().includes(query), from, step);
    this.#failed = at < 0;
    if (at >= 0) this.#at = at;
  }
}
