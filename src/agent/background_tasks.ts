/** Work that goes on beside the turns. */
import type { Usage } from "../base/types.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";
import { errorMessage } from "../base/errors.ts";

export interface BackgroundTasks {
  /** Begins it; `tell` hears what it resolves with, or why it failed. After `end` it has `graceMs` left. */
  start(
    work: (signal: AbortSignal) => Promise<string>,
    tell: (level: "info" | "warn", text: string) => void,
    graceMs?: number,
  ): void;
  readonly busy: boolean;
  /** What all of it has cost. */
  readonly usage: Usage;
  /** Counts what some of it has cost. */
  spend(usage: Usage): void;
  /** Stops all of it at once. */
  stop(): void;
  /** Stops each when its time of grace is over. */
  end(): void;
}

/** `onIdle` is called whenever some work has ended. */
export function createBackgroundTasks(onIdle: () => void): BackgroundTasks {
  const running = new Map<AbortController, number>();
  let timers: ReturnType<typeof setTimeout>[] = [];
  let usage = NO_USAGE;
  return {
    get usage() {
      return usage;
    },
    spend: (more) => void (usage = addUsage(usage, more)),
    start(work, tell, graceMs = 0) {
      const stop = new AbortController();
      running.set(stop, graceMs);
      void (async () => {
        try {
          const text = await work(stop.signal);
          if (text !== "") tell("info", text);
        } catch (error) {
          if (stop.signal.aborted) return;
          tell("warn", errorMessage(error));
        } finally {
          running.delete(stop);
          if (running.size === 0) {
            timers.forEach(clearTimeout);
            timers = [];
          }
          onIdle();
        }
      })();
    },
    get busy() {
      return running.size > 0;
    },
    stop() {
      for (const stop of running.keys()) stop.abort();
    },
    end() {
      for (const [stop, graceMs] of running) {
        if (graceMs === 0) stop.abort();
        else timers.push(setTimeout(() => stop.abort(), graceMs));
      }
    },
  };
}
