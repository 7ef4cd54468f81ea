/** Everything that was said in a workspace, found by words. */
import type { DatabaseSync } from "node:sqlite";
import type { SearchHit, SearchHits } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { errorMessage, mustBeFile } from "../../base/errors.ts";
import { TASK } from "../../session/task_notes.ts";
import {
  find,
  hasAll,
  OtherVersion,
  type Place,
  prepare,
  queryOf,
  readLine,
  snippetOf,
  update,
  wordsOf,
} from "./index.ts";
import { MEMORY_FILES } from "../../session/memory_files.ts";

const MOST = 20;
const EACH = 3;
/** Milliseconds to wait for another narnat that is writing the index. */
const PATIENCE = 30_000;
/** SQLite's words; not all of its errors bring a code. */
const BUSY = /is locked/;
const SPOILT = /malformed|not a database/;

export interface ArchiveOptions {
  /** Folder of the session files. */
  readonly sessions: string;
  /** Folder of the memory files and the history. */
  readonly memory: string;
  /** File of the index; undefined keeps it in memory. */
  readonly index: string | undefined;
  readonly t: T;
}

/** All stored sessions of a workspace and its history; nothing is read before the first search. */
export interface Archive {
  /**
   * Finds messages with all the words, the newest first, no more than three of one session, behind
   * the lines of the memory files. `tell` hears what takes long. Rejects in words for the user.
   */
  search(words: string, tell?: (text: string) => void): Promise<SearchHits>;
  close(): void;
}

export function createArchive(options: ArchiveOptions): Archive {
  const { t } = options;
  let opened: DatabaseSync | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Takes in what is new, then looks. */
  async function look(
    index: string | undefined,
    query: string,
    tell: Tell,
  ): Promise<readonly Place[]> {
    const db = opened ??= await open(index);
    await patiently(() =>
      update(db, filesOf(options), (files, bytes) => {
        tell(
          t(
            "Indexing {files} {files:file|files} ({mb} MB), which takes some seconds; later searches read only what is new",
            { files, mb: Math.ceil(bytes / 1e6) },
          ),
        );
      })
    );
    return await patiently(() => find(db, query, EACH));
  }

  async function places(query: string, tell: Tell): Promise<readonly Place[]> {
    const { index } = options;
    try {
      return await look(index, query, tell);
    } catch (error) {
      opened?.close();
      opened = undefined;
      if (closed) throw error;
      if (BUSY.test(errorMessage(error)) || index === undefined) throw error;
      if (!SPOILT.test(errorMessage(error)) && !(error instanceof OtherVersion)) {
        // where the file cannot be written, the search is as good, and slower
        return await look(undefined, query, tell);
      }
      // all that is in it can be told again
      removeIndex(index);
      return await look(index, query, tell);
    }
  }

  async function search(text: string, tell: Tell): Promise<SearchHits> {
    const words = wordsOf(text);
    if (words.length === 0) {
      throw new Error(t("Cannot search: name at least one word with a letter or a digit"));
    }
    const found = await places(queryOf(words), tell).catch((error) => {
      if (BUSY.test(errorMessage(error))) {
        throw new Error(
          t("Cannot search: another narnat holds the index all the time; try again later"),
        );
      }
      throw new Error(t("Cannot search: {why}", { why: errorMessage(error) }));
    });
    const hits = linesOf(options.memory, words);
    for (const place of found) {
      const hit = hitAt(place, words, stored);
      if (hits.length > MOST) break;
      if (hit) hits.push(hit);
    }
    return { hits: hits.slice(0, MOST), more: hits.length > MOST };
  }

  /** Whether a session is on disk. */
  function stored(id: string): boolean {
    try {
      return id !== "" && Deno.statSync(under(options.sessions, `${id}.jsonl`)).isFile;
    } catch {
      return false;
    }
  }

  return {
    search(words, tell = () => {}) {
      const next = last.then(() => search(words, tell));
      last = next.catch(() => {});
      return next;
    },
    close() {
      closed = true;
      opened?.close();
      opened = undefined;
    },
  };
}

async function open(index: string | undefined): Promise<DatabaseSync> {
  const { DatabaseSync } = await import("node:sqlite");
  // SQLite makes files that everybody may read
  if (index !== undefined) {
    mustBeFile(index);
    Deno.openSync(index, { append: true, create: true, mode: 0o600 }).close();
  }
  const db = new DatabaseSync(index ?? ":memory:");
  try {
    await patiently(() => prepare(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function removeIndex(path: string): void {
  for (const file of [path, `${path}-journal`]) {
    try {
      Deno.removeSync(file);
    } catch { /* another narnat was quicker */ }
  }
}

/** Does the work again while another narnat holds the index. */
async function patiently<V>(work: () => V | Promise<V>): Promise<V> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!BUSY.test(errorMessage(error)) || performance.now() > end) throw error;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}

type Tell = (text: string) => void;

function filesOf({ sessions, memory }: ArchiveOptions): string[] {
  let names: string[] = [];
  try {
    names = [...Deno.readDirSync(sessions)].map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const files = names.filter((name) => name.endsWith(".jsonl")).map((name) =>
    under(sessions, name)
  );
  return [...files.sort(), under(memory, "history.jsonl")];
}

/** The lines of the memory files with all the words; the files are short. */
function linesOf(memory: string, words: readonly string[]): SearchHit[] {
  return MEMORY_FILES.flatMap((name) => {
    try {
      const path = under(memory, name);
      mustBeFile(path);
      const lines = Deno.readTextFileSync(path).split("\n").filter((line) => hasAll(line, words));
      const time = Deno.statSync(path).mtime?.toISOString() ?? "";
      return lines.map((line): SearchHit => ({
        session: name,
        time,
        who: "memory",
        snippet: snippetOf(line, words),
      }));
    } catch {
      return [];
    }
  });
}

/**
 * Reads what was found where it stands; undefined where it is gone meanwhile, or only repeats what
 * a stored session says itself.
 */
function hitAt(
  { path, at, length }: Place,
  words: readonly string[],
  stored: (session: string) => boolean,
): SearchHit | undefined {
  const bytes = new Uint8Array(length);
  try {
    using file = Deno.openSync(path);
    file.seekSync(at, Deno.SeekMode.Start);
    for (let done = 0; done < length;) {
      const count = file.readSync(bytes.subarray(done));
      if (count === null) return undefined;
      done += count;
    }
  } catch {
    return undefined;
  }
  const line = readLine(new TextDecoder().decode(bytes));
  if (!line || line.kind === "retract") return undefined;
  const { who, text, time, session } = line.found;
  if (who === "history" && text.startsWith(TASK) && stored(session ?? "")) return undefined;
  const id = session ?? /[^/\\]*(?=\.jsonl$)/.exec(path)?.[0] ?? "";
  return { session: id, time, who, snippet: snippetOf(text, words) };
}
