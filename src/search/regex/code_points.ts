/** Code points as sorted, disjoint, never touching ranges, both ends inside: low, high, low, high, … */
export type CodePoints = readonly number[];

/** The last code point there is. */
export const LAST = 0x10ffff;

/** Every code point. */
export const ANY: CodePoints = [0, LAST];

/** Makes a set of ranges in any order, overlapping or not. */
export function codePoints(ranges: readonly number[]): CodePoints {
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < ranges.length; at += 2) pairs.push([ranges[at]!, ranges[at + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of pairs) {
    const last = out.length - 1;
    if (last > 0 && low <= out[last]! + 1) out[last] = Math.max(out[last]!, high);
    else out.push(low, high);
  }
  return out;
}

/** The set of the characters of a text. */
export function charactersOf(text: string): CodePoints {
  return codePoints([...text].flatMap((each) => [each.codePointAt(0)!, each.codePointAt(0)!]));
}

/** What is in any of the sets. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  return sets.length === 1 ? sets[0]! : codePoints(sets.flat());
}

/** What is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const out: number[] = [];
  let from = 0;
  for (let at = 0; at < set.length; at += 2) {
    if (set[at]! > from) out.push(from, set[at]! - 1);
    from = set[at + 1]! + 1;
  }
  if (from <= LAST) out.push(from, LAST);
  return out;
}

/** What is in both sets. */
export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  const out: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const low = Math.max(a[i]!, b[j]!);
    const high = Math.min(a[i + 1]!, b[j + 1]!);
    if (low <= high) out.push(low, high);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return out;
}

/** What is in the first set and not in the second. */
export function difference(a: CodePoints, b: CodePoints): CodePoints {
  return intersection(a, complement(b));
}

/** True when the code point is in the set. */
export function contains(set: CodePoints, codePoint: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < set[2 * middle]!) high = middle - 1;
    else if (codePoint > set[2 * middle + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

/** How many code points the set holds. */
export function sizeOf(set: CodePoints): number {
  let size = 0;
  for (let at = 0; at < set.length; at += 2) size += set[at + 1]! - set[at]! + 1;
  return size;
}
