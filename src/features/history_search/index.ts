/** The index of what can be found in files of lines that grow at their end. */
import type { DatabaseSync } from "node:sqlite";
import { HOST_MARK } from "../../base/t.ts";
import type { SearchHit } from "../../base/types.ts";

/** Characters; a word far inside a long text is seldom what is remembered of it. */
const MOST_TEXT = 100_000;
const MOST_INPUT = 4_000;
const RESULT_HEAD = 300;
const RESULT_TAIL = 500;

/** One thing that can be found. */
interface Found {
  readonly who: SearchHit["who"];
  readonly text: string;
  /** ISO 8601. */
  readonly time: string;
  /** Where the line tells it itself. */
  readonly session?: string;
}

/** A message counts even where nothing of it can be found: a later line may take it back. */
type Line =
  | { readonly kind: "message" | "other"; readonly found: Found }
  | { readonly kind: "retract" };

// deno-lint-ignore no-explicit-any -- what stands in a file may be anything
type Loose = any;

/** Reads a line; undefined for one that says nothing to be found. */
export function readLine(line: string): Line | undefined {
  let entry: Loose;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  const time = text(entry?.time ?? entry?.timestamp);
  switch (entry?.type) {
    case "message": {
      const found = ofMessage(entry.message);
      return found && { kind: "message", found: { ...found, time } };
    }
    case "retract":
      return { kind: "retract" };
    case "session": {
      const summary = text(entry.carried?.summary);
      if (summary === "") return undefined;
      return { kind: "other", found: { who: "summary", text: summary, time } };
    }
    case undefined: {
      if (typeof entry?.content !== "string") return undefined;
      const found = { text: entry.content.slice(0, MOST_TEXT), time, session: text(entry.session) };
      return { kind: "other", found: { who: "history", ...found } };
    }
  }
  return undefined;
}

function ofMessage(message: Loose): { who: Found["who"]; text: string } | undefined {
  const said = text(message?.text).slice(0, MOST_TEXT);
  switch (message?.role) {
    case "user":
      // the host's own words come again and again
      return { who: "user", text: said.startsWith(HOST_MARK) ? "" : said };
    case "assistant": {
      const calls = Array.isArray(message.calls) ? message.calls : [];
      return { who: "assistant", text: [said, ...calls.map(ofCall)].join("\n") };
    }
    case "tool": {
      const head = said.slice(0, RESULT_HEAD);
      const tail = said.slice(Math.max(RESULT_HEAD, said.length - RESULT_TAIL));
      return { who: "tool", text: `${text(message.name)} ${head}\n${tail}` };
    }
  }
  return undefined;
}

/** A call's name and the values of its input. */
function ofCall(call: Loose): string {
  const values: string[] = [text(call?.name)];
  const take = (value: unknown) => {
    if (typeof value === "string") values.push(value);
    else if (typeof value === "number") values.push(String(value));
    else if (value !== null && typeof value === "object") Object.values(value).forEach(take);
  };
  try {
    take(JSON.parse(text(call?.input)));
  } catch {
    values.push(text(call?.input));
  }
  return values.join(" ").slice(0, MOST_INPUT);
}

const text = (value: unknown) => typeof value === "string" ? value : "";

