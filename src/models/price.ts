/** What tokens cost, as far as it is known for certain. */
import type { Price } from "../config/load.ts";
import { hostIs } from "./providers.ts";

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

interface Vendor {
  /** The vendor's own host: elsewhere the same model has another price. */
  readonly host: string;
  /** Input, output, cached input: US dollars per million tokens. */
  readonly prices: { readonly [model: string]: readonly [number, number, number] };
  /** Cache writes as a multiple of the input price. */
  readonly cacheWrite?: number;
  /** The listed price holds at this time; otherwise half of it. */
  readonly peak?: (now: Date) => boolean;
}

// From the vendors' price pages, November 2026. Left out: prices that step with the prompt's length.
const vendors: readonly Vendor[] = [
  {
    host: "api.deepseek.com",
    prices: {
      "deepseek-v4-pro": [1.32, 3.96, 0.044],
      "deepseek-flash": [0.3, 1.2, 0.006],
      "deepseek-v4-flash": [0.3, 1.2, 0.006],
    },
    peak: deepseekPeak,
  },
  {
    host: "api.anthropic.com",
    prices: {
      "claude-fable-5-1": [10, 50, 0.25],
      "claude-fable-5": [10, 50, 1],
      "claude-opus-5-5": [4, 20, 0.2],
      "claude-opus-5": [5, 25, 0.5],
      "claude-opus-4-8": [5, 25, 0.5],
      "claude-opus-4-7": [5, 25, 0.5],
      "claude-opus-4-6": [5, 25, 0.5],
      "claude-opus-4-5": [5, 25, 0.5],
      "claude-sonnet-5-5": [2, 10, 0.1],
      "claude-sonnet-5": [2, 10, 0.2],
      "claude-sonnet-4-6": [3, 15, 0.3],
      "claude-haiku-4-5": [1, 5, 0.1],
    },
    cacheWrite: 1.25,
  },
  {
    host: "api.openai.com",
    prices: {
      "gpt-5.2": [1.75, 14, 0.175],
      "gpt-5.1": [1.25, 10, 0.125],
      "gpt-5": [1.25, 10, 0.125],
      "gpt-5-mini": [0.25, 2, 0.025],
      "gpt-4.1": [2, 8, 0.5],
      "gpt-4.1-mini": [0.4, 1.6, 0.1],
      "gpt-4o": [2.5, 10, 1.25],
      "gpt-4o-2024-05-13": [5, 15, 2.5],
      "gpt-4o-mini": [0.15, 0.6, 0.075],
    },
  },
  {
    host: "api.moonshot.ai",
    prices: { "kimi-k3": [3, 15, 0.3], "kimi-k2.7-code": [0.95, 4, 0.19] },
  },
  {
    host: "api.z.ai",
    prices: {
      "glm-5.3": [1.4, 4.4, 0.26],
      "glm-5.2": [1.4, 4.4, 0.26],
      "glm-4.7": [0.6, 2.2, 0.11],
      "glm-4.6": [0.6, 2.2, 0.11],
    },
  },
];

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
  const vendor = vendors.find((one) => hostIs(baseUrl, one.host));
  // Zhipu's coding plan is a flat fee on the same host
  if (!vendor || baseUrl.includes("/coding/")) return null;
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

/** Monday to Friday 01–04 and 06–10 UTC; on Chinese holidays, which are off-peak, it says too much. */
function deepseekPeak(now: Date): boolean {
  const day = now.getUTCDay();
  const hour = now.getUTCHours();
  return day >= 1 && day <= 5 && (hour >= 1 && hour < 4 || hour >= 6 && hour < 10);
}
