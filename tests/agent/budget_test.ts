import assert from "node:assert/strict";
import { join } from "node:path";
import { askInOwnLane } from "../../src/features/memory/run_dream.ts";
import {
  type Asker,
  Budget,
  ownSpending,
  roundUp,
  streamedTokens,
} from "../../src/agent/budget.ts";
import { NO_USAGE } from "../../src/base/figures.ts";
import { createLog } from "../../src/base/log.ts";
import { english } from "../../src/base/t.ts";
import { type AgentEvent, ModelError } from "../../src/base/types.ts";
import { createMemory } from "../../src/features/memory/store.ts";
import { createHistory } from "../../src/session/history.ts";
import { agentsStage, firstLine } from "../features/subagents/stage.ts";
import { sessionStore } from "../support/parts.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions, tool } from "../support/test_agent.ts";

const look = tool("Look", (input) => ({ ok: true, text: `n ${input.i}` }));
const priceOf = () => Promise.resolve(0.1);
const each = { input: 100, output: 10, cached: 0, cost: 0.1 };
const endless = () =>
  new ScriptedModel((_request, i) => ({
    calls: [{ name: "Look", input: { i } }],
    usage: each,
  }));
const agentWith = (more: Partial<TestAgentOptions>) =>
  new TestAgent({ model: endless(), tools: [look], priceOf, ...more });
const warnings = (t: TestAgent) =>
  t.of("notice").filter(({ level }) => level === "warn").map(({ text }) => text);

Deno.test("a request that is expected to go beyond a limit is not made", async () => {
  const t = agentWith({ limits: { cost: 0.35 } });
  await t.say("go");
  assert.equal(t.of("turn_end")[0]!.reason, "budget");
  assert.equal(t.of("usage").length, 3);
  assert.match(
    warnings(t).at(-1)!,
    /cost budget would be exceeded .*\(about \$0\.1000\): \$0\.3000 of \$0\.35/,
  );
  const first = agentWith({ limits: { tokens: 400 } });
  await first.say("go");
  assert.equal(first.of("usage").length, 0);
  assert.equal(first.of("turn_end")[0]!.prompt, "go");
});

Deno.test("what the provider has cached is expected to be cached again, and an answer to be as long as they are", async () => {
  const asked: unknown[] = [];
  const t = agentWith({
    model: new ScriptedModel((_request, i) => ({
      ...i < 2 ? { calls: [{ name: "Look", input: { i } }] } : { text: "done" },
      usage: { input: 900, output: i === 0 ? 300 : 500, cached: 800, cost: 0 },
    })),
    limits: { cost: 1 },
    priceOf(_model, tokens) {
      asked.push([tokens.cached, tokens.output]);
      return Promise.resolve(0);
    },
  });
  await t.say("go");
  assert.deepEqual([...new Set(asked.map((one) => JSON.stringify(one)))], [
    "[0,500]",
    "[900,300]",
    "[900,400]",
  ]);
});

Deno.test("a limit that is near is told once", async () => {
  const t = agentWith({ limits: { cost: 1.05 } });
  await t.say("go");
  assert.equal(t.of("usage").length, 10);
  assert.deepEqual(warnings(t).map((text) => /(\d+)% spent/.exec(text)?.[1]), ["85", undefined]);
});

Deno.test("a limit that is near is told when the request that came near it is over", async () => {
  const said = (t: TestAgent) =>
    t.events.flatMap((event) =>
      event.type === "notice" && event.level === "warn"
        ? [event.text]
        : event.type === "ask" || event.type === "turn_end"
        ? [event.type]
        : []
    );
  const t = agentWith({ limits: { cost: 0.33 }, consentPolicy: "ask" });
  t.send("go");
  await t.until(({ type }) => type === "ask");
  assert.match(said(t)[0]!, /90% spent/);
  assert.equal(said(t)[1], "ask");
  t.stop();
  await t.agent.idle();
  const model = new ScriptedModel([{ text: "done", usage: each }]);
  const one = agentWith({ model, limits: { day: { cost: 0.11 } } });
  await one.say("go");
  assert.match(said(one)[0]!, /Today.*90% spent/);
  assert.deepEqual(said(one).slice(1), ["turn_end"]);
});

