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
