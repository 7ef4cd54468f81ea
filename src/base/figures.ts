/** Figures for people, and the tokens and dollars of requests: sums, and words for them. */
import type { T } from "./t.ts";
import type { Usage } from "./types.ts";

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

/** `812 B`, `3.4 KB`, `1.2 GB`. */
export function size(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let n = bytes;
  let unit = 0;
  for (; n >= 999.95 && unit < units.length - 1; unit++) n /= 1000;
  return `${unit === 0 ? n : n.toFixed(1)} ${units[unit]}`;
}

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

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cost: 0 };

/** Adds two usages; an unknown cost makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

/** What came to a usage since it was `before`. */
export function lessUsage(now: Usage, before: Usage): Usage {
  return {
    input: now.input - before.input,
    output: now.output - before.output,
    cached: now.cached - before.cached,
    cost: now.cost === null || before.cost === null ? null : now.cost - before.cost,
  };
}

/**
 * `12.3k tokens + 90k cached, $0.0031`; without dollars where the price is not known. What the
 * provider had in its cache is as good as free and counts apart.
 */
export function spent(usage: Usage, t: T): string {
  const { input, output, cached } = usage;
  const uncached = count(input - cached + output);
  const tokens = cached > 0
    ? t("{tokens} tokens + {cached} cached", { tokens: uncached, cached: count(cached) })
    : t("{tokens} tokens", { tokens: uncached });
  return usage.cost === null || usage.cost === 0
    ? tokens
    : t("{tokens}, {cost}", { tokens, cost: cost(usage.cost) });
}
