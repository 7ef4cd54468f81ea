/** Reads a pattern character by character: its flags, its escapes, and the classes in brackets. */
import {
  ASCII_DIGIT,
  ASCII_SPACE,
  ASCII_WORD,
  BLANK,
  type CodePoints,
  codePoints,
  complement,
  difference,
  intersection,
  SPACE,
  type Unicode,
  union,
} from "./unicode.ts";
import { type Assertion, type Node, PatternError, type Reason } from "./syntax.ts";

/** What `(?i)` and its like have set. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  /** `^` and `$` are those of lines. */
  readonly lines: boolean;
  /** Blanks and comments do not count. */
  readonly spaced: boolean;
  /** `\w`, `\d`, `\s`, `\b` and case go beyond ASCII. */
  readonly unicode: boolean;
}

const ASCII = [0, 127];

/** A pattern and the place in it. */
export class Reader {
  readonly source: string;
  readonly unicode: Unicode;
  at = 0;

  constructor(source: string, unicode: Unicode) {
    this.source = source;
    this.unicode = unicode;
  }

  peek(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }

  /** The next character; there must be one. */
  next(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at)!);
    this.at += char.length;
    return char;
  }

  /** Takes what a sticky expression matches here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.source);
    if (match) this.at += match[0].length;
    return match;
  }

  skipSpace(): void {
    this.match(/(?:\s|#[^\n]*)+/y);
  }

  /** The set with the other cases of its characters, where case does not count. */
  folded(set: CodePoints, flags: Flags): CodePoints {
    if (!flags.ignoreCase) return set;
    const folded = this.unicode.fold(set);
    return flags.unicode ? folded : union(set, intersection(folded, ASCII));
  }

  fail(reason: Reason, at: number, found = ""): never {
    throw new PatternError(reason, this.source, at, found);
  }
}

/** What a backslash and what follows it mean. */
type Escape =
  /** One character, or a set that has no case to fold. */
  | { readonly kind: "set"; readonly set: CodePoints; readonly foldable: boolean }
  | { readonly kind: "node"; readonly node: Node }
  /** To a group by number, relative number or name. */
  | { readonly kind: "reference"; readonly name: string };

