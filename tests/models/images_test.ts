import assert from "node:assert/strict";
import { join } from "node:path";
import { unmarked } from "../support/prefixes.ts";
import { messagesBody } from "../../src/models/wire/anthropic.ts";
import { imageTypes } from "../../src/models/images.ts";
import { chatBody } from "../../src/models/wire/openai.ts";
import type { Message, ToolMessage } from "../../src/base/types.ts";
import { pairingErrorsOf } from "../support/fake_pairing.ts";
import { IMAGES } from "../support/images.ts";
import { configFor, requestOf, worded } from "./setup.ts";

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
