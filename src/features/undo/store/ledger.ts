/** Keeps what each turn found and left. All of it is synchronous: it has a thread of its own. */
import type { GitPlaces } from "../../../search/walk/git_settings.ts";
import { under } from "../../../base/path.ts";
import { Entries, type Entry, stateOf } from "./entries.ts";
import {
  exists,
  namesOf,
  ownFolder,
  removeQuietly,
  replaceFile,
  textOf,
  withLock,
} from "../files.ts";
import { type Objects, openObjects } from "./objects.ts";
import { leftTold, newId, openRecords, type Records, tidy } from "./records.ts";
import { openRun, type Run, treePieces } from "./runs.ts";
import { type Few, type Progress, Scanner, type Seen, TooMany } from "../scan.ts";
import { trashedSince } from "../restore/trashed.ts";
import { type Change, type Limits, sameState, type State, type Turn } from "../types.ts";
import { uncommitted, withoutIgnored } from "./repository.ts";

export interface LedgerOptions {
  /** The folder of all of it. */
  readonly dir: string;
  readonly workspace: string;
  readonly places: GitPlaces;
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly few?: Few;
  now(): number;
  random(): number;
}

/** For a ledger that goes on in another thread; the thread that hands it over keeps the run's lock. */
export interface LedgerState {
  readonly by: string;
  readonly seen: Seen;
  readonly held: Objects["held"];
  readonly work: Set<string>;
  readonly handed: Set<string>;
  readonly made: Set<string>;
  readonly open: Map<string, Open>;
  readonly draft: Draft | undefined;
}

export interface Ledger {
  /** Undefined where nothing has been looked at yet. */
  readonly state: LedgerState | undefined;
  readonly objects: Objects;
  readonly records: Records;
  /** Name of this run of narnat. */
  readonly by: string;
  /** Whether calls are under way that may change something. */
  readonly busy: boolean;
  /** Whether another narnat is in a turn here. */
  readonly shared: boolean;
  /**
   * A turn begins: what has changed before it is nobody's. The turn of an agent goes with that of
   * the person who had it started. True, once, where an undo was cut off.
   */
  begin(key: string, turn: Turn, agent: boolean, progress?: Progress): boolean;
  /** From now on the turn may change something, and is one that can be undone although narnat is killed. */
  start(key: string): void;
  /** Takes down what the turn has changed so far; returns what has changed since last time. */
  look(key: string): Change[];
  /** The same, where nothing else can have changed than some paths. */
  lookAt(key: string, paths: readonly string[]): Change[];
  /** Returns what has changed since last time while no turn is under way; nothing while one is. */
  lookBetween(): Change[];
  /** What the covered paths hold, as far as it has been looked at. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Paths of work that no commit had before narnat began, or that somebody else changed since; nothing ignored. */
  readonly work: Set<string>;
  /** Paths that held something before earlier turns, or a tool in this one, changed it. */
  readonly handed: Set<string>;
  /** Paths that held nothing before earlier turns made them. */
  readonly made: ReadonlySet<string>;
  /** What was too large to be kept and is gone, or holds nothing, since the turn began. */
  lostLarge(): (readonly [path: string, stamp: string])[];
  /** The path's state when the turn began, where the turn has changed it. */
  foundAt(path: string): State | undefined;
  end(key: string): void;
  /** Takes down what narnats have changed that were killed in a turn. */
  closeKilled(): void;
  close(): void;
}

/** A record that still grows. */
interface Draft extends Turn {
  readonly id: string;
  readonly began: string;
  readonly changes: Map<string, Change>;
}

interface Open {
  readonly draft: Draft;
  readonly agent: boolean;
  started: boolean;
}

/** Opens the ledger; nothing is looked at yet. Throws where nothing can be kept. */
export function openLedger(o: LedgerOptions, state?: LedgerState): Ledger {
  return new TurnLedger(o, state);
}

class TurnLedger implements Ledger {
  readonly #o: LedgerOptions;
  readonly by: string;
  readonly objects: Objects;
  readonly records: Records;
  #run: Run;
  readonly #open: Map<string, Open>;
  #scanner: Scanner;
  #scanned: boolean;
  readonly work: Set<string>;
  readonly handed: Set<string>;
  readonly made: Set<string>;
  /** What is known differs from what the run has kept. */
  #unkept = true;
  #draft: Draft | undefined;
  #cutOff = false;

