/** Checkpoints of a workspace, kept by a thread that the first turn starts. */
import { onlyReads } from "../../agent/loop/calls.ts";
import type { Middleware } from "../../agent/middleware.ts";
import { errorMessage } from "../../base/errors.ts";
import { under } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type { Checkpoints, Loss, RunCommand, TurnMark, TurnWatch } from "../../base/types.ts";
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

export function createCheckpoints({ t, entry, ...options }: CheckpointsOptions): Checkpoints {
  let thread: Promise<Thread> | undefined;
  let told = false;
  let turns = 0;
  let jobs = 0;
  /** A job that ended between two turns may have taken something away. */
  let owed = false;
  /** Something may have been changed or was asked for: only then is there anything to wait for at the end. */
  let used = false;
  const watchdog = new Watchdog();
  const start = async (state?: ServiceState) => {
    const { startThread } = await import("./thread.ts");
    return startThread(entry ?? Deno.mainModule, options, state);
  };
  const here = async () => (await import("./service.ts")).keepHere(options, start);
  const open = () => thread ??= hasFew(options.workspace) ? here() : start();
  const call = async <K extends keyof Service>(
    name: K,
    args: readonly unknown[],
    progress?: (files: number) => void,
  ) => {
    used ||= name !== "begin" && name !== "end";
    return await (await open()).call(name, args, progress);
  };

  function begin(lane: string, mark: TurnMark): TurnWatch {
    const key = `${lane} ${++turns}`;
    let begun: Promise<boolean> | undefined;
    let started: Promise<void> | undefined;
    let waited = false;
    let progress = (_files: number) => {};
    let warn = (_text: string) => {};
    const beginNow = () => {
      timer?.end();
      return begun ??= call("begin", [key, mark, AGENT.test(lane)], (files) => progress(files));
    };
    const beside = () => void beginNow().catch(() => {});
    let paths = 0;
    let lookedAt = 0;
    let allLookedAt = -Infinity;
    const start = async () => {
      if (await beginNow()) warn(t("narnat ended amid an undo or a redo: /undo finishes it"));
      paths = await call("start", [key]);
      lookedAt = performance.now();
    };
    /** A person may have gone on working meanwhile. */
    const lookAgain = async () => {
      if (!waited || paths > SMALL || performance.now() - lookedAt < MOMENT_MS) return;
      await call("changed", [key]);
      lookedAt = performance.now();
    };
    /** Looks that took too long to be waited for. */
    const late: Promise<readonly Loss[]>[] = [];
    let lateHasFound = false;
    /** A command may have left behind what goes on, whether it is a job or narnat does not know it. */
    let mayGoOn = false;
    const warnUntaken = (error: unknown) =>
      warn(
        t("What this turn has changed could not be taken down, and cannot be undone: {why}", {
          why: errorMessage(error),
        }),
      );
    const lossesOf = async (command?: RunCommand, all?: boolean) => {
      try {
        return await call("losses", [key, command, all]);
      } catch (error) {
        warnUntaken(error);
        return [];
      } finally {
        if (command || all) lookedAt = performance.now();
        if (all) allLookedAt = lookedAt;
      }
    };
    const allLosses = async () => {
      const found = Promise.all(late.splice(0));
      lateHasFound = false;
      return (await found).flat();
    };
    // nobody has changed anything here yet: the first look, which copies all there is, can wait until someone does
    const timer = isKept(options.dir) ? watchdog.begin(BESIDE_MS, beside) : undefined;
    return {
      async before(signal, tell) {
        if (signal.aborted) return;
        warn = tell.warn;
        progress = (files) =>
          tell.progress(
            t("keeping what is there, so that it can be undone: {files} files so far", { files }),
          );
        const ready = started ? lookAgain() : started = start();
        const { promise: aborted, resolve } = Promise.withResolvers<void>();
        const stop = () => resolve();
        signal.addEventListener("abort", stop);
        try {
          // where the turn was stopped first nothing comes of the call
          await Promise.race([ready.then(() => void (waited = true)), aborted]);
        } catch (error) {
          if (!told) {
            tell.warn(
              t("What is changed here cannot be taken back with /undo: {why}", {
                why: errorMessage(error),
              }),
            );
          }
          told = true;
        } finally {
          signal.removeEventListener("abort", stop);
        }
      },
      changed(paths) {
        if (!waited) return;
        const inside = paths?.filter((path) => !/^(?:\.\.?(?:\/|$)|\/)/.test(path));
        void call("changed", [key, inside]).catch(() => {});
      },
      background(command, ended) {
        if (!waited) return;
        mayGoOn = true;
        const id = ++jobs;
        void call("background", [id, command]).catch(() => {});
        void ended.then(() => call("over", [id])).then((is) => void (owed ||= is)).catch(() => {});
      },
      async losses(command, ms) {
        if (!waited && !owed) return [];
        owed = false;
        mayGoOn ||= command !== undefined;
        late.push(lossesOf(command));
        const all = Promise.all(late);
        if (ms !== undefined && paths > SMALL && !await within(all, ms * PART, watchdog)) {
          void all.then((found) => lateHasFound ||= found.some((one) => one.length > 0));
          return [];
        }
        return await allLosses();
      },
      async late(all) {
        if (!(all ? mayGoOn || late.length > 0 : lateHasFound)) return [];
        if (all && mayGoOn) late.push(lossesOf(undefined, true));
        return await allLosses();
      },
      async bringBack(paths) {
        try {
          return await call("bringBack", [key, paths]);
        } catch (error) {
          warnUntaken(error);
          return { paths: [], aside: [] };
        }
      },
      async look() {
        if (!waited) return [];
        try {
          return await call("look", [key, performance.now() - allLookedAt < JUST_NOW_MS]);
        } catch (error) {
          warnUntaken(error);
          return [];
        }
      },
      end() {
        timer?.end();
        // told at once: who asks next finds it over
        if (begun) void call("end", [key]).catch(() => {});
      },
    };
  }

  const worded = async <V>(work: Promise<V>): Promise<V> => {
    try {
      return await work;
    } catch (error) {
      throw new Error(
        error instanceof NothingToDo
          ? error.told(t)
          : t("Cannot undo: {why}", { why: errorMessage(error) }),
      );
    }
  };
  return {
    begin,
    turns: (session) =>
      isKept(options.dir) ? worded(call("turns", [session])) : Promise.resolve([]),
    preview: (wish) =>
      isKept(options.dir)
        ? worded(call("preview", [wish]))
        : Promise.reject(new Error(new NothingToDo(wish.what).told(t))),
    restore: (id, overwrite) => worded(call("restore", [id, overwrite])),
    async close() {
      const running = await thread?.catch(() => undefined);
      if (!running) return;
      if (!used) return running.close();
      // what it was told is done first; of a long look only the copies count, which the next one finds
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const wait = watchdog.begin(CLOSE_MS, resolve);
      await Promise.race([running.call("close", []).catch(() => {}), late]);
      wait.end();
      running.close();
    },
  };
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
