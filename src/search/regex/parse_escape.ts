import { type CodePoints, complement } from "./code_points.ts";
import type { Flags, Reader } from "./reader.ts";
import type { Assertion, Node } from "./syntax.ts";
import { ASCII_DIGIT, ASCII_SPACE, ASCII_WORD, BLANK, SPACE } from "./unicode.ts";

/** What a backslash and what follows it mean. */
export type Escape =
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
export function parseSetEscape(
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
