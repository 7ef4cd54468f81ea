import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createHistory } from "../../src/session/history.ts";
import { createMemory } from "../../src/features/memory/store.ts";
import { NO_MEMORY } from "../../src/agent/none.ts";
import { askInOwnLane } from "../../src/features/memory/run_dream.ts";
import { createLog } from "../../src/base/log.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { ModelError, type Usage } from "../../src/base/types.ts";
import { eventually } from "../support/processes.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { TestAgent, tool } from "../support/test_agent.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const now = () => new Date("2026-11-20T08:00:00Z");
const isArchive = (text: string | undefined) => /put into the archive/.test(text ?? "");

/** An agent whose sessions end in a history; `archive` is what its model answers when one is archived. */
function agentWith(archive: Step, dir?: string, tokens?: number, usage?: Usage) {
  const history = createHistory(undefined, now);
  const memory = createMemory({
    dir: "/nowhere/memory",
    history,
    t: english,
    redactAlways: (text) => text,
    log: createLog({ dir: undefined, now, redactAlways: (text) => text }),
    repo: () => Promise.resolve(undefined),
    dream: () => Promise.resolve(""),
  });
  const model = new ScriptedModel(({ messages }) =>
    isArchive(messages.at(-1)?.text)
      ? archive
      : { text: `did ${messages.at(-1)?.text}`, ...usage ? { usage } : {} }
  );
  const test = new TestAgent({
    model,
    memory,
    limits: { tokens },
    ...dir === undefined ? {} : { dir },
  });
  return { test, model, contents: () => history.read().map(({ content }) => content) };
}

Deno.test("/new goes on in an empty session while the old one is summarised with its own prefix", async () => {
  const { test, model, contents } = agentWith({ text: "- one was done" });
  await test.say("one");
  const old = test.agent.controller.current().id;
  await test.say("/new");
  await test.say("two");
  const [first, archived, second] = model.requests;
  assert.deepEqual(archived!.messages.slice(0, 1), first!.messages);
  assert.deepEqual([archived!.system, archived!.tools, archived!.toolChoice], [
    first!.system,
    first!.tools,
    "unwanted",
  ]);
  assert.deepEqual(second!.messages.map(({ text }) => text), ["two"]);
  assert.notEqual(test.agent.controller.current().id, old);
  const told = test.of("notice").find(({ text }) => text.includes("summarised for the memory"));
  assert.ok(told?.text.includes(old));
  assert.equal(told?.turn, 0);
  assert.deepEqual(contents(), ["- one was done"]);
  assert.equal(test.of("usage").length, 2, "what the archive cost is not the new session's");
  assert.deepEqual(test.agent.controller.backgroundUsage, {
    input: 100,
    output: 10,
    cached: 0,
    cost: 0.001,
  });
  await test.agent.close();
  assert.deepEqual(contents()[1], "**Task:** two\n**Result:** did two");
});

Deno.test("/clear and leaving keep notes without asking a model; a session gone back to is noted once", () =>
  withWorkspace({}, async (root) => {
    const { test, model, contents } = agentWith({ text: "never" }, join(root, "sessions"));
    await test.say("one");
    const { id } = test.agent.controller.current();
    await test.say("/clear");
    await test.say(`/enter ${id}`);
    await test.say("two");
    await test.agent.close();
    assert.equal(model.requests.length, 2);
    assert.deepEqual(contents(), [
      "**Task:** one\n**Result:** did one",
      "**Task:** two\n**Result:** did two",
    ]);
  }));

Deno.test("a session that was handed over is remembered by its summary", async () => {
  const { test, contents } = agentWith({ text: "" });
  await test.say("one");
  await test.say("/compact");
  assert.equal(contents().length, 1);
  assert.equal(contents()[0], test.agent.controller.current().carried?.summary);
  await test.agent.close();
});

Deno.test("an archive that the provider fails is kept as it stands", async () => {
  const { test, contents } = agentWith({ error: new ModelError("network", "no route") });
  await test.say("the port is 8430");
  await test.say("/new");
  assert.match(contents()[0]!, /\[raw\][^]*8430/);
  await test.agent.close();
});

Deno.test("the session that is being archived is free for another narnat, and costs no more than it did", () =>
  withWorkspace({}, async (dir) => {
    const { test } = agentWith({ text: "- one was done" }, dir);
    await test.say("one");
    const { id, usage } = test.agent.controller.current();
    await test.say("/new");
    const isBusy = async () =>
      (await test.agent.controller.list()).find((info) => info.id === id)?.busy === true;
    // a process that is just being started holds all files for a moment
    assert.ok(await eventually(async () => !await isBusy()));
    await test.say(`/enter ${id}`);
    assert.deepEqual(test.agent.controller.current().usage, usage);
    await test.agent.close();
  }));

