import {
  type CodePoints,
  codePoints,
  complement,
  difference,
  intersection,
  union,
} from "./code_points.ts";
import { parseSetEscape } from "./parse_escape.ts";
import type { Flags, Reader } from "./reader.ts";
import { PatternError } from "./syntax.ts";
import { ASCII_WORD } from "./unicode.ts";

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
