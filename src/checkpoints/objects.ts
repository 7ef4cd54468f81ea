/** Contents by their hash, each a file of its own. */
import { under } from "../under.ts";
import { foldersOf, namesOf, ownFolder, removeQuietly } from "./files.ts";
import { createHasher } from "./hash.ts";

/** A content as it is known. */
interface Content {
  readonly content: string;
  readonly size: number;
}

export interface Objects {
  /** The hash of a content, which need not be kept. */
  hashOf(bytes: Uint8Array): string;
  /** Keeps a content; returns its hash. */
  put(bytes: Uint8Array): string;
  /** Throws where it is missing or spoilt. */
  get(hash: string): Uint8Array<ArrayBuffer>;
  has(hash: string): boolean;
  /** Holds a content in memory too, within bounds: a command may delete narnat's own files with the work. */
  hold(hash: string): void;
  /** The same with many; those that others would make room for are not read at all. */
  holdLast(all: readonly Content[]): void;
  readonly held: Map<string, Uint8Array<ArrayBuffer>>;
  /** Hash and bytes of each. */
  list(): IterableIterator<{ hash: string; size: number }>;
  remove(hash: string): void;
}

const HELD_FILE_BYTES = 1_000_000;
const HELD_BYTES = 16_000_000;
/** Small ones lie side by side in one piece of memory: each by itself would take twice what it holds. */
const SHELF_BYTES = 1_000_000;

export const HASH = /^[0-9a-f]{64}$/;

/** A content, or undefined where it is missing or spoilt. */
export function contentOf(hash: string, objects: Objects): Uint8Array<ArrayBuffer> | undefined {
  try {
    return objects.get(hash);
  } catch {
    return undefined;
  }
}

/** The contents under `dir`; `unique` tells the temporary files of this narnat from another's. `held` is what it has in memory. */
export function openObjects(
  dir: string,
  unique: string,
  held = new Map<string, Uint8Array<ArrayBuffer>>(),
): Objects {
  let count = 0;
  /** The contents that were in a folder when it was first needed, and came since: to look for what is not there is slow. */
  const listed = new Map<string, Set<string>>();
  let heldBytes = 0;
  let shelf = new Uint8Array();
  for (const bytes of held.values()) heldBytes += bytes.length;
  const hashOf = createHasher();
  const placeOf = (hash: string) => under(dir, hash.slice(0, 2), hash.slice(2));
  const sizeOf = (hash: string) => {
    try {
      const { isFile, size } = Deno.lstatSync(placeOf(hash));
      return isFile ? size : -1;
    } catch {
      return -1;
    }
  };
  const readHeld = (path: string, size: number): Uint8Array<ArrayBuffer> => {
    if (size > SHELF_BYTES / 16) return Deno.readFileSync(path);
    if (size > shelf.length) shelf = new Uint8Array(SHELF_BYTES);
    using file = Deno.openSync(path);
    const place = shelf.subarray(0, size);
    for (let at = 0, more = 1; at < size && more > 0; at += more) {
      more = file.readSync(place.subarray(at)) ?? 0;
    }
    shelf = shelf.subarray(size);
    return place;
  };
  const hold = (hash: string) => {
    const size = sizeOf(hash);
    if (held.has(hash) || size < 0 || size > HELD_FILE_BYTES) return;
    held.set(hash, readHeld(placeOf(hash), size));
    heldBytes += size;
    for (const [oldest, bytes] of held) {
      if (heldBytes <= HELD_BYTES) break;
      held.delete(oldest);
      heldBytes -= bytes.length;
    }
  };
  return {
    hashOf,
    held,
    hold,
    holdLast(all) {
      const fitting = new Set<string>();
      let bytes = 0;
      for (let i = all.length - 1; i >= 0 && bytes <= HELD_BYTES; i--) {
        const { content, size } = all[i]!;
        if (size > HELD_FILE_BYTES || fitting.has(content)) continue;
        fitting.add(content);
        bytes += size;
      }
      for (const hash of [...fitting].reverse()) hold(hash);
    },
    put(bytes) {
      const hash = hashOf(bytes);
      const start = hash.slice(0, 2);
      const folder = under(dir, start);
      let hashes = listed.get(start);
      if (!hashes) {
        const names = ownFolder(folder) ? [] : namesOf(folder);
        listed.set(start, hashes = new Set(names.map((name) => start + name)));
      }
      // a power cut may have left a shorter one
      if (hashes.has(hash) && sizeOf(hash) === bytes.length) return hash;
      hashes.add(hash);
      const temporary = under(folder, `${unique}-${++count}.tmp`);
      const write = () => Deno.writeFileSync(temporary, bytes, { mode: 0o600 });
      try {
        write();
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
        write();
      }
      Deno.renameSync(temporary, placeOf(hash));
      return hash;
    },
    get(hash) {
      const bytes = sizeOf(hash) < 0
        ? held.get(hash) ?? new Uint8Array()
        : Deno.readFileSync(placeOf(hash));
      if (hashOf(bytes) !== hash) throw new Error(`Cannot use the kept content ${hash}: spoilt`);
      return bytes;
    },
    has: (hash) => sizeOf(hash) >= 0,
    *list() {
      for (const folder of foldersOf(dir)) {
        for (const name of namesOf(under(dir, folder))) {
          const hash = folder + name;
          const size = HASH.test(hash) ? sizeOf(hash) : -1;
          if (size >= 0) yield { hash, size };
          // of a narnat that was killed: who asks for the list is alone
          else if (name.endsWith(".tmp")) removeQuietly(under(dir, folder, name));
        }
      }
    },
    remove: (hash) => Deno.removeSync(placeOf(hash)),
  };
}