Deno.test("a budget that is spent is not spent on an archive, which is kept as it stands", async () => {
  const usage = { input: 90_000, output: 10, cached: 0, cost: 0 };
  const answer = { text: "- one was done" };
  const { test, model, contents } = agentWith(answer, undefined, 50_000, usage);
  await test.say("one");
  await test.say("/new");
  assert.equal(model.requests.length, 1);
  assert.match(contents()[0]!, /^\[raw\] [^]*did one/);
  await test.agent.close();
});

slow(
  "leaving while an archive hangs ends in bounded time, and keeps the text as it stands",
  async () => {
    const { test, contents } = agentWith({ hang: true });
    await test.say("the port is 8430");
    test.send("/new");
    await test.until((event) => event.type === "turn_end" && event.reason === "command");
    await test.agent.close();
    assert.match(contents()[0]!, /\[raw\][^]*8430/);
  },
);

Deno.test("a stop while no turn runs stops what goes on beside", async () => {
  const { test, contents } = agentWith({ hang: true });
  await test.say("one");
  test.send("/new");
  await test.until((event) => event.type === "turn_end" && event.reason === "command");
  await new Promise((resolve) => setTimeout(resolve));
  test.stop();
  await test.agent.idle();
  assert.match(contents()[0]!, /\[raw\]/);
  await test.agent.close();
});

Deno.test("what failed beside the turns is told, and nothing else comes of it", async () => {
  const test = new TestAgent({ model: new ScriptedModel([]) });
  test.agent.controller.background(() => Promise.reject(new Error("no such luck")));
  await test.agent.idle();
  assert.deepEqual(test.of("notice").map(({ level, text }) => [level, text]), [
    ["warn", "no such luck"],
  ]);
  await test.agent.close();
});

Deno.test("a note reaches the model with the next prompt, where there is a conversation", async () => {
  const model = new ScriptedModel(() => ({ text: "ok" }));
  const test = new TestAgent({ model });
  test.agent.controller.note("before anything");
  assert.equal(test.messages.length, 0);
  await test.say("one");
  test.agent.controller.note("use pnpm");
  await test.say("two");
  assert.deepEqual(model.requests[1]!.messages.map(({ text }) => text), [
    "one",
    "ok",
    "[narnat] use pnpm",
    "two",
  ]);
  await test.agent.close();
});

Deno.test("work apart has a lane, a prompt and tools of its own, and leaves no trace of them", async () => {
  const model = new ScriptedModel([{ text: "main" }]);
  const other = new ScriptedModel([
    { text: "thinking", calls: [{ name: "look" }] },
    { text: "found @nothing" },
  ]);
  const test = new TestAgent({ model });
  const looked: unknown[] = [];
  const signal = new AbortController().signal;
  const scope = {
    model: other,
    toolbox: createToolbox([tool("look", () => (looked.push(1), { ok: true, text: "seen" }))]),
    memory: NO_MEMORY,
    commands: () => [],
  };
  const answer = await askInOwnLane(test.agent, "sub:1", scope, "look at @here", signal);
  assert.deepEqual(answer, {
    reason: "done",
    text: "found @nothing",
    usage: { input: 200, output: 20, cached: 0, cost: 0.002 },
    why: "",
  });
  assert.equal(looked.length, 1);
  assert.deepEqual(test.agent.controller.backgroundUsage, answer.usage);
  await test.say("hello");
  assert.equal(model.requests.length, 1);
  assert.deepEqual(test.messages.map(({ text }) => text), ["hello", "main"]);
  const again = new ScriptedModel([{ error: new ModelError("auth", "no key") }]);
  const failed = await askInOwnLane(
    test.agent,
    "sub:1",
    { ...scope, model: again },
    "again",
    signal,
  );
  assert.deepEqual([failed.reason, failed.why], ["error", "no key"]);
  const endless = new ScriptedModel(() => ({ calls: [{ name: "look" }] }));
  const limits = { iterations: 200, cost: undefined, tokens: 100, toolMs: 60_000 };
  const poor = { ...scope, model: endless, limits };
  const spent = await askInOwnLane(test.agent, "sub:1", poor, "again", signal);
  assert.equal(spent.reason, "budget");
  assert.match(spent.why, /token budget/);
  const stop = new AbortController();
  const hung = askInOwnLane(
    test.agent,
    "sub:2",
    { ...scope, model: new ScriptedModel([{ text: "", hang: true }]) },
    "hang",
    stop.signal,
  );
  stop.abort();
  assert.equal((await hung).reason, "interrupted");
  await test.agent.close();
});
