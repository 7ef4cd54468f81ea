/** The few ways in which providers of one protocol differ, decided by host and model name. */

import type { Config } from "../config/load.ts";

/** The Messages protocol wants a limit in every request, in tokens. */
export const MESSAGES_LIMIT = 32_000;

/** Which protocol is spoken at `baseUrl`. */
export function protocolOf(api: Config["api"], baseUrl: string): "openai" | "anthropic" {
  if (api !== "auto") return api;
  // Anthropic's own address has no path to tell it by
  const messages = hostIs(baseUrl, "api.anthropic.com") ||
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

/** Whether the host of `baseUrl` is `name` or below it. */
export function hostIs(baseUrl: string, name: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return host === name || host.endsWith("." + name);
}

/**
 * What a provider demands in place of thinking that is not there; undefined when it does not want
 * thinking back. DeepSeek answers 400 without it, be it empty; Moonshot takes an empty one for none.
 */
export function thinkingFallback(baseUrl: string, model: string): string | undefined {
  if (hostIs(baseUrl, "openai.com") || hostIs(baseUrl, "anthropic.com")) return undefined;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (hostIs(baseUrl, "deepseek.com") || name.startsWith("deepseek")) return "";
  if (hostIs(baseUrl, "moonshot.ai") || hostIs(baseUrl, "moonshot.cn")) return " ";
  if (hostIs(baseUrl, "kimi.com") || name.startsWith("kimi")) return " ";
  return undefined;
}

/** The tag in which a model wants its thinking back in the text, as it wrote it; undefined for most. */
export function thinkTag(baseUrl: string, model: string): string | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (/^minimax-m[3-9]/.test(name)) return "mm:think";
  const own = hostIs(baseUrl, "minimax.io") || hostIs(baseUrl, "minimaxi.com");
  return own || name.startsWith("minimax") ? "think" : undefined;
}

/** The name of the output limit in a chat completion request. */
export function outputLimitName(baseUrl: string): "max_tokens" | "max_completion_tokens" {
  const own = hostIs(baseUrl, "openai.com") || hostIs(baseUrl, "openai.azure.com");
  return own ? "max_completion_tokens" : "max_tokens";
}
