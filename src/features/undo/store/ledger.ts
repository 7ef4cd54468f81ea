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
  const at = (name: string) => under(o.dir, name);
  const makeFolders = () => {
    for (const path of [o.dir.replace(/[/\\][^/\\]+$/, ""), o.dir, at("turns"), at("runs")]) {
      ownFolder(path);
    }
    // contents that are gone are known no more
    if (!exists(at("objects"))) {
      for (const name of namesOf(at("runs"))) removeQuietly(under(at("runs"), name));
    }
    ownFolder(at("objects"));
  };
  makeFolders();
  const by = state?.by ?? newId(o.now(), o.random);
  const objects = openObjects(at("objects"), by, state?.held);
  const records = openRecords(at("turns"));
  const beginRun = () => withLock(at("lock"), () => openRun(at("runs"), by));
  let run: Run = beginRun();
  const newScanner = () => new Scanner(o.workspace, objects, o);
  const open = state?.open ?? new Map<string, Open>();
  let scanner = newScanner();
  let scanned = state !== undefined;
  if (state) scanner.goOn(state.seen);
  const work = state?.work ?? new Set<string>();
  const handed = state?.handed ?? new Set<string>();
  const made = state?.made ?? new Set<string>();
  /** What is known differs from what the run has kept. */
  let unkept = true;
  let draft = state?.draft;
  let cutOff = false;

  const time = () => new Date(o.now()).toISOString();

  function scan(progress?: Progress): Change[] {
    const thrownAway = scanned && !exists(at("objects"));
    if (!exists(at("objects"))) makeFolders();
    if (!exists(under(at("runs"), by))) {
      run.close();
      run = beginRun();
    }
    if (!scanned) {
      first(progress);
      return [];
    }
    const changes = scanner.scan(progress);
    unkept ||= changes.length > 0;
    for (const { after } of changes) if (after?.kind === "file") objects.hold(after.hash);
    if (thrownAway) {
      // what has gone with it is known once more; then all is copied again
      scanner = newScanner();
      scanned = false;
    }
    return changes;
  }

  /** Holds what nobody else does, and knows it for work that was there before. */
  function holdRisked(): void {
    const untracked: string[] = [];
    const all = uncommitted(o.workspace, scanner.entries, scanner.repositories());
    for (const { path, entry, tracked, unsure } of all) {
      if (!unsure) objects.holdFitting(entry);
      if (tracked) work.add(path);
      else untracked.push(path);
    }
    addWork(untracked);
  }

  function addWork(paths: readonly string[]): void {
    for (const path of withoutIgnored(o.workspace, paths, scanner.repositories())) work.add(path);
  }

  function first(progress?: Progress): void {
    const killed = run.killed();
    const tree = killed.at(-1)?.tree ?? run.newestTree();
    // with that of a turn that was killed it is compared once more
    if (tree) scanner.take(killed.length > 0 ? new Entries(tree.entries) : tree.entries, tree.left);
    try {
      scanner.scan(progress, tree === undefined);
    } catch (error) {
      if (error instanceof TooMany) throw error;
      // copies of all there is may be more than the disk holds: it is given back
      removeQuietly(at("objects"));
      scanner = newScanner();
      throw error;
    }
    scanned = unkept = true;
    holdRisked();
    const all = records.list();
    cutOff = all.some(({ pending }) => pending);
    for (const { open, tree: { entries, left } } of killed) {
      const since = difference(entries, scanner.entries).filter(({ path, before }) =>
        before !== null || !isUnder(path, left)
      );
      const trashed = trashedSince(o.workspace, open.began, scanner.gone());
      if (since.length + trashed.length === 0) continue;
      // where an agent worked on, the tree may be younger than the turn
      const known = all.find(({ id }) => id === open.id);
      const first = new Map(
        [...since, ...known?.changes ?? []].map((one) => [one.path, one.before]),
      );
      records.write({
        v: 1,
        kind: "turn",
        uncovered: leftTold(scanner.uncovered()),
        ...known,
        by: `${by} killed`,
        ...open,
        ended: time(),
        changes: [...first].map(([path, before]) => ({
          path,
          before,
          after: stateOf(scanner.entries.get(path)),
        })).filter(({ before, after }) => !sameState(before, after)).sort(byPath),
        ...trashed.length > 0 ? { trashed } : {},
        interrupted: true,
      });
    }
    keep();
    if (killed.length > 0) withLock(at("lock"), () => run.forget(killed));
  }

  function keep(): void {
    if (!unkept) return;
    run.keepTree(treePieces(scanner.entries, scanner.left));
    unkept = false;
  }

  function extend(to: Draft, changes: readonly Change[]): void {
    for (const { path, before, after } of changes) {
      const first = to.changes.get(path)?.before;
      const change = { path, before: first === undefined ? before : first, after };
      if (sameState(change.before, after)) to.changes.delete(path);
      else to.changes.set(path, change);
    }
    // of files of which nothing is kept the next undo tells
    if (changes.length > 0 || scanner.gone().length > 0 || scanner.losesLarge) write(to);
  }

  function write({ changes, ...turn }: Draft): void {
    const trashed = trashedSince(o.workspace, turn.began, scanner.gone());
    if (changes.size + trashed.length === 0 && !scanner.losesLarge) return records.remove(turn.id);
    records.write({
      v: 1,
      kind: "turn",
      by,
      ...turn,
      ended: time(),
      changes: [...changes.values()].sort(byPath),
      uncovered: leftTold(scanner.uncovered()),
      ...trashed.length > 0 ? { trashed } : {},
    });
  }

  const started = () => [...open.values()].filter((turn) => turn.started);
  const newDraft = (turn: Turn): Draft => ({
    ...turn,
    id: records.nextId(o.now(), o.random),
    began: time(),
    changes: new Map(),
  });

  function take(key: string, changesSince: () => Change[]): Change[] {
    const turn = open.get(key);
    if (!turn?.started) return [];
    const changes = changesSince();
    const newest = started().find(({ agent }) => !agent) ?? turn;
    extend(newest.draft, changes);
    return changes;
  }

  return {
    get state() {
      return scanned
        ? { by, seen: scanner.seen, held: objects.held, work, handed, made, open, draft }
        : undefined;
    },
    objects,
    records,
    by,
    get entries() {
      return scanner.entries;
    },
    work,
    handed,
    made,
    lostLarge: () => scanner.lostLarge(),
    foundAt: (path) => draft?.changes.get(path)?.before,
    get busy() {
      return started().length > 0;
    },
    get shared() {
      return run.others() === "in_turn";
    },
    begin(key, turn, agent, progress) {
      if (agent && draft && scanned) {
        open.set(key, { draft, agent, started: false });
        return false;
      }
      const changes = scan(progress);
      if (!scanned) first(progress);
      addWork(changes.flatMap(({ path, after }) => after?.kind === "file" ? [path] : []));
      // an earlier turn has handed over what it left
      for (const { path, before } of draft?.changes.values() ?? []) {
        (before ? handed : made).add(path);
      }
      // what somebody else has changed since is theirs
      for (const { path } of changes) made.delete(path);
      // what goes on for an earlier turn is that turn's
      const going = started().at(-1);
      if (going) extend(going.draft, changes);
      keep();
      scanner.begin();
      draft = newDraft(turn);
      open.set(key, { draft, agent, started: false });
      tidyWhenDue();
      const told = cutOff;
      cutOff = false;
      return told;
    },
    start(key) {
      const turn = open.get(key);
      if (!turn || turn.started) return;
      if (started().length === 0 || !turn.agent) {
        const { changes: _, ...told } = turn.draft;
        run.keepOpen(told);
      }
      turn.started = true;
    },
    look: (key) => take(key, () => scan()),
    lookAt: (key, paths) => take(key, () => scanned ? scanner.lookAt(paths) : scan()),
    lookBetween: () => scanned && started().length === 0 ? scan() : [],
    end(key) {
      open.delete(key);
      if (started().length === 0) run.dropOpen();
    },
    closeKilled() {
      if (!scanned && run.killed().length > 0) first();
    },
    close: () => run.close(),
  };

  /** Once a day, while nobody waits. */
  function tidyWhenDue(): void {
    const stamp = at("tidied");
    const last = textOf(stamp);
    if (last !== undefined && o.now() - Number(last) < DAY_MS) return;
    withLock(at("lock"), () => {
      // the first time there is nothing that is old
      if (last === undefined) return replaceFile(stamp, String(o.now()));
      if (run.others() !== "none" || run.killed().length > 0) return;
      run.forget([]);
      tidy({ objects, records, limits: o.limits, now: o.now(), known: scanner.entries });
      replaceFile(stamp, String(o.now()));
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
