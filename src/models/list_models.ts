/** The models a provider offers. */
import type { Config } from "../config/load.ts";
import { anthropicHeaders } from "./wire/anthropic.ts";
import { fault } from "./errors.ts";
import { list, object, parse, string } from "./wire/loose.ts";
import { type ModelHost, protocolOf, trimEndpoint } from "./mod.ts";
import { hostOf, type Line } from "./provider.ts";
import { openaiHeaders } from "./wire/openai.ts";
import { Body, send } from "./wire/send.ts";
import { Watchdog } from "../base/watchdog.ts";

const PATIENCE_MS = 10_000;
const BODY_LIMIT = 8_000_000;
/** What no coding agent can talk to, by the words the vendors put into their names. */
const NO_CHAT =
  /embed|rerank|moderation|whisper|transcribe|(?:^|[-_/])(?:tts|asr|ocr|image|audio|realtime|sora|dall-e|speech|wan\d)|guard/i;

type Asking = Pick<Config, "apiKey" | "baseUrl" | "api">;

/**
 * Names of the models at `config.baseUrl` (`GET …/models`), sorted, those left out that plainly do
 * something else than chat. Throws ModelError when the provider does not tell within ten seconds.
 */
export async function listModels(
  config: Asking,
  host: ModelHost,
  signal: AbortSignal,
): Promise<string[]> {
  const baseUrl = trimEndpoint(config.baseUrl);
  const line: Line = {
    endpoint: { host: hostOf(baseUrl), apiKey: config.apiKey },
    fetch: host.fetch,
    headerMs: PATIENCE_MS,
    stallMs: PATIENCE_MS,
    watchdog: new Watchdog(),
    now: () => host.now?.() ?? Date.now(),
  };
  const messages = protocolOf(config.api, baseUrl) === "anthropic";
  const url = messages
    ? `${/\/v\d+$/.test(baseUrl) ? baseUrl : baseUrl + "/v1"}/models?limit=1000`
    : `${baseUrl}/models`;
  const own = { apiKey: config.apiKey, baseUrl };
  const headers = messages ? anthropicHeaders(own) : openaiHeaders(own);
  headers.set("accept", "application/json");
  const response = await send(line, url, headers, undefined, signal);
  const names = namesIn(await new Body(line, response, signal).text(BODY_LIMIT));
  if (names === undefined) {
    throw fault("protocol", line.endpoint, "{url} gave no list of models", { url });
  }
  return names.filter((name) => !NO_CHAT.test(name)).sort();
}

/** `{"data": [{"id": …}]}`, with `models`, a bare list, `name` and Gemini's `models/` in their places. */
function namesIn(text: string): string[] | undefined {
  const value = parse(text);
  const { data, models } = object(value);
  const all = [value, data, models].find(Array.isArray);
  if (all === undefined) return undefined;
  const names = list(all).map((one) => string(object(one).id) || string(object(one).name));
  return [...new Set(names.filter((name) => name !== "").map((n) => n.replace(/^models\//, "")))];
}
