/** Tokens and dollars of requests: sums, and words for people. */
import { cost as price, count } from "./figures.ts";
import type { T } from "./t.ts";
import type { Usage } from "./types.ts";

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
export function spent({ input, output, cached, cost }: Usage, t: T): string {
  const uncached = count(input - cached + output);
  const tokens = cached > 0
    ? t("{tokens} tokens + {cached} cached", { tokens: uncached, cached: count(cached) })
    : t("{tokens} tokens", { tokens: uncached });
  return cost === null || cost === 0
    ? tokens
    : t("{tokens}, {cost}", { tokens, cost: price(cost) });
}