/** Scripts written without blanks, Chinese above all: each of their characters is a word of the index. */
const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u318f\\u31a0-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc";
/** Beyond those, characters of two units. */
const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]|[\\ud840-\\ud8ff][\\udc00-\\udfff]`, "g");
const WIDE_LETTER = /[\uff10-\uff5a]/;
const HUMP = /([a-z0-9])(?=[A-Z])/g;
const BEHIND_HUMP = /(?<=[a-z0-9])[A-Z]\w*/g;
const WORDLIKE = /[\p{L}\p{N}]/u;

const BEFORE_HIT = 30;
const SNIPPET = 110;

/**
 * Text for the index's own tokenizer: any run of Chinese characters is found, wherever a dictionary
 * would cut it, and `Keeper` in `createKeeper`.
 */
function indexed(text: string): string {
  const spaced = spacedText(text);
  const parts = text.match(BEHIND_HUMP);
  return parts ? `${spaced} ${parts.join(" ").replace(HUMP, "$1 ")}` : spaced;
}

/** Letters of a character's width become those of a letter's. */
function spacedText(text: string): string {
  const plain = WIDE_LETTER.test(text) ? text.normalize("NFKC") : text;
  return plain.replace(UNSPACED_CHARACTER, " $& ");
}

/** What a person looks for: words, or several in quotes as one. Those without a letter or digit are none. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([all, quoted]) => (quoted ?? all).trim())
    .filter((word) => WORDLIKE.test(word));
}

/** The words as a query: all of them, each the beginning of a word at least. */
export function queryOf(words: readonly string[]): string {
  return words.map((word) => {
    const spaced = spacedText(word);
    // a character is whole
    return `"${spaced}"` + (spaced.endsWith(" ") ? "" : "*");
  }).join(" AND ");
}

/** One line around the first word that is found, each marked «so». */
export function snippetOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const marks = (boundary: string) => {
    const any = words.map((word) => boundary + pattern(word)).join("|");
    return new RegExp(any, "giu");
  };
  const whole = marks(BEGINNING);
  const mark = flat.search(whole) >= 0 ? whole : marks("");
  const at = Math.max(0, flat.search(mark));
  const from = at <= BEFORE_HIT ? 0 : at - BEFORE_HIT;
  const piece = flat.slice(from, from + SNIPPET).toWellFormed().replaceAll("\ufffd", "");
  const marked = piece.replace(mark, "«$&»");
  return `${from > 0 ? "…" : ""}${marked}${from + SNIPPET < flat.length ? "…" : ""}`;
}

/** Whether all the words stand in a text, each as the beginning of a word as far as words are parted. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const spaced = indexed(text);
  return words.every((word) => new RegExp(BEGINNING + pattern(word), "iu").test(spaced));
}

const BEGINNING = "(?<![\\p{L}\\p{N}])";

/** A word as the index finds it, whatever stands between its parts. */
function pattern(word: string): string {
  return word.replace(UNSPACED_CHARACTER, " $& ").split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "").join("[^\\p{L}\\p{N}]*");
}

/** Of the tables and of what is put into them; an index of another version is made anew. */
const VERSION = 2;
/** Bytes that are read before others have their turn, and that are put on disk together. */
const PIECE = 1 << 20;
const MOST = 32 << 20;
/** Bytes that take seconds. */
const MUCH = 8 << 20;
/** Places that are looked at for the newest of each file. */
const LOOKED_AT = 1_000;
/** Bytes at the end of what was read, by which a file is known to have only grown. */
const TAIL = 64;

const TABLES = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime INTEGER, done INTEGER, tail BLOB
  );
  CREATE TABLE found (
    id INTEGER PRIMARY KEY, file INTEGER, at INTEGER, length INTEGER, message INTEGER, time INTEGER
  );
  CREATE INDEX found_file ON found (file);
  CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1);
  INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
  PRAGMA user_version = ${VERSION};
`;

/** Where something was found. */
export interface Place {
  readonly path: string;
  /** Of the line, in bytes. */
  readonly at: number;
  readonly length: number;
}

interface FileRow {
  readonly id: number;
  readonly size: number;
  readonly mtime: number;
  readonly done: number;
  readonly tail: Uint8Array;
}

