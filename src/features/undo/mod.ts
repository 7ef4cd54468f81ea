/** Checkpoints of a workspace, kept by a thread that the first turn starts. */
import { onlyReads } from "../../agent/loop/calls.ts";
import type { Middleware } from "../../agent/middleware.ts";
import { errorMessage } from "../../base/errors.ts";
import { under } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type {
  Checkpoints,
  Loss,
  RestoreWish,
  RunCommand,
  TurnMark,
  TurnWatch,
} from "../../base/types.ts";
import { Watchdog, within } from "../../base/watchdog.ts";
import type { Service, ServiceOptions, ServiceState, Thread } from "./service.ts";
import { NothingToDo } from "./types.ts";

export interface CheckpointsOptions extends ServiceOptions {
  readonly t: T;
  /** The module a worker starts with: it must call `start` of worker.ts when its name is `checkpoints`. */
  readonly entry?: string;
}

/** The first request is sent before the thread is started. */
const BESIDE_MS = 20;
const CLOSE_MS = 2000;
/** To look at fewer paths takes less than to start a thread for it. */
const FEW = 300;
/** Not counted: narnat's own, and git's. */
const OWN = [".git", ".narnat"];
/** In a folder of so many paths a look is not felt, and always waited for. */
const SMALL = 2000;
/** The part of a command's own time that a look at a larger one may take. */
const PART = .1;
/** What was last seen a moment ago, only a command can have changed since. */
const MOMENT_MS = 500;
/** What was last seen so shortly ago need not be looked at again. */
const JUST_NOW_MS = 5;
/** Lanes of agents, which work for a person's turn. */
const AGENT = /^(?:sub|team):/;

/** Makes the checkpoints of a workspace; no thread is started before something may change. */
export const createCheckpoints = (options: CheckpointsOptions): Checkpoints =>
  new WorkspaceCheckpoints(options);

class WorkspaceCheckpoints implements Checkpoints {
  readonly t: T;
  readonly dir: string;
  readonly watchdog = new Watchdog();
  /** The user was told that nothing can be taken back. */
  told = false;
  /** A job that ended between two turns may have taken something away. */
  owed = false;
  jobs = 0;
  readonly #options: CheckpointsOptions;
  #thread: Promise<Thread> | undefined;
  #turns = 0;
  /** Something may have been changed or was asked for: only then is there anything to wait for at the end. */
  #used = false;

  constructor(options: CheckpointsOptions) {
    this.t = options.t;
    this.dir = options.dir;
    this.#options = options;
  }

  begin(lane: string, mark: TurnMark): TurnWatch {
    return new WatchedTurn(this, `${lane} ${++this.#turns}`, mark, AGENT.test(lane));
  }

  async turns(session?: string) {
    return isKept(this.dir) ? await this.#worded(this.call("turns", [session])) : [];
  }

  async preview(wish: RestoreWish) {
    if (!isKept(this.dir)) throw new Error(new NothingToDo(wish.what).told(this.t));
    return await this.#worded(this.call("preview", [wish]));
  }

  restore(id: string, overwrite: readonly string[]) {
    return this.#worded(this.call("restore", [id, overwrite]));
  }

  async close(): Promise<void> {
    const running = await this.#thread?.catch(() => undefined);
    if (!running) return;
    if (!this.#used) return running.close();
    // what it was told is done first; of a long look only the copies count, which the next one finds
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const wait = this.watchdog.begin(CLOSE_MS, resolve);
    await Promise.race([running.call("close", []).catch(() => {}), late]);
    wait.end();
    running.close();
  }

  /** Calls the thread, which the first call starts. */
  async call<K extends keyof Service>(
    name: K,
    args: readonly unknown[],
    progress?: (files: number) => void,
  ) {
    this.#used ||= name !== "begin" && name !== "end";
    return await (await this.#open()).call(name, args, progress);
  }

  #open(): Promise<Thread> {
    const { t: _t, entry, ...options } = this.#options;
    const start = async (state?: ServiceState) => {
      const { startThread } = await import("./thread.ts");
      return startThread(entry ?? Deno.mainModule, options, state);
    };
    const here = async () => (await import("./service.ts")).keepHere(options, start);
    return this.#thread ??= hasFew(options.workspace) ? here() : start();
  }

  async #worded<V>(work: Promise<V>): Promise<V> {
    try {
      return await work;
    } catch (error) {
      throw new Error(
        error instanceof NothingToDo
          ? error.told(this.t)
          : this.t("Cannot undo: {why}", { why: errorMessage(error) }),
      );
    }
  }
}

