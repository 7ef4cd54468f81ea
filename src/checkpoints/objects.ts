/** Contents by their hash, each a file of its own. */
import { under } from "../under.ts";
import { foldersOf, namesOf, ownFolder, removeQuietly } from "./files.ts";
import { createHasher } from "./hash.ts";

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
  readonly held: Map<string, Uint8Array<ArrayBuffer>>;
  /** Hash and bytes of each. */
  list(): IterableIterator<{ hash: string; size: number }>;
  remove(hash: string): void;
}

const HELD_FILE_BYTES = 1_000_000;
const HELD_BYTES = 16_000_000;

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
  /** What was in a folder when it was first needed, and came since: to look for what is not there is slow. */
  const listed = new Map<string, Set<string>>();
  let heldBytes = 0;
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
  return {
    hashOf,
    held,
    put(bytes) {
      const hash = hashOf(bytes);
      const folder = under(dir, hash.slice(0, 2));
      let names = listed.get(folder);
      if (!names) {
        listed.set(folder, names = new Set(ownFolder(folder) ? [] : namesOf(folder)));
      }
      // a power cut may have left a shorter one
      if (names.has(hash.slice(2)) && sizeOf(hash) === bytes.length) return hash;
      names.add(hash.slice(2));
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
    hold(hash) {
      const size = sizeOf(hash);
      if (held.has(hash) || size < 0 || size > HELD_FILE_BYTES) return;
      held.set(hash, Deno.readFileSync(placeOf(hash)));
      heldBytes += size;
      for (const [oldest, bytes] of held) {
        if (heldBytes <= HELD_BYTES) break;
        held.delete(oldest);
        heldBytes -= bytes.length;
      }
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
