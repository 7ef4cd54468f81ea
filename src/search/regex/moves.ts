import type { Assertion, Node } from "./syntax.ts";
import { ASCII_WORD, type CodePoints, contains, LAST } from "./unicode.ts";

/** What a state of the automaton does; `next` and `other` are states, `set` is an index into `sets`. */
type State =
  | { readonly op: "set"; readonly set: number; readonly next: number }
  | { readonly op: "split"; readonly next: number; readonly other: number }
  | { readonly op: "assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly op: "match" };

/** A nondeterministic automaton over sets of code points. */
export interface Nfa {
  readonly states: readonly State[];
  readonly start: number;
  /** The different sets the states ask for. */
  readonly sets: readonly CodePoints[];
}

/** Builds the automaton; undefined when it would have more than `limit` states. Look-around, references and atomic groups have none: see `isRegular`. */
export function buildNfa(node: Node, limit: number): Nfa | undefined {
  const builder = new Builder(limit);
  try {
    const match = builder.add({ op: "match" });
    const start = builder.build(node, match);
    return { states: builder.states, start, sets: builder.sets };
  } catch (error) {
    if (error instanceof TooManyStates) return undefined;
    throw error;
  }
}

/** True when a finite automaton can decide the expression. */
export function isRegular(node: Node): boolean {
  switch (node.kind) {
    case "look":
    case "reference":
    case "atomic":
      return false;
    case "sequence":
    case "choice":
      return node.items.every(isRegular);
    case "repeat":
    case "capture":
      return isRegular(node.item);
    default:
      return true;
  }
}

class TooManyStates extends Error {}

class Builder {
  readonly states: State[] = [];
  readonly sets: CodePoints[] = [];
  readonly #limit: number;
  readonly #numbers = new Map<CodePoints, number>();
  readonly #byText = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(state: State): number {
    if (this.states.length >= this.#limit) throw new TooManyStates();
    return this.states.push(state) - 1;
  }

  /** Adds what matches `node` and goes on with `next`; returns where it begins. */
  build(node: Node, next: number): number {
    switch (node.kind) {
      case "set":
        return this.add({ op: "set", set: this.#numberOf(node.set), next });
      case "assertion":
        return this.add({ op: "assert", assertion: node.assertion, next });
      case "sequence":
        return node.items.reduceRight((after, item) => this.build(item, after), next);
      case "choice":
        return node.items.map((item) => this.build(item, next)).reduceRight((other, each) =>
          this.add({ op: "split", next: each, other })
        );
      case "capture":
        return this.build(node.item, next);
      case "repeat":
        return this.#repeat(node, next);
      default:
        throw new TypeError(`Cannot build an automaton: ${node.kind} is not regular`);
    }
  }

  #repeat({ item, min, max }: Node & { kind: "repeat" }, next: number): number {
    let entry = next;
    if (max === Infinity) {
      const loop = this.add({ op: "match" });
      const body = this.build(item, loop);
      this.states[loop] = { op: "split", next: body, other: next };
      entry = loop;
    } else {
      for (let times = min; times < max; times++) {
        const body = this.build(item, entry);
        entry = this.add({ op: "split", next: body, other: next });
      }
    }
    for (let times = 0; times < min; times++) {
      const before = this.states.length;
      entry = this.build(item, entry);
      // what adds no state need not be repeated
      if (this.states.length === before) break;
    }
    return entry;
  }

  #numberOf(set: CodePoints): number {
    const known = this.#numbers.get(set);
    if (known !== undefined) return known;
    const text = set.join();
    const number = this.#byText.get(text) ?? this.sets.push(set) - 1;
    this.#byText.set(text, number);
    this.#numbers.set(set, number);
    return number;
  }
}

const PAGE = 256;

/** All code points in a few columns, so that those of one column are in the same sets. */
class Columns {
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

const OPS = { set: 0, split: 1, assert: 2, match: 3 } as const;

/** What stands before a place, as far as assertions ask; bits, or-ed. */
export const LINE_START = 1;
const AFTER_WORD = 2;
const AFTER_ASCII_WORD = 4;

/**
 * The states an Nfa is in, ascending: those that wait for a character and the assertions that wait
 * for what comes next. The match state, when reached, is there alone.
 */
export type Members = Uint16Array;

/** An Nfa run on columns of characters, all its states at once. */
export class Moves {
  /** How many columns there are, `invalid` and `end` among them. */
  readonly columns: number;
  readonly invalid: number;
  readonly end: number;
  /** What stands after each column; see LINE_START. */
  readonly flagsAfter: Uint8Array;
  readonly #characters: Columns;
  readonly #op: Uint8Array;
  readonly #next: Int32Array;
  /** Second way of a split, set of a set state, index of an assertion. */
  readonly #other: Int32Array;
  readonly #assertions: Assertion[] = [];
  readonly #start: number;
  /** `#member[set * columns + column]` is 1 when the set holds the column. */
  readonly #member: Uint8Array;
  /** The round in which each state was last seen. */
  readonly #marks: Uint32Array;
  #mark = 0;
  readonly #stack: number[] = [];

  /** `word` is what `\w` is to assertions that are not ASCII's. */
  constructor({ states, sets, start }: Nfa, word: () => CodePoints) {
    this.#start = start;
    this.#op = new Uint8Array(states.length);
    this.#next = new Int32Array(states.length);
    this.#other = new Int32Array(states.length);
    this.#marks = new Uint32Array(states.length);
    states.forEach((state, at) => {
      this.#op[at] = OPS[state.op];
      if (state.op !== "match") this.#next[at] = state.next;
      if (state.op === "split") this.#other[at] = state.other;
      if (state.op === "set") this.#other[at] = state.set;
      if (state.op === "assert") this.#other[at] = this.#assertions.push(state.assertion) - 1;
    });
    const asks = (ascii: boolean) =>
      this.#assertions.some((each) => "ascii" in each && each.ascii === ascii);
    const words = asks(false) ? word() : [];
    const asciiWords = asks(true) ? ASCII_WORD : [];
    this.#characters = new Columns([...sets, [10, 10], [13, 13], words, asciiWords]);
    this.invalid = this.#characters.count;
    this.end = this.invalid + 1;
    this.columns = this.invalid + 2;
    this.flagsAfter = new Uint8Array(this.columns);
    this.#member = new Uint8Array(sets.length * this.columns);
    this.#characters.examples.forEach((code, column) => {
      this.flagsAfter[column] = (contains(words, code) ? AFTER_WORD : 0) |
        (contains(asciiWords, code) ? AFTER_ASCII_WORD : 0);
      sets.forEach((set, index) => {
        if (contains(set, code)) this.#member[index * this.columns + column] = 1;
      });
    });
  }

  columnOf(codePoint: number): number {
    return this.#characters.of(codePoint);
  }

  /** The members at the beginning of a line. */
  begin(): Members {
    return this.#closed([this.#start], LINE_START);
  }

  isMatch(members: Members): boolean {
    return members.length > 0 && this.#op[members[0]!] === OPS.match;
  }

  /** Whether an assertion waits; only then it matters what stood before. */
  asks(members: Members): boolean {
    return members.some((each) => this.#op[each] === OPS.assert);
  }

  /** The members after one more character, a match beginning there included. */
  move(members: Members, flags: number, column: number): Members {
    const targets: number[] = [];
    if (this.#visit(members, flags, column, targets)) return this.#matched();
    targets.push(this.#start);
    return this.#closed(targets, this.flagsAfter[column]!);
  }

  /** Whether they match when the line ends here. */
  matchesAtEnd(members: Members, flags: number): boolean {
    return this.#visit(members, flags, this.end, []);
  }

  #matched(): Members {
    return Uint16Array.of(this.#op.indexOf(OPS.match));
  }

  /**
   * Goes through the members and what their assertions let pass, knowing what comes next. Collects
   * where the set states that hold `column` lead to; true when the match state is reached.
   */
  #visit(members: Members, flags: number, column: number, targets: number[]): boolean {
    const mark = this.#nextMark();
    const stack = this.#stack;
    stack.length = 0;
    for (const each of members) stack.push(each);
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.#marks[at] === mark) continue;
      this.#marks[at] = mark;
      switch (this.#op[at]) {
        case OPS.set:
          if (this.#member[this.#other[at]! * this.columns + column] === 1) {
            targets.push(this.#next[at]!);
          }
          break;
        case OPS.split:
          stack.push(this.#next[at]!, this.#other[at]!);
          break;
        case OPS.assert:
          if (this.#holds(this.#assertions[this.#other[at]!]!, flags, column)) {
            stack.push(this.#next[at]!);
          }
          break;
        case OPS.match:
          return true;
      }
    }
    return false;
  }

  /** What can be reached without knowing what comes next. */
  #closed(from: readonly number[], flags: number): Members {
    const mark = this.#nextMark();
    const out: number[] = [];
    const stack = this.#stack;
    stack.length = 0;
    for (const each of from) stack.push(each);
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.#marks[at] === mark) continue;
      this.#marks[at] = mark;
      switch (this.#op[at]) {
        case OPS.split:
          stack.push(this.#next[at]!, this.#other[at]!);
          break;
        case OPS.assert: {
          const holds = this.#holdsAlready(this.#assertions[this.#other[at]!]!, flags);
          if (holds) stack.push(this.#next[at]!);
          else if (holds === undefined) out.push(at);
          break;
        }
        case OPS.set:
          out.push(at);
          break;
        case OPS.match:
          return this.#matched();
      }
    }
    return Uint16Array.from(out.sort((a, b) => a - b));
  }

  #nextMark(): number {
    if (++this.#mark > 0xfffffffe) {
      this.#marks.fill(0);
      this.#mark = 1;
    }
    return this.#mark;
  }

  /** Undefined where it depends on what comes next. */
  #holdsAlready(assertion: Assertion, flags: number): boolean | undefined {
    switch (assertion.at) {
      case "line_start":
      case "text_start":
        return (flags & LINE_START) !== 0;
      case "not_after_word":
        return !isAfterWord(assertion.ascii, flags);
      case "word_start":
        return isAfterWord(assertion.ascii, flags) ? false : undefined;
      case "word_end":
        return isAfterWord(assertion.ascii, flags) ? undefined : false;
      default:
        return undefined;
    }
  }

  #holds(assertion: Assertion, flags: number, column: number): boolean {
    switch (assertion.at) {
      case "line_start":
      case "text_start":
        return (flags & LINE_START) !== 0;
      case "line_end":
      case "text_end":
      case "last_line_end":
        return column === this.end;
    }
    const before = isAfterWord(assertion.ascii, flags);
    const after = isAfterWord(assertion.ascii, this.flagsAfter[column]!);
    switch (assertion.at) {
      case "word":
        return before !== after;
      case "not_word":
        return before === after;
      case "word_start":
        return !before && after;
      case "word_end":
        return before && !after;
      case "not_after_word":
        return !before;
      case "not_before_word":
        return !after;
    }
  }
}

function isAfterWord(ascii: boolean, flags: number): boolean {
  return (flags & (ascii ? AFTER_ASCII_WORD : AFTER_WORD)) !== 0;
}
