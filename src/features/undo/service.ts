/** The ledger and the way back, as one: what a worker does for its narnat, or narnat itself while its folder is small. */
import type { GitPlaces } from "../../search/walk/git_settings.ts";
import type { BroughtBack, Loss, RestoreWish, RunCommand } from "../../base/types.ts";
import { type DiskState, openDisk } from "./store/disk.ts";
import { type Ledger, type LedgerState, openLedger } from "./store/ledger.ts";
import { createRestorer } from "./restore/restore.ts";
import { type Few, TooMany } from "./scan.ts";
import type { Change, Limits } from "./types.ts";

export interface ServiceOptions {
  /** The folder of all that is kept. */
  readonly dir: string;
  readonly workspace: string;
  readonly places: GitPlaces;
  readonly limits: Limits;
  /** Calls that come to more throw TooMany, and may be made to a service that goes on in another thread. */
  readonly few?: Few;
}

/** For a service that goes on in another thread. */
export interface ServiceState {
  readonly ledger: LedgerState;
  readonly disk: DiskState;
  readonly untold: Map<string, Set<string>>;
}

export type Service = ReturnType<typeof openService>;

/** A service as its narnat sees it, in whatever thread it works. */
export interface Thread {
  /** Rejects with NothingToDo, or with why it failed. */
  call<K extends keyof Service>(
    name: K,
    args: readonly unknown[],
    progress?: (files: number) => void,
  ): Promise<ReturnType<Service[K]>>;
  close(): void;
}

/** Opens it. Throws where nothing can be kept. */
export function openService(options: ServiceOptions, state?: ServiceState) {
  const clock = { now: Date.now, random: Math.random };
  const ledger = openLedger({ ...options, ...clock }, state?.ledger);
  const { fileBytes } = options.limits;
  const restorer = createRestorer(ledger, { ...options, ...clock, fileBytes });
  /** What turns have been seen to change and have not told yet. */
  const untold = state?.untold ?? new Map<string, Set<string>>();
  const noted = (key: string, changes: readonly Change[]) => {
    const paths = untold.get(key) ?? new Set();
    untold.set(key, paths);
    for (const change of changes) if (!isFolders(change)) paths.add(change.path);
    return changes;
  };
  const look = (key: string) => noted(key, ledger.look(key));
  const disk = openDisk(ledger, look, { ...options, fileBytes }, state?.disk);
  return {
    /** Undefined where nothing has been looked at yet: then there is nothing to go on with. */
    state(): ServiceState | undefined {
      const known = ledger.state;
      return known && { ledger: known, disk: disk.state, untold };
    },
    begin: (...args: Parameters<Ledger["begin"]>) => ledger.begin(...args),
    /** Returns how many paths are covered. */
    start(key: string): number {
      // what has changed before a turn is no command's
      if (!ledger.busy) disk.forget();
      ledger.start(key);
      return ledger.entries.size;
    },
    /** The paths that have held something else than a folder, and hold another thing since it was asked last; `known`: as far as it is known. */
    look(key: string, known = false): string[] {
      if (!known) disk.seen(look(key));
      const paths = [...untold.get(key) ?? []];
      untold.delete(key);
      return paths;
    },
    /** No command has made these changes; all that there are when no paths are given. */
    changed(key: string, paths?: readonly string[]): void {
      if (!paths) {
        disk.changedBeside(look(key));
        return;
      }
      disk.edited(paths, noted(key, ledger.lookAt(key, paths)));
    },
    background: (id: number, command: RunCommand): void => disk.background(id, command),
    over: (id: number): boolean => disk.over(id),
    /** With `all` jobs have gone on meanwhile. */
    losses(key: string, command?: RunCommand, all = false): Loss[] {
      if (all) disk.seen(look(key));
      return disk.losses(key, command);
    },
    bringBack(key: string, paths: readonly string[]): BroughtBack {
      const back = disk.bringBack(key, paths);
      // what is again as the turn has found it has not been changed
      for (const path of back.paths) if (!ledger.foundAt(path)) untold.get(key)?.delete(path);
      return back;
    },
    end(key: string): void {
      untold.delete(key);
      ledger.end(key);
    },
    close: () => ledger.close(),
    turns: (session?: string) => restorer.turns(session),
    preview: (wish: RestoreWish) => restorer.preview(wish),
    restore: (id: string, overwrite: readonly string[]) => restorer.restore(id, overwrite),
  };
}

const isFolders = ({ before, after }: Change) =>
  [before, after].every((state) => state === null || state.kind === "folder");

/** A look at so much is over before a worker would have started. */
const FEW: Few = { paths: 1000, reads: 300, bytes: 4_000_000 };

/** Opens it; `startThread` starts the worker that takes over where the folder outgrows this one. */
export function keepHere(
  options: ServiceOptions,
  startThread: (state: ServiceState | undefined) => Promise<Thread>,
): Thread {
  const service = openService({ ...options, few: FEW });
  let thread: Promise<Thread> | undefined;
  let state: ServiceState | undefined;
  return {
    async call(name, args, progress) {
      if (!thread) {
        const call = service[name] as (...args: readonly unknown[]) => never;
        try {
          return call(...args);
        } catch (error) {
          if (!(error instanceof TooMany)) throw error;
          state = service.state();
          if (!state) service.close();
          thread = startThread(state);
        }
      }
      return await (await thread).call(name, args, progress);
    },
    close() {
      // the lock of the run has stayed here
      if (state) service.close();
      void thread?.then((started) => started.close()).catch(() => {});
    },
  };
}
