import { FileError } from "../../base/errors.ts";
import { createKernel, type Kernel } from "./kernel.ts";
import {
  AT_ONCE_BYTES,
  characterBoundary,
  fill,
  openRegular,
  readRange,
  wholeLines,
} from "../open_regular.ts";
import { noRest, type Rest } from "../rest.ts";
import { type Coding, decodeAs, detectCoding, EncodeError, encodeText } from "../text_file.ts";

const SPLICE_CHUNK_BYTES = 2 * 1024 * 1024;

/**
 * The bytes of a file with its pieces replaced by `contents`, for `writeAtomic`. What is yielded is
 * good until the next is asked for. Throws FileError "changed" when the file has become shorter.
 */
export async function* spliced(
  path: string,
  pieces: readonly Piece[],
  contents: readonly Uint8Array[],
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  using file = await openRegular(path);
  const { size } = file.statSync();
  const small = size <= AT_ONCE_BYTES;
  const room = () => new Uint8Array(Math.min(size, SPLICE_CHUNK_BYTES));
  let [here, ahead] = [room(), room()];
  let at = 0;
  const next = async (stop: number) => {
    signal?.throwIfAborted();
    const stretch = ahead.subarray(0, Math.min(SPLICE_CHUNK_BYTES, stop - at));
    const count = small ? file.readSync(stretch) : await file.read(stretch);
    if (count === null) throw new FileError("changed", "the file has become shorter");
    at += count;
    return stretch.subarray(0, count);
  };
  for (let which = 0; which <= pieces.length; which++) {
    const stop = pieces[which]?.start ?? size;
    file.seekSync(at, Deno.SeekMode.Start);
    for (let reading = at < stop ? next(stop) : undefined; reading;) {
      const bytes = await reading;
      [here, ahead] = [ahead, here];
      // the next stretch is read while this one is written
      const following = at < stop ? next(stop) : undefined;
      following?.catch(() => {});
      try {
        yield bytes;
      } finally {
        await following?.catch(() => {});
      }
      reading = following;
    }
    if (which === pieces.length) return;
    yield contents[which]!;
    at = pieces[which]!.end;
  }
}

const CHUNK_BYTES = 1024 * 1024;
/** How much tells whether a file is in UTF-16. */
const HEAD_BYTES = 64 * 1024;
/** Of a longer text its beginning is looked for. */
const NEEDLE_BYTES = 256;
/** Finds nearer to one another than this share a piece. */
const NEAR_BYTES = 4096;
const NEWLINE = 10;

/** Whole lines of a file, decoded. */
export interface Piece {
  /** Where its bytes stand in the file; a byte order mark is in no piece. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The part of a file that is needed to change it. */
export interface Pieces {
  readonly coding: Coding;
  /** In order, with at least one line between two of them. */
  readonly pieces: readonly Piece[];
}

/** Thrown when the pieces would be larger than the bound. */
export class TooMuchError extends FileError {
  /** How often each of the texts stands in the file, of a long one its beginning. */
  readonly counts: readonly number[];

