import assert from "node:assert/strict";
import { join } from "node:path";
import { messagesBody } from "../../../src/models/wire/anthropic.ts";
import { createModel } from "../../../src/models/mod.ts";
import {
  answer,
  configFor,
  hostWith,
  outcome,
  requestOf,
  secret,
  textOf,
  withProvider,
  worded,
} from "../setup.ts";
import type { Message } from "../../../src/base/types.ts";
import { unmarked } from "../../support/prefixes.ts";
import { talk } from "../talk.ts";

const SNAPSHOTS = { path: join(import.meta.dirname!, "__snapshots__/anthropic_test.ts.snap") };

Deno.test("the request to Anthropic is cached and carries signed thinking only", async (t) => {
  const config = configFor("https://api.anthropic.com", { maxOutputTokens: 8000 });
  const request = requestOf({ messages: talk, toolChoice: "none" });
  await t.assertSnapshot(
    JSON.stringify(JSON.parse(worded(messagesBody(config)(request))), null, 2),
    SNAPSHOTS,
  );
});

Deno.test("the request to DeepSeek carries all thinking", async (t) => {
  const config = configFor("https://api.deepseek.com/anthropic");
  const request = requestOf({ messages: talk });
  await t.assertSnapshot(
    JSON.stringify(JSON.parse(worded(messagesBody(config)(request))), null, 2),
    SNAPSHOTS,
  );
});

Deno.test("a call without thinking gets the block that DeepSeek demands", () => {
  const config = configFor("https://api.deepseek.com/anthropic");
  const calls = [{ id: "a", name: "Read", input: "{}" }];
  const messages: Message[] = [{ role: "assistant", text: "", thinking: [], calls }];
  const body = JSON.parse(worded(messagesBody(config)(requestOf({ messages }))));
  const [turn] = body.messages as { content: { type: string }[] }[];
  assert.deepEqual(turn!.content.map((block) => block.type), ["thinking", "tool_use"]);
});

Deno.test("a compatible provider gets the key both ways, Anthropic one way", async () => {
  await withProvider("anthropic", [{ text: "hi" }], async (client, provider) => {
    await answer(client);
    const { path, headers } = provider.requests[0]!;
    assert.equal(path, "/anthropic/v1/messages");
    assert.equal(headers["x-api-key"], secret);
    assert.equal(headers.authorization, "Bearer " + secret);
    assert.equal(headers["anthropic-version"], "2023-06-01");
  });
  let sent: { url: string; headers: Headers } | undefined;
  const client = await createModel(
    configFor("https://api.anthropic.com/v1", { api: "anthropic" }),
    {
      ...hostWith(),
      fetch: (url, init) => {
        sent = { url: String(url), headers: new Headers(init?.headers) };
        return Promise.resolve(new Response("{}", { status: 400 }));
      },
    },
  );
  await outcome(client);
  assert.equal(sent?.url, "https://api.anthropic.com/v1/messages");
  assert.equal(sent?.headers.get("x-api-key"), secret);
  assert.equal(sent?.headers.get("authorization"), null);
});

Deno.test("the bytes of each request up to its messages' end begin the next one", async () => {
  await withProvider("anthropic", () => ({ text: "ok" }), async (client, provider) => {
    for (let length = 1; length <= talk.length; length++) {
      await outcome(client, requestOf({ messages: talk.slice(0, length) }));
    }
    await outcome(client, requestOf({ messages: talk, toolChoice: "none" }));
    const bodies = provider.requests.map((request) => unmarked(request.body));
    assert.equal(bodies.length, talk.length + 1);
    bodies.slice(1).forEach((body, at) => {
      // the last turn stays open: what follows may belong to it
      const before = bodies[at]!.replace(/\]\}\]\}$/, "");
      assert.ok(body.startsWith(before), `request ${at + 1} begins unlike request ${at}`);
    });
    assert.match(bodies.at(-1)!, /\]\}\],"tool_choice":\{"type":"none"\}\}$/);
    const paired = provider.pairingErrors.filter((error) => !error.includes("no result for"));
    assert.deepEqual(paired, []);
  });
});

Deno.test("text, thinking and calls stream in and come whole in done", async () => {
  const reply = {
    thinking: "hmm, 想一想",
    signature: "sig=",
    redacted: "opaque",
    text: "Here you are: 好 😀",
    calls: [
      { name: "Read", input: '{ "path":  "a" }', id: "toolu_x" },
      { name: "Bash", input: {}, id: "toolu_y" },
    ],
    usage: { input: 120, output: 30, cached: 100 },
  };
  for (const chunk of ["bytes", "awkward", undefined] as const) {
    for (const crlf of [true, false]) {
      await withProvider("anthropic", [{ ...reply, chunk, crlf }], async (client) => {
        const { events, error } = await outcome(client);
        assert.equal(error, undefined);
        assert.equal(textOf(events), reply.text);
        assert.deepEqual(events.filter((event) => event.type === "call"), [
          { type: "call", name: "Read" },
          { type: "call", name: "Bash" },
        ]);
        assert.deepEqual(events.at(-1), {
          type: "done",
          message: {
            role: "assistant",
            text: reply.text,
            thinking: [{ text: reply.thinking, signature: "sig=" }, {
              text: "",
              redacted: "opaque",
            }],
            calls: [
              { id: "toolu_x", name: "Read", input: reply.calls[0]!.input },
              { id: "toolu_y", name: "Bash", input: "{}" },
            ],
          },
          usage: { input: 120, output: 30, cached: 100, cost: null },
          stop: "calls",
        });
      });
    }
  }
});

const stops = [
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["pause_turn", "end"],
  ["max_tokens", "length"],
  ["refusal", "refused"],
] as const;
for (const [wire, stop] of stops) {
  Deno.test(`stop reason ${wire} is ${stop}`, async () => {
    await withProvider("anthropic", [{ text: "x", stop: wire }], async (client) => {
      assert.equal((await answer(client)).stop, stop);
    });
  });
}

Deno.test("a full window is overflow", async () => {
  const reply = { text: "x", stop: "model_context_window_exceeded" };
  await withProvider("anthropic", [reply], async (client) => {
    const { error } = await outcome(client);
    assert.equal((error as { kind?: string }).kind, "overflow");
  });
});

Deno.test("input counts that come only at the end are taken, and cache writes are input", async () => {
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 0, output_tokens: 0 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "all" } },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 100,
        output_tokens: 7,
      },
    },
    { type: "message_stop" },
  ];
  const body = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  await withProvider(
    "anthropic",
    [{ fault: "status", status: 200, headers, body }],
    async (client) => {
      const { usage, message } = await answer(client);
      assert.equal(message.text, "all");
      assert.deepEqual(usage, { input: 125, output: 7, cached: 20, cost: null });
    },
  );
});

Deno.test("a whole input in the block's start is taken", async () => {
  const block = { type: "tool_use", id: "t", name: "Read", input: { path: "a" } };
  const events = [
    { type: "content_block_start", index: 0, content_block: block },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  const body = events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  await withProvider(
    "anthropic",
    [{ fault: "status", status: 200, headers, body }],
    async (client) => {
      const { message } = await answer(client);
      assert.deepEqual(message.calls, [{ id: "t", name: "Read", input: '{"path":"a"}' }]);
    },
  );
});
