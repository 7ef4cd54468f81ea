/** What a scan has found, in a file: for the next narnat, and for one that is killed in a turn. */
import type { Uncovered } from "../../../base/types.ts";
import { Entries, type Entry, KINDS } from "./entries.ts";
import { isInside } from "./records.ts";

const HEAD = "narnat tree 2";
const END = "end";
const FIELDS = 12;
const PIECE_BYTES = 2 ** 16;

/** What a file of a tree holds. */
export interface Tree {
  readonly entries: Entries;
  readonly left: Map<string, Uncovered["why"]>;
}

/** The text of it, in pieces: of a large folder the whole would be held several times. Names may hold anything but NUL. */
export function* treePieces(
  entries: ReadonlyMap<string, Entry>,
  left: Iterable<readonly [string, { readonly why: Uncovered["why"] }]>,
): Generator<string> {
  yield `${HEAD}\0${entries.size}\0`;
  for (const [path, e] of entries) {
    const stamp = `${e.kind}\0${e.mode}\0${e.size}\0${e.mtime}\0${e.ctime}\0${e.ino}\0${e.readAt}`;
    yield `${path}\0${stamp}\0${e.content}\0${e.owner}\0${e.twin}\0${e.sparse ? 1 : 0}\0`;
  }
  for (const [path, { why }] of left) yield `${path}\0${why}\0`;
  yield END;
}

/** What a file is read by: brings its next bytes, and tells how many. */
type Read = (to: Uint8Array) => number | null;

/** Undefined where the text is no tree, or not a whole one. */
export function readTree(read: Read): Tree | undefined {
  const { next, rest } = fieldsOf(read);
  if (next() !== HEAD) return undefined;
  const count = Number(next());
  if (!Number.isInteger(count)) return undefined;
  const entries = new Entries();
  while (entries.size < count) {
    const [path, rest] = [next(), next(FIELDS - 1)];
    if (path === undefined || rest === undefined || entries.has(path)) return undefined;
    const [name, mode, size, mtime, ctime, ino, readAt, ...more] = rest.split("\0");
    const [content = "", owner = "", twin = "", sparse] = more;
    const kind = KINDS.find((kind) => kind === name);
    // a repository may bring files where ours are
    if (!isInside(path) || !kind) return undefined;
    entries.set(path, {
      kind,
      mode: Number(mode),
      size: Number(size),
      mtime: Number(mtime),
      ctime: Number(ctime),
      ino: Number(ino),
      readAt: Number(readAt),
      content,
      owner,
      twin,
      sparse: sparse === "1",
    });
  }
  const left = new Map<string, Uncovered["why"]>();
  for (let path = next(); path !== undefined; path = next()) {
    const why = next();
    if (why === undefined) return undefined;
    left.set(path, why as Uncovered["why"]);
  }
  return rest() === END ? { entries, left } : undefined;
}

/** The texts before each NUL, as many at a time as are asked for, and the text behind all of them. */
function fieldsOf(read: Read) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let bytes = new Uint8Array(PIECE_BYTES);
  let [at, end] = [0, 0];
  const more = () => {
    bytes.copyWithin(0, at, end);
    [at, end] = [0, end - at];
    if (end === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(2 * end));
    const got = read(bytes.subarray(end)) ?? 0;
    end += got;
    return got > 0;
  };
  return {
    next(fields = 1): string | undefined {
      let length = 0;
      for (let left = fields; left > 0;) {
        const found = bytes.subarray(0, end).indexOf(0, at + length);
        if (found < 0 && !more()) return undefined;
        if (found < 0) continue;
        length = found + 1 - at;
        left--;
      }
      at += length;
      // a part of a text would hold all of it in memory, so what stays is decoded by itself
      return decoder.decode(bytes.subarray(at - length, at - 1));
    },
    rest: () => decoder.decode(bytes.subarray(at, end)),
  };
}
