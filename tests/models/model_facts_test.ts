import assert from "node:assert/strict";
import { join } from "node:path";
import type { Message, ToolMessage } from "../../src/base/types.ts";
import { costOf, imageTypes, limitIn, priceOf, windowOf } from "../../src/models/model_facts.ts";
import { messagesBody } from "../../src/models/wire/anthropic.ts";
import { chatBody } from "../../src/models/wire/openai.ts";
import { pairingErrorsOf } from "../support/fake_wire.ts";
import { IMAGES } from "../fixtures/images.ts";
import { unmarked } from "../support/prefixes.ts";
import { answer, configFor, hostWith, requestOf, withProvider, worded } from "./setup.ts";

Deno.test("a model's window goes by its name, whoever serves it", () => {
  const known = {
    "claude-opus-5-5": 1_000_000,
    "claude-sonnet-4-6-20260201": 1_000_000,
    "claude-opus-4-5": 200_000,
    "claude-haiku-4-5": 200_000,
    "claude-sonnet-4-5[1m]": 1_000_000,
    "deepseek-v4-pro": 1_000_000,
    "deepseek-chat": 128_000,
    "anthropic/claude-sonnet-5": 1_000_000,
    "openai/GPT-5.2": 400_000,
    "gpt-5-mini": 400_000,
    "gpt-4o-2024-05-13": 128_000,
    "gpt-4.1-mini": 1_000_000,
    "glm-5.2": 1_000_000,
    "glm-4.7": 200_000,
  };
  for (const [model, tokens] of Object.entries(known)) assert.equal(windowOf(model), tokens, model);
});

Deno.test("of a model it does not know nothing is claimed", () => {
  for (const model of ["demo", "gpt-50", "my-claude-finetune", "", "gpt-5.9"]) {
    assert.equal(windowOf(model), undefined, model);
  }
});

Deno.test("a provider that refuses a conversation for its length names the window, each in its way", () => {
  const words: readonly (readonly [number | undefined, string])[] = [
    [
      8192,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
    ],
    [
      65_536,
      "This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (69648 in the messages, 0 in the completion).",
    ],
    [200_000, "prompt is too long: 213462 tokens > 200000 maximum"],
    [
      200_000,
      "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease",
    ],
    [
      204_800,
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]",
    ],
    [8192, "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)"],
    [
      1024,
      "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens",
    ],
    [4096, "The prompt (total length 25938) is too long to fit into the model (context 4096)."],
    [
      1_048_576,
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
    ],
    [
      131_072,
      "This model's maximum prompt length is 131,072 but the request contains 140000 tokens.",
    ],
    [8192, "the request exceeds the available context size (8192 tokens), try increasing it"],
    [8192, "request (12345 tokens) exceeds the available context size (8192 tokens)"],
    [undefined, "the request exceeds the available context size, try increasing it"],
    [undefined, "Your input exceeds the context window of this model."],
    [undefined, "prompt too long; exceeded max context length by 12 tokens"],
    [undefined, "Prompt exceeds max length"],
    [undefined, "The input (49146 tokens) is longer than the model's context length"],
    [
      undefined,
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000. The input or output tokens must be reduced",
    ],
    [undefined, "Request exceeds the maximum size"],
    [undefined, "The input exceeds the context window by 1,024 tokens"],
  ];
  for (const [limit, text] of words) assert.equal(limitIn(text), limit, text);
});

const SNAPSHOTS = { path: join(import.meta.dirname!, "__snapshots__/images_test.ts.snap") };

const at = (baseUrl = "https://proxy.example/v1", images?: boolean) => ({ baseUrl, images });

Deno.test("models that take images are told by their name, wherever it stands", () => {
  const models = [
    "claude-opus-5-5",
    "claude-3-5-haiku-20241022",
    "anthropic/claude-sonnet-4.5:beta",
    "us.anthropic.claude-opus-4-1-20250805-v1:0",
    "gpt-4o-mini",
    "chatgpt-4o-latest",
    "gpt-4.1",
    "gpt-5.2",
    "openai/gpt-5.1-codex-max",
    "o1",
    "o3",
    "o4-mini",
    "gemini-2.5-flash",
    "gemini-3-pro-preview",
    "gemini-flash-latest",
    "kimi-latest",
    "kimi-k2.5",
    "moonshot-v1-8k-vision-preview",
    "glm-4v-plus",
    "zai-org/GLM-4.5V",
    "glm-4.6v-flash",
    "qwen-vl-max",
    "qwen3-vl-plus",
    "qwen2.5vl:7b",
    "Qwen/Qwen2.5-VL-72B-Instruct",
    "qvq-max",
    "llama-3.2-90b-vision-preview",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct",
    "llama4:scout",
    "grok-4-fast",
  ];
  for (const model of models) {
    const types = imageTypes(model, at());
    assert.ok(types.includes("image/png") && types.includes("image/jpeg"), model);
  }
});

