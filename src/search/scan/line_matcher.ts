import type { Kernel, LoadedNeedle } from "../../files/edit/kernel.ts";
import { LAYOUT } from "../../files/edit/kernel_bytes.ts";
import { type Dfa, MATCH } from "../regex/dfa.ts";
import type { Needle, Pattern } from "../regex/mod.ts";
import { ScanStopped } from "../time_limit.ts";
import { DfaTable, fitsKernel, NO_STATE, VOID } from "./dfa_table.ts";

/** What is shorter is not worth a stream of its own. */
const SHORT_BYTES = 512;
/** The kernel advances two streams by so many bytes at once. */
const STEP_BYTES = 4;
/** How far each stream goes alone after the two met a byte they could not take. */
const ALONE_BYTES = 8;
/** After so many stops with hardly a byte between them the streams go alone to their ends. */
const MOST_STUMBLES = 64;
/** How many bytes the kernel scans, and how many steps are made here, between looks at `stop`. */
const BYTES_PER_LOOK = 4 << 20;
const STEPS_PER_LOOK = 1024;

/** Some lines of a text; a place in it and the state of the Dfa before that place. */
interface Stream {
  readonly begin: number;
  end: number;
  at: number;
  state: number;
  /** The table's generation when `state` was met: in another one it means nothing. */
  generation: number;
  /** True after a match in its last line. */
  done: boolean;
}

/**
 * A Dfa at work in the kernel, which leaves to us what its table does not have: transitions not met
 * before, characters beyond U+FFFF and bytes that are not UTF-8. Positions are offsets in the
 * kernel's data area. A kernel holds one Dfa at a time.
 */
export class DfaScan {
  readonly #kernel: Kernel;
  readonly #dfa: Dfa;
  readonly #stop: () => boolean;
  readonly #table: DfaTable;
  #steps = 0;

  /** `dfa` must fit the kernel; `stop` is asked often enough to end a scan within milliseconds. */
  constructor(kernel: Kernel, dfa: Dfa, stop: () => boolean) {
    this.#kernel = kernel;
    this.#dfa = dfa;
    this.#stop = stop;
    this.#table = new DfaTable(kernel, dfa);
  }

  /**
   * The place at which the first matching line of [from, to) is known to match: in the line or at
   * its end; `to` when it ends without "\n"; -1 when no line matches. `from` begins a line.
   */
  next(from: number, to: number): number {
    this.#table.look();
    return this.#toEnd(this.#stream(from, to));
  }

  /** Counts the matching lines of [from, to), `most` at most; quicker than `next` again and again. */
  count(from: number, to: number, most: number): number {
    this.#table.look();
    const stream = this.#stream(from, to);
    // a dead state is left quicker alone than side by side
    const abreast = this.#table.pairs && this.#table.dead === NO_STATE;
    const half = abreast ? this.#half(stream) : undefined;
    let count = half ? this.#abreast([stream, half], most) : 0;
    count += this.#rest(stream, most - count);
    return half ? count + this.#rest(half, most - count) : count;
  }

  #stream(begin: number, end: number): Stream {
    const { generation } = this.#table;
    return { begin, end, at: begin, state: this.#dfa.start, generation, done: begin === end };
  }

