/** What becomes of what was kept when its command has ended. */
import { join } from "../../base/path.ts";
import { infoOf } from "../../base/paths.ts";
import { type TrashRecord, writeRecord } from "./record.ts";
import { breather, isSame, namesIn, removeTree, writable } from "./tree.ts";

/** Forgets what stands in its place as it did; undefined when that is all. */
export async function settle(
  folder: string,
  record: TrashRecord,
): Promise<TrashRecord | undefined> {
  const walk: Walk = { copies: record.copies, breathe: breather(), forgotten: false };
  for (const [n, path] of record.targets.entries()) {
    await forgetStanding(path, join(folder, "files", String(n)), String(n), walk);
  }
  if (namesIn(join(folder, "files")).length === 0) {
    await removeTree(folder);
    return undefined;
  }
  const { open: _, ...settled } = record;
  const counted = walk.forgotten || record.files === 0
    ? { ...settled, ...await count(join(folder, "files"), walk) }
    : settled;
  writeRecord(folder, counted);
  return counted;
}

interface Walk {
  readonly copies: TrashRecord["copies"];
  readonly breathe: ReturnType<typeof breather>;
  forgotten: boolean;
}

async function forgetStanding(path: string, place: string, key: string, walk: Walk) {
  await walk.breathe();
  const [now, kept] = [infoOf(path), infoOf(place)];
  if (!now || !kept) return;
  if (kept.isDirectory && now.isDirectory) {
    const mode = kept.mode ?? 0o700;
    const names = namesIn(place);
    if (names.length > 0) writable(place, mode);
    for (const name of names) {
      await forgetStanding(join(path, name), join(place, name), `${key}/${name}`, walk);
    }
    if (namesIn(place).length === 0) Deno.removeSync(place);
    else Deno.chmodSync(place, mode & 0o7777);
  } else if (isSame(path, now, place, kept, walk.copies[key])) {
    Deno.removeSync(place);
    walk.forgotten = true;
  }
}

async function count(folder: string, walk: Walk): Promise<{ files: number; bytes: number }> {
  const found = { files: 0, bytes: 0 };
  for (const name of namesIn(folder)) {
    await walk.breathe();
    const info = infoOf(join(folder, name));
    if (info?.isDirectory) {
      const more = await count(join(folder, name), walk);
      found.files += more.files;
      found.bytes += more.bytes;
    } else if (info) {
      found.files++;
      found.bytes += info.isFile ? info.size : 0;
    }
  }
  return found;
}
