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

interface Known {
  readonly held: ReadonlyMap<string, Entry>;
  readonly ran: readonly RunCommand[];
  /** What a path held when the turn began, where the turn has changed it. */
  readonly foundAt: (path: string) => State | undefined;
}

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

/** Those of `replaced` that hold what another file held before the turn, and so are no new version. */
export function overwritten(
  replaced: readonly Gone[],
  from: ReadonlyMap<string, string>,
  { held, ran, foundAt }: Known,
): Gone[] {
  const olds = replaced.filter(({ path }) => foundAt(path) !== null);
  if (olds.length === 0) return [];
  const wanted = new Set(olds.map(({ after }) => hashOf(after)));
  const copies = new Map<string, string[]>();
  for (const [path, { kind, content }] of held) {
    if (kind !== "file" || !wanted.has(content)) continue;
    const all = copies.get(content);
    if (all) all.push(path);
    else copies.set(content, [path]);
  }
  const isCopied = ({ path, after }: Gone) =>
    copies.get(hashOf(after))?.some((other) => {
      const was = foundAt(other);
      if (other === path || was !== undefined && hashOf(was) !== hashOf(after)) return false;
      const names = [nameOf(path), nameOf(other)];
      // what is copied to the same name elsewhere is delivered there
      return names[0] !== names[1] && !isKin(path, other) &&
        (sizeOf(after) >= SMALL_BYTES ||
          ran.some(({ command }) => names.every((name) => command.includes(name!))));
    });
  return olds.filter((one) => {
    const source = from.get(one.path);
    if (source === undefined) return isCopied(one);
    // of what the turn has made and moved nothing is left to be told
    const wasThere = held.has(source) ? foundAt(source) !== null : foundAt(source);
    return wasThere && !isKin(one.path, source);
  });
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
