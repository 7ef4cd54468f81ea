import type { Kernel } from "../../files/edit/kernel.ts";
import type { PieceReader } from "./file_pieces.ts";
import type { LineMatcher } from "./line_matcher.ts";
import type { LineTaker } from "./line_taker.ts";

const LINE_FEED = 10;

/** Counts the matching lines of one file and has those taken that are to be shown. */
export class LineScan implements PieceReader {
  readonly whole = false;
  readonly asks: boolean;
  /** Matching lines; 1 at most when only the first matters. */
  count = 0;
  /** True when a line after a NUL byte matches; those do not count. */
  cut = false;
  readonly #kernel: Kernel;
  readonly #matcher: LineMatcher;
  readonly #taker: LineTaker;
  readonly #firstOnly: boolean;
  /** The end of the text that the matcher has begun with and nobody has used; -1 for none. */
  #begun = -1;
  #nul = false;

  /** `asks`: the matcher knows needles that are the same bytes in all encodings. */
  constructor(
    kernel: Kernel,
    matcher: LineMatcher,
    taker: LineTaker,
    options: { readonly asks: boolean; readonly firstOnly: boolean },
  ) {
    this.#kernel = kernel;
    this.#matcher = matcher;
    this.#taker = taker;
    this.asks = options.asks;
    this.#firstOnly = options.firstOnly;
  }

  needsText(last: boolean): boolean {
    return this.#taker.wantsText(last);
  }

  mayMatch(from: number, to: number): boolean {
    this.#matcher.begin(from, to);
    this.#begun = to;
    if (this.#matcher.mayMatch(from)) return true;
    this.#begun = -1;
    this.#nul ||= this.#kernel.indexOf(0, from, to) >= 0;
    this.#taker.skip(from, to);
    return false;
  }

  text(from: number, to: number, last: boolean): boolean {
    const end = this.#beforeNul(from, to);
    const begun = this.#begun === end;
    this.#begun = -1;
    this.#taker.begin(from, end);
    if (end > from) {
      if (!begun) this.#matcher.begin(from, end);
      this.#countLines(from, end);
    }
    if (this.#firstOnly && this.count > 0) return false;
    this.#taker.finish(end, last);
    if (!this.#nul) return true;
    this.#matcher.begin(end, to);
    this.cut = end < to && this.#matcher.next(end) >= 0;
    return !this.cut;
  }

  /** Counts as it goes: what has been found remains when the search is stopped. */
  #countLines(from: number, to: number): void {
    for (let at = from; at < to;) {
      const taking = this.#taker.wantsMatches;
      if (!taking && this.#matcher.count) {
        this.count += this.#matcher.count(at, this.#firstOnly ? 1 : Infinity);
        return;
      }
      const place = this.#matcher.next(at);
      if (place < 0) return;
      const found = this.#kernel.indexOf(LINE_FEED, place, to);
      const end = found < 0 ? to : found;
      if (taking) {
        const before = this.#kernel.lastIndexOf(LINE_FEED, at, place);
        this.#taker.take(Math.max(at, before + 1), end, place);
      }
      this.count++;
      if (this.#firstOnly) return;
      at = end + 1;
    }
  }

  /** Where the last line before the file's first NUL ends. */
  #beforeNul(from: number, to: number): number {
    if (this.#nul) return from;
    const nul = this.#kernel.indexOf(0, from, to);
    if (nul < 0) return to;
    this.#nul = true;
    return Math.max(from, this.#kernel.lastIndexOf(LINE_FEED, from, nul) + 1);
  }
}
