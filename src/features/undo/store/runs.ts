/** The narnats that work in a workspace: a folder each, locked for as long as it lives. */
import { under } from "../../../base/path.ts";
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
import { readTree, type Tree } from "./tree_file.ts";
import type { Turn } from "../types.ts";

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