/** Makes what an index needs; throws where the file is none, or locked. */
export function prepare(db: DatabaseSync): void {
  db.exec("PRAGMA busy_timeout = 50; PRAGMA temp_store = MEMORY");
  inTransaction(db, () => {
    const { user_version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
    if (user_version === VERSION) return;
    if (user_version !== 0) throw new OtherVersion();
    db.exec(TABLES);
  });
}

/** The index was made by another narnat. */
export class OtherVersion extends Error {}

/** The newest first, no more than `each` messages of one file; not all where there are very many. */
export function find(db: DatabaseSync, query: string, each: number): Place[] {
  const rows = db.prepare(`
    SELECT path, at, length, message FROM (
      SELECT * FROM found WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)
      ORDER BY time DESC, id DESC LIMIT ?
    ) AS newest JOIN files ON files.id = newest.file ORDER BY time DESC, newest.id DESC
  `).all(query, LOOKED_AT) as unknown as (Place & { message: number })[];
  const ofFile = new Map<string, number>();
  return rows.filter(({ path, message }) => {
    const count = (ofFile.get(path) ?? 0) + 1;
    ofFile.set(path, count);
    return !message || count <= each;
  });
}

/**
 * Takes in what has changed; `onMuch` hears of how many files and bytes that is before a long work.
 * Between pieces others have their turn. Rejects when the index is locked.
 */
export async function update(
  db: DatabaseSync,
  paths: readonly string[],
  onMuch: (files: number, bytes: number) => void,
): Promise<void> {
  const known = new Map(
    db.prepare("SELECT path, size, mtime FROM files").all().map((row) => [String(row.path), row]),
  );
  const present = new Set(paths);
  const gone = [...known.keys()].filter((path) => !present.has(path));
  if (gone.length > 0) inTransaction(db, () => gone.forEach((path) => forget(db, path)));
  let bytes = 0;
  const changed = paths.filter((path) => {
    const info = statOf(path);
    const before = known.get(path);
    if (!info || (before?.size === info.size && before.mtime === info.mtime)) return false;
    bytes += info.size - Math.max(0, Number(before?.size ?? 0));
    return true;
  });
  if (bytes > MUCH) onMuch(changed.length, bytes);
  for (let rest = [...changed]; rest.length > 0;) rest = await takeSome(db, rest);
}

/** Takes in some megabytes, wholly or not at all; returns the files that are not done. */
async function takeSome(db: DatabaseSync, files: readonly string[]): Promise<string[]> {
  const rest = [...files];
  db.exec("BEGIN IMMEDIATE");
  try {
    for (let left = MOST; rest.length > 0 && left > 0;) {
      for (let piece = PIECE; rest.length > 0 && piece > 0;) {
        const taken = takePiece(db, rest[0]!, piece);
        piece -= Math.max(taken.bytes, 1);
        left -= taken.bytes;
        if (taken.whole) rest.shift();
      }
      // a search may be asked for while a turn runs
      if (rest.length > 0) await new Promise((wake) => setTimeout(wake));
    }
    db.exec("COMMIT");
    return rest;
  } catch (error) {
    if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function statOf(path: string): { size: number; mtime: number } | undefined {
  try {
    const { isFile, size, mtime } = Deno.statSync(path);
    // opening a pipe would wait for ever
    if (!isFile) return undefined;
    return { size, mtime: mtime?.getTime() ?? 0 };
  } catch {
    return undefined;
  }
}

/** Indexes the next lines of a file. What another narnat has indexed meanwhile is found in the row. */
function takePiece(
  db: DatabaseSync,
  path: string,
  most: number,
): { bytes: number; whole: boolean } {
  const info = statOf(path);
  if (!info) return { bytes: 0, whole: true };
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path);
  } catch {
    return { bytes: 0, whole: true };
  }
  try {
    let row = rowOf(db, path);
    if (row && !sameBefore(file, row)) {
      forget(db, path);
      row = undefined;
    }
    const id = row?.id ?? addFile(db, path);
    const done = row?.done ?? 0;
    const { bytes, more } = readLines(file, done, info.size - done, most);
    takeLines(db, id, done, bytes);
    const now = done + bytes.length;
    const tail = readAt(file, Math.max(0, now - TAIL), Math.min(now, TAIL));
    // until all of it is read, the sizes must differ
    db.prepare("UPDATE files SET size = ?, mtime = ?, done = ?, tail = ? WHERE id = ?")
      .run(more ? -1 : info.size, info.mtime, now, tail, id);
    return { bytes: bytes.length, whole: !more };
  } finally {
    file.close();
  }
}

function rowOf(db: DatabaseSync, path: string): FileRow | undefined {
  return db.prepare("SELECT id, size, mtime, done, tail FROM files WHERE path = ?").get(path) as
    | FileRow
    | undefined;
}

function addFile(db: DatabaseSync, path: string): number {
  const { lastInsertRowid } = db.prepare(
    "INSERT INTO files (path, size, mtime, done, tail) VALUES (?, -1, 0, 0, x'')",
  ).run(path);
  return Number(lastInsertRowid);
}

/** Whether what was read still stands where it stood. */
function sameBefore(file: Deno.FsFile, { done, tail }: FileRow): boolean {
  const now = readAt(file, done - tail.length, tail.length);
  return now.length === tail.length && now.every((byte, i) => byte === tail[i]);
}

/** Whole lines of the `left` bytes from `at` on, some `most` bytes but one line at least; whether there are more. */
function readLines(file: Deno.FsFile, at: number, left: number, most: number) {
  for (let size = Math.max(most, 1 << 16);; size *= 2) {
    const bytes = readAt(file, at, Math.min(size, left));
    const end = bytes.lastIndexOf(10) + 1;
    const more = size < left;
    if (end > 0 || !more) return { bytes: bytes.subarray(0, end), more };
  }
}

function readAt(file: Deno.FsFile, at: number, size: number): Uint8Array {
  file.seekSync(at, Deno.SeekMode.Start);
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function takeLines(db: DatabaseSync, file: number, offset: number, bytes: Uint8Array): void {
  const decoder = new TextDecoder();
  // ids only grow: what is put before others makes the index write out all it holds in memory
  const addFound = db.prepare(
    "INSERT INTO found (file, at, length, message, time) VALUES (?, ?, ?, ?, ?)",
  );
  const addWords = db.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  for (let start = 0, end: number; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
    const line = readLine(decoder.decode(bytes.subarray(start, end)));
    if (!line) continue;
    if (line.kind === "retract") {
      takeBack(db, file);
      continue;
    }
    const { text, time } = line.found;
    const isMessage = line.kind === "message" ? 1 : 0;
    const { lastInsertRowid } = addFound.run(
      ...[file, offset + start, end - start, isMessage, Date.parse(time) || 0],
    );
    if (text.trim() !== "") addWords.run(lastInsertRowid, indexed(text));
  }
}

function takeBack(db: DatabaseSync, file: number): void {
  const last = db.prepare("SELECT max(id) AS id FROM found WHERE file = ? AND message").get(file);
  const id = last?.id as number | null;
  if (id === null) return;
  db.prepare("DELETE FROM words WHERE rowid = ?").run(id);
  db.prepare("DELETE FROM found WHERE id = ?").run(id);
}

function forget(db: DatabaseSync, path: string): void {
  const row = rowOf(db, path);
  if (!row) return;
  db.prepare("DELETE FROM words WHERE rowid IN (SELECT id FROM found WHERE file = ?)").run(row.id);
  db.prepare("DELETE FROM found WHERE file = ?").run(row.id);
  db.prepare("DELETE FROM files WHERE id = ?").run(row.id);
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
