import assert from "node:assert/strict";
import { costOf, priceOf } from "../../src/models/price.ts";
import { answer, hostWith, withProvider } from "./setup.ts";

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
