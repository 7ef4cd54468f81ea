/** Figures for people. */
import type { Usage } from "../types.ts";

/** A duration for people: `0.4 s`, `2.1 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return wholeSeconds(Math.round(ms / 1000));
}

/** A duration in seconds for people: `12 s`, `3 min 05 s`. */
export function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

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

/** Adds up the usage events of a turn; a cost once unknown stays so. */
export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (sum === undefined) {
    return { input: more.input, output: more.output, cached: more.cached, cost: more.cost };
  }
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cached: sum.cached + more.cached,
    cost: sum.cost === null || more.cost === null ? null : sum.cost + more.cost,
  };
}