Deno.test("of a limit that is used up nobody is told that it is near", async () => {
  for (const cost of [0.1, 0.05]) {
    const model = new ScriptedModel([{ text: "done", usage: each }]);
    const t = agentWith({ model, limits: { cost }, priceOf: () => Promise.resolve(0) });
    await t.say("go");
    assert.deepEqual([t.of("usage").length, warnings(t)], [1, []]);
  }
});

Deno.test("what is offered lasts for several requests, and less than one request takes is said to be too little", async () => {
  const t = agentWith({ limits: { cost: 0.2 }, consentPolicy: "ask" });
  const asks: Extract<AgentEvent, { type: "ask" }>[] = [];
  t.agent.bus.subscribe((event) => {
    if (event.type !== "ask") return;
    asks.push(event);
    const value = [{ more: 0.01 }, true, false][asks.length - 1]!;
    t.agent.bus.send({ type: "answer", lane: "main", id: event.id, value });
  });
  await t.say("go");
  assert.doesNotMatch(asks[0]!.question, /too little/);
  assert.match(asks[1]!.question, /^\$0\.01 more is too little.*\$0\.09/);
  assert.doesNotMatch(asks[2]!.question, /too little/);
  assert.ok(t.of("usage").length >= 5, `${t.of("usage").length}`);
});

Deno.test("at the limit a person is asked: a Yes raises it by so much, a No ends the turn", async () => {
  const t = agentWith({ limits: { cost: 0.2 }, consentPolicy: "ask" });
  const asks: Extract<AgentEvent, { type: "ask" }>[] = [];
  t.agent.bus.subscribe((event) => {
    if (event.type !== "ask") return;
    asks.push(event);
    const value = [{ more: 0.3 }, true, false][asks.length - 1]!;
    t.agent.bus.send({ type: "answer", lane: "main", id: event.id, value });
  });
  await t.say("go");
  assert.deepEqual(asks.map(({ kind }) => kind), ["budget", "budget", "budget"]);
  assert.match(asks[0]!.question, /used up: \$0\.2000 of \$0\.2\nRaise the limit/);
  assert.deepEqual(asks[0]!.fields?.map(({ name, type, value }) => [name, type, value]), [
    ["more", "number", 0.3],
  ]);
  // 0.2, then 0.3 more, then what was offered, which lasts for three requests
  assert.equal(t.of("usage").length, 8);
  assert.equal(t.of("turn_end")[0]!.reason, "budget");
  const { session } = await t.agent.controller.budget();
  assert.equal(Number(session.cost!.toFixed(4)), 0.8);
  await t.say("/new");
  assert.equal((await t.agent.controller.budget()).session.cost, 0.2, "it was that session's");
});

Deno.test("where nobody can be asked nobody is", async () => {
  for (const consentPolicy of ["deny", "allow_delete"] as const) {
    const t = agentWith({ limits: { cost: 0.2 }, consentPolicy });
    await t.say("go");
    assert.equal(t.of("ask").length, 0);
    assert.equal(t.of("turn_end")[0]!.reason, "budget");
  }
});

Deno.test("a stop at the question interrupts the turn", async () => {
  const t = agentWith({ limits: { cost: 0.2 }, consentPolicy: "ask" });
  t.send("go");
  await t.until(({ type }) => type === "ask");
  t.stop();
  await t.agent.idle();
  assert.equal(t.of("turn_end")[0]!.reason, "interrupted");
});

