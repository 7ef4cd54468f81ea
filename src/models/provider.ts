/** What both protocols share, and the few ways in which providers of one protocol differ. */
import type { ModelRequest } from "../base/types.ts";
import type { Watchdog } from "../base/watchdog.ts";
import type { Config } from "../config/load.ts";
import { bareModel, hostIs, isAt, ownHost, providerAt, PROVIDERS } from "../config/registry.ts";
import type { Endpoint } from "./errors.ts";
import { costOf, priceOf, type TokenCount } from "./model_facts.ts";

/** What a request needs from outside. */
export interface Line {
  readonly endpoint: Endpoint;
  readonly fetch: typeof fetch;
  /** Milliseconds a provider may take to begin its answer. */
  readonly headerMs: number;
  /** Milliseconds without a byte before the answer counts as stalled. */
  readonly stallMs: number;
  readonly watchdog: Watchdog;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One configured provider. */
export interface Provider {
  readonly config: Pick<
    Config,
    "apiKey" | "baseUrl" | "images" | "maxOutputTokens" | "prices" | "promptCache"
  >;
  readonly line: Line;
  /** From 0 to below 1. */
  random(): number;
}

/** Tells whether a call of the conversation has an id. */
export function takenIn({ messages }: ModelRequest): (id: string) => boolean {
  return (id) => {
    // a long session has thousands, and each call of an answer asks
    for (let at = messages.length - 1; at >= 0; at--) {
      const one = messages[at]!;
      if (one.role !== "assistant") continue;
      for (const call of one.calls) if (call.id === id) return true;
    }
    return false;
  };
}

/** What tokens of `model` cost at the moment of asking. */
export function costAt(
  { config, line }: Provider,
  model: string,
): (tokens: TokenCount) => number | null {
  const price = priceOf(model, config.prices, config.baseUrl, new Date(line.now()));
  return (tokens) => costOf(tokens, price);
}

/** The Messages protocol wants a limit in every request, in tokens. */
export const MESSAGES_LIMIT = 32_000;

/** Which protocol is spoken at `baseUrl`. */
export function protocolOf(api: Config["api"], baseUrl: string): "openai" | "anthropic" {
  if (api !== "auto") return api;
  // Anthropic's own address has no path to tell it by
  const messages = PROVIDERS.some((one) => one.messages && hostIs(baseUrl, ownHost(one)!)) ||
    /\/anthropic(\/v\d+)?\/?$/.test(baseUrl);
  return messages ? "anthropic" : "openai";
}

/** Largest answer that is asked for, in tokens; undefined where it is the provider's to say. */
export function answerLimit(
  { api, baseUrl, maxOutputTokens }: Pick<Config, "api" | "baseUrl" | "maxOutputTokens">,
): number | undefined {
  const messages = protocolOf(api, baseUrl) === "anthropic";
  return maxOutputTokens ?? (messages ? MESSAGES_LIMIT : undefined);
}

/** The host of `url` with its port. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/**
 * What a provider demands in place of thinking that is not there; undefined when it does not want
 * thinking back. DeepSeek answers 400 without it, be it empty; Moonshot takes an empty one for none.
 */
export function thinkingFallback(baseUrl: string, model: string): string | undefined {
  if (providerAt(baseUrl)?.thinking === null) return undefined;
  const name = bareModel(model);
  return PROVIDERS.find((one) =>
    one.thinking && (isAt(one, baseUrl) || one.thinking.names.test(name))
  )
    ?.thinking?.empty;
}

/** The tag in which a model wants its thinking back in the text, as it wrote it; undefined for most. */
export function thinkTag(baseUrl: string, model: string): string | undefined {
  const name = bareModel(model);
  for (const one of PROVIDERS) {
    const tag = one.thinkTag?.(name, isAt(one, baseUrl));
    if (tag !== undefined) return tag;
  }
  return undefined;
}

/** The name of the output limit in a chat completion request. */
export function outputLimitName(baseUrl: string): "max_tokens" | "max_completion_tokens" {
  return providerAt(baseUrl)?.completionTokens ? "max_completion_tokens" : "max_tokens";
}
