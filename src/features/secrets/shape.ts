/** How a kind of key is told: a beginning, a body, and what the body must be like. */

/** A stretch of a text that must not be told. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What was found at a place; `more`: that depends on what follows. */
export type Sight = Stretch | "more" | undefined;

/** One way in which a kind of key is written. */
export interface Shape {
  readonly kind: string;
  /** At least three characters; looked for in one pass with all others. */
  readonly begin: string;
  /** What is hidden does not begin where `begin` does. */
  readonly apart?: true;
  /** It can begin in the midst of a word. */
  readonly glued?: true;
  /** Looks at the place where `begin` stands; `last` when nothing follows the text. */
  look(text: string, at: number, last: boolean): Sight;
}

export const classOf = (allowed: string) => {
  const table = new Uint8Array(128);
  for (const char of allowed) table[char.charCodeAt(0)] = 1;
  return table;
};
export const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const LOWER = UPPER.toLowerCase();
export const DIGITS = "0123456789";
export const ALNUM = classOf(UPPER + LOWER + DIGITS);
export const WORD = classOf(UPPER + LOWER + DIGITS + "_-");
export const UNDER = classOf(UPPER + LOWER + DIGITS + "_");
export const DOTTED = classOf(UPPER + LOWER + DIGITS + "_-.");
export const DASHED = classOf(UPPER + LOWER + DIGITS + "-");
export const BASE64 = classOf(UPPER + LOWER + DIGITS + "+/=");
export const BEARER = classOf(UPPER + LOWER + DIGITS + "+/=_-.~");
export const CAPITALS = classOf(UPPER + DIGITS);
export const HEX = classOf(DIGITS + "abcdef");
export const AZURE = classOf(UPPER + LOWER + DIGITS + "_.~-");
export const PATH = classOf(UPPER + LOWER + DIGITS + "/");
export const PERCENT = classOf(UPPER + LOWER + DIGITS + "%");

/** Bits of a character, as often as each stands in the text. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits / text.length;
}

/** Sixteen letters that are drawn may well have few kinds. */
const isRandom = (body: string) => entropy(body) >= 2.6 && !/x{6}|example|your[_-]/i.test(body);
export const mixed = (body: string) => isRandom(body) && /\d/.test(body) && /[A-Za-z]/.test(body);
/** A name in words of a style sheet is none. */
export const hasLongPiece = (body: string) =>
  isRandom(body) && body.split(/[-_]/).some((piece) => piece.length >= 16 && mixed(piece));

const DASH = 45;
const isWordChar = (code: number) => code < 128 ? UNDER[code] === 1 : false;

/** What seems a word and is an escape: `\n`, `\u0022`, `%3D`, the end of a colour. */
const ESCAPED =
  /(?:\\[abefnrtv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\0[0-7]{0,2}|%[0-9a-fA-F]{2}|(?:\p{Cc}|\\(?:u001|x1)[bB]|\\033|\\e)\[[\d;]{0,12}m)$/u;

/** Whether a key can begin at a place: behind no word. */
export function canBegin(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  // `risk-` and its like are words of a name
  if (before === DASH) return at === 1 || !isWordChar(text.charCodeAt(at - 2));
  return !isWordChar(before) || ESCAPED.test(text.slice(Math.max(0, at - 20), at));
}

/** Of a key that was cut off, so much tells that it was one. */
const CUT_CHARS = 10;

/** A sentence ends in one. */
function withoutDots(text: string, end: number): number {
  let at = end;
  while (text[at - 1] === ".") at--;
  return at;
}

interface Body {
  readonly of: Uint8Array;
  readonly least: number;
  readonly most?: number;
  readonly is?: (body: string) => boolean;
  /** What stands before it is no part of it. */
  readonly behind?: true;
  /** A shape that others share is no key when it is cut short. */
  readonly common?: true;
}

export function endOfRun(text: string, from: number, of: Uint8Array, most: number): number {
  const bound = Math.min(text.length, from + most);
  let at = from;
  while (at < bound && of[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** No end of a word and beginning of a next one. */
const GLUED = /^\w{3,}[_-]$|^\w+[_-]\w+[_-]$/;

export function token(kind: string, begin: string, body: Body): Shape {
  const { of, least, most = 500, is = isRandom, common, behind } = body;
  const glued = GLUED.test(begin) && !common;
  return {
    kind,
    begin,
    ...behind ? { apart: true } : {},
    ...glued ? { glued } : {},
    look(text, at, last) {
      const begins = canBegin(text, at);
      if (!begins && !glued) return undefined;
      const from = at + begin.length;
      const run = endOfRun(text, from, of, most + 1);
      if (run === text.length && !last && run - from <= most) return "more";
      const end = withoutDots(text, run);
      if (end - from > most) return undefined;
      const body = text.slice(from, end);
      if (end - from < least) {
        const cut = begins && !common && (end === text.length || text[end] === "…");
        if (!cut || end - from < CUT_CHARS || !mixed(body)) return undefined;
      } else if (!is(body) || !begins && !hasLongPiece(body)) return undefined;
      return { start: behind ? from : at, end };
    },
  };
}

export const tokens = (kind: string, begins: readonly string[], body: Body) =>
  begins.map((begin) => token(kind, begin, body));

/** A value that only its name tells: `aws_secret_access_key = …`. */
export function named(kind: string, begins: readonly string[], body: Body): Shape[] {
  const { of, least, most = 4000, is = mixed } = body;
  return begins.map((begin) => ({
    kind,
    begin,
    apart: true,
    look(text, at, last) {
      const behind = at + begin.length;
      let from = behind;
      while (from < text.length && from < behind + 12 && " \t\"'=:>,\\".includes(text[from]!)) {
        from++;
      }
      if (from === behind && from < text.length) return undefined;
      const end = endOfRun(text, from, of, most + 1);
      if (end === text.length && !last && end - from <= most) return "more";
      if (end - from < least || end - from > most) return undefined;
      return is(text.slice(from, end)) ? { start: from, end } : undefined;
    },
  }));
}

/** So much of what comes before may tell what stands at a place. */
export const BEFORE_CHARS = 200;
/** Characters of a key's first part. */
const MOST_BEFORE = 52;

/** Told by what stands in its midst: a part comes before. */
export function midst(kind: string, begin: string, before: RegExp, body: Body): Shape {
  const { of, least, most = 500 } = body;
  return {
    kind,
    begin,
    apart: true,
    look(text, at, last) {
      const from = Math.max(0, at - MOST_BEFORE);
      const found = before.exec(text.slice(from, at));
      if (!found) return undefined;
      const behind = at + begin.length;
      const run = endOfRun(text, behind, of, most + 1);
      if (run === text.length && !last && run - behind <= most) return "more";
      const end = withoutDots(text, run);
      if (end - behind < least || end - behind > most) return undefined;
      const start = from + found.index;
      return canBegin(text, start) ? { start, end } : undefined;
    },
  };
}
