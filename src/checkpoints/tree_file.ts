/** What a scan has found, in a file: for the next narnat, and for one that is killed in a turn. */
import type { Uncovered } from "../types.ts";
import { isInside } from "./records.ts";
import type { Entry } from "./scan.ts";

const HEAD = "narnat tree 2";
const END = "end";
const FIELDS = 12;

/** What a file of a tree holds. */
export interface Tree {
  readonly entries: Map<string, Entry>;
  readonly left: Map<string, Uncovered["why"]>;
}

/** One text of it; names may hold anything but NUL. */
export function treeText(
  entries: ReadonlyMap<string, Entry>,
  left: Iterable<readonly [string, { readonly why: Uncovered["why"] }]>,
): string {
  const parts: (string | number)[] = [HEAD, entries.size];
  for (const [path, e] of entries) {
    parts.push(path, e.kind, e.mode, e.size, e.mtime, e.ctime, e.ino, e.readAt, e.content);
    parts.push(e.owner, e.twin, e.sparse ? 1 : 0);
  }
  for (const [path, { why }] of left) parts.push(path, why);
  parts.push(END);
  return parts.join("\0");
}

/** Undefined where the text is no tree, or not a whole one. */
export function readTree(text: string): Tree | undefined {
  const parts = text.split("\0");
  const count = Number(parts[1]);
  if (parts[0] !== HEAD || parts.at(-1) !== END || !Number.isInteger(count)) return undefined;
  const entries = new Map<string, Entry>();
  let at = 2;
  for (; entries.size < count; at += FIELDS) {
    const [path, kind, mode, size, mtime, ctime, ino, readAt, content] = parts.slice(
      at,
      at + FIELDS,
    );
    const [owner, twin, sparse] = parts.slice(at + FIELDS - 3, at + FIELDS);
    if (path === undefined || content === undefined || sparse === undefined || entries.has(path)) {
      return undefined;
    }
    // a repository may bring files where ours are
    if (!isInside(path)) return undefined;
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
  for (; at + 1 < parts.length - 1; at += 2) {
    left.set(parts[at]!, parts[at + 1] as Uncovered["why"]);
  }
  return { entries, left };
}
