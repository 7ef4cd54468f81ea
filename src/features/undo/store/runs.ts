/**
 * The narnats that work in a workspace: a folder each, locked for as long as it lives; and what a
 * scan has found, in a file, for the next narnat and for one that is killed in a turn.
 */
import { under } from "../../../base/path.ts";
import type { Uncovered } from "../../../base/types.ts";
import { unlock } from "../../../files/file_lock.ts";
import {
  foldersOf,
  ownFolder,
  readBy,
  removeQuietly,
  replaceFile,
  replaceInPieces,
  textOf,
  tryLock,
} from "../files.ts";
import type { Turn } from "../types.ts";
import { Entries, type Entry, KINDS } from "./entries.ts";
import { isInside } from "./records.ts";

const HEAD = "narnat tree 2";
const END = "end";
const FIELDS = 12;
const PIECE_BYTES = 2 ** 16;

/** What a file of a tree holds. */
interface Tree {
  readonly entries: Entries;
  readonly left: Map<string, Uncovered["why"]>;
}

/** The text of it, in pieces: of a large folder the whole would be held several times. Names may hold anything but NUL. */
export function* treePieces(
  entries: ReadonlyMap<string, Entry>,
  left: Iterable<readonly [string, { readonly why: Uncovered["why"] }]>,
): Generator<string> {
  yield `${HEAD}\0${entries.size}\0`;
  for (const [path, e] of entries) {
    const stamp = `${e.kind}\0${e.mode}\0${e.size}\0${e.mtime}\0${e.ctime}\0${e.ino}\0${e.readAt}`;
    yield `${path}\0${stamp}\0${e.content}\0${e.owner}\0${e.twin}\0${e.sparse ? 1 : 0}\0`;
  }
  for (const [path, { why }] of left) yield `${path}\0${why}\0`;
  yield END;
}

/** What a file is read by: brings its next bytes, and tells how many. */
type Read = (to: Uint8Array) => number | null;

/** Undefined where the text is no tree, or not a whole one. */
export function readTree(read: Read): Tree | undefined {
  const { next, rest } = fieldsOf(read);
  if (next() !== HEAD) return undefined;
  const count = Number(next());
  if (!Number.isInteger(count)) return undefined;
  const entries = new Entries();
  while (entries.size < count) {
    const [path, rest] = [next(), next(FIELDS - 1)];
    if (path === undefined || rest === undefined || entries.has(path)) return undefined;
    const [name, mode, size, mtime, ctime, ino, readAt, ...more] = rest.split("\0");
    const [content = "", owner = "", twin = "", sparse] = more;
    const kind = KINDS.find((kind) => kind === name);
    // a repository may bring files where ours are
    if (!isInside(path) || !kind) return undefined;
    entries.set(path, {
      kind,
      mode: Number(mode),
      size: Number(size),
      mtime: Number(mtime),
      ctime: Number(ctime),
      ino: Number(ino),
      readAt: Number(readAt),
      content,
      owner,
      twin,
      sparse: sparse === "1",
    });
  }
  const left = new Map<string, Uncovered["why"]>();
  for (let path = next(); path !== undefined; path = next()) {
    const why = next();
    if (why === undefined) return undefined;
    left.set(path, why as Uncovered["why"]);
  }
  return rest() === END ? { entries, left } : undefined;
}

/** The texts before each NUL, as many at a time as are asked for, and the text behind all of them. */
function fieldsOf(read: Read) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let bytes = new Uint8Array(PIECE_BYTES);
  let [at, end] = [0, 0];
  const more = () => {
    bytes.copyWithin(0, at, end);
    [at, end] = [0, end - at];
    if (end === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(2 * end));
    const got = read(bytes.subarray(end)) ?? 0;
    end += got;
    return got > 0;
  };
  return {
    next(fields = 1): string | undefined {
      let length = 0;
      for (let left = fields; left > 0;) {
        const found = bytes.subarray(0, end).indexOf(0, at + length);
        if (found < 0 && !more()) return undefined;
        if (found < 0) continue;
        length = found + 1 - at;
        left--;
      }
      at += length;
      // a part of a text would hold all of it in memory, so what stays is decoded by itself
      return decoder.decode(bytes.subarray(at - length, at - 1));
    },
    rest: () => decoder.decode(bytes.subarray(at, end)),
  };
}

