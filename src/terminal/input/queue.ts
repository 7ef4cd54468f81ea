import type { Line } from "../../base/types.ts";
import type { Entry } from "./history.ts";

/** A line on its way to the agent, and how it stood in the editor. */
export interface Sent extends Line {
  readonly entry: Entry;
}

/** Lines sent while a turn runs, the oldest first, until their time comes. */
export class Queue {
  #lines: Sent[] = [];
  readonly #redact: (text: string) => string;

  /** Events tell a line as `hide` makes it. */
  constructor(redact: (text: string) => string = (text) => text) {
    this.#redact = redact;
  }

  get length(): number {
    return this.#lines.length;
  }

  get all(): readonly Sent[] {
    return [...this.#lines];
  }

  get oldest(): Sent | undefined {
    return this.#lines[0];
  }

  get newest(): Sent | undefined {
    return this.#lines.at(-1);
  }

  push(line: Sent): void {
    this.#lines.push(line);
  }

  /** Takes out the oldest line with this text. */
  take(text: string): Sent | undefined {
    return this.#remove(this.#lines.findIndex((line) => this.#redact(line.text) === text));
  }

  /** Takes out the newest line with this text. */
  takeNewest(text: string): Sent | undefined {
    return this.#remove(this.#lines.findLastIndex((line) => this.#redact(line.text) === text));
  }

  #remove(at: number): Sent | undefined {
    return at < 0 ? undefined : this.#lines.splice(at, 1)[0];
  }
}
