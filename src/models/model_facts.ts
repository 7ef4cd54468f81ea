/** What a model's name tells: its window, the images it takes, its prices. */
import type { Image, ToolMessage, UserMessage } from "../base/types.ts";
import type { Config } from "../config/load.ts";
import {
  bareModel,
  COMMON_IMAGES,
  familyOf,
  hostIs,
  isAt,
  ownHost,
  PROVIDERS,
  USUAL_IMAGES,
} from "../config/registry.ts";
import type { Price } from "../config/check.ts";

/** Whether `name` is one of `names`, or one of them without its date or tag (`…-20251001`, `:latest`). */
export function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((one) =>
    one === name ||
    one.startsWith(name) &&
      /^(?:[-@](?:\d{4}|\d{8}|\d{4}-\d\d-\d\d|latest)|:latest)$/.test(one.slice(name.length))
  );
}

/** Tokens that fit; undefined for a model it does not know. A vendor before the name (`x/y`) does not matter. */
export function windowOf(model: string): number | undefined {
  const name = bareModel(model);
  // whoever sells it, such a name says it
  if (name.includes("[1m]")) return 1_000_000;
  return familyOf(PROVIDERS.flatMap(({ windows = [] }) => windows), name);
}

/** For a model that is not known; most hold as much or more. */
export const USUAL_WINDOW = 128_000;

/** How providers name the limit when a conversation does not fit. */
const LIMITS: readonly RegExp[] = [
  /(?:maximum |max )?(?:context|prompt) (?:length|size|window)(?:(?! by )[^\d.;]){0,60}?(\d[\d,]+)/i,
  /tokens? > (\d[\d,]+)/i, // Anthropic
  /\d \+ \d+ > (\d[\d,]+)/, // Anthropic with max_tokens
  /input length should be \[\d+, ?(\d+)\]/i, // DashScope
  /token limit: ?(\d[\d,]+)/i, // Moonshot
  /maximum number of tokens allowed[^\d]{0,4}(\d[\d,]+)/i, // Gemini
  /\(context (\d[\d,]+)\)/i, // vLLM
];
const LEAST_LIMIT = 512;

/** The window that the words of an overflow error name, in tokens. */
export function limitIn(words: string): number | undefined {
  for (const pattern of LIMITS) {
    const tokens = Number(pattern.exec(words)?.[1]?.replaceAll(",", ""));
    if (tokens >= LEAST_LIMIT) return tokens;
  }
  return undefined;
}

/** Media types of the images that `model` takes at `baseUrl`, none for a text model; `images` overrules the name. */
export function imageTypes(
  model: string,
  { baseUrl, images }: Pick<Config, "baseUrl" | "images">,
): readonly string[] {
  if (images === false) return [];
  const name = bareModel(model);
  const stoodIn = name.includes("claude") &&
    PROVIDERS.some((one) => one.claudeStandIn && isAt(one, baseUrl));
  const families = [...PROVIDERS.flatMap((one) => one.images ?? []), ...COMMON_IMAGES];
  const types = stoodIn ? undefined : familyOf(families, name);
  return types ?? (images ? USUAL_IMAGES : []);
}

/** The images of a message that go on the wire; a failed result may have none there. */
export function imagesFor(
  message: ToolMessage | UserMessage,
  types: readonly string[],
): readonly Image[] {
  if (!message.images || message.role === "tool" && !message.ok) return [];
  return message.images.filter(({ mediaType }) => types.includes(mediaType));
}

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
