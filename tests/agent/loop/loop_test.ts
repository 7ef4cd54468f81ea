import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Message,
  type ModelClient,
  ModelError,
  type Permission,
  type ToolMessage,
} from "../../../src/base/types.ts";
import { eventually } from "../../support/processes.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { runs, slow } from "../../support/soak.ts";

const ok = (text: string) => ({ ok: true, text });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function assertPaired(messages: readonly Message[]): void {
  for (const [i, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const answers = messages.slice(i + 1, i + 1 + message.calls.length);
    assert.deepEqual(
      answers.map((m) => m.role === "tool" ? m.id : m.role),
      message.calls.map((call) => call.id),
    );
  }
}

Deno.test("a turn calls tools until the model has an answer", async () => {
  const model = new ScriptedModel([
    { text: "Let me look. ", calls: [{ name: "Look", input: { at: 1 } }] },
    { calls: [{ name: "Look", input: { at: 2 } }] },
    { text: "Found it." },
  ]);
  const look = tool("Look", (input) => ok(`saw ${input.at}`));
  const t = new TestAgent({ model, tools: [look] });
  await t.say("find it");
  assert.deepEqual(t.messages.map((m) => m.role), [
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
  assert.deepEqual(
    t.events.map((e) => e.type).filter((type) => type !== "text"),
    [
      "turn_start",
      "usage",
      "tool_start",
      "tool_end",
      "usage",
      "tool_start",
      "tool_end",
      "usage",
      "turn_end",
    ],
  );
  assert.equal(t.of("turn_end")[0]!.reason, "done");
  assert.equal(t.of("turn_end")[0]!.iterations, 3);
  assert.equal(t.of("text").map((e) => e.delta).join(""), "Let me look. Found it.");
});

Deno.test("every request begins with the messages of the one before", async () => {
  const model = new ScriptedModel((_r, i) =>
    i < 30 ? { calls: [{ name: "Look", input: { i } }] } : { text: "done" }
  );
  const t = new TestAgent({ model, tools: [tool("Look", (input) => ok(`n ${input.i}`))] });
  await t.say("go");
  for (let i = 1; i < model.requests.length; i++) {
    const before = model.requests[i - 1]!;
    const now = model.requests[i]!;
    assert.deepEqual(now.messages.slice(0, before.messages.length), before.messages);
    assert.equal(now.system, before.system);
    assert.deepEqual(now.tools, before.tools);
  }
});

Deno.test("neighbouring read-only calls overlap, the others do not, and results keep the order", async () => {
  let running = 0;
  let most = 0;
  const slow = (readOnly: boolean) =>
    tool(readOnly ? "Look" : "Do", async (input) => {
      most = Math.max(most, ++running);
      if (readOnly) await eventually(() => most === 4, 20_000);
      await sleep(20 - input.n);
      running--;
      return ok(`r${input.n}`);
    }, { readOnly });
  const calls = (name: string) => [0, 1, 2, 3].map((n) => ({ name, input: { n } }));
  for (const [name, expected] of [["Look", 4], ["Do", 1]] as const) {
    most = 0;
    const t = new TestAgent({
      model: new ScriptedModel([{ calls: calls(name) }, { text: "ok" }]),
      tools: [slow(true), slow(false)],
    });
    await t.say("go");
    assert.equal(most, expected, name);
    assert.deepEqual(
      t.messages.filter((m): m is ToolMessage => m.role === "tool").map((m) => m.text),
      ["r0", "r1", "r2", "r3"],
    );
  }
});

Deno.test("calls that may run beside others do, between those that may not, and one by one where each is asked about", async () => {
  const runs = async (permission: Permission) => {
    const seen: string[] = [];
    let running = 0;
    const run = tool("Run", async ({ n, reads }) => {
      seen.push(`${n} of ${++running}`);
      if (reads && permission === "open") await eventually(() => seen.length === 3, 20_000);
      running--;
      return ok(`r${n}`);
    }, {
      readOnly: false,
      needs: ["run"],
      parallel: ({ reads }) => Promise.resolve(reads),
      // by itself
      asks: () => Promise.resolve(true),
    });
    const calls = [true, true, true, false, false].map((reads, n) => ({
      name: "Run",
      input: { n, reads },
    }));
    const model = new ScriptedModel([{ calls }, { text: "ok" }]);
    const t = new TestAgent({ model, tools: [run], permission });
    await t.say("go");
    const told = t.messages.filter((m): m is ToolMessage => m.role === "tool");
    assert.deepEqual(told.map(({ text }) => text), ["r0", "r1", "r2", "r3", "r4"]);
    return seen;
  };
  assert.deepEqual(await runs("open"), ["0 of 1", "1 of 2", "2 of 3", "3 of 1", "4 of 1"]);
  assert.deepEqual(await runs("ask"), [0, 1, 2, 3, 4].map((n) => `${n} of 1`));
});

Deno.test("Feature: agent-system-optimization, Property 14: N calls give N results with their ids, whatever fails", async () => {
  const kinds = ["ok", "fails", "throws", "hangs", "unknown", "bad_json"] as const;
  const tools = [
    tool("ok", () => ok("fine")),
    tool("fails", () => ({ ok: false, text: "no" })),
    tool("throws", () => Promise.reject(new Error("boom"))),
    tool("hangs", () => new Promise(() => {})),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 }),
      async (list) => {
        const calls = list.map((kind, i) => ({
          id: `id-${i}`,
          name: kind === "bad_json" ? "ok" : kind,
          // five times the same call would end the turn
          input: kind === "bad_json" ? `{"a${i}": ` : { i },
        }));
        const model = new ScriptedModel([{ calls }, { text: "end" }]);
        const t = new TestAgent({ model, tools, limits: { toolMs: 5 } });
        await t.say("go");
        const results = t.messages.filter((m): m is ToolMessage => m.role === "tool");
        assert.deepEqual(results.map((m) => m.id), calls.map((call) => call.id));
        assert.deepEqual(results.map((m) => m.ok), list.map((kind) => kind === "ok"));
        assertPaired(model.requests[1]!.messages);
      },
    ),
    { numRuns: runs(100) },
  );
});

