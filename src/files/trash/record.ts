/**
 * What the trash says of itself: one record for each command, the trees of files it keeps, and what
 * becomes of them when the command has ended.
 */
import { infoOf, isAbsolute, join, normalize } from "../../base/path.ts";

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

/** A command that deletes. */
export interface TrashMark {
  readonly session: string;
  /** Number of its turn within the session. */
  readonly turn: number;
  readonly command: string;
}

/**
 * `device`: on another file system. `kind`: neither file, folder nor link. `own`: of the trash
 * itself, or gone with it. `mixed`: the command may empty it first.
 */
export type LostWhy =
  | "device"
  | "kind"
  | "many"
  | "large"
  | "own"
  | "outside"
  | "mixed"
  | "unknown"
  | "failed";

export interface Lost {
  /** Absolute, or as written where more is not known. */
  readonly path: string;
  readonly why: LostWhy;
}

/** What one command deleted, as it lies in `<trash>/<id>/`. */
export interface TrashRecord extends TrashMark {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** Absolute paths; what was at the one at `n` lies in `files/<n>`. */
  readonly targets: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** The first of what could not be kept. */
  readonly lost: readonly Lost[];
  readonly lostCount: number;
  /** Places in `files/` that are copies, with the inode of what they are copies of. */
  readonly copies: { readonly [place: string]: number };
  /** The command had not ended: what is still in its place was not deleted. */
  readonly open?: true;
}

const ID = /^[0-9a-f]{6}$/;

/** All that is in it, the newest first; a record that cannot be read is left out. */
export function listTrash(trash: string): readonly TrashRecord[] {
  return idsIn(trash).flatMap((id) => readRecord(trash, id) ?? [])
    .sort((a, b) => b.time.localeCompare(a.time) || a.id.localeCompare(b.id));
}

/** None where the trash is a link: what it leads to is not narnat's. */
export function idsIn(trash: string): string[] {
  if (!infoOf(trash)?.isDirectory) return [];
  return namesIn(trash).filter((name) => ID.test(name));
}

/** Undefined where there is none, or none that narnat can have written. */
export function readRecord(trash: string, id: string): TrashRecord | undefined {
  const folder = join(trash, id);
  const path = join(folder, "record.json");
  const own = ID.test(id) &&
    [trash, folder, join(folder, "files")].every((path) => infoOf(path)?.isDirectory) &&
    infoOf(path)?.isFile;
  if (!own) return undefined;
  try {
    const value = JSON.parse(Deno.readTextFileSync(path));
    const { time, session, command, turn, files, bytes, targets, copies, lost } = value;
    const good = value.id === id && [time, session, command].every((one) =>
      typeof one === "string"
    ) &&
      [turn, files, bytes].every((one) => typeof one === "number") &&
      !Number.isNaN(Date.parse(time)) &&
      Array.isArray(targets) && targets.every(isPlainPath) &&
      typeof copies === "object" && copies !== null && Array.isArray(lost);
    return good ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As narnat writes them: what `..` leads to is not seen before it is there. */
function isPlainPath(path: unknown): boolean {
  return typeof path === "string" && isAbsolute(path) && normalize(path) === path;
}

export function writeRecord(folder: string, record: TrashRecord): void {
  const path = join(folder, "record.json");
  Deno.writeTextFileSync(`${path}.tmp`, JSON.stringify(record), { mode: 0o600 });
  Deno.renameSync(`${path}.tmp`, path);
}
