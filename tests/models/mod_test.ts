import assert from "node:assert/strict";
import { createModel, protocolOf } from "../../src/models/mod.ts";
import { outputLimitName, thinkingFallback } from "../../src/models/provider.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { answer, configFor, hostWith } from "./setup.ts";

Deno.test("the protocol follows api, then the path", () => {
  assert.equal(protocolOf("auto", "https://api.deepseek.com"), "openai");
  assert.equal(protocolOf("auto", "https://api.deepseek.com/anthropic"), "anthropic");
  assert.equal(protocolOf("auto", "https://api.deepseek.com/anthropic/"), "anthropic");
  assert.equal(protocolOf("auto", "https://api.deepseek.com/anthropic/v1"), "anthropic");
  assert.equal(protocolOf("auto", "https://anthropic.example.com/v1"), "openai");
  assert.equal(protocolOf("auto", "https://api.anthropic.com"), "anthropic");
  assert.equal(protocolOf("openai", "https://api.anthropic.com/v1"), "openai");
  assert.equal(protocolOf("openai", "https://x/anthropic"), "openai");
});

Deno.test("a base URL may end in a slash or be the whole endpoint", async () => {
  const provider = await startFakeProvider(() => ({ text: "ok" }));
  try {
    for (
      const [tail, path] of [
        ["/v1", "/v1/chat/completions"],
        ["/v1/", "/v1/chat/completions"],
        ["/v1/chat/completions", "/v1/chat/completions"],
        ["", "/chat/completions"],
        ["/anthropic", "/anthropic/v1/messages"],
        ["/anthropic/v1", "/anthropic/v1/messages"],
        ["/anthropic/v1/messages", "/anthropic/v1/messages"],
      ]
    ) {
      const base = new URL(provider.url).origin + tail;
      await answer(await createModel(configFor(base), hostWith()));
      assert.equal(provider.requests.at(-1)!.path, path);
    }
  } finally {
    await provider.close();
  }
});

Deno.test("thinking goes back to those who demand it", () => {
  assert.equal(thinkingFallback("https://api.deepseek.com", "deepseek-v4-pro"), "");
  assert.equal(thinkingFallback("https://openrouter.ai/api/v1", "deepseek/deepseek-v4"), "");
  assert.equal(thinkingFallback("https://api.moonshot.cn/v1", "anything"), " ");
  assert.equal(thinkingFallback("https://gateway.example/v1", "moonshotai/Kimi-K2.6"), " ");
  assert.equal(thinkingFallback("https://api.openai.com/v1", "gpt-5"), undefined);
  assert.equal(thinkingFallback("https://open.bigmodel.cn/api/paas/v4", "glm-5.3"), undefined);
  assert.equal(thinkingFallback("https://notdeepseek.com/v1", "m"), undefined);
});

Deno.test("OpenAI's own endpoint has another name for the output limit", () => {
  assert.equal(outputLimitName("https://api.openai.com/v1"), "max_completion_tokens");
  assert.equal(outputLimitName("https://api.deepseek.com"), "max_tokens");
});
