import { FileError } from "./file_error.ts";
import { openRegular } from "./open_regular.ts";
import type { Piece } from "./pieces.ts";

const CHUNK_BYTES = 2 * 1024 * 1024;

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
  const { size } = await file.stat();
  let [here, ahead] = [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
  let at = 0;
  for (let which = 0; which <= pieces.length; which++) {
    const stop = pieces[which]?.start ?? size;
    const next = async () => {
      signal?.throwIfAborted();
      const count = await file.read(ahead.subarray(0, Math.min(CHUNK_BYTES, stop - at)));
      if (count === null) throw new FileError("changed", "the file has become shorter");
      at += count;
      return ahead.subarray(0, count);
    };
    await file.seek(at, Deno.SeekMode.Start);
    let reading = at < stop ? next() : undefined;
    while (reading) {
      const bytes = await reading;
      [here, ahead] = [ahead, here];
      // the next stretch is read while this one is written
      reading = at < stop ? next() : undefined;
      try {
        yield bytes;
      } finally {
        await reading?.catch(() => {});
      }
    }
    if (which === pieces.length) return;
    yield contents[which]!;
    at = pieces[which]!.end;
  }
}
