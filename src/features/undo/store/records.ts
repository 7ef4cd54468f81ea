/**
 * The records of turns, a file each; turns that are too old or too many go, and contents that
 * nothing needs.
 */
import type { Uncovered } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import { namesOf, removeQuietly, replaceFile, textOf } from "../files.ts";
import type { Change, Limits, State, TurnRecord } from "../types.ts";
import type { Entry } from "./entries.ts";
import { HASH, type Objects } from "./objects.ts";

interface Tidied {
  readonly objects: Objects;
  readonly records: Records;
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What the workspace holds; its contents stay. */
  readonly known: ReadonlyMap<string, Entry>;
}

/** Removes it. Only for who is alone; a kill leaves contents that the next time removes. */
export function tidy({ objects, records, limits, now, known }: Tidied): void {
  const needed = new Set<string>();
  for (const { kind, content } of known.values()) if (kind === "file") needed.add(content);
  let bytes = 0;
  let full = false;
  for (const record of records.list().reverse()) {
    const old = now - Date.parse(record.ended) > limits.ageMs && !record.pending;
    for (const [hash, size] of old || full ? [] : contentsOf(record)) {
      if (needed.has(hash)) continue;
      bytes += size;
      full ||= bytes > limits.totalBytes && !record.pending;
      if (!full) needed.add(hash);
    }
    if (old || full) records.remove(record.id);
  }
  for (const { hash } of objects.list()) if (!needed.has(hash)) objects.remove(hash);
}

function contentsOf({ changes }: TurnRecord): [hash: string, size: number][] {
  const states = changes.flatMap(({ before, after }): State[] => [before, after]);
  return states.flatMap((state) => state?.kind === "file" ? [[state.hash, state.size]] : []);
}

const ENDING = ".json";
/** Left out, and unchanged: of so many a record tells. */
const LEFT_TOLD = 20;

export interface Records {
  /** All that can be read, the newest last. */
  list(): TurnRecord[];
  /** An id after all of them, also where the clock has been put back. */
  nextId(now: number, random: () => number): string;
  write(record: TurnRecord): void;
  remove(id: string): void;
}

/** Ids sort by time. */
export const newId = (now: number, random: () => number): string =>
  `${now.toString(36).padStart(9, "0")}-${
    Math.floor(random() * 36 ** 5).toString(36).padStart(5, "0")
  }`;

/** What of all that was left out a record tells: first what has changed. */
export function leftTold(uncovered: readonly Uncovered[]): Uncovered[] {
  const touched = uncovered.filter((one) => one.touched).length;
  return uncovered.slice(0, Math.max(LEFT_TOLD, Math.min(touched, 5 * LEFT_TOLD)));
}

/** The records under `dir`. */
export function openRecords(dir: string): Records {
  const placeOf = (id: string) => under(dir, id + ENDING);
  return {
    list() {
      const ids = namesOf(dir).filter((name) => name.endsWith(ENDING)).sort();
      return ids.flatMap((name) => {
        const record = parse(textOf(under(dir, name)));
        return record && record.id + ENDING === name ? [record] : [];
      });
    },
    nextId(now, random) {
      const last = namesOf(dir).filter((name) => name.endsWith(ENDING)).sort().at(-1) ?? "";
      return newId(Math.max(now, Number.parseInt(last.split("-")[0]!, 36) + 1 || 0), random);
    },
    write: (record) => replaceFile(placeOf(record.id), JSON.stringify(record)),
    remove: (id) => removeQuietly(placeOf(id)),
  };
}

function parse(text: string | undefined): TurnRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as TurnRecord;
    return isTurnRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const WHYS: readonly Uncovered["why"][] = [
  "ignored",
  "rule",
  "large",
  "total",
  "special",
  "unreadable",
  "unnameable",
  "disk",
  "git",
];

/** A repository may bring files where ours are: none of them leads out of the workspace. */
function isTurnRecord(value: TurnRecord): boolean {
  return value.v === 1 && ["turn", "undo", "redo"].includes(value.kind) &&
    [value.id, value.by, value.session, value.began, value.ended, value.text].every(isText) &&
    Number.isInteger(value.turn) && Array.isArray(value.of ?? []) &&
    Array.isArray(value.uncovered) &&
    value.uncovered.every(({ path, why }) => isText(path) && WHYS.includes(why)) &&
    (value.trashed ?? []).every(({ id, path }) => isText(id) && isText(path)) &&
    Array.isArray(value.changes) && value.changes.every(isChange);
}

const isText = (value: unknown) => typeof value === "string";

function isChange({ path, before, after }: Change): boolean {
  return isText(path) && isInside(path) && isState(before) && isState(after);
}

/** Whether a path names something within the workspace that is covered. */
export function isInside(path: string): boolean {
  const names = path.split("/");
  return !path.includes("\0") &&
    names.every((name) => !["", ".", "..", ".git"].includes(name)) &&
    !(names.includes("checkpoints") && names.includes(".narnat"));
}

function isState(state: State): boolean {
  if (state === null) return true;
  if (typeof state !== "object") return false;
  if (state.kind === "link") return isText(state.target) && !state.target.includes("\0");
  if (!Number.isInteger(state.mode)) return false;
  if (state.kind === "file" && state.twin !== undefined && !isInside(state.twin)) return false;
  return state.kind === "folder" ||
    state.kind === "file" && isText(state.hash) && (state.hash === "" || HASH.test(state.hash));
}

/** The turns that are taken back, and the undos that are. */
export function undoneIn(all: readonly TurnRecord[]): { turns: Set<string>; undos: Set<string> } {
  const done = all.filter(({ pending }) => !pending);
  const undos = new Set(
    done.filter(({ kind }) => kind === "redo").flatMap(({ of = [] }) => of),
  );
  const turns = new Set(
    done.filter(({ kind, id }) => kind === "undo" && !undos.has(id)).flatMap(({ of = [] }) => of),
  );
  return { turns, undos };
}