Deno.test("the day's limit counts what other narnats have spent", async () => {
  const spending = ownSpending();
  await spending.add({ input: 10, output: 0, cached: 0, cost: 0.85 }, "other");
  const t = agentWith({ limits: { day: { cost: 1.1 } }, spending });
  await t.say("go");
  assert.equal(t.of("usage").length, 2);
  assert.match(warnings(t).at(-1)!, /^Today's cost budget/);
  await t.say("/new");
  await t.say("go");
  assert.equal(t.of("usage").length, 2, "the day is the same in another session");
});

Deno.test("an unknown price is told once, and limits in tokens hold all the same", async () => {
  const model = new ScriptedModel((_request, i) => ({
    calls: [{ name: "Look", input: { i } }],
    usage: { input: 9000, output: 1000, cached: 0, cost: null },
  }));
  const t = new TestAgent({ model, tools: [look], limits: { tokens: 50_000, day: { cost: 1 } } });
  await t.say("go");
  assert.equal(t.of("turn_end")[0]!.reason, "budget");
  assert.equal(warnings(t).filter((text) => text.includes("is not known")).length, 1);
  assert.match(warnings(t).at(-1)!, /token budget/);
});

Deno.test("an unknown price is no matter where no limit of cost counts those requests", async () => {
  const spending = ownSpending();
  await spending.add({ input: 10, output: 0, cached: 0, cost: null }, "other");
  const limits = { cost: 9, day: { tokens: 100_000 } };
  const t = agentWith({ limits, spending, model: new ScriptedModel([{}]) });
  await t.say("go");
  assert.deepEqual(warnings(t).filter((text) => text.includes("is not known")), []);
});

Deno.test("what others have spent today at an unknown price is told", async () => {
  const spending = ownSpending();
  await spending.add({ input: 10, output: 0, cached: 0, cost: null }, "other");
  const t = agentWith({ limits: { day: { cost: 9 } }, spending, model: new ScriptedModel([{}]) });
  await t.say("go");
  assert.equal(warnings(t).filter((text) => text.includes("is not known")).length, 1);
});

Deno.test("a new session is told anew what it has spent, and not what the day has", async () => {
  const told: string[] = [];
  const spent = { input: 90, output: 0, cached: 0, cost: 0 };
  const spending = ownSpending();
  await spending.add(spent, "m");
  const budget = new Budget({
    t: english,
    session: { tokens: 100 },
    day: { tokens: 100 },
    spending,
    priceOf,
    spent: () => spent,
    tell: (text) => told.push(text.split(/:| of /)[0]!),
  });
  for (let i = 0; i < 2; i++) await budget.warn();
  assert.equal(told.length, 2);
  budget.renew();
  for (let i = 0; i < 2; i++) await budget.warn();
  assert.deepEqual(told.slice(2), [told[0]]);
  assert.notEqual(told[0], told[1]);
});

Deno.test("a lane is held by the budget of the one it works for, which pays", async () => {
  const at = (tokens: number | undefined, above?: Budget) =>
    new Budget({
      t: english,
      session: { cost: undefined, tokens },
      day: {},
      spending: ownSpending(),
      priceOf,
      spent: () => NO_USAGE,
      tell: () => {},
      above,
    });
  const asker = {
    session: sessionStore(undefined).create(),
    contextManager: { estimate: () => 100 } as unknown as Asker["contextManager"],
    modelName: "m",
  };
  const { signal } = new AbortController();
  for (
    const [mine, above, why] of [[9e9, 9e9, /^$/], [9e9, 1, /token/], [1, 9e9, /token/]] as const
  ) {
    const budget = at(mine, at(above));
    assert.match(await budget.over(asker) ?? "", why);
    assert.match(await budget.pass(asker, signal) ?? "", why);
  }
});

Deno.test("no session's file gives back what was spent", () =>
  withWorkspace({}, (dir) => {
    const session = sessionStore(dir).create();
    session.append({ role: "user", text: "go" });
    session.spend(each);
    session.close();
    const line = { type: "usage", usage: { ...each, input: -1e9, cost: -1e9 } };
    Deno.writeTextFileSync(join(dir, `${session.id}.jsonl`), `${JSON.stringify(line)}\n`, {
      append: true,
    });
    assert.deepEqual(sessionStore(dir).open(session.id).session.usage, each);
  }));

const history = () => createHistory(undefined, () => new Date());
const archiving = () =>
  createMemory({
    dir: "/nowhere/memory",
    history: history(),
    t: english,
    redactAlways: (text) => text,
    log: createLog({ dir: undefined, now: () => new Date(), redactAlways: (text) => text }),
    repo: () => Promise.resolve(undefined),
    dream: () => Promise.resolve(""),
  });

/** Requests that were made for the session, which all count on its budget and on the day's. */
async function counted(t: TestAgent, model: ScriptedModel, places: number): Promise<void> {
  const { spent, today } = await t.agent.controller.budget();
  assert.equal(model.requests.length, places);
  assert.equal(spent.input, 100 * places, "the session");
  assert.equal(today.usage.input, 100 * places, "the day");
  assert.equal(Number(today.usage.cost.toFixed(4)), Number((0.1 * places).toFixed(4)));
  await t.agent.close();
}

Deno.test("a turn's requests count", async () => {
  const model = new ScriptedModel([
    { calls: [{ name: "Look" }], usage: each },
    { text: "done", usage: each },
  ]);
  const t = agentWith({ model });
  await t.say("go");
  await counted(t, model, 2);
});

Deno.test("an agent's and a member's requests count", async () => {
  for (const name of ["Spawn", "Team"]) {
    const input = name === "Spawn"
      ? { task: "task", label: "t", wait: true }
      : { action: "create", members: [{ name: "ann", role: "task" }] };
    const { t, model } = agentsStage(
      (request) =>
        firstLine(request) === "go" && request.messages.length === 1
          ? { calls: [{ name, input }], usage: each }
          : { text: "done", usage: each },
      { priceOf },
    );
    await t.say("go");
    await counted(t, model, model.requests.length);
    assert.ok(model.requests.some((request) => firstLine(request) !== "go") || name === "Team");
  }
});

Deno.test("a summary's request counts when a session is handed over, and when it is compacted", async () => {
  await withWorkspace({}, async (root) => {
    const model = new ScriptedModel(({ toolChoice }) => ({
      text: toolChoice === "auto" ? "done" : "## Goal\nthe summary of all that was said so far",
      usage: each,
    }));
    const t = agentWith({ model, workspace: root, dir: join(root, "s") });
    await t.say("go");
    await t.say("/compact");
    assert.equal(t.of("compress_end")[0]?.ok, true);
    await counted(t, model, 2);
  });
});

Deno.test("making room in the window counts", async () => {
  const told = "because of this and that. ".repeat(60);
  const model = new ScriptedModel(({ toolChoice }): Step => ({
    text: toolChoice === "auto" ? told : "the summary",
    usage: each,
  }));
  const t = agentWith({ model, context: { contextWindow: 12_000 } });
  while (!model.requests.some(({ toolChoice }) => toolChoice !== "auto")) {
    await t.say("why is that so? ".repeat(60));
  }
  await counted(t, model, model.requests.length);
});

Deno.test("the archive of a session that was left counts on the one that follows", async () => {
  const model = new ScriptedModel(() => ({ text: "done", usage: each }));
  const t = agentWith({ model, memory: archiving() });
  await t.say("go");
  await t.say("/new");
  await t.agent.idle();
  const { spent, today } = await t.agent.controller.budget();
  assert.equal(model.requests.length, 2);
  assert.equal(spent.input, 100);
  assert.equal(today.usage.input, 200);
  await t.agent.close();
});

Deno.test("what is done apart, as a Dream is, counts, and is held by the session's budget", async () => {
  const model = endless();
  const t = agentWith({ model, limits: { cost: 0.35 } });
  const { signal } = new AbortController();
  const limits = { iterations: 9, cost: undefined, tokens: undefined, toolMs: 1000 };
  const answer = await askInOwnLane(t.agent, "dream", { limits }, "dream", signal);
  assert.equal(answer.reason, "budget");
  assert.match(answer.why, /session's cost budget/);
  await counted(t, model, 3);
});

Deno.test("why work apart has failed is told also where it has changed something", async () => {
  const change = tool("Change", () => ({ ok: true, text: "x", changed: ["MEMORY.md"] }));
  const model = new ScriptedModel([
    { calls: [{ name: "Change" }] },
    { text: "", error: new ModelError("auth", "the key is wrong") },
  ]);
  const t = agentWith({ model, tools: [change] });
  const { signal } = new AbortController();
  const limits = { iterations: 9, cost: undefined, tokens: undefined, toolMs: 1000 };
  const answer = await askInOwnLane(t.agent, "dream", { limits }, "dream", signal);
  assert.equal(answer.reason, "error");
  assert.match(answer.why, /the key is wrong/);
  await t.agent.close();
});

Deno.test("an answer that broke off is paid for: it is estimated, and counts", async () => {
  const text = "x".repeat(1000);
  const broken: [string, Step][] = [
    ["error", { text, error: new ModelError("network", "cut") }],
    ["interrupted", { text, hang: true }],
  ];
  for (const [reason, step] of broken) {
    const t = agentWith({ model: new ScriptedModel([step]) });
    t.send("go");
    if (step.hang) {
      await t.until(({ type }) => type === "text");
      await new Promise((resolve) => setTimeout(resolve, 20));
      t.stop();
    }
    await t.agent.idle();
    assert.equal(t.of("turn_end")[0]!.reason, reason);
    const { spent, today } = await t.agent.controller.budget();
    assert.equal(spent.output, 280, reason);
    assert.ok(spent.input > 500, "the prompt was read");
    assert.deepEqual([today.usage.input, today.usage.output], [spent.input, spent.output]);
    assert.equal(spent.cost, 0.1);
    await t.agent.close();
  }
  const nothing = agentWith({
    model: new ScriptedModel([{ error: new ModelError("auth", "no key") }]),
  });
  await nothing.say("go");
  assert.equal((await nothing.agent.controller.budget()).spent.input, 0, "nothing came");
});

Deno.test("an answer of a provider that tells no tokens counts as it is estimated", async () => {
  const none = { input: 0, output: 0, cached: 0, cost: 0 };
  const text = "x".repeat(1000);
  const model = new ScriptedModel((_request, i) => ({
    ...{ text, calls: [{ name: "Look", input: { i } }], usage: none },
  }));
  const t = agentWith({ model, limits: { tokens: 20_000 } });
  await t.say("go");
  assert.equal(t.of("turn_end")[0]!.reason, "budget");
  const { spent, today } = await t.agent.controller.budget();
  const asked = model.requests.length;
  assert.ok(spent.input > 500 * asked && spent.output >= 280 * asked, JSON.stringify(spent));
  assert.deepEqual([today.usage.input, today.usage.cost], [spent.input, spent.cost]);
  assert.equal(Number(spent.cost?.toFixed(4)), Number((0.1 * asked).toFixed(4)));
});

Deno.test("an attempt that is tried again is paid for too", async () => {
  const scripted = new ScriptedModel([{ text: "done", usage: each }]);
  const t = agentWith({
    model: {
      async *stream(request, signal) {
        yield { type: "text", delta: "x".repeat(1000) };
        yield { type: "retry", attempt: 1, waitMs: 0, kind: "network", text: "again" };
        yield* scripted.stream(request, signal);
      },
    },
  });
  await t.say("go");
  const { spent } = await t.agent.controller.budget();
  assert.equal(spent.output, 290);
  assert.equal(spent.cost, 0.2);
});

Deno.test("what is offered is a figure that a person would say", () => {
  assert.deepEqual([0, 0.0301, 0.2, 1.234, 12.3].map((n) => roundUp(n, false)), [
    0.01,
    0.04,
    0.2,
    1.3,
    13,
  ]);
  assert.deepEqual([0, 7, 12_345, 250_000].map((n) => roundUp(n, true)), [1, 7, 13_000, 250_000]);
});

Deno.test("Chinese takes more tokens of a text than its letters do", () => {
  assert.equal(streamedTokens(""), 0);
  assert.equal(streamedTokens("a".repeat(1000)), 280);
  assert.equal(streamedTokens("字".repeat(1000)), 700);
  assert.equal(streamedTokens(`${"a".repeat(1000)}${"字".repeat(1000)}`), 980);
});
