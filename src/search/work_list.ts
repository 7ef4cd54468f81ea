/** Lists of paths that one worker fills while all take from them, in shared memory. */

const HEADER_BYTES = 64;
const ENTRIES_AT_MOST = 1 << 14;
const TEXT_BYTES = 8 << 20;
const BEFORE_TEXT = HEADER_BYTES + ENTRIES_AT_MOST * 8;
/** A waiting worker looks around this often, in case whoever should wake it is gone. */
const WAIT_MS = 50;

/** Places in the header. */
const STOPPED = 0;
const OFFERED = 1;
const TAKEN = 2;
const ENDED = 3;
const JOINED = 4;

const STOPS = [undefined, "aborted", "deadline"] as const;

/** Makes the memory of a WorkList; pages nobody writes to cost nothing. */
export function workListMemory(textBytes: number = TEXT_BYTES): SharedArrayBuffer {
  return new SharedArrayBuffer(BEFORE_TEXT + textBytes);
}

/** One thread's view of the list. Entries are texts, taken by exactly one thread each. */
export class WorkList {
  readonly #header: Int32Array<SharedArrayBuffer>;
  /** Where each entry begins and how long it is. */
  readonly #entries: Int32Array<SharedArrayBuffer>;
  readonly #text: Uint8Array<SharedArrayBuffer>;
  #used = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#entries = new Int32Array(memory, HEADER_BYTES, ENTRIES_AT_MOST * 2);
    this.#text = new Uint8Array(memory, BEFORE_TEXT);
  }

  /** Empties the list; nobody else may hold it. */
  reset(): void {
    this.#header.fill(0);
    this.#used = 0;
  }

  /** Why everybody should stop. */
  get stopped(): "aborted" | "deadline" | undefined {
    return STOPS[Atomics.load(this.#header, STOPPED)];
  }

  /** Makes everybody stop; the first reason stays. */
  stop(why: "aborted" | "deadline"): void {
    Atomics.compareExchange(this.#header, STOPPED, 0, STOPS.indexOf(why));
    Atomics.notify(this.#header, OFFERED);
  }

  /** How many entries there have been. */
  get offered(): number {
    return Atomics.load(this.#header, OFFERED);
  }

  /** How many threads work on the list. */
  get joined(): number {
    return Atomics.load(this.#header, JOINED);
  }

  join(): void {
    Atomics.add(this.#header, JOINED, 1);
  }

  /** Adds an entry; false when there is no room. For the filling thread only. */
  offer(text: string): boolean {
    const index = this.offered;
    // a character of a string is at most three bytes
    if (index === ENTRIES_AT_MOST || this.#used + text.length * 3 > this.#text.length) return false;
    const { written } = new TextEncoder().encodeInto(text, this.#text.subarray(this.#used));
    this.#entries[index * 2] = this.#used;
    this.#entries[index * 2 + 1] = written;
    this.#used += written;
    Atomics.store(this.#header, OFFERED, index + 1);
    Atomics.notify(this.#header, OFFERED);
    return true;
  }

  /** Says that no further entry comes. */
  end(): void {
    Atomics.store(this.#header, ENDED, 1);
    Atomics.notify(this.#header, OFFERED);
  }

  /** Takes the next entry, waiting for it to come; undefined when none comes or all should stop. */
  take(): string | undefined {
    const index = Atomics.add(this.#header, TAKEN, 1);
    for (;;) {
      if (this.stopped) return undefined;
      const ended = Atomics.load(this.#header, ENDED) === 1;
      const offered = this.offered;
      if (index < offered) break;
      if (ended) return undefined;
      Atomics.wait(this.#header, OFFERED, offered, WAIT_MS);
    }
    const start = this.#entries[index * 2]!;
    const end = start + this.#entries[index * 2 + 1]!;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#text.subarray(start, end));
  }
}
