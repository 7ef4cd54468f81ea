import assert from "node:assert/strict";
import { windowOf } from "../../src/model/window.ts";

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
