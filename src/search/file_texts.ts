import {
  decodeAs,
  decodeText,
  detectCoding,
  type Encoding,
  looksBinary,
} from "../workspace/text_file.ts";

const FIRST_BYTES = 256 << 10;
const CHUNK_BYTES = 4 << 20;
const WHOLE_BYTES = 64 << 20;
const LINE_FEED = 10;

/** A buffer reused from file to file. */
export interface Scratch {
  buffer: Uint8Array<ArrayBuffer>;
  /** The file being read; left open when V8 stops a search inside it. */
  file: Deno.FsFile | undefined;
}

/** Returns a fresh Scratch. */
export function newScratch(): Scratch {
  return { buffer: new Uint8Array(FIRST_BYTES), file: undefined };
}

/**
 * Yields the text of a file: in one piece up to 4 MB, else in pieces of whole lines (a line beyond
 * 64 MB is cut). With `whole`, and in UTF-16, there is one piece only and at most 64 MB. Returns
 * why nothing came, or `read`. Reads synchronously; throws the platform's errors.
 */
export function* fileTexts(
  file: Deno.FsFile,
  scratch: Scratch,
  whole: boolean,
): Generator<string, "read" | "binary" | "large"> {
  let encoding: Encoding | undefined;
  let room = CHUNK_BYTES;
  let filled = 0;
  for (;;) {
    const size = fill(file, scratch, filled, room);
    const bytes = scratch.buffer.subarray(0, size);
    const atEnd = size < room;
    if (encoding === undefined) {
      if (filled === 0 && looksBinary(bytes)) return "binary";
      if (atEnd) {
        if (size > 0) yield decodeText(bytes).text;
        return "read";
      }
      if (room === WHOLE_BYTES) return "large";
      const coding = detectCoding(bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1 || size));
      filled = size;
      if (whole || coding.encoding.startsWith("utf-16")) {
        room = WHOLE_BYTES;
        continue;
      }
      encoding = coding.encoding;
      if (coding.bom) filled = moveDown(scratch, 3, size);
      room = Math.max(CHUNK_BYTES, filled);
      continue;
    }
    let length = atEnd ? size : bytes.lastIndexOf(LINE_FEED) + 1;
    if (length === 0 && !atEnd && room < WHOLE_BYTES) {
      filled = size;
      room = Math.min(room * 2, WHOLE_BYTES);
      continue;
    }
    length ||= size;
    if (length > 0) yield decodeAs(bytes.subarray(0, length), encoding);
    if (atEnd) return "read";
    filled = moveDown(scratch, length, size);
    room = Math.max(CHUNK_BYTES, Math.min(filled * 2, WHOLE_BYTES));
  }
}

function moveDown(scratch: Scratch, from: number, to: number): number {
  scratch.buffer.copyWithin(0, from, to);
  return to - from;
}

/** Reads on from `filled` until the buffer holds `room` bytes or the file ends. */
function fill(file: Deno.FsFile, scratch: Scratch, filled: number, room: number): number {
  let size = filled;
  while (size < room) {
    if (size === scratch.buffer.length) {
      const larger = new Uint8Array(Math.min(size * 2, WHOLE_BYTES));
      larger.set(scratch.buffer);
      scratch.buffer = larger;
    }
    const count = file.readSync(scratch.buffer.subarray(size, room));
    if (count === null) break;
    size += count;
  }
  return size;
}
