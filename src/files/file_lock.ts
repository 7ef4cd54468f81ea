/** A lock that several narnats share: of those that want a file for themselves one waits for the other. */
import { FileError, mustBeFile } from "../base/errors.ts";

const POLL_MS = 20;

/** Locks the file at `path`, made where there is none, until it is disposed. Throws FileError after `waitMs`, or where it is none. */
export async function lockFile(path: string, waitMs: number): Promise<Deno.FsFile> {
  mustBeFile(path);
  const file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
  for (let waited = 0; !tryLock(file); waited += POLL_MS) {
    if (waited >= waitMs) {
      file.close();
      throw new FileError("locked", `Cannot lock "${path}": another program holds it`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return file;
}

/** Locks an open file; true on a file system without locks too, where of two changes the last one counts. */
export function tryLock(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch {
    return true;
  }
}

/**
 * Closes a file whose lock is free from then on: closing alone leaves it to a program that another
 * thread is starting, which has the file open too until it runs.
 */
export function unlock(file: Deno.FsFile): void {
  try {
    file.unlockSync();
  } catch {
    // a file system without locks
  } finally {
    file.close();
  }
}
