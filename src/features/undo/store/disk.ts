/** Tells what commands have lost of the work, from one look at the disk to the next. */
import { infoOf } from "../../../search/walk/known_files.ts";
import type { BroughtBack, Loss, RunCommand } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import { stateOf } from "./entries.ts";
import type { Ledger } from "./ledger.ts";
import { createLossFinder, type Mark } from "../losses.ts";
import { isBuild, isClone, isReport, type Own } from "../overwritten.ts";
import { contentOf, type Objects } from "./objects.ts";
import { type Failed, presentIn, restoreFiles } from "../restore/restore_files.ts";
import { type Change, type Gone, sameState, type State } from "../types.ts";
import { Way } from "../restore/way.ts";

/** What a program writes anew may be gone or empty for a moment. */
const MOMENT_MS = 30;
/** Files that are looked for where a command has put them. */
const MOST_FOLLOWED = 1000;
/** A zero among so many bytes makes a file a binary one. */
const PROBE_BYTES = 8192;
const MARK = "b0000000";

/** For one that goes on in another thread. */
export interface DiskState {
  readonly before: Map<string, State>;
  readonly found: Map<string, State>;
  readonly moved: Map<string, State>;
  readonly resting: Map<string, State>;
  readonly made: Set<string>;
  readonly madeFolders: Set<string>;
  readonly lost: Map<string, Lost>;
  readonly judged: Set<string>;
  readonly jobs: Map<number, RunCommand>;
  readonly ran: RunCommand[];
  readonly owed: boolean;
  readonly heirs: Map<string, State>;
  readonly since: number;
  readonly marked: Mark | undefined;
}

export interface Disk {
  readonly state: DiskState;
  /** Takes changes for what commands have done; returns them. */
  seen(changes: readonly Change[]): readonly Change[];
  /** A command goes on under this number. */
  background(id: number, command: RunCommand): void;
  /** It has ended: what it has done is still judged with it. True where that was between two turns, and may be a loss. */
  over(id: number): boolean;
  /** A tool has written in them, and changed this: it is work. */
  edited(paths: readonly string[], changes: readonly Change[]): void;
  /** The same of what no call of the turn has done, as far as one knows. */
  changedBeside(changes: readonly Change[]): void;
  /** Tells what has been lost since last time; looks where there is a command. */
  losses(key: string, command?: RunCommand): Loss[];
  /** Puts back what losses have told of. */
  bringBack(key: string, paths: readonly string[]): BroughtBack;
  forget(): void;
}

/** What a path held, and where the file that stands there was moved from. */
interface Lost {
  readonly target: State;
  readonly how: Loss["how"];
  readonly from?: string;
}

