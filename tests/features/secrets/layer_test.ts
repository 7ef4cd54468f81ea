/** A model is told no secret, and tells none. */
import assert from "node:assert/strict";
import type {
  AssistantMessage,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
} from "../../../src/base/types.ts";
import { redactedModel } from "../../../src/features/secrets/layer.ts";
import { secretsOf } from "../../support/parts.ts";
import { drawSecrets } from "./seeded.ts";

const KEY = "k3y-0f-the-test-Zq81xWm4";
const secrets = secretsOf({ TOKEN: KEY });
const HELD = "«secret:TOKEN»";
const usage = { input: 1, output: 1, cached: 0, cost: null };

/** A model that says these things, and keeps what it was asked. */
function saying(events: readonly ModelEvent[], asked: ModelRequest[] = []): ModelClient {
  return {
    async *stream(request) {
      asked.push(request);
      yield* events;
      await Promise.resolve();
    },
  };
}

const TOOLS = [{ name: "T", description: `takes ${KEY}`, input: { type: "object" as const } }];
const request = (messages: readonly Message[]): ModelRequest => ({
  model: "m",
  system: `the key is ${KEY}`,
  tools: TOOLS,
  messages,
});
const done = (message: Partial<AssistantMessage>): ModelEvent => ({
  type: "done",
  message: { role: "assistant", text: "", calls: [], thinking: [], ...message },
  usage,
  stop: "end",
});

async function heard(client: ModelClient, asking = request([])): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const stream = redactedModel(client, secrets).stream(asking, new AbortController().signal);
  for await (const event of stream) events.push(event);
  return events;
}

Deno.test("prompt, tools and messages go without secrets; what was sent once is sent again as it was", async () => {
  const asked: ModelRequest[] = [];
  const first: Message = { role: "user", text: `use ${KEY}` };
  const answer: Message = {
    role: "assistant",
    text: `with ${KEY}`,
    calls: [{ id: "1", name: "T", input: JSON.stringify({ key: KEY, id: KEY }) }],
    thinking: [{ text: `hm ${KEY}` }],
  };
  const model = redactedModel(saying([done({})], asked), secrets);
  const ask = async (messages: readonly Message[]) => {
    for await (const _ of model.stream(request(messages), new AbortController().signal));
  };
  await ask([first]);
  await ask([first, answer, { role: "tool", id: "1", name: "T", ok: true, text: KEY }]);
  assert.ok(!JSON.stringify(asked).includes(KEY), JSON.stringify(asked));
  assert.equal(asked[1]!.messages[0], asked[0]!.messages[0]);
  assert.equal(asked[1]!.tools, asked[0]!.tools);
  const [, said] = asked[1]!.messages;
  assert.ok(said?.role === "assistant");
  assert.deepEqual(JSON.parse(said.calls[0]!.input), { key: HELD, id: HELD });
});

Deno.test("images, and what a provider has signed, stay untouched; signed thinking with a secret is left out", async () => {
  const asked: ModelRequest[] = [];
  const images = [{ mediaType: "image/png", data: KEY }];
  const thinking = [
    { text: "clean", signature: KEY },
    { text: `not ${KEY}`, signature: "s" },
    { text: "", redacted: KEY },
  ];
  await heard(
    saying([done({})], asked),
    request([
      { role: "user", text: "see", images },
      { role: "assistant", text: "ok", calls: [], thinking },
    ]),
  );
  const [user, said] = asked[0]!.messages;
  assert.deepEqual(user, { role: "user", text: "see", images });
  assert.ok(said?.role === "assistant");
  assert.deepEqual(said.thinking, [thinking[0], thinking[2]]);
});

Deno.test("what goes back to its provider as it came lacks the parts that hold a secret", async () => {
  const clean = { type: "reasoning.encrypted", data: "AAAA" };
  const broken = { type: "reasoning.text", text: `not ${KEY}`, signature: "s" };
  const echo = { host: "h", model: "m", details: [clean, broken] };
  const [event] = await heard(saying([done({ text: "ok", echo })]));
  assert.ok(event?.type === "done");
  assert.deepEqual(event.message.echo, { ...echo, details: [clean] });
});

Deno.test("what streams is told without secrets wherever it is split, and in its order", async () => {
  for (let at = 1; at < KEY.length; at++) {
    const events = await heard(saying([
      { type: "thinking", delta: `so ${KEY.slice(0, at)}` },
      { type: "thinking", delta: KEY.slice(at) },
      { type: "text", delta: `it is ${KEY.slice(0, at)}` },
      { type: "text", delta: `${KEY.slice(at)} now` },
      { type: "call", name: "T" },
      done({ text: `it is ${KEY} now`, thinking: [{ text: `so ${KEY}` }] }),
    ]));
    const joined = (type: "text" | "thinking") =>
      events.map((event) => event.type === type ? event.delta : "").join("");
    assert.equal(joined("thinking"), `so ${HELD}`);
    assert.equal(joined("text"), `it is ${HELD} now`);
    const kinds = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    assert.deepEqual(kinds, ["thinking", "text", "call", "done"]);
    const last = events.at(-1)!;
    assert.ok(last.type === "done" && last.message.text === `it is ${HELD} now`);
  }
});

Deno.test("the input of a call comes as the model wrote it: it is to be carried out", async () => {
  const input = JSON.stringify({ content: KEY });
  const events = await heard(saying([done({ calls: [{ id: "1", name: "Write", input }] })]));
  const last = events.at(-1)!;
  assert.ok(last.type === "done");
  assert.equal(last.message.calls[0]!.input, input);
});

Deno.test("no stretch reaches from one text of a call's input into another", async () => {
  const asked: ModelRequest[] = [];
  const block = drawSecrets(4).shaped["private-key"]!().split("\n");
  const input = JSON.stringify({ a: block.slice(0, 3).join("\n"), b: "B".repeat(40), c: "plain" });
  const calls = [{ id: "1", name: "T", input }];
  const said: Message = { role: "assistant", text: "", calls, thinking: [] };
  await heard(saying([done({})], asked), request([said]));
  const [sent] = asked[0]!.messages;
  assert.ok(sent?.role === "assistant");
  const { a, b, c } = JSON.parse(sent.calls[0]!.input);
  assert.match(a, /^«secret:private-key:[0-9a-f]{6}»$/);
  assert.deepEqual([b, c], ["B".repeat(40), "plain"]);
});

Deno.test("what was said before an error is told to its end", async () => {
  const failing: ModelClient = {
    async *stream() {
      yield { type: "text", delta: `so ${KEY.slice(0, 9)}` };
      await Promise.resolve();
      throw new Error("gone");
    },
  };
  let told = "";
  await assert.rejects(async () => {
    const stream = redactedModel(failing, secrets).stream(
      request([]),
      new AbortController().signal,
    );
    for await (const event of stream) told += event.type === "text" ? event.delta : "";
  }, /gone/);
  assert.equal(told, `so ${KEY.slice(0, 9)}`);
});

Deno.test("what was streamed before another try is void", async () => {
  const events = await heard(saying([
    { type: "text", delta: `a ${KEY.slice(0, 9)}` },
    { type: "retry", attempt: 1, waitMs: 0, kind: "network", text: "again" },
    { type: "text", delta: "whole" },
    done({ text: "whole" }),
  ]));
  const told = events.map((event) => event.type === "text" ? event.delta : `|${event.type}|`);
  assert.equal(told.join(""), "a |retry|whole|done|");
});
