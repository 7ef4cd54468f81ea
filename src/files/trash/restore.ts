/** What lies in the trash: its list, the way back, its end. */
import { dirname, infoOf, join, realOf, relative, within } from "../../base/path.ts";
import { errorMessage } from "../../base/errors.ts";
import {
  idsIn,
  isSame,
  listTrash,
  namesIn,
  readRecord,
  removeTree,
  settle,
  type TrashRecord,
  writable,
} from "./record.ts";

export interface TrashBounds {
  readonly ageMs: number;
  readonly bytes: number;
}

/** Thirty days, and what takes no more than this. */
const BOUNDS: TrashBounds = { ageMs: 30 * 86_400_000, bytes: 2e9 };
/** Bytes of a file that are compared. */
const MAX_COMPARED = 50e6;
/** No command that was begun before runs any more. */
const OVER_MS = 86_400_000;

/** What restoring came to. */
export interface Restored {
  /** Absolute paths that are back; of a folder that is back whole only its own. */
  readonly back: readonly string[];
  /** What something else stands in the place of; it stays in the trash. */
  readonly taken: readonly string[];
  /** What could not be put back, with why; it stays in the trash. */
  readonly failed: readonly { readonly path: string; readonly why: string }[];
  /** Paths that were asked for, of which nothing is in there. */
  readonly missing: readonly string[];
}

/**
 * Puts back what `id` holds, or of it what is at or below `paths` (absolute). Nothing that is there
 * is replaced, and nothing is put outside of `workspace`. Undefined when there is no such id.
 */
export function restoreFromTrash(
  trash: string,
  id: string,
  workspace: string,
  paths?: readonly string[],
): Restored | undefined {
  const folder = join(trash, id);
  const record = readRecord(trash, id);
  if (!record) return undefined;
  const missing = (paths ?? []).filter((path) =>
    !record.targets.some((target, n) =>
      wanted(target, [path]).some((one) =>
        infoOf(join(folder, "files", String(n), relative(target, one)))
      )
    )
  );
  const work: Work = { back: [], taken: [], failed: [], workspace, copies: record.copies };
  for (const [n, target] of record.targets.entries()) {
    const place = join(folder, "files", String(n));
    for (const path of wanted(target, paths)) {
      const way = relative(target, path);
      const key = way === "" ? String(n) : `${n}/${way}`;
      if (infoOf(join(place, way))) attempt(join(place, way), path, key, work);
    }
  }
  if (namesIn(join(folder, "files")).length === 0) Deno.removeSync(folder, { recursive: true });
  return { ...work, missing };
}

/** Removes all for good; returns how many records. */
export async function emptyTrash(trash: string): Promise<number> {
  const ids = idsIn(trash);
  for (const id of ids) await removeTree(join(trash, id));
  return ids.length;
}

/** Removes what is too old, and the oldest of what is too much. What cannot be removed stays. */
export async function pruneTrash(
  trash: string,
  now: number,
  bounds: TrashBounds = BOUNDS,
): Promise<void> {
  let bytes = 0;
  for (const record of listTrash(trash)) {
    const folder = join(trash, record.id);
    const age = now - Date.parse(record.time);
    try {
      const kept = record.open && age > OVER_MS ? await settle(folder, record) : record;
      bytes += kept?.bytes ?? 0;
      if (kept && (age > bounds.ageMs || bytes > bounds.bytes)) await removeTree(folder);
    } catch { /* it stays for the next time */ }
  }
  for (const id of idsIn(trash)) {
    const folder = join(trash, id);
    const made = infoOf(folder)?.mtime?.getTime() ?? now;
    if (infoOf(join(folder, "record.json")) || now - made <= OVER_MS) continue;
    try {
      // begun by a narnat that was killed at once; what else may be in it stays
      Deno.removeSync(join(folder, "files"));
      Deno.removeSync(folder);
    } catch { /* it is not ours */ }
  }
}

/** The paths of a target that are wanted. */
function wanted(target: string, paths: readonly string[] | undefined): string[] {
  if (!paths || paths.some((path) => within(target, path))) return [target];
  return paths.filter((path) => within(path, target));
}

interface Work {
  readonly back: string[];
  readonly taken: string[];
  readonly failed: { path: string; why: string }[];
  readonly workspace: string;
  readonly copies: TrashRecord["copies"];
}

function attempt(place: string, path: string, key: string, work: Work): void {
  try {
    let above = dirname(path);
    while (!infoOf(above)) above = dirname(above);
    // a link may have come into the way
    if (!within(realOf(above), work.workspace)) return void work.taken.push(path);
    Deno.mkdirSync(dirname(path), { recursive: true });
    put(place, path, key, work);
  } catch (error) {
    work.failed.push({ path, why: errorMessage(error) });
  }
}

function put(place: string, path: string, key: string, work: Work): void {
  const [now, kept] = [infoOf(path), infoOf(place)];
  if (!kept) return;
  if (now?.isDirectory && kept.isDirectory) {
    writable(place, kept.mode ?? 0o700);
    for (const name of namesIn(place)) {
      attempt(join(place, name), join(path, name), `${key}/${name}`, work);
    }
    if (namesIn(place).length === 0) Deno.removeSync(place);
    return;
  }
  if (now) {
    if (isSame(path, now, place, kept, work.copies[key]) || isAlike(path, now, place, kept)) {
      Deno.removeSync(place);
    } else work.taken.push(path);
    return;
  }
  if (kept.isDirectory) {
    const mode = kept.mode ?? 0o700;
    // to change its parent a folder has to be written
    writable(place, mode);
    Deno.renameSync(place, path);
    Deno.chmodSync(path, mode & 0o7777);
  } else if (kept.isSymlink) {
    Deno.symlinkSync(Deno.readLinkSync(place), path);
    Deno.removeSync(place);
  } else {
    // unlike a rename it never replaces what has come meanwhile
    Deno.linkSync(place, path);
    Deno.removeSync(place);
  }
  work.back.push(path);
}

/** Whether something else has brought the same content back, such as an undo. */
function isAlike(path: string, now: Deno.FileInfo, place: string, kept: Deno.FileInfo): boolean {
  if (!now.isFile || !kept.isFile || now.size !== kept.size || now.size > MAX_COMPARED) {
    return false;
  }
  const there = Deno.readFileSync(path);
  return Deno.readFileSync(place).every((byte, at) => byte === there[at]);
}
