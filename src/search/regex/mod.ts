import { Dfa } from "./dfa.ts";
import { findNeedles, type Needle } from "./needles.ts";
import { buildNfa, isRegular } from "./moves.ts";
import { parse } from "./parse.ts";
import { type Assertion, type Node, PatternError } from "./syntax.ts";
import { ASCII_WORD, type CodePoints, complement, intersection, LAST, Unicode } from "./unicode.ts";

/** What `\w` is in V8's words; spelled out it has hundreds of ranges. */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

/** What the printer needs to know of the text it writes for. */
interface PrintOptions {
  /** The expression meets a whole text; otherwise one line without its end. */
  readonly multiline: boolean;
  /** What `\w` is. */
  readonly word: () => CodePoints;
}

/** Writes an expression for V8, to be compiled with the flag `u` (and no other that changes its meaning). */
function printRegex(node: Node, options: PrintOptions): string {
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

/**
 * The expression without atomic groups that change nothing about which text matches: those nothing
 * comes after, and repeated sets before something that begins outside the set (`\w++\(`).
 */
function loosened(node: Node): Node {
  return loosen(node, "end");
}

/** `after` is what has to come next: the set it begins with, the end, or something not known. */
function loosen(node: Node, after: CodePoints | "end" | undefined): Node {
  switch (node.kind) {
    case "sequence": {
      const items: Node[] = [];
      let next = after;
      for (const item of node.items.toReversed()) {
        items.unshift(loosen(item, next));
        next = beginning(item);
      }
      return { ...node, items };
    }
    case "choice":
      return { ...node, items: node.items.map((item) => loosen(item, after)) };
    case "capture":
      return { ...node, item: loosen(node.item, after) };
    case "repeat":
    case "look":
      return { ...node, item: loosen(node.item, undefined) };
    case "atomic": {
      const { item } = node;
      const harmless = after === "end" ||
        (after && item.kind === "repeat" && item.item.kind === "set" &&
          intersection(item.item.set, after).length === 0);
      return harmless ? loosen(item, after) : { ...node, item: loosen(item, undefined) };
    }
    default:
      return node;
  }
}

function beginning(node: Node): CodePoints | undefined {
  switch (node.kind) {
    case "set":
      return node.set;
    case "capture":
    case "atomic":
      return beginning(node.item);
    case "repeat":
      return node.min > 0 ? beginning(node.item) : undefined;
    case "sequence":
      return node.items[0] && beginning(node.items[0]);
    default:
      return undefined;
  }
}

export { Dfa, MATCH, UNKNOWN } from "./dfa.ts";
export type { Needle } from "./needles.ts";
export { PatternError, type Reason } from "./syntax.ts";
export { Unicode } from "./unicode.ts";
export { decodeUtf8, INVALID } from "./dfa.ts";

const NFA_STATES_AT_MOST = 30_000;
/** A table of all of them by all columns is kept. */
const SETS_AT_MOST = 2500;

/** What to look for in text; a line or text matches when one of the patterns does. */
export interface PatternQuery {
  readonly patterns: readonly string[];
  /** The patterns are plain text. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** No word character may stand right before or after a match. */
  readonly word: boolean;
  /** Matches may span lines; `.` then also matches line ends. */
  readonly multiline: boolean;
}

/** A compiled query. */
export interface Pattern {
  /** Tells whether a line matches; undefined when V8 must: look-around, back-references, multiline. */
  readonly dfa: Dfa | undefined;
  /**
   * The same in V8, made on first use: for one line without its end, not global; with `multiline`
   * global and for a whole text. It may take exponential time where there is no `dfa`, and
   * quadratic time where there is. Throws PatternError when V8 finds the expression too large.
   */
  readonly regex: RegExp;
  /** Byte strings of which every matching line (multiline: text) holds at least one; undefined when none worth a search are known. */
  readonly needles: readonly Needle[] | undefined;
  /** True when a line that holds a needle matches without further ado. */
  readonly exact: boolean;
}

/**
 * Compiles a query; throws PatternError, also where an automaton would have more than `states`
 * states. `unicode` may be kept for the next one.
 */
export function compilePattern(
  query: PatternQuery,
  unicode: Unicode = new Unicode(),
  states = NFA_STATES_AT_MOST,
): Pattern {
  const node = readPatterns(query, unicode);
  return new Compiled(query, node, unicode, states);
}

/** A query in V8's spelling. */
export interface RegexSource {
  /** For one line without its end; to be compiled with the flag `u`. */
  readonly source: string;
  /** An automaton could decide it: V8 takes quadratic time at most. */
  readonly regular: boolean;
}

/** Spells a query for V8, without the rest of what `compilePattern` makes; throws PatternError. */
export function regexSource(query: PatternQuery, unicode: Unicode): RegexSource {
  const node = readPatterns(query, unicode);
  const { multiline } = query;
  const source = printRegex(node, { multiline, word: () => unicode.word });
  return { source, regular: !multiline && isRegular(node) };
}

function readPatterns(query: PatternQuery, unicode: Unicode): Node {
  const items: Node[] = [];
  let groupsBefore = 0;
  for (const pattern of query.patterns) {
    if (query.literal) {
      items.push(literal(pattern, query.ignoreCase, unicode));
      continue;
    }
    const options = { ignoreCase: query.ignoreCase, dotAll: query.multiline, groupsBefore };
    const { node, groups } = parse(pattern, options, unicode);
    groupsBefore = groups;
    items.push(query.word ? node : loosened(node));
  }
  const any: Node = items.length === 1
    ? items[0]!
    : items.length === 0
    ? { kind: "set", set: [] }
    : { kind: "choice", items };
  if (!query.word) return any;
  const place = (at: "not_after_word" | "not_before_word"): Node => ({
    kind: "assertion",
    assertion: { at, ascii: false },
  });
  return { kind: "sequence", items: [place("not_after_word"), any, place("not_before_word")] };
}

function literal(text: string, ignoreCase: boolean, unicode: Unicode): Node {
  const items = [...text].map((each): Node => {
    const code = each.codePointAt(0)!;
    return { kind: "set", set: ignoreCase ? unicode.fold([code, code]) : [code, code] };
  });
  return { kind: "sequence", items };
}

class Compiled implements Pattern {
  readonly dfa: Dfa | undefined;
  readonly needles: readonly Needle[] | undefined;
  readonly exact: boolean;
  readonly #query: PatternQuery;
  readonly #node: Node;
  readonly #word: () => CodePoints;
  #regex: RegExp | undefined;

  constructor(query: PatternQuery, node: Node, unicode: Unicode, states: number) {
    this.#query = query;
    this.#node = node;
    this.#word = () => unicode.word;
    const found = findNeedles(node);
    this.needles = found?.needles;
    this.exact = found !== undefined && found.exact && !query.multiline;
    if (query.multiline || !isRegular(node)) return;
    const nfa = buildNfa(node, states);
    if (!nfa || nfa.sets.length > SETS_AT_MOST) throw this.#tooLarge();
    this.dfa = new Dfa(nfa, this.#word);
  }

  get regex(): RegExp {
    return this.#regex ??= this.#compile();
  }

  #compile(): RegExp {
    const { multiline } = this.#query;
    try {
      const source = printRegex(this.#node, { multiline, word: this.#word });
      const regex = new RegExp(source, multiline ? "gu" : "u");
      // V8 compiles, and finds it too large, at the first use
      regex.test("");
      regex.lastIndex = 0;
      return regex;
    } catch {
      throw this.#tooLarge();
    }
  }

  #tooLarge(): PatternError {
    return new PatternError("too_large", this.#query.patterns.join("|"), 0);
  }
}
