/** Finds the files in whose place a command has put another one. */
import type { RunCommand } from "../../base/types.ts";
import { newLines, wordsOf } from "./restore/elsewhere.ts";
import type { Objects } from "./store/objects.ts";
import type { Entry } from "./store/entries.ts";
import type { Gone, State } from "./types.ts";

/** Files that are compared line by line. */
const MOST_COMPARED = 50;
/** So small a content may be in two files by chance. */
const SMALL_BYTES = 32;

/** Where each file that stands in another's place was moved from, by its new path. */
export function moves(changes: readonly Gone[], ran: readonly RunCommand[]): Map<string, string> {
  const left = changes.filter(({ before }) => isFull(before));
  const from = new Map<string, string>();
  const goneLast = left.toSorted((a, b) => Number(a.after === null) - Number(b.after === null));
  const byContent = new Map(goneLast.map((one) => [hashOf(one.before), one]));
  const paths = new Set(left.flatMap(({ path, after }) => after === null ? [path] : []));
  const named = new Map(ran.flatMap(({ command }) => {
    const words = wordsOf(command);
    if (!words.includes("mv")) return [];
    return words.flatMap((word, at) => paths.has(word) ? [[words[at + 1], word] as const] : []);
  }));
  for (const { path, after } of changes) {
    if (!isFull(after)) continue;
    const source = byContent.get(hashOf(after));
    // it may have been copied, and written anew
    const isMoved = source?.after === null ||
      source !== undefined && nameOf(source.path) !== nameOf(path);
    const known = isMoved ? source.path : named.get(path);
    if (known !== undefined && known !== path) from.set(path, known);
  }
  return from;
}

/** Of the session's own: what it has made may be replaced, and what it makes is no file of the user's. */
export interface Own {
  /** What a path held when the turn began, where the turn has changed it. */
  foundAt(path: string): State | undefined;
  /** Whether an earlier turn has made it. */
  made(path: string): boolean;
  /** Whether an earlier turn has changed or made it. */
  changed(path: string): boolean;
  /** What a tool, or somebody else, has written there in this turn. */
  written(path: string): State | undefined;
  /** When it was first looked at all this; milliseconds since the epoch. */
  readonly since: number;
}

interface Known {
  readonly held: ReadonlyMap<string, Entry>;
  readonly own: Own;
  /** Whether commands, or scripts that they lead to, name all of it. */
  readonly name: (names: readonly string[]) => boolean;
  readonly isVersion: (one: Gone) => boolean;
}

/**
 * Those of `replaced` that hold what another file held before the turn, and so are no new version;
 * `unread` where they may be one for who has read the old.
 */
export function overwritten(
  replaced: readonly Gone[],
  from: ReadonlyMap<string, string>,
  { held, own, name, isVersion }: Known,
): { readonly sure: Gone[]; readonly unread: Gone[] } {
  const olds = replaced.filter(({ path }) => own.foundAt(path) !== null);
  const copies = copiesOf(olds.map(({ after }) => after), held);
  const [sure, unread]: [Gone[], Gone[]] = [[], []];
  const isWritten = (path: string, after: State) => {
    const state = own.written(path) ?? null;
    return state !== null && hashOf(state) === hashOf(after);
  };
  const judgeCopy = ({ path, after }: Gone, source: string) => {
    if (source === path || isKin(path, source)) return undefined;
    const was = own.foundAt(source);
    const wasThere = was === undefined || hashOf(was) === hashOf(after);
    // what is copied to the same name elsewhere may be delivered there
    if (nameOf(path) === nameOf(source)) {
      const isForeign = wasThere && !own.changed(source);
      return isForeign || isWritten(source, after) ? "unread" : undefined;
    }
    if (sizeOf(after) < SMALL_BYTES && !name([nameOf(path), nameOf(source)])) return undefined;
    return wasThere ? "sure" : isWritten(source, after) ? "unread" : undefined;
  };
  const judgeMoved = (after: State, source: string) => {
    // of what a command has made and moved nothing is left to be told
    const was = own.foundAt(source);
    const wasThere = held.has(source) ? was !== null : Boolean(was);
    return wasThere ? "sure" : isWritten(source, after) ? "unread" : undefined;
  };
  for (const one of olds) {
    const { path, after } = one;
    const source = from.get(path);
    const judged = source === undefined
      ? copies.get(hashOf(after))?.map((other) => judgeCopy(one, other)) ?? []
      : [isKin(path, source) ? undefined : judgeMoved(after, source)];
    if (judged.includes("sure")) sure.push(one);
    else if (judged.includes("unread") && !own.made(path) && !isVersion(one)) unread.push(one);
  }
  return { sure, unread };
}

/** The paths that hold the same as each of the files, by content. */
function copiesOf(
  states: readonly State[],
  held: ReadonlyMap<string, Entry>,
): Map<string, string[]> {
  const copies = new Map<string, string[]>();
  const wanted = new Set(states.map(hashOf));
  if (wanted.size === 0) return copies;
  for (const [path, { kind, content }] of held) {
    if (kind !== "file" || !wanted.has(content)) continue;
    const all = copies.get(content);
    if (all) all.push(path);
    else copies.set(content, [path]);
  }
  return copies;
}

/** Which of `created` hold what another file held before the turn. */
export function copied(
  created: readonly Gone[],
  changes: readonly Gone[],
  { held, own, name }: Pick<Known, "held" | "own" | "name">,
): ReadonlySet<string> {
  const copies = copiesOf(created.map(({ after }) => after), held);
  const all = created.filter(({ path, after }) => {
    const moved = changes.some((one) =>
      one.path !== path && isFull(one.before) && hashOf(one.before) === hashOf(after)
    );
    return moved || copies.get(hashOf(after))?.some((other) => {
      const was = own.foundAt(other);
      const wasThere = was === undefined || hashOf(was) === hashOf(after);
      return other !== path && wasThere &&
        (sizeOf(after) >= SMALL_BYTES || name([nameOf(path), nameOf(other)]));
    });
  });
  return new Set(all.map(({ path }) => path));
}

/** Which of `gone` have gone on, with other lines, in a file that was there: by its path. */
export function edited(
  gone: readonly Gone[],
  replaced: readonly Gone[],
  objects: Objects,
): Map<string, Gone> {
  const into = new Map<string, Gone>();
  for (const one of gone.slice(0, MOST_COMPARED)) {
    const other = replaced.slice(0, MOST_COMPARED).find((other) =>
      newLines(one.before, other, objects)
    );
    if (other) into.set(one.path, other);
  }
  return into;
}

/** A backup, an example or a new version of the other. */
function isKin(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short!) && /^[.~_-]/.test(long.slice(short!.length));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const isFull = (state: State) => state?.kind === "file" && state.size > 0 && state.hash !== "";
const hashOf = (state: State) => state?.kind === "file" ? state.hash : "";
const sizeOf = (state: State) => state?.kind === "file" ? state.size : 0;
