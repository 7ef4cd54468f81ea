/** Ends waits that last too long. */

/** A wait that is watched. */
export interface Wait {
  /** Something came: the time begins anew. */
  heard(): void;
  end(): void;
}

interface Open {
  readonly ms: number;
  readonly late: () => void;
  due: number;
}

/** A timer can wait no longer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * One alarm serves all waits, and is set anew only when it has rung: most waits are over long before.
 * It is an AbortSignal's, for the first `setTimeout` of a process loads 23 modules of Deno's.
 */
export class Watchdog {
  readonly #open = new Set<Open>();
  #alarm: AbortSignal | undefined;
  #rings = 0;
  readonly #ring = () => {
    this.#alarm = undefined;
    const now = performance.now();
    for (const one of this.#open) {
      if (one.due > now) continue;
      this.#open.delete(one);
      one.late();
    }
    this.#set();
  };

  /** Calls `late` once when nothing is heard for `ms`, unless the wait has ended; it keeps the process alive until then. */
  begin(ms: number, late: () => void): Wait {
    const one: Open = { ms, late, due: performance.now() + ms };
    this.#open.add(one);
    this.#set();
    return {
      heard: () => {
        one.due = performance.now() + ms;
      },
      end: () => {
        this.#open.delete(one);
        // an alarm that nobody hears keeps no process alive
        if (this.#open.size === 0) this.#alarm?.removeEventListener("abort", this.#ring);
      },
    };
  }

  #set(): void {
    if (this.#open.size === 0) return;
    const first = Math.min(...[...this.#open].map(({ due }) => due));
    if (!this.#alarm || this.#alarm.aborted || this.#rings > first) {
      this.#alarm?.removeEventListener("abort", this.#ring);
      const ms = Math.min(Math.max(Math.ceil(first - performance.now()), 0), LONGEST_MS);
      this.#rings = performance.now() + ms;
      this.#alarm = AbortSignal.timeout(ms);
    }
    this.#alarm.addEventListener("abort", this.#ring);
  }
}

/** Whether `work` ends within `ms`. */
export async function within(
  work: Promise<unknown>,
  ms: number,
  watchdog: Watchdog = new Watchdog(),
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const wait = watchdog.begin(ms, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    wait.end();
  }
}
