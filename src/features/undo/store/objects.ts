/** Contents by their hash: each a file of its own, and those in memory within bounds. */
import { createSha256 } from "../../../base/hash.ts";
import { under } from "../../../base/path.ts";
import { foldersOf, namesOf, ownFolder, removeQuietly } from "../files.ts";

const HELD_FILE_BYTES = 1_000_000;
const HELD_BYTES = 16_000_000;
/** Small ones lie side by side on a shelf: each by itself would take twice what it holds. */
const SHELF_BYTES = 2 ** 20;
/** Before each lies how long it is. */
const LENGTH_BYTES = 4;

interface Shelf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many of its contents are held. */
  holds: number;
}

/** For one that goes on in another thread. */
interface HeldState {
  /** Where contents are, the oldest first: SHELF_BYTES by the number of the shelf, and the place there. */
  readonly places: Map<number, number>;
  readonly shelves: Map<number, Shelf>;
}

interface Held {
  readonly state: HeldState;
  has(hash: string): boolean;
  /** Another one, or part of it, where a file was cut while it was read: only its hash tells. */
  get(hash: string): Uint8Array<ArrayBuffer> | undefined;
  /** Whether there is room for a content of this size. */
  fits(size: number): boolean;
  /** Holds a content that `read` brings, unless it is too large; others go for it, the oldest first. */
  add(hash: string, size: number, read: (to: Uint8Array<ArrayBuffer>) => void): void;
}

/** What is held in `state`, and more. */
function createHeld(state: HeldState = { places: new Map(), shelves: new Map() }): Held {
  const { places, shelves } = state;
  const at = (place: number) => {
    const number = Math.floor(place / SHELF_BYTES);
    const shelf = shelves.get(number)!;
    const from = place % SHELF_BYTES;
    return { number, shelf, from, view: new DataView(shelf.bytes.buffer, from, LENGTH_BYTES) };
  };
  const contentAt = (place: number) => {
    const { shelf, from, view } = at(place);
    return shelf.bytes.subarray(from + LENGTH_BYTES, from + LENGTH_BYTES + view.getUint32(0));
  };
  let bytes = 0;
  for (const place of places.values()) bytes += contentAt(place).length;
  let last = Math.max(-1, ...shelves.keys());
  /** The next on the last shelf of small ones. */
  let next = 0;
  let room = 0;

  function placeFor(size: number): number {
    const isSmall = size <= SHELF_BYTES / 16;
    const whole = size + LENGTH_BYTES;
    if (!isSmall || room < whole) {
      shelves.set(++last, { bytes: new Uint8Array(isSmall ? SHELF_BYTES : whole), holds: 0 });
      if (!isSmall) return last * SHELF_BYTES;
      [next, room] = [last * SHELF_BYTES, SHELF_BYTES];
    }
    next += whole;
    room -= whole;
    return next - whole;
  }

  function forget(key: number, place: number): void {
    const { number, shelf } = at(place);
    bytes -= contentAt(place).length;
    places.delete(key);
    if (--shelf.holds > 0) return;
    shelves.delete(number);
    if (Math.floor(next / SHELF_BYTES) === number) room = 0;
  }

  return {
    state,
    has: (hash) => places.has(keyOf(hash)),
    get(hash) {
      const place = places.get(keyOf(hash));
      return place === undefined ? undefined : contentAt(place);
    },
    fits: (size) => size <= HELD_FILE_BYTES && bytes + size <= HELD_BYTES,
    add(hash, size, read) {
      const key = keyOf(hash);
      if (places.has(key) || size > HELD_FILE_BYTES) return;
      const place = placeFor(size);
      const { shelf, view } = at(place);
      view.setUint32(0, size);
      shelf.holds++;
      places.set(key, place);
      bytes += size;
      read(contentAt(place));
      for (const [oldest, its] of places) {
        if (bytes <= HELD_BYTES) break;
        forget(oldest, its);
      }
    },
  };
}

/** So much of a hash tells it from others, and takes a fifth of the room. */
const keyOf = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

/** So many bytes in a row are hashed without node:crypto, which takes a tenth of the time. */
const OWN_BYTES = 2_000_000;
/** After a pause of so long another row begins: what a session changes bit by bit needs no speed. */
const PAUSE_MS = 20;
/** Contents that it takes no more for than node:crypto, which leaves something to be collected of each. */
const SMALL_BYTES = 1000;

/** Takes 18 ms and 11 MB to load, so only who needs it has it. */
export const nodeCrypto = (): typeof import("node:crypto") =>
  // deno-lint-ignore no-process-global
  process.getBuiltinModule("node:crypto");

/** Makes what tells the hex SHA-256 of contents; `now` in milliseconds. */
export function createHasher(
  now: () => number = () => performance.now(),
  load: typeof nodeCrypto = nodeCrypto,
): (bytes: Uint8Array) => string {
  const sha256 = createSha256();
  let left = OWN_BYTES;
  let last = 0;
  let createHash: typeof import("node:crypto").createHash | undefined;
  return (bytes) => {
    if (bytes.length <= SMALL_BYTES) return sha256(bytes);
    if (!createHash) {
      if (now() - last > PAUSE_MS) left = OWN_BYTES;
      left -= bytes.length;
      if (left < 0) createHash = load().createHash;
    }
    const hash = createHash ? createHash("sha256").update(bytes).digest("hex") : sha256(bytes);
    last = now();
    return hash;
  };
}

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
