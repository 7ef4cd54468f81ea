/** What became of earlier conversations: `memory/history.jsonl`, which only grows at its end. */
import { FileError, mustBeFile } from "../base/errors.ts";
import { under } from "../base/path.ts";
import { besideOf } from "./memory_files.ts";

/** One line of the file. */
export interface HistoryEntry {
  /** From 1; each line's is higher than the one before. */
  readonly cursor: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly content: string;
  /** Id of the session it tells of. */
  readonly session: string;
}

export interface History {
  /** Puts an entry on disk, without what looks like a key. Throws when the disk will not take it. */
  append(content: string, session: string): HistoryEntry;
  /** The entries behind a cursor, oldest first; unreadable lines are passed over. */
  read(after?: number): HistoryEntry[];
  /** The last entries, as many as stand in the last 64 KB; none where the file cannot be read. */
  recent(): HistoryEntry[];
  /** Leaves the newest `most` entries, and those behind the cursor `read`. */
  compact(read: number, most: number): void;
}

const RECENT_BYTES = 64 * 1024;

/** The history in a memory folder; undefined keeps it in memory only. */
export function createHistory(
  dir: string | undefined,
  now: () => Date,
  redactAlways: (text: string) => string = (text) => text,
): History {
  return dir === undefined ? keptHistory(now, redactAlways) : storedHistory(dir, now, redactAlways);
}

const nextOf = (before: readonly HistoryEntry[]) => (before.at(-1)?.cursor ?? 0) + 1;

function keptHistory(now: () => Date, redactAlways: (text: string) => string): History {
  let kept: HistoryEntry[] = [];
  return {
    read: (after = 0) => kept.filter(({ cursor }) => cursor > after),
    recent: () => kept.slice(-50),
    append(content, session) {
      const timestamp = now().toISOString();
      const entry = { cursor: nextOf(kept), timestamp, content: redactAlways(content), session };
      kept.push(entry);
      return entry;
    },
    compact: (read, most) => void (kept = compacted(kept, read, most)),
  };
}

function storedHistory(
  dir: string,
  now: () => Date,
  redactAlways: (text: string) => string,
): History {
  const path = under(dir, "history.jsonl");
  return {
    read: (after = 0) => parse(readText(path)).filter(({ cursor }) => cursor > after),
    recent: () => parse(readTail(path)),
    append: (content, session) =>
      alone(dir, () => {
        mustBeFile(path);
        const text = readText(path);
        const timestamp = now().toISOString();
        const entry = {
          cursor: nextOf(parse(text)),
          timestamp,
          content: redactAlways(content),
          session,
        };
        // behind a torn line this one would be lost with it
        const begin = text === "" || text.endsWith("\n") ? "" : "\n";
        write(path, begin + JSON.stringify(entry) + "\n", { append: true });
        return entry;
      }),
    compact: (read, most) =>
      alone(dir, () => {
        const entries = parse(readText(path));
        const left = compacted(entries, read, most);
        if (left.length === entries.length) return;
        const text = left.map((entry) => JSON.stringify(entry) + "\n").join("");
        const beside = besideOf(path);
        write(beside, text, { createNew: true });
        Deno.renameSync(beside, path);
      }),
  };
}

function compacted(entries: HistoryEntry[], read: number, most: number): HistoryEntry[] {
  const oldest = entries.length - most;
  return entries.filter(({ cursor }, at) => at >= oldest || cursor > read);
}

/** Runs `work` while no other narnat is at the memory of this workspace. */
export function alone<T>(dir: string, work: () => T): T {
  Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
  mustBeFile(under(dir, ".lock"));
  const lock = Deno.openSync(under(dir, ".lock"), { write: true, create: true, mode: 0o600 });
  try {
    lock.lockSync(true);
    return work();
  } finally {
    lock.close();
  }
}

function write(path: string, text: string, how: Deno.OpenOptions): void {
  const file = Deno.openSync(path, { ...how, write: true, create: true, mode: 0o600 });
  try {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    file.syncDataSync();
  } finally {
    file.close();
  }
}

function readText(path: string): string {
  try {
    if (!Deno.statSync(path).isFile) throw new FileError("not_regular", `"${path}" is no file`);
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** The end of a file, cut where it may be: its first line is whole or unreadable. Empty where it cannot be read. */
function readTail(path: string): string {
  try {
    if (!Deno.statSync(path).isFile) return "";
    using file = Deno.openSync(path);
    const from = Math.max(0, file.statSync().size - RECENT_BYTES);
    file.seekSync(from, Deno.SeekMode.Start);
    const bytes = new Uint8Array(RECENT_BYTES);
    let length = 0;
    for (let n = file.readSync(bytes); n; n = file.readSync(bytes.subarray(length))) length += n;
    return new TextDecoder().decode(bytes.subarray(0, length));
  } catch {
    return "";
  }
}

function parse(text: string): HistoryEntry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as HistoryEntry;
      return Number.isInteger(entry?.cursor) && typeof entry.content === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}
