import { FileError } from "../file_error.ts";
import { openRegular } from "../open_regular.ts";
import type { Piece } from "./pieces.ts";
import { AT_ONCE_BYTES } from "../read_bytes.ts";

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
  const { size } = file.statSync();
  const small = size <= AT_ONCE_BYTES;
  const room = () => new Uint8Array(Math.min(size, CHUNK_BYTES));
  let [here, ahead] = [room(), room()];
  let at = 0;
  const next = async (stop: number) => {
    signal?.throwIfAborted();
    const stretch = ahead.subarray(0, Math.min(CHUNK_BYTES, stop - at));
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
