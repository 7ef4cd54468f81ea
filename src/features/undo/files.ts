/** Small files that are there whole or not at all, folders of narnat's own, and locks. */
import { unlock } from "../../files/file_lock.ts";

const LOCK_TRIES = 400;
const LOCK_POLL_MS = 25;
const BUFFER_BYTES = 2 ** 14;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** Replaces the content of a private file. */
export const replaceFile = (path: string, text: string): void => replaceInPieces(path, [text]);

/** The same with a text of which no more than some pieces are held at a time. */
export function replaceInPieces(path: string, pieces: Iterable<string>): void {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const file = Deno.openSync(temporary, { write: true, createNew: true, mode: 0o600 });
  try {
    const encoder = new TextEncoder();
    const buffer = new Uint8Array(BUFFER_BYTES);
    let filled = 0;
    const write = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    };
    const flush = () => {
      write(buffer.subarray(0, filled));
      filled = 0;
    };
    for (const piece of pieces) {
      const most = MOST_BYTES * piece.length;
      if (filled + most > buffer.length) flush();
      if (most > buffer.length) write(encoder.encode(piece));
      else filled += encoder.encodeInto(piece, buffer.subarray(filled)).written;
    }
    flush();
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  } finally {
    file.close();
  }
  Deno.renameSync(temporary, path);
}

/**
 * Makes a private folder where there is none; returns whether it did. Throws where something else is: a project may have
 * brought a link, and what that leads to is not ours.
 */
export function ownFolder(path: string): boolean {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    if (!Deno.lstatSync(path).isDirectory) {
      throw new Error(`${path} is no folder of narnat's own: remove it`);
    }
    return false;
  }
}

/** Undefined where there is no file that can be read; a link is none, as it may lead to a device. */
export const textOf = (path: string): string | undefined => readOf(path, Deno.readTextFileSync);

/** The same, as `use` reads it, which need not hold all of it. */
export const readBy = <T>(
  path: string,
  use: (read: (to: Uint8Array) => number | null) => T,
): T | undefined =>
  readOf(path, () => {
    using file = Deno.openSync(path);
    return use((to) => file.readSync(to));
  });

function readOf<T>(path: string, read: (path: string) => T): T | undefined {
  try {
    return Deno.lstatSync(path).isFile ? read(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Its names; none where there is no such folder. */
export const namesOf = (dir: string): string[] => entriesOf(dir).map(({ name }) => name);

/** Names of the folders in it, links left out. */
export const foldersOf = (dir: string): string[] =>
  entriesOf(dir).filter(({ isDirectory }) => isDirectory).map(({ name }) => name);

function entriesOf(dir: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(dir)];
  } catch {
    return [];
  }
}

export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch { /* it is gone already */ }
}

/** The system's name of what went wrong; workspace/file_error.ts would bring all texts into the thread. */
export const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? "";

/** Takes a file's lock, made where there is none; undefined while another holds it. */
export function tryLock(path: string): Deno.FsFile | undefined {
  if (exists(path) && !Deno.lstatSync(path).isFile) {
    throw new Error(`${path} is no file of narnat's own: remove it`);
  }
  const file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  try {
    if (file.tryLockSync(true)) return file;
  } catch {
    return file; // a file system without locks
  }
  file.close();
  return undefined;
}

/** The same, and waits for another to give it up: a program that is being started holds it for a moment too. */
export function waitForLock(path: string, tries: number): Deno.FsFile | undefined {
  for (let left = tries;; left--) {
    const file = tryLock(path);
    if (file || left <= 0) return file;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
}

/** Does something while no other narnat does the like. */
export function withLock<T>(path: string, work: () => T): T {
  const file = waitForLock(path, LOCK_TRIES);
  if (!file) throw new Error(`Cannot lock "${path}": another narnat holds it`);
  try {
    return work();
  } finally {
    unlock(file);
  }
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
