import type { Kernel } from "./edit/kernel.ts";
import { openRegular } from "./open_regular.ts";
import { type Coding, decodeAs, detectCoding } from "./text_file.ts";

const CHUNK_BYTES = 4 << 20;
const HEAD_BYTES = 256 << 10;
const LINE_FEED = 10;

/** One line, without its end. */
export interface Line {
  readonly text: string;
  /** The whole line's length in bytes, of which `text` may be the beginning. */
  readonly bytes: number;
  /** True when `text` is only the beginning. */
  readonly cut: boolean;
}

/** Some consecutive lines of a file. */
export interface LinePage {
  readonly lines: readonly Line[];
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly coding: Coding;
  /** True when the file ends with these lines. */
  readonly end: boolean;
}

/** Which lines, from 1, and how many bytes of each at most are decoded. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly lineBytes: number;
}

/** Lines of a file in memory; an offset beyond the end gives the last line. `total` counts all lines. */
export function pageOf(
  bytes: Uint8Array,
  coding: Coding,
  range: PageRange,
): LinePage & { readonly total: number } {
  const all = new LineTaker({ ...range, offset: Infinity }, coding);
  all.take(bytes);
  const total = all.finish();
  const taker = new LineTaker({ ...range, offset: Math.min(range.offset, total) }, coding);
  const more = taker.take(bytes);
  taker.finish();
  return { ...taker.page(coding), end: !more, total };
}

/**
 * Reads lines of a file of any size, keeping no more than them and some megabytes in memory; an
 * offset beyond the end gives the last line. Throws the platform's errors, and `signal.reason`
 * when aborted.
 */
