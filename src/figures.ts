/** Figures for people, in any room. */

/** A count for people: `812`, `12.3k`, `4.5M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_950) return `${(n / 1000).toFixed(1)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** A price for people: `$0.0123`, `$1.50`. */
export function cost(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}
