/** The model room: a client for the configured provider. */
import type { Config } from "../config/load.ts";
import type { ModelClient } from "../base/types.ts";
import { Watchdog } from "../base/watchdog.ts";
import { hostOf, protocolOf, type Provider } from "./provider.ts";
import { type RetryHost, sleep, withRetry } from "./retry.ts";

export { describeModelError, reportModelError } from "./errors.ts";
export { costOf, priceOf } from "./model_facts.ts";
export { protocolOf } from "./provider.ts";

const usualRetries = 5;

/** What the room needs from outside; tests hand in their own. */
export interface ModelHost extends RetryHost {
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch; the real clock when absent. */
  now?(): number;
}

/** The settings that a client needs. */
export type Endpoint = Provider["config"] & Pick<Config, "api" | "t" | "stallMs" | "headerMs">;

/** The real network, clock and chance. */
export function realHost(): ModelHost {
  return { fetch: (...args) => fetch(...args), random: Math.random, sleep, now: Date.now };
}

/** The client for `config.baseUrl`: the Messages protocol when `api` says so or the path ends in /anthropic; retried `maxRetries` times. */
export async function createModel(
  config: Endpoint,
  host: ModelHost,
  maxRetries: number = usualRetries,
): Promise<ModelClient> {
  const baseUrl = trimEndpoint(config.baseUrl);
  const provider: Provider = {
    config: { ...config, baseUrl },
    line: {
      endpoint: { host: hostOf(baseUrl), apiKey: config.apiKey },
      fetch: host.fetch,
      headerMs: config.headerMs,
      stallMs: config.stallMs,
      watchdog: new Watchdog(),
      now: () => host.now?.() ?? Date.now(),
    },
    random: () => host.random(),
  };
  const client = protocolOf(config.api, baseUrl) === "anthropic"
    ? (await import("./wire/anthropic.ts")).anthropicModel(provider)
    : (await import("./wire/openai.ts")).openaiModel(provider);
  return withRetry(client, host, { maxRetries, t: config.t });
}

/** People paste the whole endpoint. */
export function trimEndpoint(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/(chat\/completions|messages)$/, "");
}
