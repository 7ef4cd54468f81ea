import { FileError } from "./file_error.ts";
import { openRegular } from "./open_regular.ts";
import type { Piece } from "./pieces.ts";

const CHUNK_BYTES = 1024 * 1024;

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
  const buffer = new Uint8Array(Math.min(size, CHUNK_BYTES));
  let at = 0;
  for (let which = 0; which <= pieces.length; which++) {
    const stop = pieces[which]?.start ?? size;
    file.seekSync(at, Deno.SeekMode.Start);
    while (at < stop) {
      signal?.throwIfAborted();
      const room = buffer.subarray(0, Math.min(buffer.length, stop - at));
      const count = size <= CHUNK_BYTES ? file.readSync(room) : await file.read(room);
      if (count === null) throw new FileError("changed", "the file has become shorter");
      yield buffer.subarray(0, count);
      at += count;
    }
    if (which === pieces.length) return;
    yield contents[which]!;
    at = pieces[which]!.end;
  }
}
