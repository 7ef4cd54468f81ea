/** Keeps the folder of full output copies within bounds. */
import { join } from "../../base/path.ts";

/** Files and bytes that are kept, newest first. */
const MAX_FILES = 200;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Only copies of what was cut are removed: of commands, a session's window, servers and agents. */
const OURS =
  /^(?:(?:(?:bash|job)-\d+-[0-9a-f]{8}|result_\d+|mcp-[0-9a-f]{8})\.txt|agent-[\p{L}\p{N}_-]+\.md)$/u;

/**
 * Removes the oldest of our files in `root` and its folders until 200 files and 1 GiB are left, and
 * the folders that are empty then; `inUse` are left alone. What cannot be removed stays; never throws.
 */
export async function pruneOutputs(
  root: string,
  inUse: ReadonlySet<string>,
  limits: { readonly files: number; readonly bytes: number } = {
    files: MAX_FILES,
    bytes: MAX_BYTES,
  },
): Promise<void> {
  const found: { path: string; bytes: number; at: number }[] = [];
  const folders: string[] = [];
  const look = async (dir: string, deeper: boolean) => {
    try {
      for await (const entry of Deno.readDir(dir)) {
        const path = join(dir, entry.name);
        if (entry.isDirectory && deeper) {
          folders.push(path);
          await look(path, false);
        }
        if (!entry.isFile || !OURS.test(entry.name)) continue;
        const { size, mtime } = await Deno.lstat(path);
        found.push({ path, bytes: size, at: mtime?.getTime() ?? 0 });
      }
    } catch { /* not there, or not ours to read */ }
  };
  await look(root, true);
  found.sort((a, b) => b.at - a.at);
  let [files, bytes] = [0, 0];
  for (const one of found) {
    files++;
    bytes += one.bytes;
    if ((files <= limits.files && bytes <= limits.bytes) || inUse.has(one.path)) continue;
    await Deno.remove(one.path).catch(() => {});
  }
  if (files <= limits.files && bytes <= limits.bytes) return;
  for (const folder of folders) await removeIfEmpty(folder);
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    // Not recursive: a folder with anything in it stays.
    await Deno.remove(folder);
  } catch { /* it has something in it */ }
}
