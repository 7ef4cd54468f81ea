import type { Kernel } from "../../files/edit/kernel.ts";
import type { PieceReader } from "./file_pieces.ts";
import type { LineMatcher, NeedleScan } from "./line_matcher.ts";
import type { LineTaker } from "./line_taker.ts";

/** Counts the matches of a global regular expression in the whole text of one file; they may span lines. */
export class TextScan implements PieceReader {
  readonly whole = true;
  readonly asks: boolean;
  /** Matches; those that begin on a line of the one before count as its part. 1 at most when only the first matters. */
  count = 0;
  /** True when there is text after a NUL byte, which is not searched, and a match may stand in it. */
  cut = false;
  readonly #kernel: Kernel;
  readonly #regex: RegExp;
  readonly #needles: NeedleScan | undefined;
  readonly #decoder: TextDecoder;
  readonly #taker: LineTaker;
  readonly #firstOnly: boolean;

  /** `asks`: the needles are the same bytes in all encodings. */
  constructor(
    kernel: Kernel,
    regex: RegExp,
    needles: NeedleScan | undefined,
    decoder: TextDecoder,
    taker: LineTaker,
    options: { readonly asks: boolean; readonly firstOnly: boolean },
  ) {
    this.#kernel = kernel;
    this.#regex = regex;
    this.#needles = needles;
    this.#decoder = decoder;
    this.#taker = taker;
    this.asks = options.asks;
    this.#firstOnly = options.firstOnly;
  }

  needsText(): boolean {
    return false;
  }

  mayMatch(from: number, to: number): boolean {
    if (!this.#needles) return true;
    this.#needles.begin(from, to);
    return this.#needles.next(from) >= 0;
  }

  text(from: number, to: number): boolean {
    const nul = this.#kernel.indexOf(0, from, to);
    const end = nul < 0 ? to : Math.max(from, this.#kernel.lastIndexOf(LINE_FEED, from, nul) + 1);
    if (nul >= 0) this.cut = this.mayMatch(end, to);
    if (end === from || !this.mayMatch(from, end)) return false;
    this.#taker.begin(from, end);
    this.#scan(this.#decoder.decode(this.#kernel.reserve(0).subarray(from, end)), from, end);
    this.#taker.finish(end, true);
    return false;
  }

  #scan(text: string, from: number, to: number): void {
    /** A line's beginning in the text and in the bytes. */
    let line = { index: 0, place: from };
    /** Where in the text the lines of the matches so far end, and whether the last one is shown. */
    let until = 0;
    let shown = false;
    /** The line that the last match begins on: a long one holds many. */
    let start = 0;
    let next = 0;
    for (const match of text.matchAll(this.#regex)) {
      if (match.index >= next) {
        start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
        next = endOf(text, match.index);
      }
      if (start >= text.length) break;
      const last = Math.max(match.index, match.index + match[0].length - 1);
      const joins = start < until;
      if (joins && last < until) continue;
      if (!joins) {
        this.count++;
        if (this.#firstOnly) return;
        shown = this.#taker.wantsMatches;
      }
      if (!shown) {
        until = endOf(text, last);
        continue;
      }
      const first = joins ? until : start;
      line = { index: first, place: this.#placeOf(text, line, first, to) };
      for (let more = joins; line.index === first || line.index <= last; more = true) {
        const found = this.#kernel.indexOf(LINE_FEED, line.place, to);
        const end = found < 0 ? to : found;
        const column = Math.max(0, match.index - line.index);
        const place = line.place + byteLength(text, line.index, column);
        this.#taker.take(line.place, end, place, more);
        line = { index: endOf(text, line.index), place: end + 1 };
      }
      until = line.index;
    }
  }

  /** The place of the line that begins at `start` in the text; `line` begins before it. */
  #placeOf(
    text: string,
    line: { readonly index: number; readonly place: number },
    start: number,
    to: number,
  ): number {
    let lines = 0;
    for (let at = line.index; at < start; at = endOf(text, at)) lines++;
    if (lines === 0) return line.place;
    return this.#kernel.nthIndexOf(LINE_FEED, lines, line.place, to) + 1;
  }
}

/** Where the line after the one with `index` begins. */
function endOf(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end + 1;
}

function byteLength(text: string, index: number, length: number): number {
  return new TextEncoder().encode(text.slice(index, index + length)).length;
}

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
