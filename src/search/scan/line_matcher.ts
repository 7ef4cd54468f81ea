import type { Kernel, LoadedNeedle } from "../../files/edit/kernel.ts";
import type { Needle, Pattern } from "../regex/mod.ts";
import { ScanStopped } from "../time_limit.ts";
import { DfaScan } from "./dfa_scan.ts";
import { fitsKernel } from "./dfa_table.ts";

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
