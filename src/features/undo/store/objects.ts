/** Contents by their hash, each a file of its own. */
import { under } from "../../../base/under.ts";
import { foldersOf, namesOf, ownFolder, removeQuietly } from "../files.ts";
import { createHasher } from "./hash.ts";
import { createHeld, type HeldState } from "./held.ts";

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
  /** The same where there is room for it. */
  holdFitting(content: Content): void;
  readonly held: HeldState;
  /** Hash and bytes of each. */
  list(): IterableIterator<{ hash: string; size: number }>;
  remove(hash: string): void;
}

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
  state?: HeldState,
): Objects {
  let count = 0;
  const held = createHeld(state);
  /** Folders, and how the names begin of the contents that were there when one was first needed, and came since. */
  const listed = new Set<string>();
  const begun = new Set<number>();
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
  const hold = (hash: string) => {
    const size = held.has(hash) ? -1 : sizeOf(hash);
    if (size < 0) return;
    held.add(hash, size, (to) => {
      using file = Deno.openSync(placeOf(hash));
      for (let at = 0, more = 1; at < size && more > 0; at += more) {
        more = file.readSync(to.subarray(at)) ?? 0;
      }
    });
  };
  return {
    hashOf,
    held: held.state,
    hold,
    holdFitting({ content, size }) {
      if (held.fits(size)) hold(content);
    },
    put(bytes) {
      const hash = hashOf(bytes);
      const start = hash.slice(0, 2);
      const folder = under(dir, start);
      if (!listed.has(start)) {
        listed.add(start);
        for (const name of ownFolder(folder) ? [] : namesOf(folder)) {
          begun.add(beginOf(start + name));
        }
      }
      // to look for what is not there is slow; a power cut may have left a shorter one
      if (begun.has(beginOf(hash)) && sizeOf(hash) === bytes.length) return hash;
      begun.add(beginOf(hash));
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

/** A number that takes no memory of its own. */
const beginOf = (hash: string): number => Number.parseInt(hash.slice(0, 7), 16);
