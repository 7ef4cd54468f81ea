import assert from "node:assert/strict";
import type { HookEvent, Hooks } from "../../src/types.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
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
    return { ok: true, text: "touched sk-hidden-key" };
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
    { event: "after_tool", tool: "Touch", input: { path: "a" }, ok: true, result: "touched ***" },
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
  assert.equal(t.of("tool_end")[0]!.text, "touched ***\n\nformat it");
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
  assert.equal(t.agent.desk.current().turns, 2);
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
  for (const answering of ["ask", "deny"] as const) {
    const hooks = new FakeHooks();
    const ask = tool("Ask", async (_, context) => {
      const ok = await context.ask({ kind: "delete", question: "Delete a?" });
      return { ok, text: String(ok) };
    });
    const steps = [{ calls: [{ name: "Ask" }] }, { text: "done" }];
    const { t } = staged(hooks, steps, { answering, tools: [ask] });
    t.send("go");
    const question = await t.until(({ type }) => type === "ask");
    if (answering === "ask" && question.type === "ask") {
      t.agent.bus.send({ type: "answer", session: "main", id: question.id, value: true });
    }
    await t.agent.idle();
    const told = hooks.heard.filter(({ event }) => event === "notify");
    assert.deepEqual(told, answering === "ask" ? [{ event: "notify", text: "Delete a?" }] : []);
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
