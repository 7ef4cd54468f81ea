import { ASCII_WORD, type CodePoints, complement, LAST } from "./unicode.ts";
import type { Assertion, Node } from "./syntax.ts";

/** What `\w` is in V8's words; spelled out it has hundreds of ranges. */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

/** What the printer needs to know of the text it writes for. */
export interface PrintOptions {
  /** The expression meets a whole text; otherwise one line without its end. */
  readonly multiline: boolean;
  /** What `\w` is. */
  readonly word: () => CodePoints;
}

/** Writes an expression for V8, to be compiled with the flag `u` (and no other that changes its meaning). */
export function printRegex(node: Node, options: PrintOptions): string {
  return new Printer(options, referencedGroups(node)).print(node);
}

function referencedGroups(node: Node, found = new Set<number>()): ReadonlySet<number> {
  if (node.kind === "reference") found.add(node.group);
  if ("items" in node) { for (const item of node.items) referencedGroups(item, found); }
  if ("item" in node) referencedGroups(node.item, found);
  return found;
}

class Printer {
  readonly #options: PrintOptions;
  readonly #referenced: ReadonlySet<number>;
  #atomics = 0;
  readonly #sets = new Map<CodePoints, string>();

  constructor(options: PrintOptions, referenced: ReadonlySet<number>) {
    this.#options = options;
    this.#referenced = referenced;
  }

  print(node: Node): string {
    switch (node.kind) {
      case "set":
        return this.#set(node.set);
      case "sequence":
        return node.items.map((item) =>
          item.kind === "choice" ? `(?:${this.print(item)})` : this.print(item)
        ).join("");
      case "choice":
        return node.items.map((item) => this.print(item)).join("|");
      case "repeat": {
        const item = this.print(node.item);
        const one = node.item.kind === "set" ? item : `(?:${item})`;
        return one + bounds(node.min, node.max) + (node.lazy ? "?" : "");
      }
      case "assertion":
        return this.#assertion(node.assertion);
      case "capture": {
        const item = this.print(node.item);
        return this.#referenced.has(node.group) ? `(?<g${node.group}>${item})` : `(?:${item})`;
      }
      case "atomic": {
        // what a look-ahead has found is not given back
        const name = `a${++this.#atomics}`;
        return `(?:(?=(?<${name}>${this.print(node.item)}))\\k<${name}>)`;
      }
      case "look": {
        const open = (node.ahead ? "" : "<") + (node.negative ? "!" : "=");
        return `(?:(?${open}${this.print(node.item)}))`;
      }
      case "reference":
        return node.ignoreCase ? `(?i:\\k<g${node.group}>)` : `\\k<g${node.group}>`;
    }
  }

  #set(set: CodePoints): string {
    let text = this.#sets.get(set);
    if (text === undefined) this.#sets.set(set, text = printSet(set, this.#options.word()));
    return text;
  }

  #assertion(assertion: Assertion): string {
    const { multiline } = this.#options;
    switch (assertion.at) {
      case "line_start":
        return multiline ? "(?<![^\\n])" : "^";
      case "line_end":
        return multiline ? "(?=\\r?\\n|\\r?$)" : "$";
      case "text_start":
        return "^";
      case "text_end":
        return "$";
      case "last_line_end":
        return multiline ? "(?=(?:\\r?\\n)?$)" : "$";
    }
    const word = this.#set(assertion.ascii ? ASCII_WORD : this.#options.word());
    switch (assertion.at) {
      case "word":
        return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
      case "not_word":
        return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
      case "word_start":
        return `(?:(?<!${word})(?=${word}))`;
      case "word_end":
        return `(?:(?<=${word})(?!${word}))`;
      case "not_after_word":
        return `(?<!${word})`;
      case "not_before_word":
        return `(?!${word})`;
    }
  }
}

function bounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printSet(set: CodePoints, word: CodePoints): string {
  if (set.length === 2 && set[0] === set[1]) return printCharacter(set[0]!);
  const negative = set[0] === 0 && set.at(-1) === LAST;
  const ranges = negative ? complement(set) : set;
  let text = negative ? "[^" : "[";
  const isWord = ranges.length === word.length && ranges.every((each, at) => each === word[at]);
  if (isWord) return `${text}${WORD}]`;
  for (let at = 0; at < ranges.length; at += 2) {
    const [low, high] = [ranges[at]!, ranges[at + 1]!];
    text += printCharacter(low);
    if (high > low) text += (high > low + 1 ? "-" : "") + printCharacter(high);
  }
  return text + "]";
}

function printCharacter(code: number): string {
  const plain = code < 127 && /[\w "#%&',:;<=>@`~!]/.test(String.fromCharCode(code));
  return plain && code >= 32 ? String.fromCharCode(code) : `\\u{${code.toString(16)}}`;
}
