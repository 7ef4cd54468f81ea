import { alignment } from "./diff.ts";

/** Replaces typographic quotes, dashes and spaces by their plain forms, character for character. */
export function plainQuotes(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2002-\u200a\u202f\u3000]/g, " ");
}

const WORD = /[\p{L}\p{N}_]$/u;
const CLOSING = /[”’]/;

/**
 * Gives what the replacement leaves of `wanted` the characters of the place, which is `wanted` but
 * for the form of quotes, dashes and spaces. A new quote takes the form of the one it is paired with
 * when that was kept, else stays as it is given. Undefined when it cannot be told what a new quote is
 * paired with, and the place has typographic ones.
 */
export function graft(place: string, wanted: string, replacement: string): string | undefined {
  const [theirs, ours, given] = [place, wanted, replacement].map((text) =>
    text.replaceAll("\r\n", "\n")
  ) as [string, string, string];
  const from = tokensOf(ours);
  const to = tokensOf(given);
  let at = 0;
  const found = from.map((token) => theirs.slice(at, at += token.length));
  const aligned = alignment(from, to);
  const out = to.map((token, j) => aligned[j] === undefined ? token : found[aligned[j]]!);
  for (const kind of ['"', "'"]) {
    const open = (line: readonly number[]) => kind === '"' && CLOSING.test(found[line[0]!]!);
    const known = linesOf(from, kind).flatMap((line) => pairsOf(from, line, kind, open(line)));
    if (known.flat().every((i) => found[i] === kind)) continue;
    const ends = new Set(known.flatMap((pair) => pair.length === 1 ? pair : []));
    const closers = new Map(known.flatMap(([a, b]) => b === undefined ? [] : [[a!, b]]));
    const openers = new Map(Array.from(closers, ([a, b]) => [b, a]));
    for (const line of linesOf(to, kind)) {
      const first = aligned[line[0]!];
      const inside = first !== undefined && ends.has(first) && CLOSING.test(found[first]!);
      for (const [a, b] of pairsOf(to, line, kind, kind === '"' && inside) as [number, number?][]) {
        const opener = aligned[a];
        if (b === undefined) {
          if (kind === '"' && opener === undefined) return undefined;
          continue;
        }
        const closer = aligned[b];
        const closes = opener === undefined ? undefined : closers.get(opener);
        const opens = closer === undefined ? undefined : openers.get(closer);
        if (closes !== undefined) out[b] = found[closes]!;
        else if (opens !== undefined) out[a] = found[opens]!;
        else [out[a], out[b]] = [to[a]!, to[b]!];
      }
    }
  }
  return out.join("");
}

/**
 * Pairs the quotes of a line; one without a mate stands alone. The first is alone when the line
 * begins `inside` of a quotation, and so is an apostrophe behind a word.
 */
function pairsOf(
  tokens: readonly string[],
  line: readonly number[],
  kind: string,
  inside: boolean,
): number[][] {
  const pairs: number[][] = [];
  for (let at = 0; at < line.length;) {
    const alone = kind === "'" ? WORD.test(tokens[line[at]! - 1] ?? "") : inside && at === 0;
    const pair = line.slice(at, at + (alone ? 1 : 2));
    pairs.push(pair);
    at += pair.length;
  }
  return pairs;
}

function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^]/gu) ?? [];
}

/** Per line the tokens that are a quote of this kind, apostrophes within words left out. */
function linesOf(tokens: readonly string[], kind: string): number[][] {
  const lines: number[][] = [[]];
  tokens.forEach((token, i) => {
    if (token === "\n") lines.push([]);
    if (plainQuotes(token) !== kind) return;
    const within = WORD.test(tokens[i - 1] ?? "") && WORD.test(tokens[i + 1] ?? "");
    if (kind === '"' || !within) lines.at(-1)!.push(i);
  });
  return lines.filter((line) => line.length > 0);
}
