/** What tokens cost, as far as it is known for certain. */
import type { Price } from "../config/values.ts";
import { hostIs, ownHost, PROVIDERS } from "../config/registry.ts";

/** A price with what some providers charge for writing their cache; the default is the input price. */
export interface FullPrice extends Price {
  readonly cacheWrite?: number;
}

/** Tokens of one request; `input` includes `cached` and `cacheWrite`. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite?: number;
}

/**
 * The price of `model` at `baseUrl`, null when it is not known. The user's own `prices` win, at any
 * endpoint; the built-in ones hold only at the vendor's own host. A name matches with a date behind it.
 */
export function priceOf(
  model: string,
  prices: { readonly [model: string]: Price },
  baseUrl: string,
  now: Date,
): FullPrice | null {
  const own = longestMatch(model, Object.keys(prices));
  if (own !== undefined) return prices[own]!;
  const vendor = PROVIDERS.find((one) => one.prices && hostIs(baseUrl, ownHost(one)!));
  // Zhipu's coding plan is a flat fee on the same host
  if (!vendor?.prices || baseUrl.includes("/coding/")) return null;
  const name = longestMatch(model, Object.keys(vendor.prices));
  if (name === undefined) return null;
  const [input, output, cached] = vendor.prices[name]!;
  const part = vendor.peak && !vendor.peak(now) ? 0.5 : 1;
  return {
    input: input * part,
    output: output * part,
    cached: cached * part,
    cacheWrite: input * part * (vendor.cacheWrite ?? 1),
  };
}

/** US dollars for the tokens; null without a price. */
export function costOf(tokens: TokenCount, price: FullPrice | null): number | null {
  if (!price) return null;
  const written = tokens.cacheWrite ?? 0;
  const fresh = Math.max(0, tokens.input - tokens.cached - written);
  return (fresh * price.input + written * (price.cacheWrite ?? price.input) +
    tokens.cached * (price.cached ?? price.input) + tokens.output * price.output) / 1_000_000;
}

/** A longer name is another model, with another price, unless the rest is a date or "latest". */
function longestMatch(model: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) =>
      model === name ||
      model.startsWith(name) && /^[-@](?:\d{4}|\d{8}|\d{4}-\d\d-\d\d|latest)$/.test(
          model.slice(name.length),
        )
    )
    .sort((a, b) => b.length - a.length)[0];
}