  constructor(o: LedgerOptions, state?: LedgerState) {
    this.#o = o;
    this.#makeFolders();
    this.by = state?.by ?? newId(o.now(), o.random);
    this.objects = openObjects(this.#at("objects"), this.by, state?.held);
    this.records = openRecords(this.#at("turns"));
    this.#run = this.#beginRun();
    this.#open = state?.open ?? new Map<string, Open>();
    this.#scanner = this.#newScanner();
    this.#scanned = state !== undefined;
    if (state) this.#scanner.goOn(state.seen);
    this.work = state?.work ?? new Set<string>();
    this.handed = state?.handed ?? new Set<string>();
    this.made = state?.made ?? new Set<string>();
    this.#draft = state?.draft;
  }

  get state(): LedgerState | undefined {
    return this.#scanned
      ? {
        by: this.by,
        seen: this.#scanner.seen,
        held: this.objects.held,
        work: this.work,
        handed: this.handed,
        made: this.made,
        open: this.#open,
        draft: this.#draft,
      }
      : undefined;
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#scanner.entries;
  }

  lostLarge(): (readonly [path: string, stamp: string])[] {
    return this.#scanner.lostLarge();
  }

  foundAt(path: string): State | undefined {
    return this.#draft?.changes.get(path)?.before;
  }

  get busy(): boolean {
    return this.#started().length > 0;
  }

  get shared(): boolean {
    return this.#run.others() === "in_turn";
  }

  begin(key: string, turn: Turn, agent: boolean, progress?: Progress): boolean {
    if (agent && this.#draft && this.#scanned) {
      this.#open.set(key, { draft: this.#draft, agent, started: false });
      return false;
    }
    const changes = this.#scan(progress);
    if (!this.#scanned) this.#first(progress);
    this.#addWork(changes.flatMap(({ path, after }) => after?.kind === "file" ? [path] : []));
    // an earlier turn has handed over what it left
    for (const { path, before } of this.#draft?.changes.values() ?? []) {
      (before ? this.handed : this.made).add(path);
    }
    // what somebody else has changed since is theirs
    for (const { path } of changes) this.made.delete(path);
    // what goes on for an earlier turn is that turn's
    const going = this.#started().at(-1);
    if (going) this.#extend(going.draft, changes);
    this.#keep();
    this.#scanner.begin();
    this.#draft = this.#newDraft(turn);
    this.#open.set(key, { draft: this.#draft, agent, started: false });
    this.#tidyWhenDue();
    const told = this.#cutOff;
    this.#cutOff = false;
    return told;
  }

  start(key: string): void {
    const turn = this.#open.get(key);
    if (!turn || turn.started) return;
    if (this.#started().length === 0 || !turn.agent) {
      const { changes: _, ...told } = turn.draft;
      this.#run.keepOpen(told);
    }
    turn.started = true;
  }

  look(key: string): Change[] {
    return this.#take(key, () => this.#scan());
  }

  lookAt(key: string, paths: readonly string[]): Change[] {
    return this.#take(key, () => this.#scanned ? this.#scanner.lookAt(paths) : this.#scan());
  }

  lookBetween(): Change[] {
    return this.#scanned && this.#started().length === 0 ? this.#scan() : [];
  }

  end(key: string): void {
    this.#open.delete(key);
    if (this.#started().length === 0) this.#run.dropOpen();
  }

  closeKilled(): void {
    if (!this.#scanned && this.#run.killed().length > 0) this.#first();
  }

  close(): void {
    this.#run.close();
  }

  #at(name: string): string {
    return under(this.#o.dir, name);
  }

  #makeFolders(): void {
    for (
      const path of [
        this.#o.dir.replace(/[/\\][^/\\]+$/, ""),
        this.#o.dir,
        this.#at("turns"),
        this.#at("runs"),
      ]
    ) {
      ownFolder(path);
    }
    // contents that are gone are known no more
    if (!exists(this.#at("objects"))) {
      for (const name of namesOf(this.#at("runs"))) removeQuietly(under(this.#at("runs"), name));
    }
    ownFolder(this.#at("objects"));
  }

  #beginRun(): Run {
    return withLock(this.#at("lock"), () => openRun(this.#at("runs"), this.by));
  }

  #newScanner(): Scanner {
    return new Scanner(this.#o.workspace, this.objects, this.#o);
  }

  #time(): string {
    return new Date(this.#o.now()).toISOString();
  }

  #scan(progress?: Progress): Change[] {
    const thrownAway = this.#scanned && !exists(this.#at("objects"));
    if (!exists(this.#at("objects"))) this.#makeFolders();
    if (!exists(under(this.#at("runs"), this.by))) {
      this.#run.close();
      this.#run = this.#beginRun();
    }
    if (!this.#scanned) {
      this.#first(progress);
      return [];
    }
    const changes = this.#scanner.scan(progress);
    this.#unkept ||= changes.length > 0;
    for (const { after } of changes) if (after?.kind === "file") this.objects.hold(after.hash);
    if (thrownAway) {
      // what has gone with it is known once more; then all is copied again
      this.#scanner = this.#newScanner();
      this.#scanned = false;
    }
    return changes;
  }

  /** Holds what nobody else does, and knows it for work that was there before. */
  #holdRisked(): void {
    const untracked: string[] = [];
    const all = uncommitted(this.#o.workspace, this.#scanner.entries, this.#scanner.repositories());
    for (const { path, entry, tracked, unsure } of all) {
      if (!unsure) this.objects.holdFitting(entry);
      if (tracked) this.work.add(path);
      else untracked.push(path);
    }
    this.#addWork(untracked);
  }

  #addWork(paths: readonly string[]): void {
    for (const path of withoutIgnored(this.#o.workspace, paths, this.#scanner.repositories())) {
      this.work.add(path);
    }
  }

  #first(progress?: Progress): void {
    const killed = this.#run.killed();
    const tree = killed.at(-1)?.tree ?? this.#run.newestTree();
    // with that of a turn that was killed it is compared once more
    if (tree) {
      this.#scanner.take(killed.length > 0 ? new Entries(tree.entries) : tree.entries, tree.left);
    }
    try {
      this.#scanner.scan(progress, tree === undefined);
    } catch (error) {
      if (error instanceof TooMany) throw error;
      // copies of all there is may be more than the disk holds: it is given back
      removeQuietly(this.#at("objects"));
      this.#scanner = this.#newScanner();
      throw error;
    }
    this.#scanned = this.#unkept = true;
    this.#holdRisked();
    const all = this.records.list();
    this.#cutOff = all.some(({ pending }) => pending);
    for (const { open, tree: { entries, left } } of killed) {
      const since = difference(entries, this.#scanner.entries).filter(({ path, before }) =>
        before !== null || !isUnder(path, left)
      );
      const trashed = trashedSince(this.#o.workspace, open.began, this.#scanner.gone());
      if (since.length + trashed.length === 0) continue;
      // where an agent worked on, the tree may be younger than the turn
      const known = all.find(({ id }) => id === open.id);
      const first = new Map(
        [...since, ...known?.changes ?? []].map((one) => [one.path, one.before]),
      );
      this.records.write({
        v: 1,
        kind: "turn",
        uncovered: leftTold(this.#scanner.uncovered()),
        ...known,
        by: `${this.by} killed`,
        ...open,
        ended: this.#time(),
        changes: [...first].map(([path, before]) => ({
          path,
          before,
          after: stateOf(this.#scanner.entries.get(path)),
        })).filter(({ before, after }) => !sameState(before, after)).sort(byPath),
        ...trashed.length > 0 ? { trashed } : {},
        interrupted: true,
      });
    }
    this.#keep();
    if (killed.length > 0) withLock(this.#at("lock"), () => this.#run.forget(killed));
  }

  #keep(): void {
    if (!this.#unkept) return;
    this.#run.keepTree(treePieces(this.#scanner.entries, this.#scanner.left));
    this.#unkept = false;
  }

  #extend(to: Draft, changes: readonly Change[]): void {
    for (const { path, before, after } of changes) {
      const first = to.changes.get(path)?.before;
      const change = { path, before: first === undefined ? before : first, after };
      if (sameState(change.before, after)) to.changes.delete(path);
      else to.changes.set(path, change);
    }
    // of files of which nothing is kept the next undo tells
    if (changes.length > 0 || this.#scanner.gone().length > 0 || this.#scanner.losesLarge) {
      this.#write(to);
    }
  }

  #write({ changes, ...turn }: Draft): void {
    const trashed = trashedSince(this.#o.workspace, turn.began, this.#scanner.gone());
    if (changes.size + trashed.length === 0 && !this.#scanner.losesLarge) {
      return this.records.remove(turn.id);
    }
    this.records.write({
      v: 1,
      kind: "turn",
      by: this.by,
      ...turn,
      ended: this.#time(),
      changes: [...changes.values()].sort(byPath),
      uncovered: leftTold(this.#scanner.uncovered()),
      ...trashed.length > 0 ? { trashed } : {},
    });
  }

  #started(): Open[] {
    return [...this.#open.values()].filter((turn) => turn.started);
  }

  #newDraft(turn: Turn): Draft {
    return ({
      ...turn,
      id: this.records.nextId(this.#o.now(), this.#o.random),
      began: this.#time(),
      changes: new Map(),
    });
  }

  #take(key: string, changesSince: () => Change[]): Change[] {
    const turn = this.#open.get(key);
    if (!turn?.started) return [];
    const changes = changesSince();
    const newest = this.#started().find(({ agent }) => !agent) ?? turn;
    this.#extend(newest.draft, changes);
    return changes;
  }

  /** Once a day, while nobody waits. */
  #tidyWhenDue(): void {
    const stamp = this.#at("tidied");
    const last = textOf(stamp);
    if (last !== undefined && this.#o.now() - Number(last) < DAY_MS) return;
    withLock(this.#at("lock"), () => {
      // the first time there is nothing that is old
      if (last === undefined) return replaceFile(stamp, String(this.#o.now()));
      if (this.#run.others() !== "none" || this.#run.killed().length > 0) return;
      this.#run.forget([]);
      tidy({
        objects: this.objects,
        records: this.records,
        limits: this.#o.limits,
        now: this.#o.now(),
        known: this.#scanner.entries,
      });
      replaceFile(stamp, String(this.#o.now()));
    });
  }
}

const byPath = (a: Change, b: Change) => a.path < b.path ? -1 : 1;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What differs between two looks at the same folder. */
function difference(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): Change[] {
  const changes: Change[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [stateOf(before.get(path)), stateOf(after.get(path))];
    if (!sameState(was, is)) changes.push({ path, before: was, after: is });
  }
  return changes.sort(byPath);
}

function isUnder(path: string, left: ReadonlyMap<string, unknown>): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (left.has(path.slice(0, at))) return true;
  }
  return false;
}
