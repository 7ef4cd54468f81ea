import { openRegular, readWhole } from "./open_regular.ts";
import { hashBytes } from "./text_file.ts";

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
