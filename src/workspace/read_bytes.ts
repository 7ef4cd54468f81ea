import { FileError } from "./file_error.ts";

/** Returns the bytes [from, to) of a file; throws FileError "changed" when it ends before. */
export function readRange(file: Deno.FsFile, from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  file.seekSync(from, Deno.SeekMode.Start);
  if (fill(file, bytes) < bytes.length) {
    throw new FileError("changed", "the file has become shorter");
  }
  return bytes;
}

/** Reads on until the buffer is full or the file ends; returns how much was read. */
export function fill(file: Deno.FsFile, buffer: Uint8Array): number {
  let filled = 0;
  while (filled < buffer.length) {
    const count = file.readSync(buffer.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** Where the last character of UTF-8 that `end` may have cut begins. */
export function characterBoundary(data: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = data[end - back]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return end - back;
  }
  return end;
}

/** The bytes up to the last line end, if there is one. */
export function wholeLines(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const last = bytes.lastIndexOf(10);
  return last < 0 ? bytes : bytes.subarray(0, last + 1);
}
