/** What the trash says of itself: one record for each command. */
import { isAbsolute, join, normalize } from "../../base/path.ts";
import { infoOf } from "../../base/paths.ts";
import { namesIn } from "./tree.ts";

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
