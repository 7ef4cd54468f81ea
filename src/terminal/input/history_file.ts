/** The lines of all sessions of a user: JSON Lines, oldest first, for that user's eyes only. */
import { dirname } from "../../base/path.ts";
import type { Entry, HistoryStore } from "./history.ts";

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
  readonly mask?: (text: string) => string;
}

/**
 * The history in a file of mode 0600. Several narnats may append at a time; a file that has grown
 * too long loses its older half, a line that cannot be read is passed over.
 */
export function historyFile(
  { path, write, mask = (text) => text }: HistoryFileOptions,
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
      const safe = mapTexts(entry, mask);
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
