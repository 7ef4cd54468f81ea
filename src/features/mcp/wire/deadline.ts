/** A limit of time that signs of life put off. */

/** They do so for as many limits at most: who is busy for ever holds nobody. */
const MOST_LIMITS = 10;

/** Aborts `signal` when `ms` have gone by since it began, or since `reset`; after ten times that, whatever comes. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #ms: number;
  /** What is left of all limits together, and since when it runs. */
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.#left = ms * MOST_LIMITS;
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time that is over, once it is. */
  get ms(): number {
    return this.#left < this.#ms ? this.#ms * MOST_LIMITS : this.#ms;
  }

  reset(): void {
    if (this.#paused > 0) return;
    this.#pause();
    this.#start();
  }

  /** No time counts while `work` goes on; it counts anew after it. */
  async without<T>(work: Promise<T>): Promise<T> {
    if (this.#paused++ === 0) this.#pause();
    try {
      return await work;
    } finally {
      this.#paused--;
      if (this.#paused === 0 && !this.#controller.signal.aborted) this.#start();
    }
  }

  /** It does not matter any more. */
  stop(): void {
    this.#paused = Infinity;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#since = performance.now();
    const ms = Math.min(this.#ms, this.#left);
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }
}