/** Takes down what one turn of a lane changes. */
class WatchedTurn implements TurnWatch {
  readonly #all: WorkspaceCheckpoints;
  readonly #key: string;
  readonly #mark: TurnMark;
  readonly #ofAgent: boolean;
  readonly #timer: ReturnType<Watchdog["begin"]> | undefined;
  #begun: Promise<boolean> | undefined;
  #started: Promise<void> | undefined;
  #waited = false;
  #progress = (_files: number) => {};
  #warn = (_text: string) => {};
  #paths = 0;
  #lookedAt = 0;
  #allLookedAt = -Infinity;
  /** Looks that took too long to be waited for. */
  readonly #late: Promise<readonly Loss[]>[] = [];
  #lateHasFound = false;
  /** A command may have left behind what goes on, whether it is a job or narnat does not know it. */
  #mayGoOn = false;

  constructor(all: WorkspaceCheckpoints, key: string, mark: TurnMark, ofAgent: boolean) {
    this.#all = all;
    this.#key = key;
    this.#mark = mark;
    this.#ofAgent = ofAgent;
    // nobody has changed anything here yet: the first look, which copies all there is, can wait until someone does
    this.#timer = isKept(all.dir)
      ? all.watchdog.begin(BESIDE_MS, () => void this.#beginNow().catch(() => {}))
      : undefined;
  }

  async before(signal: AbortSignal, tell: Parameters<TurnWatch["before"]>[1]): Promise<void> {
    if (signal.aborted) return;
    const { t } = this.#all;
    this.#warn = tell.warn;
    this.#progress = (files) =>
      tell.progress(
        t("keeping what is there, so that it can be undone: {files} files so far", { files }),
      );
    const ready = this.#started ? this.#lookAgain() : this.#started = this.#start();
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    signal.addEventListener("abort", stop);
    try {
      // where the turn was stopped first nothing comes of the call
      await Promise.race([ready.then(() => void (this.#waited = true)), aborted]);
    } catch (error) {
      if (!this.#all.told) {
        const why = errorMessage(error);
        tell.warn(t("What is changed here cannot be taken back with /undo: {why}", { why }));
      }
      this.#all.told = true;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  changed(paths?: readonly string[]): void {
    if (!this.#waited) return;
    const inside = paths?.filter((path) => !/^(?:\.\.?(?:\/|$)|\/)/.test(path));
    void this.#all.call("changed", [this.#key, inside]).catch(() => {});
  }

  background(command: RunCommand, ended: Promise<unknown>): void {
    if (!this.#waited) return;
    const all = this.#all;
    this.#mayGoOn = true;
    const id = ++all.jobs;
    void all.call("background", [id, command]).catch(() => {});
    void ended.then(() => all.call("over", [id])).then((is) => void (all.owed ||= is))
      .catch(() => {});
  }

  async losses(command?: RunCommand, ms?: number): Promise<readonly Loss[]> {
    if (!this.#waited && !this.#all.owed) return [];
    this.#all.owed = false;
    this.#mayGoOn ||= command !== undefined;
    this.#late.push(this.#lossesOf(command));
    const all = Promise.all(this.#late);
    const long = ms !== undefined && this.#paths > SMALL;
    if (long && !await within(all, ms * PART, this.#all.watchdog)) {
      void all.then((found) => this.#lateHasFound ||= found.some((one) => one.length > 0));
      return [];
    }
    return await this.#allLosses();
  }

  async late(all: boolean): Promise<readonly Loss[]> {
    if (!(all ? this.#mayGoOn || this.#late.length > 0 : this.#lateHasFound)) return [];
    if (all && this.#mayGoOn) this.#late.push(this.#lossesOf(undefined, true));
    return await this.#allLosses();
  }

  async bringBack(paths: Parameters<TurnWatch["bringBack"]>[0]) {
    try {
      return await this.#all.call("bringBack", [this.#key, paths]);
    } catch (error) {
      this.#warnUntaken(error);
      return { paths: [], aside: [] };
    }
  }

  async look(): Promise<readonly string[]> {
    if (!this.#waited) return [];
    const justNow = performance.now() - this.#allLookedAt < JUST_NOW_MS;
    try {
      return await this.#all.call("look", [this.#key, justNow]);
    } catch (error) {
      this.#warnUntaken(error);
      return [];
    }
  }

  end(): void {
    this.#timer?.end();
    // told at once: who asks next finds it over
    if (this.#begun) void this.#all.call("end", [this.#key]).catch(() => {});
  }

  #beginNow(): Promise<boolean> {
    this.#timer?.end();
    return this.#begun ??= this.#all.call(
      "begin",
      [this.#key, this.#mark, this.#ofAgent],
      (files) => this.#progress(files),
    );
  }

  async #start(): Promise<void> {
    if (await this.#beginNow()) {
      this.#warn(this.#all.t("narnat ended amid an undo or a redo: /undo finishes it"));
    }
    this.#paths = await this.#all.call("start", [this.#key]);
    this.#lookedAt = performance.now();
  }

  /** A person may have gone on working meanwhile. */
  async #lookAgain(): Promise<void> {
    const justNow = performance.now() - this.#lookedAt < MOMENT_MS;
    if (!this.#waited || this.#paths > SMALL || justNow) return;
    await this.#all.call("changed", [this.#key]);
    this.#lookedAt = performance.now();
  }

  async #lossesOf(command?: RunCommand, all?: boolean): Promise<readonly Loss[]> {
    try {
      return await this.#all.call("losses", [this.#key, command, all]);
    } catch (error) {
      this.#warnUntaken(error);
      return [];
    } finally {
      if (command || all) this.#lookedAt = performance.now();
      if (all) this.#allLookedAt = this.#lookedAt;
    }
  }

  async #allLosses(): Promise<readonly Loss[]> {
    const found = Promise.all(this.#late.splice(0));
    this.#lateHasFound = false;
    return (await found).flat();
  }

  #warnUntaken(error: unknown): void {
    this.#warn(
      this.#all.t(
        "What this turn has changed could not be taken down, and cannot be undone: {why}",
        {
          why: errorMessage(error),
        },
      ),
    );
  }
}

/** Whether it holds few paths. */
function hasFew(workspace: string): boolean {
  let left = FEW;
  const count = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (OWN.includes(name)) continue;
      if (--left < 0) return;
      if (isDirectory) count(under(folder, name));
    }
  };
  try {
    count(workspace);
  } catch {
    return false;
  }
  return left >= 0;
}

function isKept(dir: string): boolean {
  try {
    return Deno.statSync(under(dir, "objects")).isDirectory;
  } catch {
    return false;
  }
}

/** Waits for the checkpoint before each call that may change something, and tells it of changes. */
export function undoLayer(): Middleware {
  return {
    name: "undo",
    async aroundCall(call, host, next) {
      const { watch, signal } = host;
      const { tool } = call.what;
      if (!watch || tool.needs.length === 0) return await next(call, host);
      if (!await onlyReads(call.what, host)) {
        await watch.before(signal, {
          progress: (text) => host.emit({ type: "tool_progress", id: call.id, text }),
          warn: (text) => host.emit({ type: "notice", level: "warn", text }),
        });
      }
      const result = await next(call, host);
      // Bash looks for itself, and tells what is lost
      if (!tool.readOnly && tool.name !== "Bash") watch.changed(result.changed);
      return result;
    },
  };
}