Deno.test("invalid JSON, an unknown tool and a schema violation come back as results that say what to do", async () => {
  const strict = tool("Look", () => ok("x"), {
    input: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    },
  });
  const model = new ScriptedModel([
    {
      calls: [{ name: "Look", input: '{"path": "a' }, { name: "Lok" }, { name: "Look", input: {} }],
    },
    { text: "ok" },
  ]);
  const t = new TestAgent({ model, tools: [strict] });
  await t.say("go");
  const [json, unknown, schema] = t.messages.filter((m) => m.role === "tool").map((m) => m.text);
  assert.match(json!, /JSON/);
  assert.match(unknown!, /Lok.*not found[\s\S]*Look/);
  assert.match(schema!, /path/);
});

Deno.test("the iteration limit ends in one answer without tools", async () => {
  const model = new ScriptedModel((request, i) =>
    request.toolChoice === "none"
      ? { text: "what I have" }
      : { calls: [{ name: "Look", input: { i } }] }
  );
  const t = new TestAgent({
    model,
    tools: [tool("Look", (input) => ok(`n ${input.i}`))],
    limits: { iterations: 3 },
  });
  await t.say("go");
  assert.equal(model.requests.length, 4);
  assert.equal(model.requests[3]!.toolChoice, "none");
  assert.deepEqual(
    model.requests[3]!.tools,
    model.requests[0]!.tools,
    "the prefix keeps its tools",
  );
  const end = t.of("turn_end")[0]!;
  assert.equal(end.reason, "max_iterations");
  assert.equal(t.messages.at(-1)!.text, "what I have");
});

Deno.test("the same call with the same result is hinted at three times and stops the turn at five", async () => {
  let n = 0;
  const model = new ScriptedModel(() => ({ calls: [{ name: "Run", input: { command: "make" } }] }));
  const run = tool("Run", () => ({ ok: false, text: `failed\nexit 1 · ${++n}.2 s` }));
  const t = new TestAgent({ model, tools: [run] });
  await t.say("go");
  const texts = t.messages.filter((m) => m.role === "tool").map((m) => m.text);
  assert.equal(texts.length, 5);
  assert.doesNotMatch(texts[1]!, /same result/);
  assert.match(texts[2]!, /same result 3 times/);
  assert.equal(t.of("turn_end")[0]!.reason, "loop");
  assert.match(t.of("notice").at(-1)!.text, /five times/);
  assertPaired(t.messages);
});

Deno.test("a change in between makes the same call worth repeating", async () => {
  const model = new ScriptedModel((_r, i) =>
    i === 12
      ? { text: "done" }
      : { calls: [i % 2 === 0 ? { name: "Run" } : { name: "Change", input: { i } }] }
  );
  const t = new TestAgent({
    model,
    tools: [
      tool("Run", () => ({ ok: false, text: "failed" })),
      tool("Change", () => ({ ok: true, text: "changed", changed: ["a.ts"] }), { readOnly: false }),
    ],
  });
  await t.say("go");
  assert.equal(t.of("turn_end")[0]!.reason, "done");
});

