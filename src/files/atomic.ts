import { basename, dirname, join } from "../base/path.ts";
import { codeOf, FileError } from "../base/errors.ts";
import {
  AT_ONCE_BYTES,
  mustStillBe,
  openRegular,
  readWhole,
  versionWritten,
} from "./open_regular.ts";
import { mayRun, systemProgram } from "../base/program_path.ts";

// Access lists and extended attributes, which nothing in Deno can read: another program copies them.

/**
 * Gives one file the attributes of another: those that it has none of go, such as a folder's default
 * access list. Nothing is done where that program may not be run, or fails.
 */
async function keepAttributes(from: string, to: string): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const own = systemProgram("cp");
  if (own === undefined && !mayRun("cp")) return;
  // always: nothing that Deno tells of a file changes for sure when somebody gives it an access list
  const args = ["--attributes-only", "--preserve=mode,xattr", "--", from, to];
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  // without a language to load it is a fifth faster
  await new Deno.Command(own ?? "cp", { args, clearEnv: own !== undefined, ...quiet }).output()
    .catch(() => {});
}

/** Of a large file so much goes to the disk while the rest is written. */
const SYNCED_BYTES = 12 << 20;
const LOCK_WAIT_MS = 5000;
const LOCK_POLL_MS = 10;
const TEMPORARY = /^\..+\.\d+-[0-9a-f]{8}\.tmp$/;
/** A temporary file younger than this may not have its writer's lock yet. */
const UNLOCKED_MS = 2000;

/** New content: whole, or in pieces (asked for again when a first way of writing fails). */
export type Content = Uint8Array | (() => AsyncIterable<Uint8Array>);

/**
 * Replaces the content of `target` (a real path) so that a crash leaves the old or the new content,
 * never a part. Mode, owner, hard links and, where `cp` may be run, extended attributes and access
 * lists of an existing file are kept; its folder must exist, and stay the one that it is.
 * What a killed writer left in that folder is removed.
 * `check` runs with the file locked, as late as possible before the change, and throws to stop it.
 * A file that comes up where none was is not replaced: FileError "changed".
 * Returns the version of what was written. Throws FileError or the platform's error; then the old
 * content stands.
 */
export async function writeAtomic(
  target: string,
  content: Content,
  check: () => Promise<void> | void = () => {},
): Promise<string> {
  const old = await openLocked(target);
  try {
    const version = await replaceContent(target, content, old, check);
    sweep(dirname(target));
    return version;
  } finally {
    old?.file.close();
  }
}

async function replaceContent(
  target: string,
  content: Content,
  old: Existing | undefined,
  check: () => Promise<void> | void,
): Promise<string> {
  if (old && (old.info.nlink ?? 1) > 1) {
    await check();
    return await writeInPlace(old.file, content);
  }
  let temporary: Temporary;
  try {
    temporary = await writeTemporary(target, content, old?.info);
  } catch (error) {
    if (!old || !["EACCES", "EPERM"].includes(codeOf(error))) throw error;
    await check();
    return await writeInPlace(old.file, content);
  }
  try {
    await check();
    if (old) Deno.renameSync(temporary.path, target);
    else appear(temporary.path, target);
    // the disk does one while the other is done here
    const [version] = await Promise.all([
      versionWritten(temporary.file),
      syncFolder(dirname(target)),
    ]);
    return version;
  } catch (error) {
    await Deno.remove(temporary.path).catch(() => {});
    // a file that is itself a mount point cannot be replaced
    if (!old || !["EBUSY", "EXDEV"].includes(codeOf(error))) throw error;
    return await writeInPlace(old.file, content);
  } finally {
    temporary.file.close();
  }
}

/** Gives a file its name, unless another has taken it meanwhile. */
function appear(path: string, target: string): void {
  try {
    Deno.linkSync(path, target);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new FileError("changed", `Cannot create "${target}": another program just did`);
    }
    // a file system without hard links
    return Deno.renameSync(path, target);
  }
  Deno.removeSync(path);
}

interface Existing {
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
}

/** Opens and locks the file that has the name now; another may have taken it while we waited. */
async function openLocked(target: string): Promise<Existing | undefined> {
  for (;;) {
    const old = await openExisting(target);
    if (!old) return undefined;
    try {
      await lock(old.file, target);
      // there an open file cannot lose its name
      if (Deno.build.os === "windows") return old;
      const now = infoOf(target);
      if (now?.ino === old.info.ino && now?.dev === old.info.dev) return old;
    } catch (error) {
      old.file.close();
      throw error;
    }
    old.file.close();
  }
}

