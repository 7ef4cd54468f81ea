/** What both protocols share. */
import type { Config } from "../config.ts";
import type { ModelRequest } from "../types.ts";
import { costOf, priceOf, type TokenCount } from "./price.ts";
import type { Line } from "./send.ts";

/** One configured provider. */
export interface Provider {
  readonly config: Pick<Config, "apiKey" | "baseUrl" | "images" | "maxOutputTokens" | "prices">;
  readonly line: Line;
  /** From 0 to below 1. */
  random(): number;
}

/** The ids of all calls of the conversation. */
export function* takenIds(request: ModelRequest): Generator<string> {
  for (const one of request.messages) {
    if (one.role === "assistant") { for (const call of one.calls) yield call.id; }
  }
}

/** What tokens of `model` cost at the moment of asking. */
export function costAt(
  { config, line }: Provider,
  model: string,
): (tokens: TokenCount) => number | null {
  const price = priceOf(model, config.prices, config.baseUrl, new Date(line.now()));
  return (tokens) => costOf(tokens, price);
}
