import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { OpenAI } from "openai";
import { chatBody, chatId } from "../../../src/models/wire/openai.ts";
import {
  answer,
  configFor,
  outcome,
  requestOf,
  secret,
  textOf,
  withProvider,
  worded,
} from "../setup.ts";
import type { Message } from "../../../src/base/types.ts";
import type { Reply } from "../../support/fake_provider.ts";
import { talk } from "../talk.ts";

const SNAPSHOTS = { path: join(import.meta.dirname!, "__snapshots__/openai_test.ts.snap") };

const deepseek = configFor("https://api.deepseek.com");

Deno.test("the request to an unknown provider", async (t) => {
  const config = configFor("http://localhost/v1", { maxOutputTokens: 8000 });
  const request = requestOf({ messages: talk, toolChoice: "none" });
  const text = JSON.stringify(JSON.parse(worded(chatBody(config)(request))), null, 2);
  await t.assertSnapshot(text, SNAPSHOTS);
});

Deno.test("the request to DeepSeek carries the thinking of each answer", async (t) => {
  const request = requestOf({ model: "deepseek-v4-pro", messages: talk });
  const text = JSON.stringify(JSON.parse(worded(chatBody(deepseek)(request))), null, 2);
  await t.assertSnapshot(text, SNAPSHOTS);
});

Deno.test("MiniMax gets its thinking back in the text, where it wrote it; others do not", () => {
  const messages: Message[] = [
    { role: "user", text: "go" },
    {
      role: "assistant",
      text: "I look.",
      thinking: [{ text: "why" }],
      calls: [{ id: "a", name: "Read", input: "{}" }],
    },
  ];
  const content = (baseUrl: string, model: string) =>
    JSON.parse(worded(chatBody(configFor(baseUrl))(requestOf({ model, messages })))).messages[2]
      .content;
  const kept = "<think>why</think>\n\nI look.";
  assert.equal(content("https://api.minimax.io/v1", "any"), kept);
  assert.equal(content("http://localhost/v1", "MiniMaxAI/MiniMax-M2"), kept);
  assert.equal(
    content("http://localhost/v1", "minimax-m3"),
    kept.replaceAll("think>", "mm:think>"),
  );
  assert.equal(content("http://localhost/v1", "qwen3"), "I look.");
});

Deno.test("the headers are few and carry the key once", async () => {
  await withProvider("openai", [{ text: "hi" }], async (client, provider) => {
    await answer(client);
    const { path, headers } = provider.requests[0]!;
    assert.equal(path, "/v1/chat/completions");
    const { host: _, ...rest } = headers;
    assert.deepEqual(rest, {
      accept: "application/json",
      "accept-encoding": rest["accept-encoding"],
      "accept-language": rest["accept-language"],
      authorization: "Bearer " + secret,
      "content-length": rest["content-length"],
      "content-type": "application/json",
      "user-agent": "narnat",
    });
  });
});

Deno.test("the openai package sends the same request, and reads the same out of the answer", async () => {
  const reply: Reply = {
    text: "Here you are: 好 😀",
    calls: [
      { name: "Read", input: '{"path":  "a"}', id: "call_x" },
      { name: "Bash", input: { command: "ls" }, id: "call_y" },
    ],
    usage: { input: 120, output: 30, cached: 100 },
  };
  await withProvider("openai", [reply, reply], async (client, provider) => {
    const { message, usage } = await answer(client, requestOf({ messages: talk }));
    const judge = new OpenAI({ baseURL: provider.url, apiKey: secret, maxRetries: 0 });
    const params = JSON.parse(provider.requests[0]!.body);
    const theirs = await judge.chat.completions.stream(params).finalChatCompletion();
    const [ours, other] = provider.requests.map(({ path, headers, body }) => ({
      path,
      key: headers.authorization,
      type: headers["content-type"],
      body: JSON.parse(body),
    }));
    assert.deepEqual(ours, other);
    const { content, tool_calls } = theirs.choices[0]!.message;
    assert.equal(content, message.text);
    const calls = tool_calls!.map((one) => one.type === "function" ? one : assert.fail());
    assert.deepEqual(
      calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input })),
      message.calls,
    );
    assert.equal(theirs.usage?.prompt_tokens, usage.input);
    assert.equal(theirs.usage?.completion_tokens, usage.output);
  });
});

Deno.test("the bytes of each request up to its messages' end begin the next one", async () => {
  await withProvider("openai", () => ({ text: "ok" }), async (client, provider) => {
    for (let length = 1; length <= talk.length; length++) {
      await outcome(client, requestOf({ messages: talk.slice(0, length) }));
    }
    const none = requestOf({ messages: talk, toolChoice: "none" });
    await outcome(client, none);
    const bodies = provider.requests.map((request) => request.body);
    assert.equal(bodies.length, talk.length + 1);
    bodies.slice(1).forEach((body, at) => {
      const before = bodies[at]!.replace(/\]\}$/, "");
      assert.ok(body.startsWith(before), `request ${at + 1} begins unlike request ${at}`);
    });
    assert.match(bodies.at(-1)!, /\],"tool_choice":"none"\}$/);
  });
});