async function openExisting(target: string): Promise<Existing | undefined> {
  const info = infoOf(target);
  if (!info) return undefined;
  if (info.isDirectory) throw new FileError("folder", `Cannot write "${target}": it is a folder`);
  if (!info.isFile) {
    throw new FileError("not_regular", `Cannot write "${target}": it is not a regular file`);
  }
  // the administrator could write it anyway, and rename would not even ask
  if (info.mode !== null && (info.mode & 0o222) === 0) {
    throw new FileError("denied", `Cannot write "${target}": it is read-only`);
  }
  const file = await openRegular(target, { read: true, write: true });
  return { file, info: file.statSync() };
}

/** What stands there; undefined for nothing. */
function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function lock(file: Deno.FsFile, target: string): Promise<void> {
  const end = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      if (file.tryLockSync(true)) return;
    } catch {
      return; // a file system without locks
    }
    if (Date.now() > end) {
      throw new FileError("locked", `Cannot write "${target}": another program holds its lock`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

/** The new content beside its target; its lock says that its writer lives. */
interface Temporary {
  readonly path: string;
  readonly file: Deno.FsFile;
}

async function writeTemporary(
  target: string,
  content: Content,
  old: Deno.FileInfo | undefined,
): Promise<Temporary> {
  const unique = `${Deno.pid}-${crypto.randomUUID().slice(0, 8)}`;
  const name = Array.from(basename(target)).slice(0, 40).join("");
  const path = join(dirname(target), `.${name}.${unique}.tmp`);
  const file = Deno.openSync(path, {
    read: true,
    write: true,
    createNew: true,
    ...(old ? { mode: 0o600 } : {}),
  });
  let kept: Promise<void> | undefined;
  try {
    hold(file);
    mustStillBe(path, file.statSync());
    kept = old && keepAttributes(target, path);
    await writeContent(file, content);
    await kept;
    if (old) keepOwnerAndMode(path, file.statSync(), old);
    await file.sync();
  } catch (error) {
    file.close();
    // what copies the attributes would make it anew
    await kept;
    await Deno.remove(path).catch(() => {});
    throw error;
  }
  return { path, file };
}

function hold(file: Deno.FsFile): void {
  try {
    file.tryLockSync(true);
  } catch {
    // a file system without locks
  }
}

/** Removes the temporary files whose writers were killed: nobody holds their lock. */
function sweep(folder: string): void {
  try {
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      if (isFile && TEMPORARY.test(name)) removeStale(join(folder, name));
    }
  } catch {
    // a folder that may not be listed is not swept
  }
}

function removeStale(path: string): void {
  try {
    using file = Deno.openSync(path, { read: true, write: true });
    const { mtime } = file.statSync();
    if (mtime === null || Date.now() - mtime.getTime() < UNLOCKED_MS) return;
    // without locks this throws: nobody could tell a leftover from a write under way
    if (file.tryLockSync(true)) Deno.removeSync(path);
  } catch {
    // a leftover is no reason to fail a write that has succeeded
  }
}

function keepOwnerAndMode(path: string, now: Deno.FileInfo, old: Deno.FileInfo): void {
  if (old.uid !== now.uid || old.gid !== now.gid) {
    try {
      Deno.chownSync(path, old.uid, old.gid);
    } catch { /* only the administrator may give a file away */ }
  }
  if (old.mode !== null) Deno.chmodSync(path, old.mode & 0o7777);
}

async function writeInPlace(file: Deno.FsFile, content: Content): Promise<string> {
  // the pieces may come from the very file
  const bytes = content instanceof Uint8Array ? content : await collect(content());
  const before = await readWhole(file);
  try {
    await overwrite(file, bytes);
  } catch (error) {
    await overwrite(file, before);
    throw error;
  }
  return await versionWritten(file);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const blob = new Blob(await Array.fromAsync(pieces, (piece) => piece.slice()));
  return await blob.bytes();
}

async function overwrite(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  await file.seek(0, Deno.SeekMode.Start);
  await writeAll(file, bytes);
  await file.truncate(bytes.length);
  await file.sync();
}

async function writeContent(file: Deno.FsFile, content: Content): Promise<void> {
  if (content instanceof Uint8Array) return await writeAll(file, content);
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  for await (const piece of content()) {
    await writeAll(file, piece);
    unsynced += piece.length;
    if (unsynced < SYNCED_BYTES) continue;
    unsynced = 0;
    await syncing;
    syncing = file.syncData();
    syncing.catch(() => {});
  }
  await syncing;
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at);
    at += rest.length <= AT_ONCE_BYTES ? file.writeSync(rest) : await file.write(rest);
  }
}

async function syncFolder(path: string): Promise<void> {
  try {
    using folder = Deno.openSync(path);
    await folder.sync();
  } catch {
    // some systems cannot open a folder; the rename itself has happened
  }
}
