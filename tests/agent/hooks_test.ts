import assert from "node:assert/strict";
import type { HookEvent, Hooks, ModelRequest } from "../../src/base/types.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { TestAgent, type TestAgentOptions, tool } from "../support/test_agent.ts";

/** Hooks that answer what `said` makes of an event, and remember all of them. */
class FakeHooks implements Hooks {
  readonly heard: HookEvent[] = [];
  readonly #said: (event: HookEvent) => string | undefined;

  constructor(said: (event: HookEvent) => string | undefined = () => undefined) {
    this.#said = said;
  }

  has = () => true;

  run(event: HookEvent): Promise<string | undefined> {
    this.heard.push(event);
    return Promise.resolve(this.#said(event));
  }

  get names(): string[] {
    return this.heard.map(({ event }) => event);
  }
}

function staged(
  hooks: FakeHooks,
  steps: ConstructorParameters<typeof ScriptedModel>[0],
  more: Partial<TestAgentOptions> = {},
) {
  const model = new ScriptedModel(steps);
  const ran: string[] = [];
  const touch = tool("Touch", (input) => {
    ran.push(String(input["path"]));
    return { ok: true, text: "touched sk-hidden-key1" };
  });
  return { t: new TestAgent({ model, tools: [touch], hooks, ...more }), model, ran };
}

const CALL = { calls: [{ name: "Touch", input: { path: "a" } }] };

Deno.test("hooks hear of a session, its calls and its turns, in this order", async () => {
  const hooks = new FakeHooks();
  const { t } = staged(hooks, [CALL, { text: "done" }, { text: "again" }]);
  await t.say("go");
  await t.say("on");
  assert.deepEqual(hooks.heard, [
    { event: "session_start" },
    { event: "before_tool", tool: "Touch", input: { path: "a" } },
    {
      event: "after_tool",
      tool: "Touch",
      input: { path: "a" },
      ok: true,
      result: "touched «secret:api_key»",
    },
    { event: "turn_end", reason: "done", text: "done" },
    { event: "turn_end", reason: "done", text: "again" },
  ]);
  await t.agent.close();
});

Deno.test("what before_tool blocks is not run, and the model reads why", async () => {
  const hooks = new FakeHooks(({ event }) => event === "before_tool" ? "not here" : undefined);
  const { t, ran } = staged(hooks, [CALL, { text: "well" }]);
  await t.say("go");
  assert.deepEqual(ran, []);
  const [end] = t.of("tool_end");
  assert.deepEqual([end!.ok, end!.text], [false, "not here"]);
  assert.ok(!hooks.names.includes("after_tool"));
  await t.agent.close();
});

Deno.test("what after_tool says stands behind the result", async () => {
  const hooks = new FakeHooks(({ event }) => event === "after_tool" ? "format it" : undefined);
  const { t, ran } = staged(hooks, [CALL, { text: "well" }]);
  await t.say("go");
  assert.deepEqual(ran, ["a"]);
  assert.match(t.of("tool_end")[0]!.text, /^touched «secret:api_key»\n\nformat it\n\n\(/);
  await t.agent.close();
});

Deno.test("a turn_end that always blocks makes one turn more, not a loop", async () => {
  const hooks = new FakeHooks(({ event }) => event === "turn_end" ? "run the tests" : undefined);
  const { t, model } = staged(hooks, () => ({ text: "I am done" }));
  await t.say("go");
  assert.equal(model.requests.length, 2);
  assert.deepEqual(t.of("turn_start").map(({ text, from }) => [text, from]), [
    ["go", undefined],
    ["run the tests", "hook"],
  ]);
  assert.deepEqual(hooks.names, ["session_start", "turn_end"]);
  await t.say("again");
  assert.equal(model.requests.length, 4);
  assert.equal(t.agent.controller.current().turns, 2);
  await t.agent.close();
});

Deno.test("what turn_end asks for may use no more than the turn that it belongs to", async () => {
  const hooks = new FakeHooks(({ event }) => event === "turn_end" ? "mend it" : undefined);
  const { t, ran } = staged(hooks, (request) => {
    const last = request.messages.at(-1)!.text;
    return last === "mend it" ? { calls: [{ name: "Touch" }] } : { text: "ok" };
  });
  t.agent.bus.send({ type: "line", lane: "main", text: "look", tools: ["Read"] });
  await t.agent.idle();
  assert.deepEqual(ran, []);
  assert.match(t.of("tool_end")[0]!.text, /allows only Read/);
  await t.agent.close();
});

Deno.test("what session_start says is read by the model with the first line, once a session", async () => {
  const hooks = new FakeHooks(({ event }) => event === "session_start" ? "on branch x" : undefined);
  const { t, model } = staged(hooks, () => ({ text: "ok" }));
  await t.say("go");
  await t.say("on");
  const texts = model.requests[1]!.messages.map(({ text }) => text);
  assert.deepEqual(texts, ["go", "[narnat] session_start:\non branch x", "ok", "on"]);
  await t.say("/new");
  await t.say("other");
  assert.equal(hooks.names.filter((name) => name === "session_start").length, 2);
  assert.deepEqual(model.requests[2]!.messages.map(({ text }) => text), [
    "other",
    "[narnat] session_start:\non branch x",
  ]);
  await t.agent.close();
});

Deno.test("a question that waits for a person calls them, one that nobody answers does not", async () => {
  for (const consentPolicy of ["ask", "deny"] as const) {
    const hooks = new FakeHooks();
    const ask = tool("Ask", async (_, context) => {
      const ok = await context.ask({ kind: "delete", question: "Delete a?" });
      return { ok, text: String(ok) };
    });
    const steps = [{ calls: [{ name: "Ask" }] }, { text: "done" }];
    const { t } = staged(hooks, steps, { consentPolicy, tools: [ask] });
    t.send("go");
    const question = await t.until(({ type }) => type === "ask");
    if (consentPolicy === "ask" && question.type === "ask") {
      t.agent.bus.send({ type: "answer", lane: "main", id: question.id, value: true });
    }
    await t.agent.idle();
    const told = hooks.heard.filter(({ event }) => event === "notify");
    assert.deepEqual(told, consentPolicy === "ask" ? [{ event: "notify", text: "Delete a?" }] : []);
    await t.agent.close();
  }
});

Deno.test("the end of a turn of half a minute calls a person, that of a shorter one does not", async () => {
  for (const ms of [29_999, 30_000]) {
    const hooks = new FakeHooks();
    let now = 0;
    const slow = tool("Slow", () => {
      now += ms;
      return { ok: true, text: "" };
    });
    const steps = [{ calls: [{ name: "Slow" }] }, { text: "done" }];
    const { t } = staged(hooks, steps, { tools: [slow], monotonic: () => now });
    await t.say("go");
    const told = hooks.heard.filter(({ event }) => event === "notify");
    assert.deepEqual(told, ms < 30_000 ? [] : [{ event: "notify", text: "the turn is over" }]);
    await t.agent.close();
  }
});

Deno.test("a plan calls a person once, when its last step has ended", async () => {
  let now = 0;
  const slow = tool("Slow", () => {
    now += 31_000;
    return { ok: true, text: "" };
  });
  const hooks = new FakeHooks();
  const script = (request: ModelRequest): Step => {
    const last = request.messages.at(-1)!;
    if (last.role === "tool") return { text: "done" };
    return /break the task/.test(last.text) ? { text: '["a", "b", "c"]' } : {
      calls: [{ name: "Slow" }],
    };
  };
  const more = { tools: [slow], monotonic: () => now, planFirst: true };
  const { t } = staged(hooks, script, more);
  await t.say("go");
  assert.deepEqual(t.of("turn_end").map((e) => [e.ms, e.more === true]), [
    [0, true],
    [31_000, true],
    [31_000, true],
    [31_000, false],
  ]);
  assert.equal(hooks.heard.filter(({ event }) => event === "notify").length, 1);
  await t.agent.close();
});

const PLANS = (request: ModelRequest): Step =>
  /break the task/.test(request.messages.at(-1)!.text)
    ? { text: '["a", "b", "c"]' }
    : { text: "done" };

Deno.test("turn_end hears of a plan when its last step is done, and nothing comes between the steps", async () => {
  const hooks = new FakeHooks(({ event }) => event === "turn_end" ? "lint fails" : undefined);
  const { t } = staged(hooks, PLANS, { planFirst: true });
  await t.say("go");
  assert.deepEqual(t.of("turn_start").map(({ text }) => text), [
    "go",
    "[Step 1/3] a",
    "[Step 2/3] b",
    "[Step 3/3] c",
    "lint fails",
  ]);
  assert.deepEqual(hooks.names, ["session_start", "turn_end"]);
  await t.agent.close();
});

Deno.test("a stop while turn_end runs interrupts the turn, and what is left of a plan", async () => {
  for (const planFirst of [false, true]) {
    const hooks = new FakeHooks();
    const slow: Hooks = {
      has: () => true,
      run(event, _at, signal) {
        if (event.event !== "turn_end") return Promise.resolve(undefined);
        return new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve(undefined), { once: true })
        );
      },
    };
    const { t } = staged(hooks, PLANS, { planFirst, hooks: slow });
    t.send("go");
    await t.until((event) => event.type === "hook" && event.event === "turn_end");
    t.stop();
    await t.agent.idle();
    assert.equal(t.of("turn_end").at(-1)!.reason, "interrupted");
    assert.equal(t.of("turn_start").length, planFirst ? 4 : 1);
    await t.agent.close();
  }
});

Deno.test("while a hook holds the end of a turn up it is told that it runs", async () => {
  const { t } = staged(new FakeHooks(), [{ text: "done" }]);
  await t.say("go");
  const types = t.events.map(({ type }) => type);
  assert.equal(types.indexOf("hook"), types.indexOf("turn_end") - 1);
  await t.agent.close();
});
