/** The nouns of the room. */
import type { T } from "../../base/t.ts";
import type { Uncovered } from "../../base/types.ts";
import type { Config } from "../../config/load.ts";

const REFUSALS = {
  undo: "Nothing to undo: no turn has changed a file, or all of them are undone",
  busy: "Agents are still at work on the files: wait for them, or stop them with /agents stop",
  locked: "Another narnat is undoing something here: try again in a moment",
  redo: "Nothing to redo: nothing was undone, or turns have changed files since",
  stale: "The preview is out of date: enter the command again",
} as const;

/** Nothing is undone or redone. */
export class NothingToDo extends Error {
  override readonly name = "NothingToDo";
  constructor(readonly why: keyof typeof REFUSALS) {
    super(why);
  }

  told(t: T): string {
    return t(REFUSALS[this.why]);
  }
}

/**
 * What a path holds. Of a file `hash` is the hex SHA-256 of its content, empty where that is too
 * large to keep; `mode` has the nine permission bits and the three above them.
 */
export type Held =
  | {
    readonly kind: "file";
    readonly hash: string;
    readonly size: number;
    readonly mode: number;
    /** `uid:gid`; what an earlier narnat kept has none. */
    readonly owner?: string;
    /** Another covered path that names the same file. */
    readonly twin?: string;
    /** It has holes. */
    readonly sparse?: true;
  }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder"; readonly mode: number };

/** Held, or nothing. */
export type State = Held | null;

/** What became of one path, which is relative to the workspace, with `/`. */
export interface Change {
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

/** A path that does not hold what it held before the commands. */
export interface Gone {
  readonly path: string;
  readonly before: State;
  readonly after: State;
  /** What it held when the turn began. */
  readonly first: State;
}

/** Of which a record tells. */
export interface Turn {
  readonly session: string;
  /** Number within the session. */
  readonly turn: number;
  /** Place of its line among the prompts of the session; none where no person asked. */
  readonly prompt?: number;
  /** First line of what was asked. */
  readonly text: string;
}

/** Something in the trash: the id there, and the path it was at. */
export interface Trashed {
  readonly id: string;
  readonly path: string;
}

/** What was changed in one go: by a turn, or by taking one back. */
export interface TurnRecord extends Turn {
  readonly v: 1;
  readonly id: string;
  readonly kind: "turn" | "undo" | "redo";
  /** Run of narnat that made it. */
  readonly by: string;
  /** ISO 8601. */
  readonly began: string;
  readonly ended: string;
  readonly changes: readonly Change[];
  readonly uncovered: readonly Uncovered[];
  /** What is not covered and was deleted, but lies in the trash. */
  readonly trashed?: readonly Trashed[];
  /** narnat was killed meanwhile: what was changed until it was next started counts in. */
  readonly interrupted?: true;
  /** Of an undo the turns, of a redo the undo that it takes back. */
  readonly of?: readonly string[];
  /** It is being carried out, or was when narnat was killed. */
  readonly pending?: true;
}

/** Bounds of what is kept. */
export interface Limits {
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files that are covered, and again of what earlier turns found. */
  readonly totalBytes: number;
  readonly files: number;
  /** Milliseconds that a turn can be undone. */
  readonly ageMs: number;
}

export function sameState(a: State, b: State): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "file") {
    return b.kind === "file" && a.hash !== "" && a.hash === b.hash && a.mode === b.mode &&
      a.twin === b.twin && (a.owner === b.owner || !a.owner || !b.owner);
  }
  if (a.kind === "link") return b.kind === "link" && a.target === b.target;
  return b.kind === "folder" && a.mode === b.mode;
}

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A look at so many files takes a second. */
const FILES_AT_MOST = 200_000;

/** The bounds that the configuration sets. */
export function limitsOf(
  { checkpointFileMb, checkpointTotalMb, checkpointDays }: Pick<
    Config,
    "checkpointFileMb" | "checkpointTotalMb" | "checkpointDays"
  >,
): Limits {
  return {
    fileBytes: checkpointFileMb * MB,
    totalBytes: checkpointTotalMb * MB,
    files: FILES_AT_MOST,
    ageMs: checkpointDays * DAY_MS,
  };
}
