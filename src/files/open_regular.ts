/** Opens regular files and nothing else, whatever takes their name meanwhile. */
import { FileError, reasonOf } from "../base/errors.ts";
import { Watchdog } from "../base/watchdog.ts";

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
