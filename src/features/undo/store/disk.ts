/** Tells what commands have lost of the work, from one look at the disk to the next. */
import type { PresentOf } from "../checkpoint_plan.ts";
import { infoOf } from "../../../search/walk/known_files.ts";
import type { BroughtBack, Loss, RunCommand } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import { stateOf } from "./entries.ts";
import type { Ledger } from "./ledger.ts";
import { createLossFinder, type LossFinder, type Mark } from "../losses.ts";
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
  options: { readonly workspace: string; readonly fileBytes: number },
  state?: DiskState,
): Disk {
  return new LossLog(ledger, look, options, state);
}

class LossLog implements Disk {
  readonly #ledger: Ledger;
  readonly #look: (key: string) => readonly Change[];
  readonly #workspace: string;
  readonly #finder: LossFinder;
  readonly #presentOf: PresentOf;
  /** What the paths held that commands have changed. */
  readonly #before: Map<string, State>;
  /** What others than the turn have left there since it began. */
  readonly #found: Map<string, State>;
  /** Where commands have put what was covered, and held this, and is no longer. */
  readonly #moved: Map<string, State>;
  /** What commands have taken away and only git's index, a stash, a log or another branch has had since. */
  readonly #resting: Map<string, State>;
  /** What commands have made by the way, and can make again: the products of a build. */
  readonly #made: Set<string>;
  readonly #madeFolders: Set<string>;
  /** What was lost, by its path. */
  readonly #lost: Map<string, Lost>;
  readonly #judged: Set<string>;
  readonly #jobs: Map<number, RunCommand>;
  /** What was there as the turn began, where commands have put it. */
  readonly #heirs: Map<string, State>;
  readonly #since: number;
  #ran: RunCommand[];
  /** Jobs have changed something since the last turn. */
  #owed: boolean;
  readonly #own: Own;
  readonly #follow = (one: Gone, place: string): void => {
    if (!place.startsWith(under(this.#workspace, ""))) return;
    const path = place.slice(this.#workspace.length + 1);
    // now nothing else has it
    this.#made.delete(path);
    if (this.#ledger.entries.has(path)) {
      if (this.#own.foundAt(one.path) !== null) this.#heirs.set(path, one.before);
      if (this.#ledger.work.has(one.path)) this.#ledger.work.add(path);
    } else if (this.#moved.size < MOST_FOLLOWED) this.#moved.set(path, one.before);
  };

  constructor(
    ledger: Ledger,
    look: (key: string) => readonly Change[],
    { workspace, fileBytes }: { readonly workspace: string; readonly fileBytes: number },
    state?: DiskState,
  ) {
    this.#ledger = ledger;
    this.#look = look;
    this.#workspace = workspace;
    this.#finder = createLossFinder(workspace, ledger, state?.marked);
    this.#presentOf = presentIn(workspace, fileBytes, ledger.objects);
    this.#before = state?.before ?? new Map<string, State>();
    this.#found = state?.found ?? new Map<string, State>();
    this.#moved = state?.moved ?? new Map<string, State>();
    this.#resting = state?.resting ?? new Map<string, State>();
    this.#made = state?.made ?? new Set<string>();
    this.#madeFolders = state?.madeFolders ?? new Set<string>();
    this.#lost = state?.lost ?? new Map<string, Lost>();
    this.#judged = state?.judged ?? new Set<string>();
    this.#jobs = state?.jobs ?? new Map<number, RunCommand>();
    this.#heirs = state?.heirs ?? new Map<string, State>();
    this.#since = state?.since ?? Date.now();
    this.#ran = state?.ran ?? [];
    this.#owed = state?.owed ?? false;
    this.#own = {
      since: this.#since,
      foundAt: (path) => this.#heirs.get(path) ?? ledger.foundAt(path),
      made: (path) => ledger.made.has(path),
      changed: (path) => ledger.made.has(path) || ledger.handed.has(path),
      written: (path) => this.#found.get(path),
    };
  }

  seen(changes: readonly Change[]): readonly Change[] {
    for (const one of changes) {
      if (!this.#before.has(one.path)) this.#before.set(one.path, one.before);
    }
    return changes;
  }

  get state(): DiskState {
    const { marked } = this.#finder;
    return {
      before: this.#before,
      found: this.#found,
      moved: this.#moved,
      resting: this.#resting,
      made: this.#made,
      madeFolders: this.#madeFolders,
      lost: this.#lost,
      judged: this.#judged,
      jobs: this.#jobs,
      ran: this.#ran,
      owed: this.#owed,
      heirs: this.#heirs,
      since: this.#since,
      marked,
    };
  }

  background(id: number, command: RunCommand): void {
    void this.#jobs.set(id, command);
  }

  over(id: number): boolean {
    const command = this.#jobs.get(id);
    if (!command) return false;
    const between = this.seen(this.#ledger.lookBetween());
    this.#jobs.delete(id);
    this.#ran.push(command);
    this.#owed ||= between.some((one) => one.before !== null);
    return this.#owed;
  }

  changedBeside(changes: readonly Change[]): void {
    for (const { path, after } of changes) {
      this.#found.set(path, after);
      this.#noteWritten(path, after);
      if (after?.kind === "file") this.#ledger.work.add(path);
    }
  }

  edited(paths: readonly string[], changes: readonly Change[]): void {
    for (const path of paths) this.#made.delete(path);
    for (const { path, before, after } of changes) {
      this.#found.set(path, after);
      if (before !== null) this.#ledger.handed.add(path);
    }
  }

  losses(key: string, command?: RunCommand): Loss[] {
    if (command) {
      const changes = this.seen(this.#look(key));
      this.#ran.push(command);
      this.#noteMade(changes, command);
    }
    for (
      const [path, state] of this.#resting.size > 0 && this.#finder.letsGo() ? this.#resting : []
    ) {
      this.#resting.delete(path);
      if (this.#before.has(path)) continue;
      this.#before.set(path, state);
      this.#found.set(path, state);
    }
    for (const [path, state] of this.#takenOfMoved()) {
      this.#before.set(path, state);
      // it is none of what git ignores, wherever it was put
      this.#ledger.work.add(path);
    }
    let losses = this.#find();
    if (losses.length > 0) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MOMENT_MS);
      this.seen(this.#look(key));
      losses = this.#find();
    }
    for (const { path, how, kept, from } of losses) {
      if (kept) {
        this.#lost.set(path, { target: this.#before.get(path)!, how, ...from ? { from } : {} });
      }
    }
    for (const [path] of this.#ledger.lostLarge()) this.#judged.add(path);
    this.#before.clear();
    this.#ran = [];
    this.#owed = false;
    this.#finder.mark();
    return losses;
  }

  bringBack(key: string, paths: readonly string[]): BroughtBack {
    const way = new Way(this.#workspace, this.#ledger.entries, paths);
    const steps = paths.flatMap((path) => {
      const one = this.#lost.get(path);
      this.#lost.delete(path);
      if (!one) return [];
      way.make(path, this.#presentOf(path), one);
      return [{ path, present: this.#presentOf(path), target: one.target }];
    });
    const failed: Failed[] = [];
    const done = restoreFiles(
      steps,
      this.#workspace,
      this.#ledger.objects,
      MARK,
      this.#presentOf,
      failed,
    );
    const back = [...done.map(({ path }) => path), ...way.back];
    this.#ledger.lookAt(key, [...back, ...way.aside]);
    for (const { path, target } of done) {
      if (!this.#ledger.entries.has(path)) this.#moved.set(path, target);
    }
    return { paths: back, aside: way.aside };
  }

  forget(): void {
    // nobody has been asked about it yet
    if (this.#owed) return;
    this.#judged.clear();
    this.#before.clear();
    this.#found.clear();
    this.#heirs.clear();
    // between two turns they are a person's to take
    this.#takenOfMoved();
    if (this.#resting.size > 0 && this.#finder.letsGo()) this.#resting.clear();
    this.#lost.clear();
    this.#ran = [];
    this.#finder.mark();
  }

  /** No text, or not named by its command: then in a folder that is new too, or of a build; or a report. */
  #noteMade(changes: readonly Change[], { command }: RunCommand): void {
    // what was moved or packed is no product
    const moves = changes.some(({ path, before, after }) =>
      before?.kind === "file" && after === null && !this.#made.has(path)
    );
    if (moves) return;
    const build = isBuild(command);
    const clone = isClone(command);
    for (const { path, before, after } of changes) {
      if (before !== null) {
        this.#noteWritten(path, after, build ? "" : command);
        continue;
      }
      if (after?.kind === "folder") this.#madeFolders.add(path);
      if (after?.kind === "folder" && clone) this.#made.add(this.#keyOf(`${path}/.git`));
      if (after?.kind !== "file") continue;
      const slash = path.lastIndexOf("/");
      const inNew = this.#madeFolders.has(path.slice(0, Math.max(0, slash)));
      const named = command.includes(path.slice(slash + 1));
      if ((inNew || build) && !named || isReport(path) || isBinary(after, this.#ledger.objects)) {
        this.#made.add(path);
      }
    }
  }

  /** A product that a command names, or somebody, and writes is one no more. */
  #noteWritten(path: string, after: State, by?: string): void {
    if (after?.kind !== "file" || !this.#made.has(path)) return;
    const named = by === undefined || by.includes(path.slice(path.lastIndexOf("/") + 1));
    if (named && !isBinary(after, this.#ledger.objects)) this.#made.delete(path);
  }

  /** Of a repository, as its log is. */
  #keyOf(path: string): string {
    const info = infoOf(under(this.#workspace, path, "logs", "HEAD"));
    return `${path} ${info?.size}-${info?.mtime?.getTime()}-${info?.ino}`;
  }

  /** Forgets those that hold something else by now; returns those that hold nothing. */
  #takenOfMoved(): (readonly [string, State])[] {
    return [...this.#moved].filter(([path, state]) => {
      const info = infoOf(under(this.#workspace, path));
      const isKept = state?.kind === "file" && info?.isFile && info.size === state.size ||
        state?.kind === "link" && info?.isSymlink;
      if (!isKept) this.#moved.delete(path);
      return !info || info.isFile && info.size === 0;
    });
  }

  #find(): Loss[] {
    const changes = [...this.#before].flatMap(([path, was]) => {
      if (was !== null && this.#made.has(path)) return [];
      const after = stateOf(this.#ledger.entries.get(path));
      // of what is again as the turn has found it nothing is known
      const at = this.#found.has(path) ? this.#found.get(path) : this.#ledger.foundAt(path);
      const first = at === undefined ? after : at;
      return sameState(was, after) ? [] : [{ path, before: was, after, first }];
    });
    const large = this.#ledger.lostLarge().filter(([path, stamp]) =>
      !this.#judged.has(path) && !this.#made.has(`${path} ${stamp}`)
    );
    if (changes.length + large.length === 0) return [];
    const commands = [...this.#jobs.values(), ...this.#ran];
    return [
      ...this.#finder.find(changes, this.#ledger.entries, commands, {
        moved: this.#follow,
        resting: ({ path, before }) => void this.#resting.set(path, before),
      }, this.#own),
      ...this.#finder.findLarge(large, commands),
    ];
  }
}

function isBinary({ hash }: { readonly hash: string }, objects: Objects): boolean {
  return contentOf(hash, objects)?.subarray(0, PROBE_BYTES).includes(0) ?? true;
}