  /** Runs a stream to its end; returns its matching lines. */
  #rest(stream: Stream, most: number): number {
    let count = 0;
    while (count < most && !stream.done) {
      const place = this.#toEnd(stream);
      if (place < 0) break;
      this.#skipLine(stream, place);
      count++;
    }
    return count;
  }

  /** Takes whole lines, half of a stream; undefined where that does not pay. */
  #half(stream: Stream): Stream | undefined {
    const { at, end } = stream;
    if (end - at < 2 * SHORT_BYTES) return undefined;
    const begin = this.#kernel.indexOf(LINE_FEED, (at + end) >> 1, end) + 1;
    if (begin === 0 || begin === end) return undefined;
    stream.end = begin;
    return this.#stream(begin, end);
  }

  /** Advances two streams side by side as long as that pays; returns the matches met. */
  #abreast(streams: readonly [Stream, Stream], most: number): number {
    const [a, b] = streams;
    const { generation } = this.#table;
    let count = 0;
    let stumbles = 0;
    // once states were thrown away, those of two lines may not fit in together
    while (stumbles < MOST_STUMBLES && this.#table.generation === generation && this.#table.pairs) {
      const room = Math.min(a.end - a.at, b.end - b.at, BYTES_PER_LOOK);
      if (room < STEP_BYTES) break;
      const taken = this.#together(a, b, room);
      if (taken > room - STEP_BYTES) continue;
      stumbles = taken < ALONE_BYTES ? stumbles + 1 : 0;
      for (const stream of streams) {
        const place = this.#soft(stream, Math.min(stream.at + ALONE_BYTES, stream.end));
        if (place < 0) continue;
        if (++count === most) return count;
        this.#skipLine(stream, place);
      }
    }
    return count;
  }

  /**
   * Advances each of two streams by `room` bytes, or until one meets what the table does not have;
   * returns how far, in steps of four bytes.
   */
  #together(a: Stream, b: Stream, room: number): number {
    if (this.#stop()) throw new ScanStopped();
    const taken = this.#kernel.code.dfa2(
      a.at + LAYOUT.data,
      b.at + LAYOUT.data,
      room,
      this.#table.row(a.state),
      this.#table.row(b.state),
    );
    a.at += taken;
    b.at += taken;
    a.state = this.#table.stateOf(this.#table.words[LAYOUT.results >> 2]!);
    b.state = this.#table.stateOf(this.#table.words[(LAYOUT.results >> 2) + 1]!);
    return taken;
  }

  #restart(stream: Stream): void {
    const before = this.#kernel.lastIndexOf(LINE_FEED, stream.begin, stream.at);
    stream.at = Math.max(stream.begin, before + 1);
    stream.state = this.#dfa.start;
    stream.generation = this.#table.generation;
  }

  /** Goes on behind the line that matches at `place`. */
  #skipLine(stream: Stream, place: number): void {
    const end = this.#kernel.indexOf(LINE_FEED, place, stream.end) + 1;
    stream.at = end === 0 ? stream.end : end;
    stream.state = this.#dfa.start;
    stream.generation = this.#table.generation;
    stream.done = stream.at === stream.end;
  }

  /** Runs a stream to its end; the place of a match, or -1. */
  #toEnd(stream: Stream): number {
    const { end } = stream;
    while (stream.at < end) {
      const found = this.#soft(stream, Math.min(end, stream.at + BYTES_PER_LOOK));
      if (found >= 0) return found;
      if (stream.at < end && this.#stop()) throw new ScanStopped();
    }
    if (end === 0 || this.#table.memory[LAYOUT.data + end - 1] === LINE_FEED) return -1;
    return this.#dfa.step(stream.state, this.#dfa.end) === MATCH ? end : -1;
  }

  /** Runs a stream until `soft` or a little beyond; the place of a match, or -1. */
  #soft(stream: Stream, soft: number): number {
    const { code } = this.#kernel;
    const data = LAYOUT.data;
    if (stream.generation !== this.#table.generation) this.#restart(stream);
    while (stream.at < soft) {
      const at = code.dfa1(
        stream.at + data,
        soft + data,
        stream.end + data,
        this.#table.row(stream.state),
        this.#table.special,
        this.#table.row(this.#table.dead),
        this.#table.pairs ? 1 : 0,
      );
      stream.at = at - data;
      stream.state = this.#table.stateOf(this.#table.words[LAYOUT.results >> 2]!);
      const why = this.#table.words[(LAYOUT.results >> 2) + 1];
      if (why === 2) return stream.at;
      if (why === 1 && this.#step(stream)) return stream.at;
    }
    return -1;
  }

  /** Steps over one character that the kernel cannot take; true for a match. */
  #step(stream: Stream): boolean {
    if (++this.#steps % STEPS_PER_LOOK === 0 && this.#stop()) throw new ScanStopped();
    const next = this.#table.step(stream.state, stream.at, stream.end);
    if (next === MATCH) return true;
    if (next === VOID) {
      this.#restart(stream);
    } else {
      stream.state = next;
      stream.generation = this.#table.generation;
      stream.at += this.#table.length;
    }
    return false;
  }
}

/** Looks for several byte strings at once; each reads the text only once. */
export class NeedleScan {
  readonly #kernel: Kernel;
  readonly #needles: readonly LoadedNeedle[];
  /** Where each needle stands next, and up to where it is known not to begin. */
  readonly #places: number[];
  readonly #clear: number[];
  #to = 0;

  /** The needles stay loaded in the kernel. */
  constructor(kernel: Kernel, needles: readonly Needle[]) {
    this.#kernel = kernel;
    this.#needles = needles.map(({ bytes, ignoreCase }) => kernel.needle(bytes, ignoreCase));
    this.#places = needles.map(() => -1);
    this.#clear = needles.map(() => 0);
  }

  /** Begins with the text at [from, to) of the kernel's data area. */
  begin(from: number, to: number): void {
    this.#to = to;
    this.#places.fill(-1);
    this.#clear.fill(from);
  }

  /** The place of the first needle at or after `from`, or -1; `from` never goes back. */
  next(from: number): number {
    let best = -1;
    for (let i = 0; i < this.#needles.length; i++) {
      const needle = this.#needles[i]!;
      let place = this.#places[i]!;
      if (place < from) {
        // a needle beyond the best one so far is of no interest yet
        const to = best < 0 ? this.#to : Math.min(this.#to, best + needle.length - 1);
        place = this.#kernel.find(Math.max(from, this.#clear[i]!), to, needle);
        this.#places[i] = place;
        if (place < 0) this.#clear[i] = Math.max(this.#clear[i]!, to - needle.length + 1);
      }
      if (place >= 0 && (best < 0 || place < best)) best = place;
    }
    return best;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LINES_PER_LOOK = 256;

/** Finds the lines of a text in the kernel's data area that match. */
export interface LineMatcher {
  /** Begins with the text at [from, to), which holds whole lines. */
  begin(from: number, to: number): void;
  /** False when no line from `from` on can match, as far as is quickly known. */
  mayMatch(from: number): boolean;
  /** A place in the first matching line that begins at or after `from`, or at its end; or -1. */
  next(from: number): number;
  /** How many such lines there are, `most` at most; where that is quicker than `next`. */
  count?(from: number, most: number): number;
}

/** Makes the quickest matcher for a pattern of lines. `stop` ends a scan: it throws ScanStopped. */
export function lineMatcher(kernel: Kernel, pattern: Pattern, stop: () => boolean): LineMatcher {
  const { dfa, needles, exact } = pattern;
  const candidates = needles && new NeedleScan(kernel, needles);
  if (candidates && exact) return new NeedleMatcher(candidates);
  if (dfa && fitsKernel(dfa)) {
    const scan = new DfaScan(kernel, dfa, stop);
    if (!candidates) return new DfaMatcher(scan);
    const test = (from: number, end: number, to: number) => scan.next(from, Math.min(end + 1, to));
    return new TestMatcher(kernel, candidates, test, stop);
  }
  if (dfa) {
    const test = (from: number, end: number) => dfa.matchEnd(kernel.reserve(0), from, end);
    return new TestMatcher(kernel, candidates, test, stop);
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const test = (from: number, end: number) => {
    const bytes = kernel.reserve(0);
    const cut = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    const line = decoder.decode(bytes.subarray(from, cut));
    const index = pattern.regex.exec(line)?.index;
    if (index === undefined) return -1;
    return Math.min(cut, from + encoder.encode(line.slice(0, index)).length);
  };
  return new TestMatcher(kernel, candidates, test, stop);
}

/** A line that holds a needle matches. */
class NeedleMatcher implements LineMatcher {
  readonly #needles: NeedleScan;

  constructor(needles: NeedleScan) {
    this.#needles = needles;
  }

  begin(from: number, to: number): void {
    this.#needles.begin(from, to);
  }

  mayMatch(from: number): boolean {
    return this.#needles.next(from) >= 0;
  }

  next(from: number): number {
    return this.#needles.next(from);
  }
}

/** The whole text goes through the automaton. */
class DfaMatcher implements LineMatcher {
  readonly #scan: DfaScan;
  #to = 0;

  constructor(scan: DfaScan) {
    this.#scan = scan;
  }

  begin(_from: number, to: number): void {
    this.#to = to;
  }

  mayMatch(): boolean {
    return true;
  }

  next(from: number): number {
    return this.#scan.next(from, this.#to);
  }

  count(from: number, most: number): number {
    return this.#scan.count(from, this.#to, most);
  }
}

/** Tells for the line at [from, end) of a text that ends at `to` where it matches, or -1. */
type LineTest = (from: number, end: number, to: number) => number;

/** Lines that hold a needle, or all where none is known, are tested one by one. */
class TestMatcher implements LineMatcher {
  readonly #kernel: Kernel;
  readonly #needles: NeedleScan | undefined;
  readonly #test: LineTest;
  readonly #stop: () => boolean;
  #to = 0;
  #lines = 0;

  constructor(
    kernel: Kernel,
    needles: NeedleScan | undefined,
    test: LineTest,
    stop: () => boolean,
  ) {
    this.#kernel = kernel;
    this.#needles = needles;
    this.#test = test;
    this.#stop = stop;
  }

  begin(from: number, to: number): void {
    this.#to = to;
    this.#needles?.begin(from, to);
  }

  mayMatch(from: number): boolean {
    return !this.#needles || this.#needles.next(from) >= 0;
  }

  next(from: number): number {
    const kernel = this.#kernel;
    while (from < this.#to) {
      if (++this.#lines % LINES_PER_LOOK === 0 && this.#stop()) throw new ScanStopped();
      let start = from;
      if (this.#needles) {
        const place = this.#needles.next(from);
        if (place < 0) return -1;
        start = Math.max(from, kernel.lastIndexOf(LINE_FEED, from, place) + 1);
      }
      const found = kernel.indexOf(LINE_FEED, start, this.#to);
      const end = found < 0 ? this.#to : found;
      const match = this.#test(start, end, this.#to);
      if (match >= 0) return match;
      from = end + 1;
    }
    return -1;
  }
}
