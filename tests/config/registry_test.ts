import assert from "node:assert/strict";
import { isAt, providerAt, PROVIDERS } from "../../src/config/registry.ts";
import { protocolOf, thinkingFallback, thinkTag } from "../../src/models/provider.ts";

Deno.test("every provider has a name of its own, variables, and an address where it is offered", () => {
  const ids = PROVIDERS.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)]);
  for (const one of PROVIDERS) {
    assert.match(one.id, /^[a-z][a-z-]*$/);
    assert.ok(one.env.length > 0 && one.env.every((word) => /^[A-Z]+$/.test(word)), one.id);
    const needsAddress = one.setup || one.prices || one.messages;
    assert.ok(!needsAddress || one.baseUrl !== undefined, one.id);
    if (one.baseUrl) assert.ok(isAt(one, one.baseUrl), one.id);
  }
});

Deno.test("a host that only ends like a provider's is not its own", () => {
  assert.equal(providerAt("https://api.notdeepseek.com"), undefined);
  assert.equal(providerAt("https://x.deepseek.com/v1")?.id, "deepseek");
  assert.equal(providerAt("https://me.openai.azure.com")?.id, "azure");
});

Deno.test("what a provider demands holds at its hosts and for its models elsewhere", () => {
  assert.equal(protocolOf("auto", "https://api.anthropic.com"), "anthropic");
  assert.equal(protocolOf("auto", "https://api.deepseek.com"), "openai");
  const proxy = "https://proxy.example/v1";
  assert.deepEqual([
    thinkingFallback("https://api.deepseek.com", "x"),
    thinkingFallback(proxy, "vendor/DeepSeek-v4"),
    thinkingFallback("https://api.moonshot.cn/v1", "x"),
    thinkingFallback("https://api.kimi.com/v1", "x"),
    thinkingFallback("https://api.openai.com/v1", "deepseek-x"),
    thinkingFallback(proxy, "gpt-5"),
  ], ["", "", " ", " ", undefined, undefined]);
  assert.deepEqual([
    thinkTag(proxy, "minimax/MiniMax-M3"),
    thinkTag(proxy, "minimax-m2"),
    thinkTag("https://api.minimaxi.com/v1", "other"),
    thinkTag(proxy, "gpt-5"),
  ], ["mm:think", "think", "think", undefined]);
});