Deno.test("changes that nothing verified are named in the result and at the turn's end", async () => {
  const change = tool("Change", (input) => ({ ok: true, text: "done", changed: [input.path] }), {
    readOnly: false,
  });
  const detail = { kind: "command", exit: 0 } as const;
  const check = tool("Check", () => ({ ok: true, text: "passed", verified: true, detail }), {
    readOnly: false,
  });
  const script: Step[] = [
    { calls: [{ name: "Change", input: { path: "a.ts" } }] },
    { calls: [{ name: "Check", input: { command: "deno test" } }] },
    { calls: [{ name: "Change", input: { path: "b.ts" } }] },
    { text: "done" },
  ];
  const t = new TestAgent({ model: new ScriptedModel(script), tools: [change, check] });
  await t.say("go");
  const results = t.messages.filter((m) => m.role === "tool").map((m) => m.text);
  assert.match(results[0]!, /Not verified yet: a\.ts/);
  assert.match(results[2]!, /Not verified yet: b\.ts/);
  assert.doesNotMatch(results[2]!, /a\.ts/);
  assert.match(t.of("notice").at(-1)!.text, /not verified: b\.ts/);
});

/** Whether a stop ends the turn before a timer that begins with it, in order: however loaded the machine is. */
async function stopsWithin(t: TestAgent, ms: number): Promise<boolean> {
  let late = false;
  const timer = setTimeout(() => late = true, ms);
  t.stop();
  await t.agent.idle();
  clearTimeout(timer);
  return !late;
}

Deno.test("a stop during the stream keeps the text that came and ends within 100 ms", async () => {
  const t = new TestAgent({ model: new ScriptedModel([{ text: "half an ans", hang: true }]) });
  t.send("go");
  await t.until((e) => e.type === "text" && e.delta === "s");
  assert.ok(await stopsWithin(t, 100));
  assert.equal(t.of("turn_end")[0]!.reason, "interrupted");
  assert.deepEqual(t.messages.at(-1), {
    role: "assistant",
    text: "half an ans",
    calls: [],
    thinking: [],
  });
});

Deno.test("a stop during tools fills the open calls and ends within 100 ms even if a tool does not listen", async () => {
  const deaf = tool("Deaf", () => new Promise(() => {}));
  const serial = tool("Serial", () => ok("never"), { readOnly: false });
  const model = new ScriptedModel([
    { calls: [{ name: "Deaf" }, { name: "Deaf" }, { name: "Serial" }] },
    { text: "after" },
  ]);
  const t = new TestAgent({ model, tools: [deaf, serial] });
  t.send("go");
  await t.until((e) => e.type === "tool_start");
  assert.ok(await stopsWithin(t, 100));
  const results = t.messages.filter((m) => m.role === "tool");
  const texts = results.map((m) => m.text);
  assert.deepEqual(texts.slice(0, 2), ["interrupted", "interrupted"]);
  assert.match(texts[2]!, /^interrupted before this call began. Nothing was run/);
  assertPaired(t.messages);
  await t.say("and now?");
  assertPaired(model.requests[1]!.messages);
});

Deno.test("a line typed during a turn joins at the next model call", async () => {
  const model = new ScriptedModel([{ calls: [{ name: "Wait" }] }, { text: "both done" }]);
  const t: TestAgent = new TestAgent({
    model,
    tools: [tool("Wait", () => {
      t.send("also do that");
      return ok("waited");
    })],
  });
  await t.say("do this");
  assert.deepEqual(model.requests[1]!.messages.map((m) => m.role), [
    "user",
    "assistant",
    "tool",
    "user",
  ]);
  assert.equal(t.of("notice").find((e) => e.joined !== undefined)?.joined, "also do that");
  assert.equal(t.of("turn_end").length, 1);
  assert.equal(t.agent.controller.current().turns, 2);
});

Deno.test("a line typed during the last model call gets a turn of its own", async () => {
  const model = new ScriptedModel([{ text: "one" }, { text: "two" }]);
  const t = new TestAgent({ model });
  t.send("first");
  t.send("second");
  await t.agent.idle();
  assert.equal(t.of("turn_end").length, 2);
  assert.deepEqual(t.messages.map((m) => m.text), ["first", "one", "second", "two"]);
});