  constructor(counts: readonly number[]) {
    super("too_large", "too much to look at");
    this.counts = counts;
  }
}

/** How `cutPieces` works. */
export interface CutOptions {
  /** Lines to be had on both sides of a find. */
  readonly margin: number;
  /** Bound on the bytes of all pieces together; beyond it FileError "too_large". */
  readonly most: number;
  readonly rest?: Rest;
  readonly chunkBytes?: number;
}

/** The bytes of a text file as one piece. */
export function onePiece(bytes: Uint8Array): Pieces {
  const coding = detectCoding(bytes);
  const start = markBytes(coding);
  const text = decodeAs(bytes.subarray(start), coding.encoding);
  return { coding, pieces: [{ start, end: bytes.length, line: 1, text }] };
}

/**
 * Reads a file of any size once and returns the lines around every place where one of `texts`
 * stands. A file in UTF-16 is one piece. Throws TooMuchError, FileError or the platform's error.
 */
export async function cutPieces(
  path: string,
  texts: readonly string[],
  options: CutOptions,
): Promise<Pieces> {
  using file = await openRegular(path);
  const size = file.statSync().size;
  const head = detectCoding(readRange(file, 0, Math.min(size, HEAD_BYTES)));
  if (head.encoding.startsWith("utf-16")) {
    if (size > options.most) throw new FileError("too_large", "UTF-16 beyond the bound");
    return onePiece(readRange(file, 0, size));
  }
  const scanner = new Scanner(file, size, options);
  let coding: Coding = { encoding: "utf-8", bom: head.bom };
  let found = await scanner.find(encodeAll(texts, coding), !head.bom);
  if (found.bad) {
    coding = detectCoding(size <= options.most ? readRange(file, 0, size) : found.bad);
    found = await scanner.find(encodeAll(texts, coding), false);
  }
  return { coding, pieces: await scanner.pieces(found, coding) };
}

/** How many bytes the byte order mark takes. */
function markBytes({ encoding, bom }: Coding): number {
  return !bom ? 0 : encoding === "utf-8" ? 3 : 2;
}

/** The beginnings of the texts; empty for one that the encoding cannot hold. */
function encodeAll(texts: readonly string[], coding: Coding): Uint8Array[] {
  return texts.map((text) => {
    try {
      const begin = text.slice(0, NEEDLE_BYTES).replace(/[\ud800-\udbff]$/, "");
      return encodeText(begin, { ...coding, bom: false }).subarray(0, NEEDLE_BYTES);
    } catch (error) {
      if (!(error instanceof EncodeError)) throw error;
      return new Uint8Array();
    }
  });
}

interface Range {
  start: number;
  end: number;
}

interface Finds {
  readonly ranges: readonly Range[];
  /** Per needle. */
  readonly counts: readonly number[];
  /** Offsets with the number of line ends before them, ascending. */
  readonly marks: readonly { readonly at: number; readonly lines: number }[];
  /** Whole lines that are not valid UTF-8, when that was asked and there are any. */
  readonly bad?: Uint8Array;
}

class Scanner {
  readonly #kernel: Kernel = createKernel();
  readonly #file: Deno.FsFile;
  readonly #size: number;
  readonly #options: CutOptions;
  readonly #chunk: number;
  readonly #near: number;

  constructor(file: Deno.FsFile, size: number, options: CutOptions) {
    this.#file = file;
    this.#size = size;
    this.#options = options;
    this.#chunk = options.chunkBytes ?? CHUNK_BYTES;
    this.#near = Math.min(NEAR_BYTES, this.#chunk);
  }

