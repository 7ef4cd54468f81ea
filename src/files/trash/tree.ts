/** Trees of kept files. */
import { join } from "../../base/path.ts";
import { infoOf } from "../../base/paths.ts";

/** How long the work may keep the screen from being drawn. */
const SLICE_MS = 10;

/** To be awaited amid long work: lets others work now and then. */
export function breather(): () => Promise<void> | undefined {
  let pause = 0;
  const rest = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    pause = performance.now() + SLICE_MS;
  };
  return () => performance.now() > pause ? rest() : undefined;
}

export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Whether what stands there is what was kept. */
export function isSame(
  path: string,
  now: Deno.FileInfo,
  place: string,
  kept: Deno.FileInfo,
  copied: number | undefined,
): boolean {
  if (now.isSymlink || kept.isSymlink) {
    return now.isSymlink && kept.isSymlink && Deno.readLinkSync(path) === Deno.readLinkSync(place);
  }
  return now.dev === kept.dev && now.ino === (copied ?? kept.ino);
}

/** A folder that may not be written keeps what is in it. */
export function writable(place: string, mode: number): void {
  if ((mode & 0o300) !== 0o300) Deno.chmodSync(place, (mode & 0o7777) | 0o700);
}

/** Removes all of it, also where a folder may not be written. */
export async function removeTree(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => open(path));
  if (infoOf(path)) await Deno.remove(path, { recursive: true });
}

/** Makes the folders of a tree writable. */
function open(path: string): void {
  const info = infoOf(path);
  if (!info?.isDirectory) return;
  writable(path, info.mode ?? 0o700);
  for (const name of namesIn(path)) open(join(path, name));
}
