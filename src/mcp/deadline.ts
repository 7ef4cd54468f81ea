/** A limit of time that signs of life put off. */

/** Aborts `signal` when `ms` have gone by since it began, or since `reset`. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  reset(): void {
    clearTimeout(this.#timer);
    if (this.#paused === 0) this.#timer = setTimeout(() => this.#controller.abort(), this.#ms);
  }

  /** No time counts while `work` goes on; it counts anew after it. */
  async without<T>(work: Promise<T>): Promise<T> {
    this.#paused++;
    clearTimeout(this.#timer);
    try {
      return await work;
    } finally {
      this.#paused--;
      if (!this.#controller.signal.aborted) this.reset();
    }
  }

  /** It does not matter any more. */
  stop(): void {
    this.#paused = Infinity;
    clearTimeout(this.#timer);
  }
}
