import type { Entry, History } from "./history.ts";

/** A walk through the history with Up and Down, over the lines that begin as the one being written. */
export class HistoryWalk {
  readonly #history: History;
  readonly #prefix: string;
  #at = -1;
  /** The line that was being written. */
  readonly draft: Entry;

  /** `prefix` is what stands before the cursor. */
  constructor(history: History, prefix: string, draft: Entry) {
    this.#history = history;
    this.#prefix = prefix;
    this.draft = draft;
  }

  /** The next older line; undefined, and no step, when there is none. */
  older(): Entry | undefined {
    const at = this.#find(this.#at + 1, 1);
    if (at >= 0) this.#at = at;
    return this.#history.at(at);
  }

  /** The next newer line; undefined when the draft is next. */
  newer(): Entry | undefined {
    this.#at = this.#find(this.#at - 1, -1);
    return this.#history.at(this.#at);
  }

  #find(from: number, step: 1 | -1): number {
    return this.#history.find(
      ({ text }) => text.startsWith(this.#prefix) && text !== this.draft.text,
      from,
      step,
    );
  }
}
