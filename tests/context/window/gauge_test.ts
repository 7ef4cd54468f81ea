import assert from "node:assert/strict";
import fc from "fast-check";
import { createGauge, sharesOf } from "../../../src/context/window/gauge.ts";
import type { AssistantMessage, Message } from "../../../src/base/types.ts";
import { sessionStore } from "../../support/parts.ts";
import { part } from "../../../src/context/part.ts";
import { HOST_MARK } from "../../../src/base/t.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { runs } from "../../support/soak.ts";

const SYSTEM = "You are a coding agent. Read before you edit. ".repeat(150);

/** A tokenizer with a vocabulary of its own: `wide` characters a token in words, digits in threes, marks alone. */
function tokenizer(wide: number, cjk: number) {
  const ofText = (text: string) => {
    let tokens = 0;
    for (const [piece] of text.matchAll(/\p{L}+|\d{1,3}|\s+|[^\p{L}\d\s]/gu)) {
      tokens += /\p{sc=Han}/u.test(piece)
        ? Math.max(1, Math.round([...piece].length * cjk))
        : /\p{L}/u.test(piece)
        ? Math.ceil(piece.length / wide)
        : /^\s/.test(piece)
        ? Math.ceil((piece.length - 1) / 8)
        : 1;
    }
    return tokens;
  };
  const ofMessage = (message: Message) =>
    message.role === "assistant"
      ? message.calls.reduce(
        (sum, c) => sum + 9 + ofText(c.name + c.input),
        3 + ofText(message.text),
      )
      : 3 + ofText(message.text);
  return { ofMessage, fixed: ofText(SYSTEM) };
}

const CODE = "export function sum(a: number, b: number): number {\n  return a + b; // 求和\n}\n";
const PROSE = "上下文接近上限时，较早的消息会整理为摘要，原文仍然保存在会话文件里。";
const LOG = "2026-11-20 08:00:00.123 [core.llm] INFO 0x7f3a9c 200 OK 18ms /api/v1/items?id=42\n";
const WORDS = "The test fails because the port is already taken by another process. ";
const texts = [CODE, PROSE, LOG, WORDS];

const answered = (text: string, calls: AssistantMessage["calls"] = []): AssistantMessage => ({
  role: "assistant",
  text,
  calls,
  thinking: [],
});

Deno.test("an estimate is near what the provider will count, whatever its tokenizer and the talk", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 3, max: 7, noNaN: true }),
      fc.double({ min: 0.4, max: 1.1, noNaN: true }),
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 60 })), {
        minLength: 30,
        maxLength: 60,
      }),
      (wide, cjk, first, steps) => {
        const real = tokenizer(wide, cjk);
        const session = sessionStore(undefined).create();
        const gauge = createGauge(() => [SYSTEM]);
        let input = real.fixed;
        const add = (message: Message, more = {}) => {
          session.append(message, more);
          input += real.ofMessage(message);
        };
        add({ role: "user", text: texts[first]!.repeat(5) });
        let off = 0;
        for (const [step, [kind, size]] of steps.entries()) {
          if (step > 0) off += Math.abs(gauge.estimate(session) - input) / input;
          const call = { id: `c${step}`, name: "Read", input: `{"file_path":"src/f${step}.ts"}` };
          const message = answered(step % 5 === 0 ? texts[first]! : "", [call]);
          const output = real.ofMessage(message) + (step % 3 === 0 ? 700 : 0);
          add(message, { usage: { input, output, cached: 0, cost: 0 } });
          const text = texts[kind]!.repeat(size);
          add({ role: "tool", id: call.id, name: "Read", ok: true, text });
        }
        const mean = off / (steps.length - 1);
        assert.ok(mean < 0.06, `mean error ${(mean * 100).toFixed(1)} %`);
      },
    ),
    { numRuns: runs(100) },
  );
});

Deno.test("what the provider counted is taken from the stored session too", () => {
  const session = sessionStore(undefined).create();
  session.append({ role: "user", text: WORDS.repeat(200) });
  const usage = { input: 6000, output: 40, cached: 0, cost: 0 };
  session.append(answered(WORDS), { usage });
  const cold = createGauge(() => [SYSTEM]);
  const now = cold.estimate(session);
  assert.ok(now > 6000 && now <= 6040, String(now));
  session.append({ role: "user", text: WORDS.repeat(10) });
  const more = cold.estimate(session) - now;
  const asWritten = createGauge(() => []).of([{ role: "user", text: WORDS.repeat(10) }]);
  assert.ok(more > asWritten * 1.1, "what came since is corrected by what was counted");
});

Deno.test("a provider that counts nothing, or nonsense, is not believed", () => {
  for (const input of [0, 10, 900_000]) {
    const session = sessionStore(undefined).create();
    session.append({ role: "user", text: WORDS.repeat(200) });
    session.append(answered("ok"), { usage: { input, output: 0, cached: 0, cost: 0 } });
    const gauge = createGauge(() => [SYSTEM]);
    const own = gauge.fixed() + gauge.of(session.view);
    assert.equal(gauge.estimate(session), Math.ceil(own), String(input));
  }
});

Deno.test("after a change of the view the whole of it is estimated, with what was learnt", () => {
  const session = sessionStore(undefined).create();
  const gauge = createGauge(() => []);
  for (let i = 0; i < 5; i++) {
    session.append({ role: "user", text: WORDS.repeat(100) });
    const raw = createGauge(() => []).of(session.view);
    session.append(answered("ok"), { usage: { input: raw * 2, output: 1, cached: 0, cost: 0 } });
    gauge.estimate(session);
  }
  const before = gauge.estimate(session);
  session.show({ why: "trimmed", lead: "", from: 8, shortened: [] });
  const after = gauge.estimate(session);
  assert.ok(Math.abs(after - before / 5) < before * 0.02, `${before} → ${after}`);
});

Deno.test("a message that is taken back and another in its place are told apart", () => {
  const session = sessionStore(undefined).create();
  const gauge = createGauge(() => []);
  session.append({ role: "user", text: WORDS });
  const one = gauge.estimate(session);
  session.retract();
  session.append({ role: "user", text: WORDS.repeat(3) });
  assert.ok(gauge.estimate(session) > one * 2);
});

Deno.test("what stands before the messages is counted anew when it is another", () => {
  let fixed = SYSTEM;
  const gauge = createGauge(() => [fixed]);
  const before = gauge.fixed();
  fixed = SYSTEM + SYSTEM;
  assert.ok(Math.abs(gauge.fixed() - 2 * before) < 2);
});

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
  const shares = await agent.agent.controller.shares();
  const sum = shares.reduce((all, { tokens }) => all + tokens, 0);
  assert.ok(Math.abs(sum - counted[1]!) < 0.01 * sum, `${sum} of ${counted}`);
  assert.ok(shares.some(({ kind, name }) => kind === "tool" && name === "Look"));
  await agent.agent.close();
});
