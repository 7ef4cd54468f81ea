import assert from "node:assert/strict";
import { sharesOf } from "../../../src/context/window/attribution.ts";
import { part } from "../../../src/context/part.ts";
import { HOST_MARK } from "../../../src/base/text.ts";
import type { Message } from "../../../src/base/types.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";

const MESSAGES: readonly Message[] = [
  { role: "user", text: "look at both files, please" },
  {
    role: "assistant",
    text: "I look.",
    thinking: [{ text: "where would it be?" }],
    calls: [
      { id: "a", name: "Read", input: `{"file_path":"a"}` },
      { id: "b", name: "Grep", input: `{"pattern":"b"}` },
    ],
  },
  { role: "tool", id: "a", name: "Read", ok: true, text: "word ".repeat(500) },
  { role: "tool", id: "b", name: "Grep", ok: true, text: "no match" },
  { role: "user", text: `${HOST_MARK} rule 1 again` },
];

Deno.test("every part of a request has its share, and together they are what it counts", () => {
  const parts = [part("base", "be good ".repeat(40)), part("rules", "规则 1: 先读后改")];
  const shares = sharesOf(parts, JSON.stringify([{ name: "Read" }]), MESSAGES, 10_000);
  assert.deepEqual(shares.map(({ kind, name }) => `${kind} ${name}`.trim()), [
    "prompt base",
    "prompt rules",
    "definitions",
    "tool Read",
    "tool Grep",
    "user",
    "host",
    "thinking",
    "answer",
  ]);
  const sum = shares.reduce((all, { tokens }) => all + tokens, 0);
  assert.ok(Math.abs(sum - 10_000) <= shares.length, `${sum}`);
  const read = shares.find(({ name }) => name === "Read")!;
  assert.ok(read.tokens > 7500, `Read has ${read.tokens}`);
});

Deno.test("images count for who brought them", () => {
  const images = [{ mediaType: "image/png", data: "AAAA" }];
  const seen: Message[] = [
    { role: "user", text: "this one", images },
    { role: "tool", id: "a", name: "Read", ok: true, text: "a picture", images },
    { role: "tool", id: "b", name: "Grep", ok: true, text: "no match" },
  ];
  const shares = sharesOf([part("base", "be good")], "[]", seen, 3300);
  const of = (one: string) => shares.find(({ kind, name }) => one === (name || kind))!.tokens;
  assert.ok(of("user") > 1500 && of("Read") > 1500 && of("Grep") < 100, JSON.stringify(shares));
});

Deno.test("the shares of a session add up to what the provider counted, and what came since", async () => {
  const counted: number[] = [];
  const model = new ScriptedModel((request, index) => {
    const input = Math.round((request.system + JSON.stringify(request.messages)).length / 3.3);
    counted.push(input + 6);
    const usage = { input, output: 6, cached: 0, cost: 0 };
    return index === 0 ? { calls: [{ name: "Look" }], usage } : { text: "done", usage };
  });
  const look = tool("Look", () => ({ ok: true, text: "seen ".repeat(400) }));
  const agent = new TestAgent({ model, tools: [look] });
  await agent.say("look");
  const shares = await agent.agent.desk.shares();
  const sum = shares.reduce((all, { tokens }) => all + tokens, 0);
  assert.ok(Math.abs(sum - counted[1]!) < 0.01 * sum, `${sum} of ${counted}`);
  assert.ok(shares.some(({ kind, name }) => kind === "tool" && name === "Look"));
  await agent.agent.close();
});
