import assert from "node:assert/strict";
import fc from "fast-check";
import { chatBody } from "../../../src/models/wire/openai.ts";
import { chatId } from "../../../src/models/wire/wire_id.ts";
import { configFor, requestOf, worded } from "../setup.ts";
import { talk } from "../talk.ts";

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