const LOCK = "lock";
const TREE = "tree";
const OPEN = "open.json";

/** A turn under way, which began with the run's tree. */
export interface OpenTurn extends Turn {
  readonly id: string;
  /** ISO 8601. */
  readonly began: string;
}

/** A narnat that was killed in a turn. */
export interface Killed {
  readonly name: string;
  readonly open: OpenTurn;
  readonly tree: Tree;
}

export interface Run {
  readonly name: string;
  /** Keeps what the next turn begins with. */
  keepTree(pieces: Iterable<string>): void;
  keepOpen(turn: OpenTurn): void;
  dropOpen(): void;
  /** What the newest run has left; undefined where there is none. */
  newestTree(): Tree | undefined;
  killed(): Killed[];
  /** Forgets the runs that are over, those killed in a turn only when their turns are taken down. */
  forget(taken: readonly Killed[]): void;
  /** Whether another narnat works here, and whether one is in a turn. */
  others(): "none" | "alive" | "in_turn";
  close(): void;
}

/** Begins a run; `dir` holds all of them. */
export function openRun(dir: string, name: string): Run {
  const own = under(dir, name);
  ownFolder(own);
  const lock = tryLock(under(own, LOCK));
  const others = () => foldersOf(dir).filter((other) => other !== name);
  const isOver = (other: string) => {
    try {
      const file = tryLock(under(dir, other, LOCK));
      if (file) unlock(file);
      return file !== undefined;
    } catch {
      return false;
    }
  };
  const treeOf = (other: string) => readBy(under(dir, other, TREE), readTree);
  return {
    name,
    keepTree: (pieces) => replaceInPieces(under(own, TREE), pieces),
    keepOpen: (turn) => replaceFile(under(own, OPEN), JSON.stringify(turn)),
    dropOpen: () => removeQuietly(under(own, OPEN)),
    newestTree() {
      const times = others().map((other) => ({ other, time: timeOf(under(dir, other, TREE)) }));
      for (const { other, time } of times.sort((a, b) => b.time - a.time)) {
        const tree = time > 0 ? treeOf(other) : undefined;
        if (tree) return tree;
      }
      return undefined;
    },
    killed: () =>
      others().flatMap((other) => {
        const text = textOf(under(dir, other, OPEN));
        if (text === undefined || !isOver(other)) return [];
        const [open, tree] = [openIn(text), treeOf(other)];
        return open && tree ? [{ name: other, open, tree }] : [];
      }),
    forget(taken) {
      for (const other of others()) {
        const text = textOf(under(dir, other, OPEN));
        const lost = text !== undefined && openIn(text) !== undefined &&
          !taken.some(({ name }) => name === other) && treeOf(other) !== undefined;
        if (!lost && isOver(other)) removeQuietly(under(dir, other));
      }
    },
    others() {
      const alive = others().filter((other) => !isOver(other));
      const inTurn = alive.some((other) => textOf(under(dir, other, OPEN)) !== undefined);
      return inTurn ? "in_turn" : alive.length > 0 ? "alive" : "none";
    },
    close: () => lock && unlock(lock),
  };
}

function openIn(text: string): OpenTurn | undefined {
  try {
    const { id, began, session, turn, text: asked, prompt } = JSON.parse(text) as OpenTurn;
    return { id, began, session, turn, text: asked, ...prompt === undefined ? {} : { prompt } };
  } catch {
    return undefined;
  }
}

function timeOf(path: string): number {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
