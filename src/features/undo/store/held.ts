/** Contents in memory, within bounds. */

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
export interface HeldState {
  /** Where contents are, the oldest first: SHELF_BYTES by the number of the shelf, and the place there. */
  readonly places: Map<number, number>;
  readonly shelves: Map<number, Shelf>;
}

export interface Held {
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
export function createHeld(state: HeldState = { places: new Map(), shelves: new Map() }): Held {
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
