/** What is known of each path, in columns: as objects it would take several times the room. */
import { HASH } from "./objects.ts";
import type { State } from "../types.ts";

/** A change within this time before a look may be hidden by coarse clocks. */
const COARSE_MS = 2100;

export const KINDS = ["file", "link", "folder"] as const;
const TEXTURES = [undefined, "blank", "binary"] as const;

/** What a path held when it was read, and by what one knows that it still does. Times in milliseconds. */
export interface Entry {
  readonly kind: typeof KINDS[number];
  readonly mode: number;
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
  readonly readAt: number;
  /** Of a file its hash, empty where it is too large to keep; of a link its target. */
  readonly content: string;
  /** Of a file `uid:gid`, the covered path that names it too, and whether it has holes. */
  readonly owner: string;
  readonly twin: string;
  readonly sparse: boolean;
  /** What nobody has written as a text, as far as it was seen when it was read. */
  readonly texture?: Texture;
}

/** Nothing but zeros, blanks and line ends, or a zero near its beginning. */
export type Texture = "blank" | "binary";

/** The columns of a row, which has hashes beside them. */
const [SIZE, MTIME, CTIME, INO, READ_AT, NUMBERS] = [0, 1, 2, 3, 4, 5] as const;
const [SCAN, MODE, OWNER, BITS, WORDS] = [0, 1, 2, 3, 4] as const;
const HASH_BYTES = 32;
/** Two bits are of the kind, two of the texture. */
const [SPARSE, HASHED, TOLD] = [16, 32, 64] as const;
const LEAST_ROOM = 64;

/** Entries by their paths. What it returns is made anew each time, and stays as it is. */
export class Entries implements ReadonlyMap<string, Entry> {
  readonly #rows = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #free: number[] = [];
  readonly #owners: string[] = [];
  readonly #ownerNumbers = new Map<string, number>();
  /** What few have: a content that is no hash, and a twin. */
  readonly #texts = new Map<number, { readonly content: string; readonly twin: string }>();
  #numbers = new Float64Array();
  #words = new Uint32Array();
  #hashes = new Uint8Array();
  #bytes = 0;

