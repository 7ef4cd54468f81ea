import type { Kernel } from "../../files/edit/kernel.ts";
import type { FoundLine } from "../found.ts";

const SHOWN_CHARS = 400;
const SHOWN_BEFORE_MATCH = 120;
/** So many bytes hold at least SHOWN_CHARS UTF-16 units, at up to three bytes each. */
const ENOUGH_BYTES = 3 * SHOWN_CHARS;
/** What is cut off in front is counted up to so many bytes. */
const COUNTED_BYTES = 256 * 1024;

/** A line as it is shown. */
interface CutLine {
  readonly text: string;
  /** As GrepLine has it. */
  readonly skipped: number | undefined;
}

/**
 * The text of the line at [start, end) of UTF-8 bytes, without a "\r" at its end. Of a long line
 * 400 characters around `place`, where it matches, with `…` for what is left out.
 */
function cutLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  place: number,
  decoder: TextDecoder,
): CutLine {
  const to = end > start && bytes[end - 1] === 0x0d ? end - 1 : end;
  if (to - start <= SHOWN_CHARS) {
    return { text: decoder.decode(bytes.subarray(start, to)), skipped: 0 };
  }
  const middle = characterStart(bytes, place, start, to);
  const left = characterStart(bytes, middle - ENOUGH_BYTES, start, to);
  const right = characterStart(bytes, middle + ENOUGH_BYTES, start, to);
  const before = decoder.decode(bytes.subarray(left, middle));
  const text = before + decoder.decode(bytes.subarray(middle, right));
  const room = Math.max(0, text.length - SHOWN_CHARS);
  const from = wholePair(text, Math.min(Math.max(0, before.length - SHOWN_BEFORE_MATCH), room));
  const until = wholePair(text, Math.min(text.length, from + SHOWN_CHARS));
  const more = until < text.length || right < to;
  const shown = text.slice(from, until) + (more ? "…" : "");
  if (left === start) return { text: (from > 0 ? "…" : "") + shown, skipped: from };
  const skipped = left - start > COUNTED_BYTES
    ? undefined
    : from + decoder.decode(bytes.subarray(start, left)).length;
  return { text: "…" + shown, skipped };
}

/** The beginning of the character that the byte at `at` belongs to, within [start, to]. */
function characterStart(bytes: Uint8Array, at: number, start: number, to: number): number {
  if (at <= start) return start;
  if (at >= to) return to;
  for (let back = 0; back < 4 && at - back > start; back++) {
    if ((bytes[at - back]! & 0xc0) !== 0x80) return at - back;
  }
  return at;
}

/** Moves a place between the halves of a pair to the front of it. */
function wholePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

const LINE_FEED = 10;
const FOREVER = Number.MAX_SAFE_INTEGER;

/**
 * Takes the lines to show out of one file, which comes in pieces of whole lines: matches with their
 * numbers and context, each line once. Positions are offsets in the kernel's data area.
 */
export class LineTaker {
  readonly lines: FoundLine[] = [];
  readonly #kernel: Kernel;
  readonly #decoder: TextDecoder;
  readonly #before: number;
  readonly #after: number;
  readonly #most: number;
  /** The piece at hand, and the number of its first line. */
  #from = 0;
  #to = 0;
  #first = 1;
  /** The number of the line that begins at `#place`. */
  #number = 1;
  #place = 0;
  /** The number of the last line taken, and the place of the one after it. */
  #taken = 0;
  #next = 0;
  /** Lines up to this one are owed as context. */
  #owed = 0;
  #matches = 0;
  /** The last lines before the piece. */
  #earlier: CutLine[] = [];

  /** `most`: how many matches to take. */
  constructor(
    kernel: Kernel,
    decoder: TextDecoder,
    context: { readonly before: number; readonly after: number },
    most: number,
  ) {
    this.#kernel = kernel;
    this.#decoder = decoder;
    this.#before = context.before;
    this.#after = context.after;
    this.#most = most;
  }

  /** True while more matches are wanted. */
  get wantsMatches(): boolean {
    return this.#matches < this.#most;
  }

  /** Whether the text of the next piece is of use though nothing matches in it. */
  wantsText(last: boolean): boolean {
    return this.#taken < this.#owed || (this.wantsMatches && this.#before > 0 && !last);
  }

  /** Passes over a piece whose text is not wanted. */
  skip(from: number, to: number): void {
    if (this.wantsMatches) this.#first += this.#kernel.count(from, to, LINE_FEED);
  }

  /** Begins a piece. */
  begin(from: number, to: number): void {
    this.#from = this.#place = this.#next = from;
    this.#to = to;
    this.#number = this.#first;
  }

  /** Takes the line at [start, end) with the context before it; `more` of the match before it. */
  take(start: number, end: number, place: number, more = false): void {
    const number = this.#numberAt(start);
    this.#pay(number - 1, this.#to);
    this.#precede(start, Math.max(this.#taken + 1, number - this.#before), number);
    const match = more ? this.#matches - 1 : this.#matches++;
    this.#push(number, start, end, place, match);
    this.#taken = number;
    this.#next = end + 1;
    this.#owed = number + this.#after;
  }

  /** Ends a piece, whose text after `to` is left out. */
  finish(to: number, last: boolean): void {
    this.#pay(FOREVER, to);
    if (last || !this.wantsMatches) return;
    if (this.#before > 0) {
      this.#earlier = [...this.#earlier, ...this.#lastLines(to)].slice(-this.#before);
    }
    this.#first = this.#numberAt(to);
  }

  #numberAt(start: number): number {
    this.#number += this.#kernel.count(this.#place, start, LINE_FEED);
    this.#place = start;
    return this.#number;
  }

  /** Takes the lines from number `from` to the one before `number`, which begins at `start`. */
  #precede(start: number, from: number, number: number): void {
    const here = Math.max(from, this.#first);
    for (let each = from; each < here; each++) {
      const cut = this.#earlier.at(each - this.#first);
      if (cut) this.lines.push({ line: each, ...cut, match: -1 });
    }
    let at = start;
    for (let each = number; each > here; each--) at = this.#lineStart(at);
    for (let each = here; each < number; each++) at = this.#context(each, at, start);
  }

  /** Takes the context owed after earlier matches, up to line `until`. */
  #pay(until: number, to: number): void {
    const last = Math.min(this.#owed, until);
    while (this.#taken < last && this.#next < to) {
      this.#next = this.#context(++this.#taken, this.#next, to);
    }
  }

  /** Takes the line at `start` as context; returns where the next one begins. */
  #context(number: number, start: number, to: number): number {
    const found = this.#kernel.indexOf(LINE_FEED, start, to);
    const end = found < 0 ? to : found;
    this.#push(number, start, end, start, -1);
    return end + 1;
  }

  #push(line: number, start: number, end: number, place: number, match: number): void {
    this.lines.push({ line, ...this.#text(start, end, place), match });
  }

  #text(start: number, end: number, place: number): CutLine {
    return cutLine(this.#kernel.reserve(0), start, end, place, this.#decoder);
  }

  /** Where the line before the one at `start` begins. */
  #lineStart(start: number): number {
    return Math.max(this.#from, this.#kernel.lastIndexOf(LINE_FEED, this.#from, start - 1) + 1);
  }

  #lastLines(to: number): CutLine[] {
    const texts: CutLine[] = [];
    for (let end = to; texts.length < this.#before && end > this.#from;) {
      const start = this.#lineStart(end);
      texts.push(this.#text(start, end - 1, start));
      end = start;
    }
    return texts.reverse();
  }
}
