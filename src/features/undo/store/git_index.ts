/** Reads a git index: `git ls-files` takes as long to start as a look at a thousand files. */

/** `DIRC` and `link`. */
const HEAD = 0x44495243;
const LINK = 0x6c696e6b;
const HEAD_BYTES = 12;
/** Times, device, inode, mode, owner and size, ten words, and the hash. */
const NAME_LENGTH_AT = 60;
const EXTENDED = 0x4000;
const SHA1_BYTES = 20;

/** A file as it was when it was last the same as the index has it; undefined where the index is of another kind. */
export function indexStamps(bytes: Uint8Array): Map<string, string> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number) => view.getUint32(at);
  if (bytes.length < HEAD_BYTES + SHA1_BYTES || word(0) !== HEAD) return undefined;
  const version = word(4);
  if (version < 2 || version > 4) return undefined;
  const decoder = new TextDecoder();
  const stamps = new Map<string, string>();
  let at = HEAD_BYTES;
  let name: Uint8Array = new Uint8Array();
  try {
    for (let left = word(8); left > 0; left--) {
      const extended = (view.getUint16(at + NAME_LENGTH_AT) & EXTENDED) !== 0;
      let from = at + NAME_LENGTH_AT + (extended ? 4 : 2);
      let kept = 0;
      if (version === 4) {
        // how much of the name before is not in this one
        let cut = bytes[from]! & 0x7f;
        while (bytes[from++]! & 0x80) cut = (cut + 1) * 128 + (bytes[from]! & 0x7f);
        kept = name.length - cut;
      }
      const end = bytes.indexOf(0, from);
      if (end < 0 || kept < 0) return undefined;
      const own = bytes.subarray(from, end);
      name = kept === 0 ? own : new Uint8Array([...name.subarray(0, kept), ...own]);
      const ctime = word(at) * 1000;
      const mtime = word(at + 8) * 1000 + Math.floor(word(at + 12) / 1e6);
      stamps.set(decoder.decode(name), stampText(mtime, ctime, word(at + 20), word(at + 36)));
      at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
    }
  } catch {
    return undefined;
  }
  return endsWell(view, at) ? stamps : undefined;
}

/** Whether only what adds to the entries follows, and the hash; with a link most of them are in another file. */
function endsWell(view: DataView, from: number): boolean {
  let at = from;
  const end = view.byteLength - SHA1_BYTES;
  while (at + 8 <= end && view.getUint32(at) !== LINK) at += 8 + view.getUint32(at + 4);
  return at === end;
}

/** The index holds the last 32 bits of an inode's number, Deno tells whole seconds of a change. */
export const stampText = (mtime: number, ctime: number, ino: number, size: number): string =>
  `${mtime} ${Math.floor(ctime / 1000)} ${ino % 2 ** 32} ${size % 2 ** 32}`;
