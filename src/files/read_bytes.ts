import { FileError } from "./file_error.ts";

/** So much is read or written without letting others have their turn. */
export const AT_ONCE_BYTES = 1024 * 1024;

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

/** All bytes of a file, whatever becomes of its size meanwhile; a small one is read at once. */
export async function readWhole(
  file: Deno.FsFile,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = file.statSync();
  file.seekSync(0, Deno.SeekMode.Start);
  let bytes = new Uint8Array(size + 1);
  let filled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const room = bytes.subarray(filled);
    const count = room.length <= AT_ONCE_BYTES ? file.readSync(room) : await file.read(room);
    if (count === null) return bytes.subarray(0, filled);
    filled += count;
    if (filled < bytes.length) continue;
    const more = new Uint8Array(bytes.length * 2);
    more.set(bytes);
    bytes = more;
  }
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