export function openDisk(
  ledger: Ledger,
  look: (key: string) => readonly Change[],
  { workspace, fileBytes }: { readonly workspace: string; readonly fileBytes: number },
  state?: DiskState,
): Disk {
  const finder = createLossFinder(workspace, ledger, state?.marked);
  const presentOf = presentIn(workspace, fileBytes, ledger.objects);
  /** What the paths held that commands have changed. */
  const before = state?.before ?? new Map<string, State>();
  /** What others than the turn have left there since it began. */
  const found = state?.found ?? new Map<string, State>();
  /** Where commands have put what was covered, and held this, and is no longer. */
  const moved = state?.moved ?? new Map<string, State>();
  /** What commands have taken away and only git's index, a stash, a log or another branch has had since. */
  const resting = state?.resting ?? new Map<string, State>();
  /** What commands have made by the way, and can make again: the products of a build. */
  const made = state?.made ?? new Set<string>();
  const madeFolders = state?.madeFolders ?? new Set<string>();
  /** What was lost, by its path. */
  const lost = state?.lost ?? new Map<string, Lost>();
  const judged = state?.judged ?? new Set<string>();
  const jobs = state?.jobs ?? new Map<number, RunCommand>();
  /** What was there as the turn began, where commands have put it. */
  const heirs = state?.heirs ?? new Map<string, State>();
  const since = state?.since ?? Date.now();
  let ran = state?.ran ?? [];
  /** Jobs have changed something since the last turn. */
  let owed = state?.owed ?? false;

  const seen: Disk["seen"] = (changes) => {
    for (const one of changes) if (!before.has(one.path)) before.set(one.path, one.before);
    return changes;
  };

  /** No text, or not named by its command: then in a folder that is new too, or of a build; or a report. */
  function noteMade(changes: readonly Change[], { command }: RunCommand): void {
    // what was moved or packed is no product
    const moves = changes.some(({ path, before, after }) =>
      before?.kind === "file" && after === null && !made.has(path)
    );
    if (moves) return;
    const build = isBuild(command);
    const clone = isClone(command);
    for (const { path, before, after } of changes) {
      if (before !== null) {
        noteWritten(path, after, build ? "" : command);
        continue;
      }
      if (after?.kind === "folder") madeFolders.add(path);
      if (after?.kind === "folder" && clone) made.add(keyOf(`${path}/.git`));
      if (after?.kind !== "file") continue;
      const slash = path.lastIndexOf("/");
      const inNew = madeFolders.has(path.slice(0, Math.max(0, slash)));
      const named = command.includes(path.slice(slash + 1));
      if ((inNew || build) && !named || isReport(path) || isBinary(after, ledger.objects)) {
        made.add(path);
      }
    }
  }

  /** A product that a command names, or somebody, and writes is one no more. */
  function noteWritten(path: string, after: State, by?: string): void {
    if (after?.kind !== "file" || !made.has(path)) return;
    const named = by === undefined || by.includes(path.slice(path.lastIndexOf("/") + 1));
    if (named && !isBinary(after, ledger.objects)) made.delete(path);
  }

  const own: Own = {
    since,
    foundAt: (path) => heirs.get(path) ?? ledger.foundAt(path),
    made: (path) => ledger.made.has(path),
    changed: (path) => ledger.made.has(path) || ledger.handed.has(path),
    written: (path) => found.get(path),
  };

  /** Of a repository, as its log is. */
  function keyOf(path: string): string {
    const info = infoOf(under(workspace, path, "logs", "HEAD"));
    return `${path} ${info?.size}-${info?.mtime?.getTime()}-${info?.ino}`;
  }

  function follow(one: Gone, place: string): void {
    if (!place.startsWith(under(workspace, ""))) return;
    const path = place.slice(workspace.length + 1);
    // now nothing else has it
    made.delete(path);
    if (ledger.entries.has(path)) {
      if (own.foundAt(one.path) !== null) heirs.set(path, one.before);
      if (ledger.work.has(one.path)) ledger.work.add(path);
    } else if (moved.size < MOST_FOLLOWED) moved.set(path, one.before);
  }

  /** Forgets those that hold something else by now; returns those that hold nothing. */
  function takenOfMoved(): (readonly [string, State])[] {
    return [...moved].filter(([path, state]) => {
      const info = infoOf(under(workspace, path));
      const isKept = state?.kind === "file" && info?.isFile && info.size === state.size ||
        state?.kind === "link" && info?.isSymlink;
      if (!isKept) moved.delete(path);
      return !info || info.isFile && info.size === 0;
    });
  }

  function find(): Loss[] {
    const changes = [...before].flatMap(([path, was]) => {
      if (was !== null && made.has(path)) return [];
      const after = stateOf(ledger.entries.get(path));
      // of what is again as the turn has found it nothing is known
      const at = found.has(path) ? found.get(path) : ledger.foundAt(path);
      const first = at === undefined ? after : at;
      return sameState(was, after) ? [] : [{ path, before: was, after, first }];
    });
    const large = ledger.lostLarge().filter(([path, stamp]) =>
      !judged.has(path) && !made.has(`${path} ${stamp}`)
    );
    if (changes.length + large.length === 0) return [];
    const commands = [...jobs.values(), ...ran];
    return [
      ...finder.find(changes, ledger.entries, commands, {
        moved: follow,
        resting: ({ path, before }) => void resting.set(path, before),
      }, own),
      ...finder.findLarge(large, commands),
    ];
  }

  return {
    get state() {
      const { marked } = finder;
      return {
        before,
        found,
        moved,
        resting,
        made,
        madeFolders,
        lost,
        judged,
        jobs,
        ran,
        owed,
        heirs,
        since,
        marked,
      };
    },
    seen,
    background: (id, command) => void jobs.set(id, command),
    over(id) {
      const command = jobs.get(id);
      if (!command) return false;
      const between = seen(ledger.lookBetween());
      jobs.delete(id);
      ran.push(command);
      owed ||= between.some((one) => one.before !== null);
      return owed;
    },
    changedBeside(changes) {
      for (const { path, after } of changes) {
        found.set(path, after);
        noteWritten(path, after);
        if (after?.kind === "file") ledger.work.add(path);
      }
    },
    edited(paths, changes) {
      for (const path of paths) made.delete(path);
      for (const { path, before, after } of changes) {
        found.set(path, after);
        if (before !== null) ledger.handed.add(path);
      }
    },
    losses(key, command) {
      if (command) {
        const changes = seen(look(key));
        ran.push(command);
        noteMade(changes, command);
      }
      for (const [path, state] of resting.size > 0 && finder.letsGo() ? resting : []) {
        resting.delete(path);
        if (before.has(path)) continue;
        before.set(path, state);
        found.set(path, state);
      }
      for (const [path, state] of takenOfMoved()) {
        before.set(path, state);
        // it is none of what git ignores, wherever it was put
        ledger.work.add(path);
      }
      let losses = find();
      if (losses.length > 0) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MOMENT_MS);
        seen(look(key));
        losses = find();
      }
      for (const { path, how, kept, from } of losses) {
        if (kept) lost.set(path, { target: before.get(path)!, how, ...from ? { from } : {} });
      }
      for (const [path] of ledger.lostLarge()) judged.add(path);
      before.clear();
      ran = [];
      owed = false;
      finder.mark();
      return losses;
    },
    bringBack(key, paths) {
      const way = new Way(workspace, ledger.entries, paths);
      const steps = paths.flatMap((path) => {
        const one = lost.get(path);
        lost.delete(path);
        if (!one) return [];
        way.make(path, presentOf(path), one);
        return [{ path, present: presentOf(path), target: one.target }];
      });
      const failed: Failed[] = [];
      const done = restoreFiles(steps, workspace, ledger.objects, MARK, presentOf, failed);
      const back = [...done.map(({ path }) => path), ...way.back];
      ledger.lookAt(key, [...back, ...way.aside]);
      for (const { path, target } of done) if (!ledger.entries.has(path)) moved.set(path, target);
      return { paths: back, aside: way.aside };
    },
    forget() {
      // nobody has been asked about it yet
      if (owed) return;
      judged.clear();
      before.clear();
      found.clear();
      heirs.clear();
      // between two turns they are a person's to take
      takenOfMoved();
      if (resting.size > 0 && finder.letsGo()) resting.clear();
      lost.clear();
      ran = [];
      finder.mark();
    },
  };
}

function isBinary({ hash }: { readonly hash: string }, objects: Objects): boolean {
  return contentOf(hash, objects)?.subarray(0, PROBE_BYTES).includes(0) ?? true;
}
