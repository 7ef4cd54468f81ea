import assert from "node:assert/strict";
import { listModels } from "../../src/models/list_models.ts";
import { isAmong } from "../../src/models/model_facts.ts";
import { ModelError } from "../../src/base/types.ts";
import { startFakeProvider } from "../support/fake_provider.ts";

const open = () => new AbortController().signal;

interface Asked {
  url: string;
  headers: Headers;
}

/** A host whose network answers with `body`. */
function consentPolicy(body: string, status = 200) {
  const asked: Asked[] = [];
  const fetch = (url: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers) });
    // what a connection brings comes in bytes
    return Promise.resolve(new Response(new Blob([body]).stream(), { status }));
  };
  const host = {
    fetch: fetch as typeof globalThis.fetch,
    random: Math.random,
    sleep: () => Promise.resolve(),
  };
  return { host, asked };
}

const openai = {
  baseUrl: "https://llm.example/v1",
  apiKey: "sk-the-long-key-1",
  api: "auto",
} as const;

Deno.test("models are listed sorted, without those that do not chat, at a real socket", async () => {
  const names = ["z-large", "a-small", "text-embedding-3", "whisper-1", "gpt-image-1", "tts-1"];
  const provider = await startFakeProvider([], names);
  try {
    const host = { fetch, random: Math.random, sleep: () => Promise.resolve() };
    const config = { ...openai, baseUrl: provider.url };
    assert.deepEqual(await listModels(config, host, open()), ["a-small", "z-large"]);
  } finally {
    await provider.close();
  }
});

Deno.test("each protocol is asked at its own address with its own key header", async () => {
  const { host, asked } = consentPolicy('{"data":[{"id":"m"}]}');
  await listModels(
    { ...openai, baseUrl: "https://llm.example/v1/chat/completions/" },
    host,
    open(),
  );
  const claude = { ...openai, baseUrl: "https://api.anthropic.com" };
  await listModels(claude, host, open());
  assert.deepEqual(asked.map(({ url }) => url), [
    "https://llm.example/v1/models",
    "https://api.anthropic.com/v1/models?limit=1000",
  ]);
  assert.equal(asked[0]!.headers.get("authorization"), "Bearer sk-the-long-key-1");
  assert.equal(asked[1]!.headers.get("x-api-key"), "sk-the-long-key-1");
  assert.equal(asked[1]!.headers.get("authorization"), null);
});

Deno.test("the shapes in which providers list their models are all read", async () => {
  for (
    const body of [
      '{"object":"list","data":[{"id":"m1"},{"id":"m2"},{"id":"m1"},{"id":7}]}',
      '{"models":[{"name":"m2"},{"name":"models/m1"}]}',
      '[{"id":"m2"},{"id":"m1"}]',
    ]
  ) {
    assert.deepEqual(
      await listModels(openai, consentPolicy(body).host, open()),
      ["m1", "m2"],
      body,
    );
  }
});

Deno.test("a refusal and an answer that is no list are ModelErrors without the key", async () => {
  for (
    const [body, status, kind] of [
      ['{"error":{"message":"bad key sk-the-long-key-1"}}', 401, "auth"],
      ["<html>", 200, "protocol"],
      ['{"hello":1}', 200, "protocol"],
    ] as const
  ) {
    await assert.rejects(
      listModels(openai, consentPolicy(body, status).host, open()),
      (error) =>
        error instanceof ModelError && error.kind === kind && !/long-key/.test(error.message),
    );
  }
});

Deno.test("a name counts as listed without its date or its tag", () => {
  const names = ["claude-haiku-4-5-20251001", "qwen3:latest", "gpt-5-mini"];
  for (const name of ["claude-haiku-4-5", "qwen3", "gpt-5-mini"]) {
    assert.ok(isAmong(name, names), name);
  }
  for (const name of ["gpt-5", "claude-haiku", "qwen", ""]) assert.ok(!isAmong(name, names), name);
});