  /** Looks for the needles in the whole file, counts its lines and, if asked, checks that it is UTF-8. */
  async find(needles: readonly Uint8Array[], utf8: boolean): Promise<Finds> {
    const kernel = this.#kernel;
    const chunk = this.#chunk;
    const keep = Math.max(4, ...needles.map((needle) => needle.length));
    const ranges: Range[][] = needles.map(() => []);
    const next = needles.map(() => 0);
    const counts = needles.map(() => 0);
    const marks: { at: number; lines: number }[] = [];
    let lines = 0;
    let valid = 0;
    this.#file.seekSync(0, Deno.SeekMode.Start);
    let base = 0;
    let carry = 0;
    const { rest = noRest } = this.#options;
    for (;;) {
      const data = kernel.reserve(keep + chunk);
      const end = carry + fill(this.#file, data.subarray(carry, carry + chunk));
      if (end === carry) break;
      marks.push({ at: base + carry, lines });
      lines += kernel.count(carry, end, NEWLINE);
      const last = base + end >= this.#size;
      if (utf8) {
        const stop = last ? end : characterBoundary(data, end);
        if (kernel.invalidUtf8(valid - base, stop) >= 0) {
          return { ranges: [], counts, marks, bad: wholeLines(data.slice(0, end)) };
        }
        valid = base + stop;
      }
      for (const [which, needle] of needles.entries()) {
        if (needle.length === 0) continue;
        kernel.forget();
        const loaded = kernel.needle(needle);
        let from = Math.max(next[which]!, base) - base;
        for (;;) {
          const at = kernel.find(from, end, loaded);
          if (at < 0) break;
          counts[which]!++;
          grow(ranges[which]!, base + at, base + at + needle.length, this.#near);
          from = at + 1;
        }
        next[which] = Math.max(base + from, base + end - needle.length + 1);
        await rest();
      }
      const kept = Math.min(keep, end);
      data.copyWithin(0, end - kept, end);
      base += end - kept;
      carry = kept;
      await rest();
    }
    return { ranges: merge(ranges.flat(), this.#near), counts, marks };
  }

  /** The whole lines around the finds. */
  async pieces({ ranges, counts, marks }: Finds, coding: Coding): Promise<Piece[]> {
    const { rest = noRest } = this.#options;
    const first = markBytes(coding);
    const spans: Range[] = [];
    let total = 0;
    for (const range of ranges) {
      const before = spans.at(-1);
      const start = this.#lineStart(range.start, this.#options.margin, before?.end ?? first);
      const end = this.#lineEnd(range.end, this.#options.margin);
      total += Math.max(0, end - Math.max(start, before?.end ?? 0));
      if (total > this.#options.most) throw new TooMuchError(counts);
      if (before && start <= before.end) before.end = Math.max(before.end, end);
      else spans.push({ start, end });
      await rest();
    }
    let at = 0;
    let line = 1;
    let mark = 0;
    const pieces: Piece[] = [];
    for (const { start, end } of spans) {
      while (mark < marks.length && marks[mark]!.at <= start) mark++;
      const known = marks[mark - 1];
      if (known && known.at > at) {
        at = known.at;
        line = known.lines + 1;
      }
      line += this.#countLines(at, start);
      at = start;
      const text = decodeAs(readRange(this.#file, start, end), coding.encoding);
      pieces.push({ start, end, line, text });
      await rest();
    }
    return pieces;
  }

  /** The start of the line that lies `lines` before the one around `at`, not before `least`. */
  #lineStart(at: number, lines: number, least: number): number {
    let wanted = lines + 1;
    let to = at;
    for (let block = this.#near; to > least; block = Math.min(block * 8, this.#chunk)) {
      const from = Math.max(least, to - block);
      this.#load(from, to);
      let place = to - from;
      while ((place = this.#kernel.lastIndexOf(NEWLINE, 0, place)) >= 0) {
        if (--wanted === 0) return from + place + 1;
      }
      to = from;
      this.#bound(at - to);
    }
    return least;
  }

  /** The end of the line that lies `lines` after the one in which the text before `at` ends. */
  #lineEnd(at: number, lines: number): number {
    let wanted = lines + 1;
    let from = at;
    for (let block = this.#near; from < this.#size; block = Math.min(block * 8, this.#chunk)) {
      const to = Math.min(this.#size, from + block);
      this.#load(from, to);
      const place = this.#kernel.nthIndexOf(NEWLINE, wanted, 0, to - from);
      if (place >= 0) return from + place + 1;
      wanted -= this.#kernel.count(0, to - from, NEWLINE);
      from = to;
      this.#bound(from - at);
    }
    return this.#size;
  }

  #bound(bytes: number): void {
    if (bytes > this.#options.most) throw new FileError("too_large", "a line is too long");
  }

  #countLines(from: number, to: number): number {
    let count = 0;
    for (let at = from; at < to; at += CHUNK_BYTES) {
      const stop = Math.min(to, at + CHUNK_BYTES);
      this.#load(at, stop);
      count += this.#kernel.count(0, stop - at, NEWLINE);
    }
    return count;
  }

  #load(from: number, to: number): void {
    const data = this.#kernel.reserve(to - from);
    this.#file.seekSync(from, Deno.SeekMode.Start);
    if (fill(this.#file, data.subarray(0, to - from)) < to - from) {
      throw new FileError("changed", "the file has become shorter");
    }
  }
}

/** Adds a find to ranges that it does not precede. */
function grow(ranges: Range[], start: number, end: number, near: number): void {
  const last = ranges.at(-1);
  if (last && start - last.end <= near) last.end = Math.max(last.end, end);
  else ranges.push({ start, end });
}

function merge(ranges: readonly Range[], near: number): Range[] {
  const merged: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    grow(merged, start, end, near);
  }
  return merged;
}