const CONTROLS: { readonly [letter: string]: number } = {
  a: 7,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

const BRACED_BOUNDARIES: { readonly [name: string]: Assertion["at"] } = {
  start: "word_start",
  end: "word_end",
  "start-half": "not_after_word",
  "end-half": "not_before_word",
};

/** `\R`: a line end of any kind. */
const LINE_END: Node = {
  kind: "choice",
  items: [
    {
      kind: "sequence",
      items: [{ kind: "set", set: [13, 13] }, { kind: "set", set: [10, 10] }],
    },
    { kind: "set", set: [10, 13, 0x85, 0x85, 0x2028, 0x2029] },
  ],
};

/** Reads the escape that begins here. */
export function parseEscape(reader: Reader, flags: Flags): Escape {
  const set = parseSetEscape(reader, flags);
  if (set) return set;
  const at = reader.at;
  const escape = (text: string) => reader.take(text);
  const node = (made: Node): Escape => ({ kind: "node", node: made });
  const place = (assertion: Assertion) => node({ kind: "assertion", assertion });
  const ascii = !flags.unicode;
  const braced = reader.match(/\\b\{([a-z-]+)\}/y);
  if (braced) {
    const name = braced[1]!;
    if (!Object.hasOwn(BRACED_BOUNDARIES, name)) reader.fail("bad_escape", at, braced[0]);
    return place({ at: BRACED_BOUNDARIES[name], ascii } as Assertion);
  }
  if (escape("\\b")) return place({ at: "word", ascii });
  if (escape("\\B")) return place({ at: "not_word", ascii });
  if (escape("\\<")) return place({ at: "word_start", ascii });
  if (escape("\\>")) return place({ at: "word_end", ascii });
  if (escape("\\A")) return place({ at: "text_start" });
  if (escape("\\z")) return place({ at: "text_end" });
  if (escape("\\Z")) return place({ at: "last_line_end" });
  if (escape("\\R")) return node(LINE_END);
  // \K only moves where the match is said to begin
  if (escape("\\K")) return node({ kind: "sequence", items: [] });
  const reference = reader.match(
    /\\(?:([1-9]\d?)|g([+-]?\d+)|g\{([+-]?\w+)\}|k<([+-]?[\p{L}\p{N}_]+)>|k'([\p{L}\p{N}_]+)'|k\{([\p{L}\p{N}_]+)\})/uy,
  );
  if (reference) return { kind: "reference", name: reference.slice(1).find(Boolean)! };
  const found = reader.source.slice(at, at + 2);
  if (/^\\[GXC]/.test(found)) reader.fail("unsupported", at, found);
  return reader.fail(/^\\[gk]/.test(found) ? "bad_escape" : "unknown_escape", at, found);
}

/** Reads the escape that begins here if it may stand in a class as well. */
function parseSetEscape(
  reader: Reader,
  flags: Flags,
): Escape & { kind: "set" } | undefined {
  const { source, at } = reader;
  if (at + 1 >= source.length) reader.fail("trailing_backslash", at, "\\");
  const one = (code: number) => ({ kind: "set", set: [code, code], foldable: true }) as const;
  const char = String.fromCodePoint(source.codePointAt(at + 1)!);
  const named = namedSet(char, reader, flags);
  if (named) {
    reader.at += 2;
    return { kind: "set", set: named, foldable: false };
  }
  if (Object.hasOwn(CONTROLS, char)) {
    reader.at += 2;
    return one(CONTROLS[char]!);
  }
  if (char === "p" || char === "P") return property(reader, flags);
  if (/[xuUco0]/.test(char)) return one(numbered(reader));
  if (/[a-zA-Z1-9<>]/.test(char)) return undefined;
  reader.at += 1 + char.length;
  return one(char.codePointAt(0)!);
}

function namedSet(letter: string, { unicode }: Reader, flags: Flags): CodePoints | undefined {
  const wide = flags.unicode;
  switch (letter) {
    case "w":
    case "W": {
      const set = wide ? unicode.word : ASCII_WORD;
      return letter === "w" ? set : complement(set);
    }
    case "d":
    case "D": {
      const set = wide ? unicode.digit : ASCII_DIGIT;
      return letter === "d" ? set : complement(set);
    }
    case "s":
    case "S": {
      const set = wide ? SPACE : ASCII_SPACE;
      return letter === "s" ? set : complement(set);
    }
    case "h":
      return BLANK;
    case "H":
      return complement(BLANK);
    case "N":
      return complement([10, 10]);
    default:
      return undefined;
  }
}

function property(reader: Reader, flags: Flags): Escape & { kind: "set" } {
  const at = reader.at;
  const match = reader.match(/\\([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))/y);
  if (!match) return reader.fail("bad_escape", at, reader.source.slice(at, at + 3));
  const [text, letter, caret, braced, single] = match;
  const name = (braced ?? single!).trim();
  const unequal = /^([^!=:]+)!=(.*)$/.exec(name);
  const set = reader.unicode.property(
    unequal ? `${unequal[1]}=${unequal[2]}` : name.replace(":", "="),
  );
  if (!set) return reader.fail("unknown_property", at, text);
  const negative = (letter === "P") !== (caret === "^") !== (unequal !== null);
  const folded = reader.folded(set, flags);
  return { kind: "set", set: negative ? complement(folded) : folded, foldable: false };
}

/** The code point that `\x41`, `\x{41}`, `\u0041`, `\u{41}`, `\U00000041`, `\cA`, `\0`, `\012`, `\o{12}` name. */
function numbered(reader: Reader): number {
  const at = reader.at;
  const pair = reader.match(/\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/y);
  if (pair) {
    const [high, low] = [parseInt(pair[1]!, 16), parseInt(pair[2]!, 16)];
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  }
  const hex = reader.match(
    /\\(?:[xuU]\{\s*([\da-fA-F]{1,8})\s*\}|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y,
  );
  const octal = hex ? null : reader.match(/\\(?:o\{([0-7]{1,7})\}|(0[0-7]{0,2}))/y);
  const control = hex || octal ? null : reader.match(/\\c([A-Za-z@[\\\]^_])/y);
  const code = hex
    ? parseInt(hex.slice(1).find(Boolean)!, 16)
    : octal
    ? parseInt(octal[1] ?? octal[2]!, 8)
    : control
    ? control[1]!.toUpperCase().charCodeAt(0) ^ 64
    : NaN;
  if (!(code <= 0x10ffff)) {
    const end = reader.match(/\\.\{[^}]*\}|\\.[\da-fA-F]*/y)?.[0];
    reader.fail("bad_escape", at, hex?.[0] ?? end ?? reader.source.slice(at, at + 2));
  }
  return code;
}

/** POSIX classes; ASCII, as in ripgrep. */
const POSIX: { readonly [name: string]: CodePoints } = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  ascii: [0, 127],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [48, 57],
  graph: [33, 126],
  lower: [97, 122],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  word: ASCII_WORD,
  xdigit: [48, 57, 65, 70, 97, 102],
};

