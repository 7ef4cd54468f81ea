import assert from "node:assert/strict";
import { limitIn, windowOf } from "../../src/models/window.ts";

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