Deno.test("a model error before any answer gives the prompt back and leaves the session as it was", async () => {
  const model = new ScriptedModel([
    { error: new ModelError("auth", "bad key", { status: 401 }) },
    { text: "fine now" },
  ]);
  const t = new TestAgent({ model });
  await t.say("hello");
  assert.deepEqual(t.of("error").map((e) => e.kind), ["auth"]);
  const end = t.of("turn_end")[0]!;
  assert.equal(end.reason, "error");
  assert.equal(end.prompt, "hello");
  assert.deepEqual(t.messages, []);
  assert.equal(t.agent.controller.current().turns, 0);
  await t.say("hello");
  assert.equal(model.requests[1]!.messages.length, 1);
});

Deno.test("a model error after tools ran keeps what was done", async () => {
  const model = new ScriptedModel([
    { calls: [{ name: "Look" }] },
    { error: new ModelError("network", "gone") },
  ]);
  const t = new TestAgent({ model, tools: [tool("Look", () => ok("saw"))] });
  await t.say("go");
  assert.deepEqual(t.messages.map((m) => m.role), ["user", "assistant", "tool"]);
  assert.equal(t.of("turn_end")[0]!.prompt, undefined);
});

Deno.test("an empty answer is asked for once more, then told; its tokens count", async () => {
  const once = new TestAgent({ model: new ScriptedModel([{}, { text: "here" }]) });
  await once.say("go");
  assert.equal(once.of("turn_end")[0]!.reason, "done");
  assert.equal(once.agent.controller.current().usage.input, 200);
  const twice = new TestAgent({ model: new ScriptedModel([{}, {}]) });
  await twice.say("go");
  assert.equal(twice.of("error")[0]!.kind, "protocol");
  assert.equal(twice.of("turn_end")[0]!.prompt, "go");
});

slow(
  "a call that is long in writing is told once a second, with its size and its file",
  async () => {
    const scripted = new ScriptedModel([{ text: "ok" }]);
    const model: ModelClient = {
      async *stream(request, signal) {
        yield { type: "call", name: "Write" };
        for (let part = 0; part < 25; part++) {
          const text = '\\"path\\":\\"b\\" '.repeat(7);
          const delta = ['{"file_path": "src/', '新.ts","content":"'][part] ?? text;
          yield { type: "input", delta };
          await sleep(100);
        }
        yield* scripted.stream(request, signal);
      },
    };
    const t = new TestAgent({ model });
    await t.say("write it");
    const told = t.of("writing");
    assert.equal(told.length, 2);
    assert.deepEqual(told.map(({ name }) => name), ["Write", "Write"]);
    assert.deepEqual(told.map(({ path }) => path), ["src/新.ts", "src/新.ts"]);
    assert.ok(told[0]!.chars >= 700 && told[0]!.chars < told[1]!.chars && told[1]!.chars <= 2500);
  },
);

Deno.test("a budget is checked before each request", async () => {
  const look = tool("Look", (input) => ok(`n ${input.i}`));
  const endless = () =>
    new ScriptedModel((_r, i) => ({
      calls: [{ name: "Look", input: { i } }],
      usage: { input: 900, output: 100, cached: 0, cost: 0.01 },
    }));
  const tokens = new TestAgent({ model: endless(), tools: [look], limits: { tokens: 2500 } });
  await tokens.say("go");
  assert.equal(tokens.of("turn_end")[0]!.reason, "budget");
  assert.equal(tokens.of("usage").length, 2, "a third one would go beyond it");
  const cost = new TestAgent({ model: endless(), tools: [look], limits: { cost: 0.02 } });
  await cost.say("go");
  assert.equal(cost.of("turn_end")[0]!.reason, "budget");
  assert.equal(cost.of("usage").length, 2);
});

Deno.test("what making room has spent counts before the next request, and room is made within the budget", async () => {
  const told = "because of this and that. ".repeat(60);
  const model = new ScriptedModel(({ toolChoice }) => {
    const input = toolChoice !== "auto" ? 50_000 : 10;
    const text = toolChoice !== "auto" ? "the summary" : told;
    return { text, usage: { input, output: 10, cached: 0, cost: 0 } };
  });
  const t = new TestAgent({
    model,
    limits: { tokens: 30_000 },
    context: { contextWindow: 12_000 },
  });
  const asked = () => model.requests.filter(({ toolChoice }) => toolChoice !== "auto").length;
  while (asked() === 0) await t.say("why is that so? ".repeat(60));
  const end = t.of("turn_end").at(-1)!;
  assert.equal(end.reason, "budget");
  assert.ok(end.prompt !== undefined, "the line comes back");
  assert.notEqual(model.requests.at(-1)!.toolChoice, "auto", "nothing is asked behind the summary");
  assert.match(t.of("notice").at(-1)!.text, /budget is used up/);
  await t.agent.close();
});

