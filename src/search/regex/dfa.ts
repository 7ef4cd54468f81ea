import type { CodePoints } from "./unicode.ts";
import { LINE_START, type Members, Moves, type Nfa } from "./moves.ts";

/** What stands in place of a code point where bytes are no UTF-8. */
export const INVALID = 0x1fffff;

/**
 * Decodes the character at `at` (before `to`): its code point, or INVALID, times 8, plus the number
 * of bytes it takes (1 when invalid).
 */
export function decodeUtf8(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first << 3 | 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > to) return INVALID << 3 | 1;
  const second = bytes[at + 1]!;
  if ((second & 0xc0) !== 0x80) return INVALID << 3 | 1;
  if (size === 2) return (first & 0x1f) << 9 | (second & 0x3f) << 3 | 2;
  const third = bytes[at + 2]!;
  if ((third & 0xc0) !== 0x80) return INVALID << 3 | 1;
  if (size === 3) {
    const code = (first & 0x0f) << 12 | (second & 0x3f) << 6 | (third & 0x3f);
    return code < 0x800 || (code & 0xf800) === 0xd800 ? INVALID << 3 | 1 : code << 3 | 3;
  }
  const fourth = bytes[at + 3]!;
  if ((fourth & 0xc0) !== 0x80) return INVALID << 3 | 1;
  const code = (first & 0x07) << 18 | (second & 0x3f) << 12 | (third & 0x3f) << 6 | (fourth & 0x3f);
  return code < 0x10000 || code > 0x10ffff ? INVALID << 3 | 1 : code << 3 | 4;
}

/** In place of a state: the line matches. */
export const MATCH = -1;
/** In a cell of `rows`: not known yet, ask `step`. */
export const UNKNOWN = -2;

/** Beside the flags of Moves: a "\r" was read that may be a part of the line's end. */
const PENDING_CR = 128;

/** Cells of `rows` at most (1 MiB), and members of states at most (2 MiB). */
const CELLS_AT_MOST = 1 << 18;
const MEMBERS_AT_MOST = 1 << 20;
const STATES_AT_LEAST = 16;

/**
 * A deterministic automaton that tells whether a line matches. It is built while it runs and its
 * cache is thrown away when full, so that time is linear in the text whatever the pattern.
 *
 * The text is seen as columns: classes of code points the pattern cannot tell apart, and three of
 * their own for a byte that is no UTF-8, for "\n" and for the end of the text. `step` by `newline`
 * or `end` leads to `start` again, or to MATCH; a "\r" before either is no part of the line.
 *
 * `rows[state * stride + column]` holds the next state, MATCH or UNKNOWN; only `step` fills it. A
 * copy of it elsewhere stays true until `generation` changes: then all states but `start` (always 0)
 * are void. `rows` itself may be replaced by a longer array when states are added.
 */
export class Dfa {
  readonly columns: number;
  /** Cells from one state's row to the next: a power of two. */
  readonly stride: number;
  /** log2 of `stride`. */
  readonly shift: number;
  /** Column of each ASCII character. */
  readonly ascii: Uint8Array;
  readonly invalid: number;
  readonly newline: number;
  readonly end: number;
  readonly start = 0;
  /** There are never more states. */
  readonly maxSize: number;
  readonly #moves: Moves;
  readonly #return: number;
  #rows: Int32Array;
  #generation = 0;
  /** What each state stands for. */
  #members: Members[] = [];
  #flags: number[] = [];
  #memberCount = 0;
  readonly #numbers = new Map<string, number>();

  /** `word` is what `\w` is to assertions that are not ASCII's. `cells` bounds `rows`. */
  constructor(nfa: Nfa, word: () => CodePoints, cells = CELLS_AT_MOST) {
    const moves = new Moves(nfa, word);
    this.#moves = moves;
    this.columns = moves.columns;
    this.invalid = moves.invalid;
    this.end = moves.end;
    this.newline = moves.columnOf(10);
    this.#return = moves.columnOf(13);
    this.ascii = Uint8Array.from({ length: 128 }, (_, code) => moves.columnOf(code));
    this.shift = Math.ceil(Math.log2(this.columns));
    this.stride = 1 << this.shift;
    this.maxSize = Math.max(STATES_AT_LEAST, Math.floor(cells / this.stride));
    this.#rows = new Int32Array(this.stride * STATES_AT_LEAST).fill(UNKNOWN);
    this.#addStart();
  }

