/** Takes turns back, and taking back: first what it would do, then the doing. */
import type { Objects } from "../store/objects.ts";
import type {
  CheckpointTurn,
  RestoreOutcome,
  RestorePreview,
  RestoreWish,
  Uncovered,
} from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import { unlock } from "../../../files/file_lock.ts";
import { infoOf } from "../../../search/walk/known_files.ts";
import {
  chosen,
  planBack,
  planRest,
  type PresentOf,
  rowOf,
  type Step,
} from "../checkpoint_plan.ts";
import { namesOf, removeQuietly, waitForLock } from "../files.ts";
import type { Ledger } from "../store/ledger.ts";
import { type Records, undoneIn } from "../store/records.ts";
import { NothingToDo, type State, type TurnRecord } from "../types.ts";
import { type Failed, keepPresent, presentIn, restoreFiles } from "./restore_files.ts";
import { bringBack, isInTrash } from "./trashed.ts";

/** Removes the temporary files that a restore has left when it was killed. */
function sweep({ changes }: TurnRecord, root: string, mark: string): void {
  const folders = new Set(changes.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1)));
  for (const folder of folders) {
    const dir = under(root, folder);
    for (const name of namesOf(dir)) {
      if (name.startsWith(".") && name.endsWith(`-${mark}.tmp`)) removeQuietly(under(dir, name));
    }
  }
}

export interface RestoreOptions {
  readonly dir: string;
  readonly workspace: string;
  /** Bytes of the largest file that can be kept. */
  readonly fileBytes: number;
  now(): number;
  random(): number;
}

export interface Restorer {
  turns(session?: string): CheckpointTurn[];
  /** Throws NothingToDo. */
  preview(wish: RestoreWish): RestorePreview;
  restore(id: string, overwrite: readonly string[]): RestoreOutcome;
}

/** A preview, and what it comes from. */
interface Ready {
  readonly preview: RestorePreview;
  readonly steps: readonly Step[];
  readonly kind: "undo" | "redo";
  readonly of: readonly string[];
  readonly session: string;
  /** The record that was cut off. */
  readonly rest?: TurnRecord;
}

/** Of so many rows the lines are counted. */
const ROWS_COUNTED = 100;
/** So many paths of a turn are told. */
const PATHS_TOLD = 200;

export function createRestorer(ledger: Ledger, o: RestoreOptions): Restorer {
  return new TurnRestorer(ledger, o);
}

class TurnRestorer implements Restorer {
  readonly #ledger: Ledger;
  readonly #o: RestoreOptions;
  readonly #records: Records;
  readonly #objects: Objects;
  readonly #by: string;
  readonly #presentOf: PresentOf;
  #ready: Ready | undefined;

  constructor(ledger: Ledger, o: RestoreOptions) {
    this.#ledger = ledger;
    this.#o = o;
    const { records, objects, by } = ledger;
    this.#records = records;
    this.#objects = objects;
    this.#by = by;
    this.#presentOf = presentIn(o.workspace, o.fileBytes, this.#objects);
  }

