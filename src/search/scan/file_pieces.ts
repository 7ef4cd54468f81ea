import type { Kernel } from "../../files/edit/kernel.ts";
import { ScanStopped } from "../time_limit.ts";
import {
  decodeAs,
  detectCoding,
  type Encoding,
  looksBinary,
  SNIFF_BYTES,
} from "../../files/text_file.ts";

const LINE_FEED = 10;
/** A longer line is cut; a match over several lines is not looked for in longer files. */
const WHOLE_BYTES = 64 << 20;
/** A short read of so many bytes, or of a multiple, need not be the file's end. */
const BLOCK_BYTES = 4096;

/** What is done with the pieces of a file. Positions are offsets in the kernel's data area. */
export interface PieceReader {
  /** The file has to be handed over in one piece. */
  readonly whole: boolean;
  /** True when `mayMatch` can tell: what it looks for has the same bytes in all encodings. */
  readonly asks: boolean;
  /** False when nothing matches in [from, to), whose bytes are as they are in the file. */
  mayMatch(from: number, to: number): boolean;
  /** True when the next piece's text is of use even if nothing matches in it. */
  needsText(last: boolean): boolean;
  /** Takes a piece of whole lines in UTF-8; `last` when the file ends with it. False ends the reading. */
  text(from: number, to: number, last: boolean): boolean;
}

/** How the reading of a file ended. */
export type PiecesRead = "read" | "binary" | "large";

/** How files are read. */
export interface PieceOptions {
  /** How much is read at once; lines are kept whole. */
  readonly pieceBytes: number;
  /** A short read is not taken for the end of the file; needed in /proc. */
  readonly careful: boolean;
  /** Asked before each piece: when true, ScanStopped is thrown. */
  readonly stop: () => boolean;
}

/** Reads files into a kernel's memory, in UTF-8 whatever they are in. */
export class FilePieces {
  readonly #kernel: Kernel;
  readonly #options: PieceOptions;
  #area: Uint8Array<ArrayBuffer>;
  /** Of the file being read; undefined while it has been ASCII, as far as anyone looked. */
  #encoding: Encoding | undefined;

  constructor(kernel: Kernel, options: PieceOptions) {
    this.#kernel = kernel;
    this.#options = options;
    this.#area = kernel.reserve(options.pieceBytes);
  }

  /**
   * Hands a file over piece by piece. A byte order mark is left out. A file
   * with a NUL in its first 8 KB that is not UTF-16 is binary. Throws the platform's errors.
   */
  read(file: Deno.FsFile, reader: PieceReader): PiecesRead {
    let from = -1;
    let filled = 0;
    let room = this.#options.pieceBytes;
    for (;;) {
      if (filled > 0 && this.#options.stop()) throw new ScanStopped();
      const size = this.#fill(file, filled, room);
      const last = size < room;
      if (from < 0) {
        if (size === 0) return "read";
        from = this.#begin(Math.min(size, SNIFF_BYTES));
        if (from < 0) return "binary";
      }
      let to = last ? size : this.#lineEnd(from, size);
      if (!last && (reader.whole || to === from)) {
        if (room < WHOLE_BYTES) {
          room = Math.min(2 * room, WHOLE_BYTES);
          filled = size;
          continue;
        }
        if (reader.whole) return "large";
        to = size;
      }
      if (to > from && !this.#give(from, to, size, last, reader)) return "read";
      if (last) return "read";
      this.#area.copyWithin(0, to, size);
      from = 0;
      filled = size - to;
      room = Math.max(this.#options.pieceBytes, 2 * filled);
    }
  }

  /** Reads on from `filled` until there are `room` bytes or the file ends. */
  #fill(file: Deno.FsFile, filled: number, room: number): number {
    if (this.#area.length < room) this.#area = this.#kernel.reserve(room);
    let size = filled;
    while (size < room) {
      const count = file.readSync(this.#area.subarray(size, room)) ?? 0;
      size += count;
      if (count === 0 || (!this.#options.careful && size < room && count % BLOCK_BYTES !== 0)) {
        break;
      }
    }
    return size;
  }

  /** Looks at the beginning of a file; returns where its text begins, or -1 when it is binary. */
  #begin(size: number): number {
    const area = this.#area;
    const [a, b, c] = [area[0], area[1], area[2]];
    this.#encoding = undefined;
    const marked = size >= 2 && (a === 0xff && b === 0xfe || a === 0xfe && b === 0xff);
    if (!marked && this.#kernel.indexOf(0, 0, size) < 0) {
      if (a !== 0xef || b !== 0xbb || c !== 0xbf || size < 3) return 0;
      this.#encoding = "utf-8";
      return 3;
    }
    const head = area.subarray(0, size);
    if (looksBinary(head)) return -1;
    const { encoding, bom } = detectCoding(head);
    this.#encoding = encoding;
    return bom ? 2 : 0;
  }

  /** Where the last whole line of [from, size) ends; `from` when there is none. */
  #lineEnd(from: number, size: number): number {
    const encoding = this.#encoding;
    const wide = encoding === "utf-16le" || encoding === "utf-16be";
    for (let to = size;;) {
      const at = this.#kernel.lastIndexOf(LINE_FEED, from, to);
      if (at < 0) return from;
      if (!wide) return at + 1;
      // pieces begin at even places of the file, and so in the area
      if (encoding === "utf-16le" && at % 2 === 0 && at + 1 < size && this.#area[at + 1] === 0) {
        return at + 2;
      }
      if (encoding === "utf-16be" && at % 2 === 1 && this.#area[at - 1] === 0) return at + 1;
      to = at;
    }
  }

  /** Gives a piece to the reader, in UTF-8 if it is of use; false when it wants no more. */
  #give(from: number, to: number, size: number, last: boolean, reader: PieceReader): boolean {
    const wide = this.#encoding?.startsWith("utf-16");
    if (!wide && reader.asks && !reader.needsText(last) && !reader.mayMatch(from, to)) return true;
    if (this.#encoding === undefined && this.#kernel.nonAscii(from, to) >= 0) {
      this.#encoding = this.#kernel.invalidUtf8(from, to) < 0
        ? "utf-8"
        : detectCoding(this.#area.subarray(from, to)).encoding;
    }
    if (this.#encoding === undefined || this.#encoding === "utf-8") {
      return reader.text(from, to, last);
    }
    const text = decodeAs(this.#area.subarray(from, to), this.#encoding);
    // behind the bytes that are still to be carried to the next piece
    const start = size;
    this.#area = this.#kernel.reserve(start + 3 * text.length);
    const { written } = new TextEncoder().encodeInto(text, this.#area.subarray(start));
    return reader.text(start, start + written, last);
  }
}
