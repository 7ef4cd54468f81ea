import type { Kernel } from "../../files/edit/kernel.ts";
import { LAYOUT } from "../../files/edit/kernel_bytes.ts";
import { decodeUtf8, type Dfa, MATCH } from "../regex/dfa.ts";

/** In place of a state: none is known. Its row is that of a match. */
export const NO_STATE = -1;
/** In place of a state: the Dfa has thrown its states away, and the numbers of all of them are void. */
export const VOID = -3;

const TABLE_BYTES = LAYOUT.data - LAYOUT.table;
/** u16 must hold four times a column. */
const MOST_COLUMNS = 8000;
/** Cells for pairs of columns are had where so many states find room. */
const STATES_WITH_PAIRS = 64;
const PAGE = 256;

/** Tells whether a Dfa fits into a kernel. */
export function fitsKernel(dfa: Dfa): boolean {
  return dfa.columns < MOST_COLUMNS && (dfa.maxSize + 2) * rowBytesOf(dfa, false) <= TABLE_BYTES;
}

/**
 * A Dfa's transitions in the kernel's memory, as far as they are known. Row 0 stands for a
 * transition that is not, row 1 for a match, the rows after them for the states. A row has a cell for
 * each column and, while there is room, for each two columns, which the kernel fills. A kernel holds
 * one table at a time.
 */
export class DfaTable {
  /** The kernel's whole memory; `look` renews them. */
  memory = new Uint8Array(0);
  words = new Int32Array(0);
  /** Grows when the numbers of all states become void. */
  generation: number;
  /** A state from which nothing matches before the next line, or NO_STATE. */
  dead = NO_STATE;
  /** How many bytes the character has that `step` took. */
  length = 1;
  readonly #kernel: Kernel;
  readonly #dfa: Dfa;
  /** Whether rows have cells for pairs. */
  #pairs: boolean;
  #rowBytes: number;
  /** States below this one have rows. */
  #met = 0;
  #pages = 0;
  /** States that are not dead, though they have led to themselves. */
  readonly #alive = new Set<number>();
  /** False once there was no room to look for a dead state: trying again could go on for ever. */
  #probes = true;

