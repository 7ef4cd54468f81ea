import type { CodePoints } from "./unicode.ts";
import type { Assertion, Node } from "./syntax.ts";

/** What a state of the automaton does; `next` and `other` are states, `set` is an index into `sets`. */
export type State =
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