Deno.test("any other model reads text only", () => {
  const models = [
    "deepseek-v4-pro",
    "deepseek-chat",
    "qwen3-max",
    "qwen3-coder-plus",
    "glm-5.3",
    "glm-4.6",
    "kimi-k2-0905-preview",
    "gpt-3.5-turbo",
    "gpt-4",
    "gpt-oss-120b",
    "gpt-4o-audio-preview",
    "gpt-4o-search-preview",
    "gpt-5.3-codex-spark",
    "o1-mini",
    "o1-preview",
    "o3-mini",
    "claude-2.1",
    "claude-instant-1.2",
    "anthropic.claude-v2",
    "llama-3.3-70b-versatile",
    "grok-code-fast-1",
    "mistral-large",
    "vllm-model",
    "demo",
    "",
  ];
  for (const model of models) assert.deepEqual(imageTypes(model, at()), [], model);
});

Deno.test("a Claude's name at another vendor's own host is a text model's", () => {
  for (const url of ["https://api.deepseek.com/anthropic", "https://api.z.ai/api/anthropic"]) {
    assert.deepEqual(imageTypes("claude-sonnet-4-5", at(url)), []);
  }
  assert.notDeepEqual(imageTypes("glm-4.5v", at("https://api.z.ai/api/paas/v4")), []);
});

Deno.test("GIF and WebP are left to those who document them", () => {
  const of = (model: string) => imageTypes(model, at()).map((type) => type.slice(6)).join(" ");
  assert.equal(of("claude-x"), "png jpeg webp gif");
  assert.equal(of("gpt-5"), "png jpeg webp");
  assert.equal(of("gemini-2.5-pro"), "png jpeg webp");
  assert.equal(of("grok-4"), "png jpeg");
});

Deno.test("the setting overrules the name, both ways", () => {
  assert.deepEqual(imageTypes("gpt-5", at(undefined, false)), []);
  assert.deepEqual(imageTypes("my-model", at(undefined, true)), ["image/png", "image/jpeg"]);
  assert.equal(imageTypes("gpt-5", at(undefined, true)).length, 3);
  assert.equal(
    imageTypes("claude-x", at("https://api.deepseek.com/anthropic", true)).length,
    2,
  );
});

const result = (id: string, text: string, ...formats: (keyof typeof IMAGES)[]): ToolMessage => ({
  role: "tool",
  id,
  name: "Read",
  ok: true,
  text,
  ...(formats.length === 0 ? {} : {
    images: formats.map((one) => ({ mediaType: `image/${one}`, data: IMAGES[one].slice(0, 12) })),
  }),
});
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  text: "",
  thinking: [],
  calls: ids.map((id) => ({ id, name: "Read", input: "{}" })),
});

const seen: readonly Message[] = [
  { role: "user", text: "look" },
  calls("a", "b", "c"),
  result("a", "a.png: PNG image, 16 × 12 pixels, 80 bytes.\nand a note", "png"),
  result("b", "1 | x"),
  result("c", "c.gif: GIF image, 64 bytes.", "gif", "jpeg"),
  { role: "user", text: "joined" },
  calls("d"),
  { ...result("d", "failed", "png"), ok: false },
  { role: "assistant", text: "I see.", thinking: [], calls: [] },
  calls("e"),
  result("e", "", "png"),
];
const blind = seen.map((one) => {
  if (one.role !== "tool") return one;
  const { images: _, ...rest } = one;
  return rest;
});

const bodies = [
  {
    name: "chat completions",
    model: "gpt-4o",
    body: (model: string, messages: readonly Message[]) =>
      JSON.parse(
        worded(
          chatBody(configFor("https://api.openai.com/v1"))(
            requestOf({ model, messages, tools: [] }),
          ),
        ),
      ),
  },
  {
    name: "Messages",
    model: "claude-x",
    body: (model: string, messages: readonly Message[]) =>
      JSON.parse(
        worded(
          messagesBody(configFor("https://api.anthropic.com"))(
            requestOf({ model, messages, tools: [] }),
          ),
        ),
      ),
  },
];
for (const { name, model, body } of bodies) {
  Deno.test(`${name}: images follow their results`, async (t) => {
    await t.assertSnapshot(JSON.stringify(body(model, seen), null, 1), SNAPSHOTS);
    assert.deepEqual(pairingErrorsOf(body(model, seen)), []);
  });

  Deno.test(`${name}: a text model gets the same bytes as if no image were there`, () => {
    const text = JSON.stringify(body("text-model", seen));
    assert.equal(text, JSON.stringify(body("text-model", blind)));
    assert.doesNotMatch(text, /image\//);
    assert.notEqual(JSON.stringify(body(model, seen)), JSON.stringify(body(model, blind)));
  });

  Deno.test(`${name}: with images too, the bytes of each request begin the next one`, () => {
    const ends = [1, 5, 6, 8, 9, 11];
    const wires = ends.map((end) =>
      unmarked(JSON.stringify(body(model, seen.slice(0, end)).messages))
    );
    wires.slice(1).forEach((wire, i) => {
      const before = wires[i]!.replace(/(?:\]\})?\]$/, "");
      assert.ok(wire.startsWith(before), `${before}\n${wire}`);
    });
  });
}