Deno.test("an unknown cost stays unknown", async () => {
  const t = new TestAgent({
    model: new ScriptedModel([{
      text: "x",
      usage: { input: 1, output: 1, cached: 0, cost: null },
    }]),
  });
  await t.say("go");
  assert.equal(t.of("usage")[0]!.cost, null);
  assert.equal(t.agent.controller.current().usage.cost, null);
});

Deno.test("permission ask asks before what is not read-only; No reaches the model as a result", async () => {
  let ran = 0;
  const tools = [
    tool("Look", () => ok("saw")),
    tool("Change", () => {
      ran++;
      return ok("changed");
    }, { readOnly: false, needs: ["write"] }),
    tool("Note", () => ok("noted"), { readOnly: false }),
  ];
  const script = [{ calls: [{ name: "Look" }, { name: "Change" }, { name: "Note" }] }, {
    text: "ok",
  }];
  const no = new TestAgent({ model: new ScriptedModel(script), tools, permission: "ask" });
  await no.say("go");
  assert.deepEqual(no.of("ask").map((e) => e.kind), ["tool"]);
  assert.equal(ran, 0);
  assert.match(no.messages.filter((m) => m.role === "tool")[1]!.text, /declined/);
  const yes: TestAgent = new TestAgent({
    model: new ScriptedModel(script),
    tools,
    permission: "ask",
    consentPolicy: "ask",
  });
  yes.send("go");
  const ask = await yes.until((e) => e.type === "ask");
  if (ask.type !== "ask") throw new Error("unreachable");
  yes.agent.bus.send({ type: "answer", lane: "main", id: ask.id, value: true });
  await yes.agent.idle();
  assert.equal(ran, 1);
});

Deno.test("a tool that asks itself is asked about once, and the wait is no running time", async () => {
  let ran = 0;
  const tools = [
    tool("Del", async (_i, context) => {
      const yes = await context.ask({ kind: "delete", question: "delete?" });
      if (yes) ran++;
      return { ok: yes, text: "done" };
    }, { readOnly: false, needs: ["run"], asks: () => Promise.resolve(true) }),
  ];
  const t: TestAgent = new TestAgent({
    model: new ScriptedModel([{ calls: [{ name: "Del" }] }, { text: "ok" }]),
    tools,
    permission: "ask",
    consentPolicy: "ask",
  });
  t.send("go");
  const ask = await t.until((e) => e.type === "ask");
  if (ask.type !== "ask") throw new Error("unreachable");
  const asked = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 400));
  const waited = performance.now() - asked;
  t.agent.bus.send({ type: "answer", lane: "main", id: ask.id, value: true });
  await t.agent.idle();
  assert.deepEqual([ran, t.of("ask").map(({ kind }) => kind)], [1, ["delete"]]);
  const { ms } = t.of("tool_end")[0]!;
  assert.ok(ms < waited, `${ms} ms, of which ${waited} ms were the wait`);
});

Deno.test("a stop at the question before a tool interrupts the call, it is not declined", async () => {
  const tools = [tool("Change", () => ok("changed"), { readOnly: false, needs: ["write"] })];
  const model = new ScriptedModel([{ calls: [{ name: "Change" }] }]);
  const t = new TestAgent({ model, tools, permission: "ask", consentPolicy: "ask" });
  t.send("go");
  await t.until((e) => e.type === "ask");
  t.stop();
  await t.agent.idle();
  const [end] = t.of("tool_end");
  assert.deepEqual([end!.ok, end!.text, end!.detail], [false, "interrupted", undefined]);
});

Deno.test("a stop answers an open question with No", async () => {
  const asks = tool("Del", async (_i, context) => {
    const yes = await context.ask({ kind: "delete", question: "delete?" });
    return { ok: yes, text: String(yes) };
  });
  const t = new TestAgent({
    model: new ScriptedModel([{ calls: [{ name: "Del" }] }]),
    tools: [asks],
    consentPolicy: "ask",
  });
  t.send("go");
  await t.until((e) => e.type === "ask");
  t.stop();
  await t.agent.idle();
  assert.equal(t.of("turn_end")[0]!.reason, "interrupted");
});

