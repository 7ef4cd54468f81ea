/** Many strings that a text may go on with, compared at once: however many share a beginning. */

/** What of the strings stands at a place of a text. */
export interface Sighted {
  /** The longest that stands there whole. */
  readonly whole: string | undefined;
  /** Some that go on beyond `end`, and agree with the text up to there. */
  readonly open: readonly string[];
  /** Up to here the text agrees with `open`. */
  readonly end: number;
}

/** Of many that were cut at the same place any will do. */
const MOST_OPEN = 8;

/** Makes the function that compares a text, from a place on, with strings none of which is empty. */
export function prefixesOf(strings: readonly string[]): (text: string, at: number) => Sighted {
  const sorted = [...new Set(strings)].sort();
  /** The first of [from, to) whose character there is `code` or beyond. */
  const firstWith = (code: number, depth: number, from: number, to: number) => {
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sorted[middle]!.charCodeAt(depth) < code) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return (text, at) => {
    let [low, high] = [0, sorted.length];
    let whole: string | undefined;
    let depth = 0;
    for (;; depth++) {
      // the shortest of those that agree comes first
      if (sorted[low]!.length === depth) {
        whole = sorted[low++];
        if (low === high) break;
      }
      if (at + depth >= text.length) break;
      const code = text.charCodeAt(at + depth);
      const next = firstWith(code, depth, low, high);
      const end = firstWith(code + 1, depth, next, high);
      if (next === end) break;
      [low, high] = [next, end];
    }
    return { whole, open: sorted.slice(low, Math.min(high, low + MOST_OPEN)), end: at + depth };
  };
}