const attached: readonly Message[] = [{
  role: "user",
  text: "look at it",
  images: [{ mediaType: "image/png", data: "AAAA" }],
}];
for (const { name, model, body } of bodies) {
  Deno.test(`${name}: an attached image follows the text of its message`, () => {
    const wire = JSON.stringify(body(model, attached).messages);
    assert.match(wire, /"text":"look at it"\},\{"type":"image.*AAAA/);
    const text = JSON.stringify(body("text-model", attached));
    const without = [{ role: "user", text: "look at it" } as const];
    assert.equal(text, JSON.stringify(body("text-model", without)));
  });
}

const friday = new Date("2026-11-20T11:30:00Z");
const own = (model: string, baseUrl: string, now = friday) => priceOf(model, {}, baseUrl, now);

Deno.test("a known model has its price at its vendor, with or without a date", () => {
  const price = { input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 };
  assert.deepEqual(own("claude-opus-4-5", "https://api.anthropic.com"), price);
  assert.deepEqual(own("claude-opus-4-5-20251101", "https://api.anthropic.com/v1"), price);
  assert.equal(own("gpt-5-2025-08-07", "https://api.openai.com/v1")?.input, 1.25);
  assert.equal(own("gpt-5-mini", "https://api.openai.com/v1")?.input, 0.25);
  assert.equal(own("deepseek-v4-pro-0813", "https://api.deepseek.com/anthropic")?.input, 0.66);
});

Deno.test("what is not known for certain has no price", () => {
  assert.equal(own("gpt-5-nano-turbo", "https://api.openai.com/v1"), null);
  assert.equal(own("gpt-50", "https://api.openai.com/v1"), null);
  assert.equal(own("claude-opus-5-6", "https://api.anthropic.com"), null);
  assert.equal(own("deepseek-v4-pro", "https://openrouter.ai/api/v1"), null);
  assert.equal(own("gpt-5", "http://localhost:11434/v1"), null);
  assert.equal(own("gpt-5", "https://api.openai.com.evil.example/v1"), null);
  assert.equal(own("glm-5.3", "https://api.z.ai/api/coding/paas/v4"), null);
  assert.equal(own("gpt-5", "no url"), null);
});

Deno.test("DeepSeek costs double in its peak hours", () => {
  const at = (time: string) => own("deepseek-flash", "https://api.deepseek.com", new Date(time));
  assert.equal(at("2026-11-20T01:00:00Z")?.input, 0.3);
  assert.equal(at("2026-11-20T09:59:00Z")?.input, 0.3);
  assert.equal(at("2026-11-20T05:00:00Z")?.input, 0.15);
  assert.equal(at("2026-11-20T10:00:00Z")?.input, 0.15);
  assert.equal(at("2026-11-21T02:00:00Z")?.input, 0.15);
});

Deno.test("the user's own price wins, anywhere", () => {
  const price = { input: 1, output: 2, cached: 0.5 };
  const prices = { "gpt-5": price, local: { input: 0, output: 0, cached: 0 } };
  assert.deepEqual(priceOf("gpt-5", prices, "https://api.openai.com/v1", friday), price);
  assert.deepEqual(priceOf("gpt-5", prices, "http://localhost:1/v1", friday), price);
  assert.equal(costOf({ input: 9, output: 9, cached: 0 }, priceOf("local", prices, "", friday)), 0);
});

Deno.test("cached, written and fresh input each have their price", () => {
  const price = { input: 10, output: 100, cached: 1, cacheWrite: 12.5 };
  const tokens = { input: 1000, output: 10, cached: 600, cacheWrite: 300 };
  assert.equal(costOf(tokens, price), (100 * 10 + 300 * 12.5 + 600 * 1 + 10 * 100) / 1e6);
  assert.equal(costOf(tokens, null), null);
  const plain = { input: 10, output: 100 };
  assert.equal(
    costOf(tokens, plain),
    (1000 * 10 + 10 * 100) / 1e6,
    "cached is no cheaper unless said",
  );
});

Deno.test("an answer carries its cost when the price is known", async () => {
  const prices = { "test-model": { input: 2, output: 10, cached: 0.2 } };
  const usage = { input: 1000, output: 100, cached: 500 };
  for (const protocol of ["openai", "anthropic"] as const) {
    await withProvider(protocol, [{ text: "x", usage }], async (client) => {
      const done = await answer(client);
      assert.equal(done.usage.cost, (500 * 2 + 500 * 0.2 + 100 * 10) / 1e6);
    }, { config: { prices }, host: hostWith() });
  }
});