  get rows(): Int32Array {
    return this.#rows;
  }

  /** States so far. */
  get size(): number {
    return this.#members.length;
  }

  /** Grows when the cache was thrown away. */
  get generation(): number {
    return this.#generation;
  }

  /** The column of a code point, or of INVALID. */
  columnOf(codePoint: number): number {
    return codePoint === INVALID ? this.invalid : this.#moves.columnOf(codePoint);
  }

  /** The state after `column`, or MATCH. */
  step(state: number, column: number): number {
    const known = this.#rows[(state << this.shift) + column]!;
    if (known !== UNKNOWN) return known;
    const generation = this.#generation;
    const next = this.#follow(this.#members[state]!, this.#flags[state]!, column);
    if (generation === this.#generation) this.#rows[(state << this.shift) + column] = next;
    return next;
  }

  /** Whether a line, which has no "\n" in it, matches. */
  matchesLine(bytes: Uint8Array, from: number, to: number): boolean {
    return this.matchEnd(bytes, from, to) >= 0;
  }

  /**
   * Where it is first known that the line matches: at the end of the match that ends first, or a
   * character (and a "\r") later; -1 when it does not match.
   */
  matchEnd(bytes: Uint8Array, from: number, to: number): number {
    let state = this.start;
    for (let at = from; at < to;) {
      const byte = bytes[at]!;
      let column: number;
      if (byte < 0x80) {
        column = this.ascii[byte]!;
        at++;
      } else {
        const character = decodeUtf8(bytes, at, to);
        column = this.columnOf(character >>> 3);
        at += character & 7;
      }
      state = this.step(state, column);
      if (state === MATCH) return at;
    }
    return this.step(state, this.end) === MATCH ? to : -1;
  }

  #follow(members: Members, flags: number, column: number): number {
    const moves = this.#moves;
    if (moves.isMatch(members)) return MATCH;
    const pending = (flags & PENDING_CR) !== 0;
    const before = flags & ~PENDING_CR;
    if (column === this.newline || column === this.end) {
      return moves.matchesAtEnd(members, before) ? MATCH : this.start;
    }
    if (pending) {
      const middle = moves.move(members, before, this.#return);
      if (moves.isMatch(middle)) return MATCH;
      return this.#go(middle, this.#flagsOf(middle, this.#return), column);
    }
    return this.#go(members, before, column);
  }

  #go(members: Members, flags: number, column: number): number {
    // whether the "\r" is a part of the line will be seen at the next step
    if (column === this.#return) return this.#intern(members, flags | PENDING_CR);
    const next = this.#moves.move(members, flags, column);
    if (this.#moves.isMatch(next)) return MATCH;
    return this.#intern(next, this.#flagsOf(next, column));
  }

  #flagsOf(members: Members, column: number): number {
    return this.#moves.asks(members) ? this.#moves.flagsAfter[column]! : 0;
  }

  #addStart(): void {
    const members = this.#moves.begin();
    this.#intern(members, this.#moves.asks(members) ? LINE_START : 0);
  }

  /** The number of the state that stands for these members, made if need be. */
  #intern(members: Members, flags: number): number {
    const key = String.fromCharCode(flags, ...members);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const full = this.size >= this.maxSize || this.#memberCount + members.length > MEMBERS_AT_MOST;
    if (full && this.size > 0) {
      this.#forget();
      const again = this.#numbers.get(key);
      if (again !== undefined) return again;
    }
    const state = this.#members.push(members) - 1;
    this.#flags.push(flags);
    this.#numbers.set(key, state);
    this.#memberCount += members.length;
    if ((state + 1) << this.shift > this.#rows.length) {
      const longer = new Int32Array(2 * this.#rows.length).fill(UNKNOWN);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    return state;
  }

  #forget(): void {
    this.#generation++;
    this.#members = [];
    this.#flags = [];
    this.#memberCount = 0;
    this.#numbers.clear();
    this.#rows.fill(UNKNOWN);
    this.#addStart();
  }
}
