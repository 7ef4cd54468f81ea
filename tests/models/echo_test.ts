/** What only its provider understands goes back there as it came, and to nobody else. */
import assert from "node:assert/strict";
import { createModel } from "../../src/models/mod.ts";
import { chatBody } from "../../src/models/wire/openai.ts";
import type { AssistantMessage, Json, Message } from "../../src/base/types.ts";
import { rawServer } from "./raw_server.ts";
import { delta, sse } from "./served.ts";
import { answer, configFor, hostWith, requestOf, worded } from "./setup.ts";

const claude = { format: "anthropic-claude-v1", index: 0 };
const text = (text: string, more: object = {}) => ({ type: "reasoning.text", text, ...more });

/** What comes of the chunks' `reasoning_details`. */
async function answered(...lists: readonly unknown[]): Promise<AssistantMessage> {
  const body = sse(
    ...lists.map((reasoning_details) => delta({ reasoning_details })),
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "Read", arguments: "{}" } }] }),
    delta({}, "tool_calls"),
  );
  const server = rawServer(() => ({ pieces: [new TextEncoder().encode(body)] }));
  try {
    const model = await createModel(configFor(server.url), hostWith(), 0);
    const { message } = await answer(model);
    assert.equal(message.echo?.host, new URL(server.url).host);
    return message;
  } finally {
    await server.close();
  }
}

function sent(message: Message, baseUrl: string, model = "m"): { readonly [key: string]: Json } {
  const request = requestOf({ model, messages: [{ role: "user", text: "go" }, message] });
  return JSON.parse(worded(chatBody(configFor(baseUrl))(request))).messages[2];
}

const back = (message: AssistantMessage, more: object = {}) =>
  sent(
    { ...message, echo: { ...message.echo!, host: "openrouter.ai", model: "m", ...more } },
    "https://openrouter.ai/api/v1",
  );

Deno.test("pieces of reasoning_details go back as one part, with its signature", async () => {
  const message = await answered(
    [text("wh", claude)],
    [text("y", { ...claude, signature: null })],
    [text("", { ...claude, signature: "sig" })],
  );
  assert.deepEqual(message.thinking, [{ text: "why" }]);
  assert.deepEqual(back(message).reasoning_details, [
    { type: "reasoning.text", text: "why", ...claude, signature: "sig" },
  ]);
});

Deno.test("parts of another kind, index or id stay apart, in their order", async () => {
  const parts = [
    { type: "reasoning.summary", summary: "first", index: 0, id: "rs_1" },
    { type: "reasoning.encrypted", data: "AAAA", index: 0, id: "rs_1" },
    { type: "reasoning.summary", summary: "second", index: 1, id: "rs_2" },
    { type: "reasoning.encrypted", data: "BBBB", index: 1, id: "rs_2" },
    { type: "reasoning.other", whatever: [1] },
  ];
  assert.deepEqual(back(await answered(...parts.map((part) => [part]))).reasoning_details, parts);
  assert.deepEqual(back(await answered(parts)).reasoning_details, parts);
});

Deno.test("an empty list goes back empty; where none came, none goes", async () => {
  assert.deepEqual(back(await answered([])).reasoning_details, []);
  const without: AssistantMessage = { role: "assistant", text: "hi", calls: [], thinking: [] };
  assert.ok(!("reasoning_details" in sent(without, "https://openrouter.ai/api/v1")));
});

Deno.test("text that lacks its signature stays here where the provider signs", async () => {
  const encrypted = { type: "reasoning.encrypted", data: "AAAA", format: "google-gemini-v1" };
  const message = await answered([text("why", { format: "google-gemini-v1" }), encrypted]);
  assert.deepEqual(back(message).reasoning_details, [encrypted]);
  const unsigned = [text("why", { format: "MiniMax-response-v1" })];
  assert.deepEqual(back(await answered(unsigned)).reasoning_details, unsigned);
});

Deno.test("another provider gets no foreign field, another model of the same one no details", async () => {
  const extra = { extra_content: { google: { thought_signature: "g" } } };
  const message = await answered([text("why", { ...claude, signature: "sig" })]);
  const call = { ...message.calls[0]!, extra };
  const echo = { ...message.echo!, host: "openrouter.ai", model: "m" };
  const given = { ...message, calls: [call], echo };
  const other = sent(given, "https://api.mistral.ai/v1");
  assert.ok(!JSON.stringify(other).match(/reasoning_details|extra_content/));
  const model = sent(given, "https://openrouter.ai/api/v1", "n");
  assert.ok(!("reasoning_details" in model));
  assert.match(JSON.stringify(model), /thought_signature/);
  // a session of before says nothing of where its answers came from
  const { echo: _, ...old } = given;
  assert.match(JSON.stringify(sent(old, "https://api.mistral.ai/v1")), /thought_signature/);
});

Deno.test("thinking goes back once: not in the text where it goes back in parts", async () => {
  const message = await answered([text("why")]);
  const echo = { host: "api.minimax.io", model: "MiniMax-M2", details: message.echo!.details! };
  const wire = sent(
    { ...message, text: "I look.", echo },
    "https://api.minimax.io/v1",
    "MiniMax-M2",
  );
  assert.equal(wire.content, "I look.");
  assert.deepEqual(wire.reasoning_details, [text("why")]);
});
