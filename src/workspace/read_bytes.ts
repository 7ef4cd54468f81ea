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