  /** Begins an empty table; `dfa` must fit. */
  constructor(kernel: Kernel, dfa: Dfa) {
    this.#kernel = kernel;
    this.#dfa = dfa;
    this.#pairs = (STATES_WITH_PAIRS + 2) * rowBytesOf(dfa, true) <= TABLE_BYTES;
    this.#rowBytes = rowBytesOf(dfa, this.#pairs);
    this.generation = dfa.generation;
    this.look();
    const columns = new Uint16Array(this.memory.buffer, LAYOUT.byteColumns, 256);
    // the last column is in no transition: the kernel turns to its pages for bytes from 0x80 on
    columns.fill(4 * dfa.columns);
    for (let byte = 0; byte < 128; byte++) columns[byte] = 4 * dfa.ascii[byte]!;
    this.memory.fill(0, LAYOUT.pageNumbers, LAYOUT.pageNumbers + 256);
    if (this.#pairs) this.#placePairs(columns);
    this.#clear();
    this.#meet(dfa.start);
  }

  /** Whether the kernel may take two bytes at once; never again once it may not. */
  get pairs(): boolean {
    return this.#pairs;
  }

  /** Rows below this one are no states. */
  get special(): number {
    return 2 * this.#rowBytes;
  }

  row(state: number): number {
    return (state + 2) * this.#rowBytes;
  }

  stateOf(row: number): number {
    return row / this.#rowBytes - 2;
  }

  /** Takes fresh views when the kernel's memory has grown. */
  look(): void {
    const { buffer } = this.#kernel.code.memory;
    if (this.memory.buffer === buffer) return;
    this.memory = new Uint8Array(buffer as ArrayBuffer);
    this.words = new Int32Array(buffer as ArrayBuffer);
  }

  /**
   * The state after the character at `at` (before `end`) of the data area, MATCH, or VOID. The kernel
   * learns it if it can.
   */
  step(state: number, at: number, end: number): number {
    const place = at + LAYOUT.data;
    const byte = this.memory[place]!;
    let column: number;
    this.length = 1;
    if (byte < 0x80) {
      column = this.#dfa.ascii[byte]!;
    } else {
      const character = decodeUtf8(this.memory, place, end + LAYOUT.data);
      const code = character >>> 3;
      this.length = character & 7;
      column = this.#dfa.columnOf(code);
      if (code <= 0xffff) this.#fillPage(code >>> 8);
    }
    const next = this.#dfa.step(state, column);
    if (this.#dfa.generation === this.generation) {
      if (next !== MATCH) this.#meet(next);
      const cell = (LAYOUT.table + this.row(state) >> 2) + column;
      this.words[cell] = next === MATCH ? this.#rowBytes : this.row(next);
      const unsure = this.dead === NO_STATE && !this.#alive.has(state);
      if (next === state && unsure && this.#probes) this.#probe(state);
      if (this.#dfa.generation === this.generation) return next;
      this.#renew();
      this.#probes = false;
      return VOID;
    }
    this.#renew();
    if (next !== MATCH) this.#meet(next);
    return next;
  }

  /** Empties the rows up to a state's as it is met first: memory is touched as it is needed. */
  #meet(state: number): void {
    if (state < this.#met) return;
    if (this.#pairs && this.row(state + 1) > TABLE_BYTES) {
      this.#pairs = false;
      this.#rowBytes = rowBytesOf(this.#dfa, false);
      this.#clear();
    }
    const begin = LAYOUT.table + this.row(this.#met);
    this.memory.fill(0, begin, LAYOUT.table + this.row(state + 1));
    this.#met = state + 1;
  }

  /** Empties the table, row 0 at once: from it nothing is known either. */
  #clear(): void {
    this.#met = 0;
    this.memory.fill(0, LAYOUT.table, LAYOUT.table + this.#rowBytes);
  }

  /** Tells the kernel where in a row each two bytes have their cell, given each byte's. */
  #placePairs(columns: Uint16Array): void {
    const cells = new Uint16Array(this.memory.buffer, LAYOUT.pairCells, PAGE * PAGE);
    const width = this.#dfa.columns + 1;
    // bytes from 0x80 on share a cell that stays empty
    cells.fill(4 * width * (width + 1) - 4);
    const made = new Map<number, Uint16Array>();
    for (let second = 0; second < 128; second++) {
      const column = columns[second]!;
      let row = made.get(column);
      if (!row) {
        row = columns.slice(0, 128).map((first) => (first + 4) * width + column);
        made.set(column, row);
      }
      cells.set(row, second * PAGE);
    }
  }

  /** Finds out whether a state is dead: whatever comes before the next line leads back to it. */
  #probe(state: number): void {
    const dfa = this.#dfa;
    // besides the state itself the one that waits whether a "\r" ends the line
    const states = [state];
    for (const each of states) {
      for (let column = 0; column < dfa.columns; column++) {
        const next = dfa.step(each, column);
        if (dfa.generation !== this.generation) return;
        const ends = column === dfa.newline || column === dfa.end;
        if (!ends && next !== MATCH && !states.includes(next)) states.push(next);
        if (next === MATCH || states.length > 2) {
          this.#alive.add(state);
          return;
        }
      }
    }
    this.dead = state;
  }

  /** Forgets all transitions, as the Dfa has. */
  #renew(): void {
    this.generation = this.#dfa.generation;
    this.#met = 0;
    this.#meet(this.#dfa.start);
    this.dead = NO_STATE;
    this.#alive.clear();
  }

  #fillPage(number: number): void {
    if (this.memory[LAYOUT.pageNumbers + number] !== 0) return;
    const page = ++this.#pages;
    this.memory[LAYOUT.pageNumbers + number] = page;
    const columns = new Uint16Array(
      this.memory.buffer,
      LAYOUT.pages + (page - 1) * 2 * PAGE,
      PAGE,
    );
    for (let low = 0; low < PAGE; low++) {
      columns[low] = 4 * this.#dfa.columnOf(number << 8 | low);
    }
  }
}

function rowBytesOf(dfa: Dfa, pairs: boolean): number {
  const width = dfa.columns + 1;
  return 4 * (pairs ? width + width * width : width);
}
