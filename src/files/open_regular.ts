/**
 * Opens regular files and nothing else, whatever takes their name meanwhile, and tells their
 * versions apart.
 */
import { FileError, reasonOf } from "../base/errors.ts";
import { Watchdog } from "../base/watchdog.ts";
import { hashBytes } from "./text_file.ts";

/** So much is read or written without letting others have their turn. */
export const AT_ONCE_BYTES = 1024 * 1024;

/** Returns the bytes [from, to) of a file; throws FileError "changed" when it ends before. */
export function readRange(file: Deno.FsFile, from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  file.seekSync(from, Deno.SeekMode.Start);
  if (fill(file, bytes) < bytes.length) {
    throw new FileError("changed", "the file has become shorter");
  }
  return bytes;
}

/** Reads on until the buffer is full or the file ends; returns how much was read. */
export function fill(file: Deno.FsFile, buffer: Uint8Array): number {
  let filled = 0;
  while (filled < buffer.length) {
    const count = file.readSync(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** All bytes of a file, whatever becomes of its size meanwhile; a small one is read at once. */
export async function readWhole(
  file: Deno.FsFile,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = file.statSync();
  file.seekSync(0, Deno.SeekMode.Start);
  let bytes = new Uint8Array(size + 1);
  let filled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const room = bytes.subarray(filled);
    const count = room.length <= AT_ONCE_BYTES ? file.readSync(room) : await file.read(room);
    if (count === null) return bytes.subarray(0, filled);
    filled += count;
    if (filled < bytes.length) continue;
    const more = new Uint8Array(bytes.length * 2);
    more.set(bytes);
    bytes = more;
  }
}

/** Where the last character of UTF-8 that `end` may have cut begins. */
export function characterBoundary(data: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = data[end - back]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return end - back;
  }
  return end;
}

/** The bytes up to the last line end, if there is one. */
export function wholeLines(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const last = bytes.lastIndexOf(10);
  return last < 0 ? bytes : bytes.subarray(0, last + 1);
}

/** An open that takes longer may wait for the writer of a pipe. */
const PATIENCE_MS = 250;
/** So often it is looked what stands there, on slow disks too. */
const LOOKS = 40;
const TRIES = 10;

/**
 * Opens the file at `real`, a path without links. Throws FileError "not_regular" for what is no
 * regular file, also a pipe that takes its place at this moment, which an open would wait for; and
 * "changed" where a folder on the way has been exchanged, so that another file was opened.
 */
export async function openRegular(
  real: string,
  options: Deno.OpenOptions = { read: true },
): Promise<Deno.FsFile> {
  for (let tries = 1;; tries++) {
    try {
      return await openOnce(real, options);
    } catch (error) {
      // another writer has just put a new file in its place
      if (reasonOf(error) !== "changed" || tries === TRIES) throw error;
    }
  }
}

async function openOnce(real: string, options: Deno.OpenOptions): Promise<Deno.FsFile> {
  const opening = Deno.open(real, options);
  const file = await Promise.race([opening, releasedIfPipe(real, opening)]);
  try {
    // an asynchronous call of the disk costs fifteen times as much
    const info = file.statSync();
    if (info.isDirectory) throw new FileError("folder", `"${real}" is a folder`);
    if (!info.isFile) throw notRegular(real);
    mustStillBe(real, info);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The bytes of a regular file, opened as `openRegular` does. */
export async function readRegular(
  real: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  using file = await openRegular(real);
  return await readWhole(file, signal);
}

/** Throws FileError "changed" where the path does not lead, without a link, to the file that `info` is of. */
export function mustStillBe(real: string, info: Deno.FileInfo): void {
  try {
    const { ino, dev } = Deno.lstatSync(real);
    if (ino === info.ino && dev === info.dev && Deno.realPathSync(real) === real) return;
  } catch { /* nothing is there any more */ }
  throw new FileError("changed", `"${real}" has been exchanged meanwhile`);
}

/** Lets an open go that is seen to wait for a pipe; never resolves, and rejects when it goes on waiting. */
async function releasedIfPipe(real: string, opening: Promise<Deno.FsFile>): Promise<never> {
  let open = true;
  const done = opening.then(() => void (open = false), () => void (open = false));
  for (let looks = 0; looks < LOOKS && open; looks++) {
    await sleep(PATIENCE_MS, done);
    if (!open) break;
    const info = await Deno.stat(real).catch(() => undefined);
    if (!open || !info?.isFifo) continue;
    // who opens a pipe both ways does not wait, and ends the waiting of others
    await Deno.open(real, { read: true, write: true }).then((file) => file.close(), () => {});
  }
  if (!open) return await new Promise(() => {});
  throw notRegular(real);
}

function sleep(ms: number, cut: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wait = new Watchdog().begin(ms, resolve);
  void cut.then(() => {
    wait.end();
    resolve();
  });
  return promise;
}

const notRegular = (real: string) =>
  new FileError("not_regular", `Cannot open "${real}": not a regular file`);

/** Files above this many bytes are known by a stamp instead of a hash. */
export const STAMPED_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** A change within one tick of the kernel's clock (10 ms at most) would leave the times as they are. */
const TICK_MS = 20;
/** Longer than it takes to read a file that is held in memory whole. */
const READ_MS = 5000;
const STAMP = "stamp:";

/**
 * Says which content a file has, for `SeenFile.hash`: the hex SHA-256 of its bytes, above
 * `STAMPED_BYTES` its size, times and inode (`stamp:…`), which any later write changes.
 * With `bytes`, which the caller has just read, it is their version, else ask before reading: a
 * change in between then makes the version old, never the content.
 */
export async function versionOf(path: string, bytes?: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes && bytes.length <= STAMPED_BYTES) return await hashBytes(bytes);
  using file = await openRegular(path);
  const info = file.statSync();
  const stamp = stampOf(info);
  const settled = isSettled(info, bytes ? READ_MS : TICK_MS);
  if (stamp && settled && info.size > STAMPED_BYTES) return stamp;
  return bytes ? await hashBytes(bytes) : await hashFile(file);
}

/** True when the file still has the content that `version` stands for; a missing file has none. */
export async function hasVersion(path: string, version: string): Promise<boolean> {
  try {
    if (version.startsWith(STAMP)) return stampOf(Deno.statSync(path)) === version;
    using file = await openRegular(path);
    return await hashFile(file) === version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * The version of a file that was written through `file` (opened to read and write) a moment ago.
 * A large one has its modification time set one millisecond back: so no write that follows, be it
 * within the same tick, can leave the stamp as it is.
 */
export async function versionWritten(file: Deno.FsFile): Promise<string> {
  const { size, atime, mtime } = file.statSync();
  if (size > STAMPED_BYTES && mtime) {
    const back = new Date(mtime.getTime() - (mtime.getTime() % 1000 === 1 ? 2 : 1));
    await file.utime(atime ?? back, back).catch(() => {});
    const info = file.statSync();
    // a file system that rounds its times cannot tell two writes apart
    const stamp = info.mtime?.getTime() === back.getTime() ? stampOf(info) : undefined;
    if (stamp) return stamp;
  }
  return await hashFile(file);
}

function stampOf({ size, mtime, ctime, dev, ino }: Deno.FileInfo): string | undefined {
  if (!mtime || !ctime) return undefined;
  return `${STAMP}${size}-${mtime.getTime()}-${ctime.getTime()}-${dev}-${ino ?? 0}`;
}

/** True when the last change is longer ago than `ms`. */
function isSettled({ mtime, ctime }: Deno.FileInfo, ms: number): boolean {
  if (!mtime || !ctime) return false;
  // whole seconds speak for a file system that keeps no finer times
  const tick = ctime.getTime() % 1000 === 0 ? 2000 : 0;
  return Date.now() - Math.max(mtime.getTime(), ctime.getTime()) > ms + tick;
}

async function hashFile(file: Deno.FsFile): Promise<string> {
  if (file.statSync().size <= STAMPED_BYTES) return await hashBytes(await readWhole(file));
  // 18 ms and 11 MB to load, for large files only
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  const buffer = new Uint8Array(CHUNK_BYTES);
  file.seekSync(0, Deno.SeekMode.Start);
  for (;;) {
    const count = await file.read(buffer);
    if (count === null) return hash.digest("hex");
    hash.update(buffer.subarray(0, count));
  }
}
