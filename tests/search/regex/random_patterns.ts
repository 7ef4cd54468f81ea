/** Random regular expressions and lines, the same for the same seed. */

export type Random = () => number;

/** Numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What patterns are put together from. */
export interface Vocabulary {
  readonly atoms: readonly string[];
  readonly sets: readonly string[];
  readonly assertions: readonly string[];
  /** Openings of groups. */
  readonly groups: readonly string[];
}

const words = (text: string) => text.split(" ");

/** Read alike by V8 (flag `u`) on lines of ASCII. */
export const ASCII: Vocabulary = {
  atoms: [" ", ...words("a b c A B k K s x _ 0 7 - . \\. \\t ab foo \\x61 \\u0062 \\cI")],
  sets: words("\\w \\W \\d \\D \\s \\S [abc] [^abc] [a-z] [\\w-] [^\\s] [\\d_a] . [.*] [\\]\\\\]"),
  assertions: words("^ $ \\b \\B"),
  groups: words("(?: ( (?:"),
};

/** Read alike by V8 (flag `u`) on any line. */
export const WIDE: Vocabulary = {
  atoms: words("a k é É 中 文 ſ \u212a 😀 я Я İ ß ς Σ \\u{1f600} \\u4e2d"),
  sets: words("[é-я] [^k] [s-z] [中-龥] \\p{L} \\p{Script=Greek} \\p{White_Space} [😀-😂] ."),
  assertions: words("^ $"),
  groups: words("(?: ( (?:"),
};

/** Read alike by ripgrep. */
export const RIPGREP: Vocabulary = {
  atoms: [
    ...[...ASCII.atoms, ...WIDE.atoms].filter((each) => !/^\\[uc]/.test(each)),
    ...words("\\x{e9} Foo S B"),
  ],
  sets: [
    ...ASCII.sets,
    ...words(
      "[é-я] [^k] [s-z] [中-龥] [A-Z] \\p{L} \\p{Lu} \\P{L} \\p{Greek} \\p{Han} [[:alpha:]]",
    ),
    ...words("[[:^digit:]] [a-c&&[b-d]] [a-z--[k]] [a-f~~[d-k]] [^[^k]]"),
  ],
  assertions: ASCII.assertions,
  groups: words("(?: ( (?i: (?-i: (?s:"),
};

const REPEATS = ["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??"];
const PIECES = [
  ...words(
    "a b c A B k K s S x _ 0 7 - . é É 中 文 ſ \u212a 😀 я Я * foo Foo FOO ab aab İ ß ẞ ς Σ σ",
  ),
  ...["  ", " ", "\t", "\u0301", "\u200d", "\u00a0", "\u0663", "!"],
];

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** A pattern with groups at most `depth` deep. */
export function randomPattern(random: Random, vocabulary: Vocabulary, depth = 3): string {
  const branch = () => {
    let text = "";
    for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
      const kind = random();
      if (kind > 0.88) {
        text += pick(random, vocabulary.assertions);
        continue;
      }
      let atom = kind < 0.5
        ? pick(random, vocabulary.atoms)
        : kind < 0.74 || depth === 0
        ? pick(random, vocabulary.sets)
        : pick(random, vocabulary.groups) + randomPattern(random, vocabulary, depth - 1) + ")";
      if ([...atom].length > 1 && !/^[\\[(]/.test(atom)) atom = `(?:${atom})`;
      text += atom + (random() < 0.33 ? pick(random, REPEATS) : "");
    }
    return text;
  };
  return random() < 0.2 ? `${branch()}|${branch()}` : branch();
}

/** A line, without "\n" and "\r". */
export function randomLine(random: Random, ascii = false): string {
  let line = "";
  for (let left = Math.floor(random() * 9); left > 0; left--) {
    const piece = pick(random, PIECES);
    line += ascii && piece > "\x7f" ? "a" : piece;
  }
  return line;
}