Deno.test("text, thinking and calls stream in and come whole in done", async () => {
  const reply = {
    thinking: "hmm, 想一想",
    text: "Here you are: 好 😀",
    calls: [{ name: "Read", input: '{ "path":  "a" }', id: "call_x" }],
    usage: { input: 120, output: 30, cached: 100 },
  };
  for (const chunk of ["bytes", "awkward", undefined] as const) {
    for (const crlf of [true, false]) {
      await withProvider("openai", [{ ...reply, chunk, crlf }], async (client) => {
        const { events, error } = await outcome(client);
        assert.equal(error, undefined);
        assert.equal(textOf(events), reply.text);
        assert.ok(events.filter((event) => event.type === "text").length > 1);
        assert.deepEqual(events.filter((event) => event.type === "call"), [
          { type: "call", name: "Read" },
        ]);
        assert.deepEqual(events.at(-1), {
          type: "done",
          message: {
            role: "assistant",
            text: reply.text,
            thinking: [{ text: reply.thinking }],
            calls: [{ id: "call_x", name: "Read", input: reply.calls[0]!.input }],
          },
          usage: { input: 120, output: 30, cached: 100, cost: null },
          stop: "calls",
        });
      }, { config: { stallMs: 5000 } });
    }
  }
});

const stops = [
  ["stop", "end"],
  ["length", "length"],
  ["content_filter", "refused"],
  ["sensitive", "refused"],
  ["tool_calls", "end"],
] as const;
for (const [wire, stop] of stops) {
  Deno.test(`finish reason ${wire} without calls is ${stop}`, async () => {
    await withProvider("openai", [{ text: "x", stop: wire }], async (client) => {
      assert.equal((await answer(client)).stop, stop);
    });
  });
}

Deno.test("finish reason stop with calls is calls", async () => {
  const calls = [{ name: "Read", input: {} }];
  await withProvider("openai", [{ calls, stop: "stop" }], async (client) => {
    assert.equal((await answer(client)).stop, "calls");
  });
});

/** A provider that streams these chunks and ends. */
async function chunked(chunks: readonly unknown[]) {
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  const reply = { fault: "status", status: 200, headers, body } as const;
  let result;
  await withProvider("openai", () => reply, async (client) => {
    result = await outcome(client);
  });
  return result!;
}

const said = { choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop" }] };

Deno.test("the last usage counts, wherever the provider puts it", async () => {
  const usage = (input: number, more = {}) => ({
    prompt_tokens: input,
    completion_tokens: 2,
    ...more,
  });
  const places = [
    [{ ...said, usage: usage(1) }, {
      choices: [],
      usage: usage(9, { prompt_cache_hit_tokens: 4 }),
    }],
    [{ ...said, usage: usage(9, { prompt_tokens_details: { cached_tokens: 4 } }) }],
    [{ choices: [{ ...said.choices[0], usage: usage(9, { cached_tokens: 4 }) }] }],
    [said, { choices: [], usage: usage(9, { prompt_cache_hit_tokens: 4 }) }, { usage: null }],
  ];
  for (const chunks of places) {
    const { events, error } = await chunked(chunks);
    assert.equal(error, undefined, String(error));
    const last = events.at(-1);
    assert.ok(last?.type === "done");
    assert.deepEqual(last.usage, { input: 9, output: 2, cached: 4, cost: null });
  }
});

Deno.test("a finish reason is enough, without the end mark", async () => {
  const { events, error } = await chunked([said]);
  assert.equal(error, undefined);
  assert.equal(events.at(-1)?.type, "done");
});

Deno.test("a full window is overflow, an exhausted provider is network", async () => {
  const ended = (reason: string) => [{ choices: [{ delta: {}, finish_reason: reason }] }];
  for (
    const [reason, kind] of [
      ["model_context_window_exceeded", "overflow"],
      ["insufficient_system_resource", "network"],
      ["network_error", "network"],
    ]
  ) {
    const { error } = await chunked(ended(reason!));
    assert.equal((error as { kind?: string }).kind, kind);
  }
});

const mistral = { host: "api.mistral.ai", model: "any" };
const other = { host: "localhost:1", model: "qwen3" };

Deno.test("Mistral gets nine letters and digits, the same each time, its own as they are", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 80 }), (id) => {
    const wire = chatId(id, mistral);
    assert.match(wire, /^[a-zA-Z0-9]{9}$/);
    assert.equal(chatId(id, mistral), wire);
    assert.equal(chatId(wire, mistral), wire);
  }));
  assert.equal(chatId("D681PevKs", mistral), "D681PevKs");
});

Deno.test("ids that differ stay apart", () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `call_${at}`);
  for (const at of [mistral, other]) {
    assert.equal(new Set(ids.map((id) => chatId(id, at))).size, ids.length);
  }
  const long = ids.map((id) => "x".repeat(40) + id);
  assert.equal(new Set(long.map((id) => chatId(id, other))).size, ids.length);
});

Deno.test("Mistral's models are told by name elsewhere too", () => {
  const names = [
    "mistralai/devstral-medium",
    "Mixtral-8x7B",
    "ministral-8b-latest",
    "open-mistral-nemo",
  ];
  for (const model of names) assert.equal(chatId("call_1", { ...other, model }).length, 9, model);
  for (const model of ["qwen3", "dolphin-not-mistral"]) {
    assert.equal(chatId("call_1", { ...other, model }), "call_1");
  }
});

Deno.test("other providers get ids as they are, up to forty characters", () => {
  assert.equal(chatId("functions.Grep:1", other), "functions.Grep:1");
  assert.match(chatId("x".repeat(41), other), /^[a-z0-9]{40}$/);
});

Deno.test("a call and its result carry the same id", () => {
  const body = worded(
    chatBody(configFor("https://api.mistral.ai/v1"))(requestOf({ messages: talk })),
  );
  const { messages } = JSON.parse(body);
  const calls = messages.flatMap((one: { tool_calls?: { id: string }[] }) =>
    one.tool_calls?.map(({ id }) => id) ?? []
  );
  const results = messages.flatMap((one: { tool_call_id?: string }) => one.tool_call_id ?? []);
  assert.deepEqual(calls, results);
  assert.equal(calls.length, 3);
});