Deno.test("a key that a tool comes upon reaches neither the model nor the screen", async () => {
  const leak = tool("Leak", (_i, context) => {
    context.progress("working with sk-hidden-key1");
    return {
      ok: true,
      text: "api_key: sk-hidden-key1",
      detail: { kind: "command", exit: 0, output: "sk-hidden-key1" },
    };
  });
  const model = new ScriptedModel([{ calls: [{ name: "Leak" }] }, { text: "ok" }]);
  const t = new TestAgent({ model, tools: [leak] });
  await t.say("go");
  assert.ok(!JSON.stringify([t.events, t.messages, model.requests]).includes("sk-hidden-key1"));
  assert.match(t.of("tool_end")[0]!.text, /^api_key: «secret:api_key»\n\n\(«secret:…» stands for /);
});

Deno.test("a prompt stopped before anything answered it is given back and leaves the session", async () => {
  const model = new ScriptedModel([
    { text: "first" },
    { text: "", hang: true },
    { text: "ok" },
  ]);
  const t = new TestAgent({ model });
  await t.say("one");
  t.send("two");
  while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
  t.stop();
  await t.agent.idle();
  const end = t.of("turn_end").at(-1)!;
  assert.deepEqual([end.reason, end.prompt], ["interrupted", "two"]);
  assert.deepEqual(t.agent.controller.current().prompts, ["one"]);
  await t.say("two, again");
  assert.deepEqual(
    model.requests[2]!.messages.map((m) => m.text),
    ["one", "first", "two, again"],
    "not twice, and all that was answered is where it was",
  );
});

Deno.test("a prompt of which anything was answered stays when it is stopped", async () => {
  const model = new ScriptedModel([{ text: "half", hang: true }, { text: "ok" }]);
  const t = new TestAgent({ model });
  t.send("one");
  await t.until((e) => e.type === "text");
  t.stop();
  await t.agent.idle();
  assert.equal(t.of("turn_end")[0]!.prompt, undefined);
  await t.say("two");
  assert.deepEqual(model.requests[1]!.messages.map((m) => m.text), ["one", "half", "two"]);
});

Deno.test("an answer that the full window cut short is void, and given anew when there is room", async () => {
  const error = new ModelError("overflow", "the window is full");
  const model = new ScriptedModel((request, index) => {
    if (request.toolChoice === "unwanted") return { text: "a summary" };
    return index === 4 ? { text: "half an ans", error } : { text: `answer ${index}` };
  });
  const agent = new TestAgent({ model });
  for (const text of ["one", "two", "three", "four", "five"]) await agent.say(text);
  const ends = agent.of("turn_end").map(({ reason }) => reason);
  assert.deepEqual(ends, Array(5).fill("done"));
  const voided = agent.of("notice").filter(({ retryMs }) => retryMs !== undefined);
  assert.deepEqual(voided.map(({ retryMs }) => retryMs), [0]);
  assert.ok(!agent.messages.some(({ text }) => text.includes("half")));
});

Deno.test("text that was thinking is void, and is not what a stop keeps", async () => {
  const model: ModelClient = {
    async *stream(_request, signal) {
      yield { type: "text", delta: "why\n</think>\n" };
      yield { type: "thought" };
      yield { type: "text", delta: "The answer" };
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      );
    },
  };
  const agent = new TestAgent({ model });
  agent.send("go");
  await agent.until((event) => event.type === "text" && event.delta === "The answer");
  assert.ok(await stopsWithin(agent, 1000));
  assert.deepEqual(agent.of("notice").map(({ retryMs }) => retryMs), [0]);
  assert.equal(agent.messages.at(-1)?.text, "The answer");
});

Deno.test("what is thrown before a call, or by it, is its result", async () => {
  const before = tool("Before", () => ok("never"), {
    readOnly: false,
    needs: ["run"],
    asks: () => {
      throw new RangeError("broken before");
    },
  });
  const inside = tool("Inside", () => {
    throw new RangeError("broken inside");
  });
  const model = new ScriptedModel([
    { calls: [{ name: "Before" }, { name: "Inside" }] },
    { text: "on" },
  ]);
  const agent = new TestAgent({ model, tools: [before, inside], permission: "ask" });
  await agent.say("go");
  assert.equal(agent.of("turn_end")[0]!.reason, "done");
  const results = agent.messages.filter((one) => one.role === "tool");
  assert.deepEqual(results.map(({ ok }) => ok), [false, false]);
  assert.match(results[0]!.text, /broken before/);
  assert.match(results[1]!.text, /broken inside/);
});
