/** What a scan has found, in a file: for the next narnat, and for one that is killed in a turn. */
import type { Uncovered } from "../types.ts";
import { isInside } from "./records.ts";
import type { Entry } from "./scan.ts";

const HEAD = "narnat tree 2";
const END = "end";
const FIELDS = 12;
/** From the kind to when it was read. */
const STAMP_FIELDS = 7;
const PIECE_FIELDS = 500 * FIELDS;

/** What a file of a tree holds. */
export interface Tree {
  readonly entries: Map<string, Entry>;
  readonly left: Map<string, Uncovered["why"]>;
}

/** The text of it, in pieces: of a large folder the whole would be held several times. Names may hold anything but NUL. */
export function* treePieces(
  entries: ReadonlyMap<string, Entry>,
  left: Iterable<readonly [string, { readonly why: Uncovered["why"] }]>,
): Generator<string> {
  let parts: (string | number)[] = [HEAD, entries.size];
  for (const [path, e] of entries) {
    parts.push(path, e.kind, e.mode, e.size, e.mtime, e.ctime, e.ino, e.readAt, e.content);
    parts.push(e.owner, e.twin, e.sparse ? 1 : 0);
    if (parts.length < PIECE_FIELDS) continue;
    yield parts.join("\0") + "\0";
    parts = [];
  }
  for (const [path, { why }] of left) parts.push(path, why);
  parts.push(END);
  yield parts.join("\0");
}

/** Undefined where the text is no tree, or not a whole one. */
export function readTree(bytes: Uint8Array): Tree | undefined {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let at = 0;
  // a part of a text would hold all of it in memory, so each that stays is decoded by itself
  const next = (fields = 1): string | undefined => {
    const from = at;
    for (let left = fields; left > 0; left--) {
      const end = bytes.indexOf(0, at);
      if (end < 0) return undefined;
      at = end + 1;
    }
    return decoder.decode(bytes.subarray(from, at - 1));
  };
  const end = new TextEncoder().encode(`\0${END}`);
  if (next() !== HEAD || !end.every((byte, i) => bytes.at(i - end.length) === byte)) {
    return undefined;
  }
  const count = Number(next());
  if (!Number.isInteger(count)) return undefined;
  const entries = new Map<string, Entry>();
  while (entries.size < count) {
    const [path, stamp, content] = [next(), next(STAMP_FIELDS), next()];
    const [owner, twin, sparse] = [next(), next(), next()];
    if (path === undefined || stamp === undefined || content === undefined) return undefined;
    if (sparse === undefined || entries.has(path)) return undefined;
    // a repository may bring files where ours are
    if (!isInside(path)) return undefined;
    const [kind, mode, size, mtime, ctime, ino, readAt] = stamp.split("\0");
    entries.set(path, {
      kind: kind as Entry["kind"],
      mode: Number(mode),
      size: Number(size),
      mtime: Number(mtime),
      ctime: Number(ctime),
      ino: Number(ino),
      readAt: Number(readAt),
      content,
      owner: owner!,
      twin: twin!,
      sparse: sparse === "1",
      scan: 0,
    });
  }
  const left = new Map<string, Uncovered["why"]>();
  for (let path = next(), why = next(); why !== undefined; path = next(), why = next()) {
    left.set(path!, why as Uncovered["why"]);
  }
  return { entries, left };
}