  turns(session?: string): CheckpointTurn[] {
    this.#ledger.closeKilled();
    const all = this.#records.list();
    return summaries(this.#mine(all, session).filter(changedSomething).reverse(), all);
  }

  preview(wish: RestoreWish): RestorePreview {
    this.#ready = undefined;
    this.#ready = this.#makeReady(wish);
    return this.#ready.preview;
  }

  restore(id: string, overwrite: readonly string[]): RestoreOutcome {
    if (this.#ready?.preview.id !== id) throw new NothingToDo("stale");
    if (this.#ledger.busy) throw new NothingToDo("busy");
    const lock = this.#lockFile();
    if (!lock) throw new NothingToDo("locked");
    try {
      return this.#carryOut(this.#ready, overwrite);
    } finally {
      this.#ready = undefined;
      unlock(lock);
    }
  }

  #lockFile(): Deno.FsFile | undefined {
    return waitForLock(under(this.#o.dir, "restoring"), 10);
  }

  #isFree(): boolean {
    const lock = this.#lockFile();
    if (lock) unlock(lock);
    return lock !== undefined;
  }

  /** Of the session and of this narnat; all where there are none of them. */
  #mine(all: readonly TurnRecord[], session: string | undefined): readonly TurnRecord[] {
    if (session === undefined) return all;
    const own = all.filter((one) => one.session === session || one.by === this.#by);
    return own.some(changedSomething) ? own : all;
  }

  #undoOf(all: readonly TurnRecord[], { session, count = 1, to }: RestoreWish): TurnRecord[] {
    const undone = undoneIn(all).turns;
    const turns = this.#mine(all, session).filter(changedSomething)
      .filter(({ id }) => !undone.has(id)).reverse();
    const last = to === undefined ? count - 1 : turns.findIndex(({ id }) => id === to);
    const back = last < 0 ? [] : turns.slice(0, last + 1);
    if (back.length === 0) throw new NothingToDo("undo");
    return back;
  }

  /** The last undo that no turn has followed. */
  #redoOf(all: readonly TurnRecord[], { session }: RestoreWish): TurnRecord {
    const { turns, undos } = undoneIn(all);
    const own = this.#mine(all, session);
    const undo = own.findLast(({ kind, id }) => kind === "undo" && !undos.has(id));
    const last = own.findLast((one) => changedSomething(one) && !turns.has(one.id));
    if (!undo || last && last.id > undo.id) throw new NothingToDo("redo");
    return undo;
  }

  #makeReady(wish: RestoreWish): Ready {
    if (this.#ledger.busy) throw new NothingToDo("busy");
    this.#ledger.closeKilled();
    const all = this.#records.list();
    const id = this.#records.nextId(this.#o.now(), this.#o.random);
    const rest = all.findLast(({ pending }) => pending);
    if (rest && !this.#isFree()) throw new NothingToDo("locked");
    const back = rest
      ? []
      : wish.what === "undo"
      ? this.#undoOf(all, wish)
      : [this.#redoOf(all, wish)];
    const planned = rest ? planRest(rest, this.#presentOf) : planBack(back, this.#presentOf);
    const kind = rest ? rest.kind as "undo" | "redo" : wish.what;
    const of = rest?.of ?? back.map((one) => one.id);
    const ids = new Set(kind === "undo" ? of : all.find((one) => one.id === of[0])?.of ?? []);
    const turns = all.filter((one) => ids.has(one.id)).reverse();
    // a redo deletes nothing of it again
    const inTrash = kind === "redo" ? [] : turns.flatMap(({ trashed = [] }) => trashed)
      .filter((one) => isInTrash(this.#o.workspace, one));
    // turns that left nothing to take back may have changed what is not kept
    const first = turns.at(-1)?.id;
    const since = first === undefined || kind === "redo"
      ? []
      : all.filter((one) => one.kind === "turn" && one.id > first && !changedSomething(one));
    const uncovered = uncoveredIn([...turns, ...since], new Set(inTrash.map(({ path }) => path)));
    const stay = uncovered.flatMap(({ path, touched }) =>
      touched && infoOf(under(this.#o.workspace, path)) ? [path] : []
    );
    // a folder stays with what is left in it
    const steps = rest
      ? planned
      : planned.filter(({ path, present, target }) =>
        present?.kind !== "folder" || target || !stay.some((one) => one.startsWith(`${path}/`))
      );
    const conflicts = steps.filter(({ conflict }) => conflict);
    const plain = chosen(steps, new Set());
    const row = (step: Step, at: number) =>
      rowOf(step, this.#o.workspace, this.#objects, at < ROWS_COUNTED);
    return {
      steps,
      kind,
      of,
      // who takes it back outside of a session does it for that one
      session: turns[0]?.session ?? "",
      ...rest ? { rest } : {},
      preview: {
        id,
        what: kind,
        rest: rest !== undefined,
        turns: summaries(turns, all),
        rows: [
          ...plain.map(row),
          ...inTrash.map(({ path }) => ({ path, does: "create" as const })),
        ],
        conflicts: conflicts.filter(({ conflict }) => !conflict!.fixed).map(row),
        fixed: conflicts.filter(({ conflict }) => conflict!.fixed).map(({ path }) => path),
        uncovered,
        others: this.#ledger.shared ||
          turns.some((turn) => all.some((other) => meets(turn, other))),
      },
    };
  }

  #carryOut(now: Ready, overwrite: readonly string[]): RestoreOutcome {
    const failed: Failed[] = [];
    const wanted = chosen(now.steps, new Set(overwrite));
    const steps = keepPresent(wanted, this.#o.workspace, this.#objects, failed);
    const began = new Date(this.#o.now()).toISOString();
    const record: TurnRecord = now.rest ?? {
      v: 1,
      id: now.preview.id,
      kind: now.kind,
      by: this.#by,
      session: now.session,
      turn: 0,
      text: "",
      began,
      ended: began,
      changes: changesOf(steps),
      uncovered: [],
      of: now.of,
    };
    const mark = markOf(record.id);
    if (now.rest) sweep(record, this.#o.workspace, mark);
    else this.#records.write({ ...record, pending: true });
    const done = restoreFiles(
      steps,
      this.#o.workspace,
      this.#objects,
      mark,
      this.#presentOf,
      failed,
    );
    const deleted = now.kind === "undo"
      ? this.#records.list().filter(({ id }) => now.of.includes(id))
      : [];
    const back = bringBack(deleted, this.#o.workspace, failed);
    const kept = now.steps.flatMap(({ path, conflict }) =>
      conflict && !conflict.fixed && !overwrite.includes(path) ? [path] : []
    );
    const paths = [...done.map(({ path }) => path), ...back];
    const stopped = now.preview.fixed.length + kept.length + failed.length > 0;
    if (!now.rest && paths.length === 0 && stopped) {
      // it can be asked for again
      this.#records.remove(record.id);
      return { paths, failed, kept };
    }
    const { pending: _, ...whole } = record;
    // of what was cut off, what was done before counts too
    const changes = now.rest ? changesOfRest(record, now.steps, done) : changesOf(done);
    this.#records.write({ ...whole, ended: new Date(this.#o.now()).toISOString(), changes });
    return { paths, failed, kept };
  }
}

const changesOf = (steps: readonly Step[]) =>
  steps.map(({ path, present, target }) => ({ path, before: present, after: target }));

/** What was done before it was cut off, and now; of what was overwritten what it held. */
function changesOfRest({ changes }: TurnRecord, steps: readonly Step[], done: readonly Step[]) {
  const now = new Set(done.map(({ path }) => path));
  const left = new Map(steps.map((step) => [step.path, step]));
  return changes.flatMap((change) => {
    const step = left.get(change.path);
    if (step && !now.has(change.path)) return [];
    return step?.conflict ? [{ ...change, before: step.present }] : [change];
  });
}

const changedSomething = ({ kind, changes, trashed = [] }: TurnRecord) =>
  kind === "turn" && changes.length + trashed.length > 0;

/** Eight hexadecimal digits. */
function markOf(id: string): string {
  let sum = 0;
  for (const letter of id) sum = (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0;
  return sum.toString(16).padStart(8, "0");
}

/** Whether another narnat's turn fell into the same time. */
function meets(turn: TurnRecord, other: TurnRecord): boolean {
  return other.kind === "turn" && other.by !== turn.by && other.changes.length > 0 &&
    other.began < turn.ended && turn.began < other.ended;
}

function uncoveredIn(turns: readonly TurnRecord[], back: ReadonlySet<string>): Uncovered[] {
  const all = new Map<string, Uncovered>();
  for (const one of turns.flatMap(({ uncovered }) => uncovered)) {
    if (back.has(one.path)) continue;
    if (one.touched || !all.has(one.path)) all.set(one.path, one);
  }
  return [...all.values()].sort((a, b) => Number(b.touched ?? false) - Number(a.touched ?? false));
}

function summaries(turns: readonly TurnRecord[], all: readonly TurnRecord[]): CheckpointTurn[] {
  const undone = undoneIn(all).turns;
  return turns.map(
    ({ id, session, turn, prompt, text, ended, changes, trashed = [], interrupted }) => {
      const files = changes.filter((one) => !isFolder(one.before) && !isFolder(one.after));
      const count = (test: (before: State, after: State) => boolean) =>
        files.filter(({ before, after }) => test(before, after)).length;
      const told = [...files.length > 0 ? files : changes, ...trashed];
      return {
        id,
        session,
        turn,
        ...prompt === undefined ? {} : { prompt },
        text,
        ended,
        created: count((before) => before === null),
        changed: count((before, after) => before !== null && after !== null),
        deleted: count((_, after) => after === null) + trashed.length,
        paths: told.slice(0, PATHS_TOLD).map(({ path }) => path),
        more: Math.max(0, told.length - PATHS_TOLD),
        undone: undone.has(id),
        interrupted: interrupted === true,
      };
    },
  );
}

const isFolder = (state: State) => state?.kind === "folder";
