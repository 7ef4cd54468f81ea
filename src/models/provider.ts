/** What both protocols share. */
import type { Config } from "../config/load.ts";
import type { ModelRequest } from "../base/types.ts";
import { costOf, priceOf, type TokenCount } from "./price.ts";
import type { Watchdog } from "../base/watchdog.ts";
import type { Endpoint } from "./errors.ts";

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
