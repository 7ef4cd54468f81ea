/** Names near to a mistyped one. */

/** Returns how many slips (a character added, lost, changed or two swapped) lie between `a` and `b`, or `limit + 1` when more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        row[j]! + 1,
        next[j - 1]! + 1,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, above[j - 2]! + 1);
      }
      next.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    above = row;
    row = next;
  }
  return Math.min(row[b.length]!, limit + 1);
}

/** Sorts `names` by likeness to `wanted` and keeps those that a slip of the pen could explain. */
export function nearest(wanted: string, names: Iterable<string>, count = 3): string[] {
  const target = wanted.toLowerCase();
  const limit = Math.max(1, Math.floor(target.length / 3));
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const lower = name.toLowerCase();
    let score = editDistance(target, lower, limit);
    const part = lower.includes(target) || target.includes(lower);
    // a part of it is less near than a slip
    if (score > limit && part && Math.min(lower.length, target.length) >= 3) score = limit + 0.5;
    if (score > limit + 0.5) continue;
    const begins = lower.startsWith(target) || target.startsWith(lower);
    scored.push({ name, score: begins ? score - 0.25 : score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map((each) => each.name);
}
