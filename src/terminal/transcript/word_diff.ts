/** What changed within a line, word by word. */

/** A stretch of a line. */
export interface Span {
  readonly text: string;
  readonly changed: boolean;
}

/** Cells of the comparison's table above which only what is common at both ends counts as kept. */
const MOST_CELLS = 40_000;
/** Of lines that share less than this part nothing is said. */
const LEAST_KEPT = 0.3;
const WORD = /[\p{L}\p{N}_]+|\s+|[^]/gu;

/** The two lines in spans, kept words and changed ones; undefined when they have little in common. */
export function wordDiff(before: string, after: string): [Span[], Span[]] | undefined {
  const old = before.match(WORD) ?? [];
  const now = after.match(WORD) ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const kept = a.length * b.length > MOST_CELLS ? [] : longestCommon(a, b);
  const keptOf = (side: 0 | 1) => new Set(kept.map((pair) => pair[side] + head));
  const sides = [spans(old, keptOf(0), head, tail), spans(now, keptOf(1), head, tail)] as const;
  const letters = (all: readonly Span[]) =>
    all.reduce((sum, { text, changed }) => changed ? sum : sum + text.trim().length, 0);
  const whole = Math.max(before.trim().length, after.trim().length);
  return Math.max(letters(sides[0]), letters(sides[1])) < whole * LEAST_KEPT
    ? undefined
    : [...sides];
}

function spans(
  words: readonly string[],
  kept: ReadonlySet<number>,
  head: number,
  tail: number,
): Span[] {
  const out: { text: string; changed: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const changed = at >= head && at < words.length - tail && !kept.has(at);
    const last = out.at(-1);
    if (last?.changed === changed) last.text += text;
    else out.push({ text, changed });
  }
  return out;
}

/** Pairs of places at which the two lists have the same word, as many as there can be in order. */
function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j]
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
