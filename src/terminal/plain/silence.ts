import type { T } from "../../base/t.ts";
import { plain } from "../../base/control_characters.ts";
import { duration } from "../../base/figures.ts";

const PROGRESS_CHARS = 100;

/** Says what is being done when nothing has been said for a while. */
export class Silence {
  readonly #t: T;
  readonly #ms: number;
  readonly #tell: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = 0;
  #doing = "";
  #progress = "";

  constructor(t: T, ms: number, tell: (text: string) => void) {
    this.#t = t;
    this.#ms = ms;
    this.#tell = tell;
  }

  /** What the running call is. */
  get doing(): string {
    return this.#doing;
  }

  set doing(text: string) {
    this.#doing = text;
    this.#progress = "";
  }

  /** How far the running call says it is. */
  set progress(text: string) {
    this.#progress = plain(text).trimEnd().split("\n").at(-1)!.slice(-PROGRESS_CHARS);
  }

  /** What is timed begins now. */
  begin(): void {
    this.#began = performance.now();
  }

  /** Something has been said; while something is `busy` the next silence begins. */
  broken(busy: boolean): void {
    clearTimeout(this.#timer);
    if (!busy) return;
    this.#timer = setTimeout(() => {
      this.#tell(`… ${this.#whereabouts()}`);
      this.broken(true);
    }, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #whereabouts(): string {
    const what = this.#doing || this.#t("Working");
    const elapsed = duration(performance.now() - this.#began);
    return [what, elapsed, this.#progress].filter((part) => part !== "").join(" · ");
  }
}
