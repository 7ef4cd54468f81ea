/** What the model tests share. */
import { english } from "../../src/base/t.ts";
import { createModel, type Endpoint, type ModelHost, realHost } from "../../src/models/mod.ts";
import type { ModelClient, ModelEvent, ModelRequest } from "../../src/base/types.ts";
import { type FakeProvider, type Script, startFakeProvider } from "../support/fake_provider.ts";

export const protocols = ["openai", "anthropic"] as const;
export type Protocol = typeof protocols[number];

export const secret = "sk-test-0123456789";

export function configFor(baseUrl: string, more: Partial<Endpoint> = {}): Endpoint {
  return {
    apiKey: secret,
    baseUrl,
    api: "auto",
    t: english,
    stallMs: 5000,
    headerMs: 300_000,
    maxOutputTokens: undefined,
    prices: {},
    ...more,
  };
}

/** The real network with waits that are recorded instead of waited for. */
export function hostWith(waits: number[] = []): ModelHost {
  return {
    ...realHost(),
    random: () => 0.5,
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
}

/** The text of a request's body. */
export function worded(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    system: "You are narnat.",
    tools: [{
      name: "Read",
      description: "Reads a file.",
      input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    }],
    messages: [{ role: "user", text: "hello" }],
    ...more,
  };
}

export interface Outcome {
  readonly events: ModelEvent[];
  /** What the stream threw; undefined when it ended. */
  readonly error: unknown;
}

/** Reads a stream to its end, whatever the end. */
export async function outcome(
  client: ModelClient,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of client.stream(request, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** The `done` event of a stream that must end well. */
export async function answer(
  client: ModelClient,
  request?: ModelRequest,
): Promise<Extract<ModelEvent, { type: "done" }>> {
  const { events, error } = await outcome(client, request);
  if (error) throw error;
  const last = events.at(-1);
  if (last?.type !== "done") throw new Error("the stream ended without done");
  return last;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => event.type === "text" ? event.delta : "").join("");
}

/** Runs `use` against a fake provider, with a client for the protocol. */
export async function withProvider(
  protocol: Protocol,
  script: Script,
  use: (client: ModelClient, provider: FakeProvider) => Promise<void>,
  more: { config?: Partial<Endpoint>; host?: ModelHost } = {},
): Promise<void> {
  const provider = await startFakeProvider(script);
  try {
    const base = protocol === "openai" ? provider.url : provider.anthropicUrl;
    const client = await createModel(configFor(base, more.config), more.host ?? hostWith());
    await use(client, provider);
  } finally {
    await provider.close();
  }
}
