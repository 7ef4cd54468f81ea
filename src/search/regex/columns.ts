import { type CodePoints, LAST } from "./code_points.ts";

const PAGE = 256;

/** All code points in a few columns, so that those of one column are in the same sets. */
export class Columns {
  /** How many there are. */
  readonly count: number;
  /** First code point of each stretch, ascending, and the column of the stretch. */
  readonly #starts: Uint32Array;
  readonly #columns: Uint16Array;
  readonly #pages: (Uint16Array | undefined)[] = [];
  /** One code point of each column. */
  readonly examples: readonly number[];

  constructor(sets: readonly CodePoints[]) {
    const toggles = new Map<number, number[]>();
    sets.forEach((set, index) => {
      for (let at = 0; at < set.length; at++) {
        const where = set[at]! + (at & 1);
        const there = toggles.get(where);
        if (there) there.push(index);
        else toggles.set(where, [index]);
      }
    });
    toggles.set(0, toggles.get(0) ?? []);
    const starts = [...toggles.keys()].filter((each) => each <= LAST).sort((a, b) => a - b);
    const inside = new Set<number>();
    const known = new Map<string, number>();
    const examples: number[] = [];
    this.#columns = new Uint16Array(starts.length);
    starts.forEach((start, at) => {
      for (const index of toggles.get(start)!) {
        if (!inside.delete(index)) inside.add(index);
      }
      const key = [...inside].sort((a, b) => a - b).join();
      let column = known.get(key);
      if (column === undefined) {
        column = known.size;
        known.set(key, column);
        examples.push(start);
      }
      this.#columns[at] = column;
    });
    this.#starts = Uint32Array.from(starts);
    this.examples = examples;
    this.count = examples.length;
  }

  /** The column of a code point. */
  of(codePoint: number): number {
    const number = codePoint >>> 8;
    const page = this.#pages[number] ?? this.#page(number);
    return page[codePoint & (PAGE - 1)]!;
  }

  #page(number: number): Uint16Array {
    const page = new Uint16Array(PAGE);
    let stretch = this.#stretchOf(number * PAGE);
    for (let each = 0; each < PAGE; each++) {
      while (this.#starts[stretch + 1]! <= number * PAGE + each) stretch++;
      page[each] = this.#columns[stretch]!;
    }
    this.#pages[number] = page;
    return page;
  }

  #stretchOf(codePoint: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= codePoint) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