export async function readPage(
  path: string,
  range: PageRange,
  signal: AbortSignal,
  chunkBytes = CHUNK_BYTES,
): Promise<LinePage> {
  signal.throwIfAborted();
  using file = await openRegular(path);
  const { createKernel } = await import("./edit/kernel.ts");
  const kernel = createKernel();
  const chunk = kernel.reserve(chunkBytes).subarray(0, chunkBytes);
  let coding: Coding = { encoding: "utf-8", bom: false };
  let plain = true;
  let taker: LineTaker | undefined;
  let more = false;
  while (!more) {
    const bytes = chunk.subarray(0, fill(file, chunk));
    if (bytes.length === 0) break;
    if (!taker) {
      const head = wholeLines(bytes.subarray(0, HEAD_BYTES));
      coding = detectCoding(head);
      plain = kernel.nonAscii(0, head.length) < 0;
      taker = new LineTaker(range, coding, kernel);
    }
    more = taker.take(bytes);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  if (!taker) return { lines: [], first: 1, coding, end: true };
  const total = taker.finish();
  if (taker.count === 0) {
    return await readPage(path, { ...range, offset: total, limit: 1 }, signal, chunkBytes);
  }
  // a beginning in ASCII says nothing about what follows
  if (plain) coding = { encoding: detectCoding(taker.bytes()).encoding, bom: false };
  return { ...taker.page(coding), end: !more };
}

/** Reads until the chunk is full or the file ends, so that no unit of UTF-16 is torn. */
function fill(file: Deno.FsFile, chunk: Uint8Array): number {
  let filled = 0;
  while (filled < chunk.length) {
    const count = file.readSync(chunk.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** The bytes up to the last line end; without one, up to the last byte of ASCII, if there is any. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(LINE_FEED) + 1 ||
    bytes.findLastIndex((byte) => byte < 0x80) + 1 || bytes.length;
  // the other half of a unit of UTF-16
  return bytes.subarray(0, end + (bytes[end] === 0 ? 1 : 0));
}

interface Taken {
  readonly head: Uint8Array;
  readonly bytes: number;
}

/** Takes the lines of a range out of consecutive chunks; of UTF-16, chunks of whole units. */
class LineTaker {
  readonly #range: PageRange;
  readonly #kernel: Kernel | undefined;
  /** Bytes of a unit, and which of them is the lower one. */
  readonly #unit: 1 | 2;
  readonly #low: 0 | 1;
  readonly #taken: Taken[] = [];
  /** Number of the line that the next byte belongs to. */
  #number = 1;
  /** The beginning of a line whose end has not come yet; while skipping only its presence counts. */
  #open: Taken | undefined;

  constructor(range: PageRange, { encoding }: Coding, kernel?: Kernel) {
    this.#range = range;
    this.#kernel = kernel;
    this.#unit = encoding.startsWith("utf-16") ? 2 : 1;
    this.#low = encoding === "utf-16be" ? 1 : 0;
  }

  /** How many lines it has; the one that has not ended counts after `finish`. */
  get count(): number {
    return this.#taken.length;
  }

  /** Takes what it needs of a chunk; true when it has all its lines and something follows. */
  take(bytes: Uint8Array): boolean {
    const { offset, limit, lineBytes } = this.#range;
    let at = this.#number < offset ? this.#skip(bytes) : 0;
    while (at < bytes.length) {
      if (this.#number >= offset + limit) return true;
      const found = this.#newline(bytes, at);
      const end = found < 0 ? bytes.length : found;
      const head = bytes.slice(at, Math.min(end, at + lineBytes));
      const line = this.#open
        ? { head: join(this.#open.head, head, lineBytes), bytes: this.#open.bytes + end - at }
        : { head, bytes: end - at };
      this.#open = found < 0 ? line : undefined;
      if (found < 0) break;
      this.#taken.push(line);
      this.#number++;
      at = end + this.#unit;
    }
    return false;
  }

  /** Ends the last line, if the file did not; returns the number of the last line. */
  finish(): number {
    if (this.#open) {
      if (this.#number >= this.#range.offset) this.#taken.push(this.#open);
      this.#open = undefined;
      this.#number++;
    }
    return this.#number - 1;
  }

  /** What it has of the lines, with line ends. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.#taken.reduce((sum, { head }) => sum + head.length + 1, 0));
    let at = 0;
    for (const { head } of this.#taken) {
      all.set(head, at);
      all[at + head.length] = LINE_FEED;
      at += head.length + 1;
    }
    return all;
  }

  /** The lines taken, after `finish`. */
  page(coding: Coding): Omit<LinePage, "end"> {
    const first = this.#number - this.#taken.length;
    const lines = this.#taken.map(({ head, bytes }, index) => {
      const marked = coding.bom && first + index === 1;
      const mark = marked ? coding.encoding === "utf-8" ? 3 : 2 : 0;
      const cut = bytes > head.length;
      return { text: decodeLine(head.subarray(mark), cut, coding), bytes: bytes - mark, cut };
    });
    return { lines, first, coding };
  }

  /** Passes over lines before the range; returns where the rest of the chunk begins. */
  #skip(bytes: Uint8Array): number {
    const to = bytes.length;
    const open: Taken = { head: bytes.subarray(0, 0), bytes: 1 };
    if (this.#kernel && this.#unit === 1) {
      const wanted = this.#range.offset - this.#number;
      const found = this.#kernel.count(0, to, LINE_FEED);
      this.#number += Math.min(found, wanted);
      if (found >= wanted) {
        this.#open = undefined;
        return this.#kernel.nthIndexOf(LINE_FEED, wanted, 0, to) + 1;
      }
      this.#open = bytes[to - 1] === LINE_FEED ? undefined : open;
      return to;
    }
    // unit by unit: for short lines quicker than a search for each end
    const unit = this.#unit;
    const low = this.#low;
    let start = 0;
    for (let at = 0; at < to; at += unit) {
      if (bytes[at + low] !== LINE_FEED || unit === 2 && bytes[at + 1 - low] !== 0) continue;
      start = at + unit;
      this.#open = undefined;
      if (++this.#number === this.#range.offset) return start;
    }
    if (start < to) this.#open = open;
    return to;
  }

  /** Where the first line end from `from` on begins. */
  #newline(bytes: Uint8Array, from: number): number {
    for (let at = from;; at++) {
      at = bytes.indexOf(LINE_FEED, at);
      if (at < 0 || this.#unit === 1) return at;
      const start = at - this.#low;
      if (start % 2 === 0 && bytes[start + 1 - this.#low] === 0) return start;
    }
  }
}

function join(a: Uint8Array, b: Uint8Array, most: number): Uint8Array {
  const out = new Uint8Array(Math.min(a.length + b.length, most));
  out.set(a.subarray(0, out.length));
  out.set(b.subarray(0, out.length - a.length), a.length);
  return out;
}

function decodeLine(head: Uint8Array, cut: boolean, { encoding }: Coding): string {
  // cut inside a character, its first bytes are left out
  if (cut) return new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true });
  const text = decodeAs(head, encoding);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