const DEPTH_AT_MOST = 100;

/**
 * Reads the class that begins here, folded. A `[` inside opens a class of its own, as in ripgrep;
 * where that leaves the class open it is an ordinary character, as in the other engines.
 */
export function parseClass(reader: Reader, flags: Flags): CodePoints {
  const at = reader.at;
  // `[:alpha:]` without its second brackets means nothing else
  const bare = posix(reader);
  if (bare) return reader.folded(bare, flags);
  try {
    return nested(reader, flags, true, 0);
  } catch (error) {
    // `[]…` that stays open is an empty pair of brackets somebody forgot to escape
    const unclosed = error instanceof PatternError && error.reason === "unclosed_class";
    if (!unclosed || /^\[\^?\]/.test(reader.source.slice(at, at + 3))) throw error;
    reader.at = at;
    return nested(reader, flags, false, 0);
  }
}

function nested(reader: Reader, flags: Flags, nests: boolean, depth: number): CodePoints {
  const open = reader.at;
  if (depth > DEPTH_AT_MOST) reader.fail("too_deep", open, "[");
  reader.take("[");
  const negative = reader.take("^");
  let left: CodePoints | undefined;
  let operator: ((a: CodePoints, b: CodePoints) => CodePoints) | undefined;
  let ranges: number[] = [];
  const settle = () => {
    const set = reader.folded(codePoints(ranges), flags);
    left = operator && left ? operator(left, set) : set;
    ranges = [];
  };
  while (reader.take("-")) ranges.push(45, 45);
  for (let first = ranges.length === 0;; first = false) {
    if (flags.spaced) reader.skipSpace();
    if (reader.at >= reader.source.length) reader.fail("unclosed_class", open, "[");
    if (!first && reader.take("]")) break;
    const inner = posix(reader);
    const next = inner || !nests ? undefined : setOperator(reader);
    if (inner) {
      ranges.push(...inner);
    } else if (next) {
      settle();
      operator = next;
    } else if (nests && reader.peek("[")) {
      ranges.push(...nested(reader, flags, nests, depth + 1));
    } else {
      ranges.push(...item(reader, flags, nests));
    }
  }
  settle();
  return negative ? complement(left!) : left!;
}

function setOperator(reader: Reader) {
  if (reader.take("&&")) return intersection;
  if (reader.take("~~")) {
    return (a: CodePoints, b: CodePoints) => difference(union(a, b), intersection(a, b));
  }
  return reader.take("--") ? difference : undefined;
}

function posix(reader: Reader): CodePoints | undefined {
  const at = reader.at;
  const match = reader.match(/\[:(\^?)(\w+):\]/y);
  if (!match) return undefined;
  const [text, caret, name] = match;
  const set = Object.hasOwn(POSIX, name!) ? POSIX[name!]! : reader.fail("unknown_class", at, text);
  return caret ? complement(set) : set;
}

/** A character, a range or a set by name; where classes nest, `--` makes no range. */
function item(reader: Reader, flags: Flags, nests: boolean): CodePoints {
  const at = reader.at;
  const low = one(reader, flags);
  const range = (nests ? /^-[^\]-]/ : /^-[^\]]/).test(
    reader.source.slice(reader.at, reader.at + 2),
  );
  if (low.length !== 2 || low[0] !== low[1] || !range) return low;
  const dash = reader.at;
  reader.take("-");
  if (flags.spaced) reader.skipSpace();
  const high = reader.peek("[") ? undefined : one(reader, flags);
  // `[a-\w]`: a dash that makes no range is a dash
  if (!high || high.length !== 2 || high[0] !== high[1]) {
    reader.at = dash;
    return low;
  }
  if (low[0]! > high[0]!) reader.fail("reversed_range", at, reader.source.slice(at, reader.at));
  return [low[0]!, high[0]!];
}

function one(reader: Reader, flags: Flags): CodePoints {
  const at = reader.at;
  if (!reader.peek("\\")) {
    const code = reader.next().codePointAt(0)!;
    return [code, code];
  }
  if (reader.take("\\b")) return [8, 8];
  const escape = parseSetEscape(reader, flags);
  if (escape) return escape.set;
  if (reader.take("\\<")) return [60, 60];
  if (reader.take("\\>")) return [62, 62];
  return reader.fail("unknown_escape", at, reader.source.slice(at, at + 2));
}