  constructor(all: Iterable<readonly [path: string, entry: Entry]> = []) {
    for (const [path, entry] of all) this.set(path, entry);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** All that is kept of the files. */
  get bytes(): number {
    return this.#bytes;
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  get(path: string): Entry | undefined {
    const row = this.#rows.get(path);
    return row === undefined ? undefined : this.#at(row);
  }

  /** Returns its row, which is the path's until it is deleted. */
  set(path: string, entry: Entry): number {
    const { kind, content, twin } = entry;
    const old = this.#rows.get(path);
    if (old !== undefined) this.#bytes -= this.#bytesOf(old);
    const row = old ?? this.#newRow(path);
    const isHash = HASH.test(content);
    const isTold = twin !== "" || !isHash && content !== "";
    const numbers = row * NUMBERS;
    this.#numbers[numbers + SIZE] = entry.size;
    this.#numbers[numbers + MTIME] = entry.mtime;
    this.#numbers[numbers + CTIME] = entry.ctime;
    this.#numbers[numbers + INO] = entry.ino;
    this.#numbers[numbers + READ_AT] = entry.readAt;
    const words = row * WORDS;
    this.#words[words + MODE] = entry.mode;
    this.#words[words + OWNER] = this.#ownerOf(entry.owner);
    this.#words[words + BITS] = KINDS.indexOf(kind) | TEXTURES.indexOf(entry.texture) << 2 |
      (entry.sparse ? SPARSE : 0) | (isHash ? HASHED : 0) | (isTold ? TOLD : 0);
    if (isHash) this.#hash(row).setFromHex(content);
    if (isTold) this.#texts.set(row, { content: isHash ? "" : content, twin });
    else this.#texts.delete(row);
    this.#bytes += this.#bytesOf(row);
    return row;
  }

  delete(path: string): void {
    const row = this.#rows.get(path);
    if (row === undefined) return;
    this.#bytes -= this.#bytesOf(row);
    this.#rows.delete(path);
    this.#texts.delete(row);
    this.#paths[row] = "";
    this.#free.push(row);
  }

  rowOf(path: string): number | undefined {
    return this.#rows.get(path);
  }

  /** The path as it is held here already: of two equal texts one is enough. */
  sameText(path: string): string {
    const row = this.#rows.get(path);
    return row === undefined ? path : this.#paths[row]!;
  }

  /** Whether a row must still hold what was read of it, with the twin that it had where none is given. */
  isStill(row: number, info: Deno.FileInfo, twin?: string): boolean {
    const kind = this.#kind(row);
    // of a folder only the mode counts
    if (kind === "folder") {
      return info.isDirectory && this.#words[row * WORDS + MODE] === modeOf(info);
    }
    if (kind === "file" ? !info.isFile : !info.isSymlink) return false;
    if (twin !== undefined && this.#twin(row) !== twin) return false;
    const numbers = row * NUMBERS;
    const mtime = info.mtime?.getTime() ?? 0;
    const ctime = info.ctime?.getTime() ?? 0;
    return this.#numbers[numbers + SIZE] === info.size &&
      this.#numbers[numbers + MTIME] === mtime && this.#numbers[numbers + CTIME] === ctime &&
      this.#numbers[numbers + INO] === (info.ino ?? 0) &&
      Math.max(mtime, ctime) < this.#numbers[numbers + READ_AT]! - COARSE_MS;
  }

  /** Whether it is a file that is too large to keep. */
  isUnkept(row: number): boolean {
    const isHash = (this.#words[row * WORDS + BITS]! & HASHED) !== 0;
    return this.#kind(row) === "file" && !isHash && this.#content(row) === "";
  }

  /** Notes that a scan has found the row's path. */
  see(row: number, scan: number): void {
    this.#words[row * WORDS + SCAN] = scan;
  }

  isSeen(row: number, scan: number): boolean {
    return this.#words[row * WORDS + SCAN] === scan;
  }

  /** Those that the scan has not found, or not yet. */
  *unseen(scan: number): Generator<[path: string, row: number]> {
    for (const one of this.#rows) if (!this.isSeen(one[1], scan)) yield one;
  }

  keys(): MapIterator<string> {
    return this.#rows.keys();
  }

  values(): MapIterator<Entry> {
    return this.#rows.values().map((row) => this.#at(row));
  }

  entries(): MapIterator<[string, Entry]> {
    return this.#rows.entries().map(([path, row]) => [path, this.#at(row)]);
  }

  [Symbol.iterator](): MapIterator<[string, Entry]> {
    return this.entries();
  }

  forEach(use: (entry: Entry, path: string, all: Entries) => void): void {
    for (const [path, entry] of this) use(entry, path, this);
  }

  #at(row: number): Entry {
    const numbers = row * NUMBERS;
    const bits = this.#words[row * WORDS + BITS]!;
    const texture = TEXTURES[bits >> 2 & 3];
    return {
      kind: this.#kind(row),
      mode: this.#words[row * WORDS + MODE]!,
      size: this.#numbers[numbers + SIZE]!,
      mtime: this.#numbers[numbers + MTIME]!,
      ctime: this.#numbers[numbers + CTIME]!,
      ino: this.#numbers[numbers + INO]!,
      readAt: this.#numbers[numbers + READ_AT]!,
      content: this.#content(row),
      owner: this.#owners[this.#words[row * WORDS + OWNER]!]!,
      twin: this.#twin(row),
      sparse: (bits & SPARSE) !== 0,
      ...texture ? { texture } : {},
    };
  }

  #kind(row: number): Entry["kind"] {
    return KINDS[this.#words[row * WORDS + BITS]! & 3]!;
  }

  #twin(row: number): string {
    const isTold = (this.#words[row * WORDS + BITS]! & TOLD) !== 0;
    return isTold ? this.#texts.get(row)!.twin : "";
  }

  #content(row: number): string {
    const bits = this.#words[row * WORDS + BITS]!;
    if (bits & HASHED) return this.#hash(row).toHex();
    return bits & TOLD ? this.#texts.get(row)!.content : "";
  }

  #bytesOf(row: number): number {
    const isKept = this.#kind(row) === "file" && !this.isUnkept(row);
    return isKept ? this.#numbers[row * NUMBERS + SIZE]! : 0;
  }

  #hash(row: number): Uint8Array {
    return this.#hashes.subarray(row * HASH_BYTES, (row + 1) * HASH_BYTES);
  }

  #ownerOf(owner: string): number {
    const known = this.#ownerNumbers.get(owner);
    if (known !== undefined) return known;
    this.#ownerNumbers.set(owner, this.#owners.length);
    return this.#owners.push(owner) - 1;
  }

  #newRow(path: string): number {
    const row = this.#free.pop() ?? this.#paths.length;
    if (row * WORDS === this.#words.length) this.#grow(Math.max(LEAST_ROOM, 2 * row));
    this.#words[row * WORDS + SCAN] = 0;
    this.#paths[row] = path;
    this.#rows.set(path, row);
    return row;
  }

  /** What is transferred is given back at once. */
  #grow(rows: number): void {
    const [numbers, words] = [this.#numbers.buffer, this.#words.buffer];
    this.#numbers = new Float64Array(numbers.transfer(rows * NUMBERS * 8));
    this.#words = new Uint32Array(words.transfer(rows * WORDS * 4));
    this.#hashes = new Uint8Array(this.#hashes.buffer.transfer(rows * HASH_BYTES));
  }
}

export const modeOf = (info: Deno.FileInfo): number => (info.mode ?? 0) & 0o7777;

export const stateOf = (entry: Entry | undefined): State => {
  if (!entry) return null;
  const { kind, mode, size, content, owner, twin, sparse } = entry;
  if (kind === "file") {
    const more = { ...twin === "" ? {} : { twin }, ...sparse ? { sparse } as const : {} };
    return { kind, hash: content, size, mode, owner, ...more };
  }
  return kind === "link" ? { kind, target: content } : { kind, mode };
};
