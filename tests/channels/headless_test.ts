import assert from "node:assert/strict";
import { headless, type HeadlessOptions } from "../../src/channels/headless.ts";
import { progressLine } from "../../src/channels/output.ts";
import { NO_MEMORY } from "../../src/context/memory.ts";
import { plan } from "../../src/tools/plan.ts";
import { type Command, type Hooks, type Memory, ModelError } from "../../src/types.ts";
import { agentsStage, firstLine } from "../support/agents_stage.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions, tool } from "../support/test_agent.ts";

const ask = tool("Ask", async (_input, context) => {
  const yes = await context.ask({ kind: "delete", question: "Delete?", command: "rm x" });
  return { ok: yes, text: yes ? "deleted" : "kept" };
});

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: readonly string[];
  readonly t: TestAgent;
}

/** A channel over a real agent; `input` are the stdin lines. */
async function run(
  script: readonly Step[],
  given: Partial<HeadlessOptions> & { readonly input?: never } = {},
  input?: readonly unknown[],
  memory: Partial<Memory> = {},
): Promise<Run> {
  const t = new TestAgent({
    model: new ScriptedModel(script),
    tools: [ask, tool("Look", () => ({ ok: true, text: "saw" }))],
    answering: input ? "ask" : "deny",
    memory: { ...NO_MEMORY, ...memory },
  });
  let out = "";
  const err: string[] = [];
  const stream = input &&
    new Blob(input.map((line) => JSON.stringify(line) + "\n")).stream();
  const channel = headless({
    desk: t.agent.desk,
    prompt: input ? undefined : "go",
    input: stream,
    format: "text",
    write: (text) => void (out += text),
    complain: (text) => void err.push(text),
    watched: false,
    idle: t.agent.idle,
    now: () => performance.now(),
    ...given,
  });
  return { code: await channel.start(t.agent.bus), out, err, t };
}

Deno.test("text: the text behind the last tool call is the answer", async () => {
  const { out, code, err } = await run([
    { text: "first I look", calls: [{ name: "Look" }] },
    { text: "the answer\n\n" },
  ]);
  assert.deepEqual([out, code, err], ["the answer\n", 0, []]);
});

Deno.test("text: an answer given together with the last call is not lost", async () => {
  const { out } = await run([{ text: "said already", calls: [{ name: "Look" }] }, { text: " " }]);
  assert.equal(out, "said already\n");
});

Deno.test("an error is one line on stderr and exit code 1, with nothing on stdout", async () => {
  const { out, err, code } = await run([{ error: new ModelError("auth", "bad key") }]);
  assert.deepEqual([out, err, code], ["", ["narnat: bad key"], 1]);
});

Deno.test("progress goes to stderr only when somebody watches it", async () => {
  const script = [{ calls: [{ name: "Look" }] }, { text: "x" }];
  assert.deepEqual((await run(script)).err, []);
  assert.deepEqual((await run(script, { watched: true })).err, ["· Look {}"]);
});

Deno.test("stream-json: every line is an event, the last one the result", async () => {
  const { out } = await run([{ text: "hello" }], { format: "stream-json" });
  const lines = out.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines[0].type, "turn_start");
  assert.equal(lines.at(-1).type, "result");
  assert.equal(lines.at(-1).text, "hello");
  assert.ok(lines.slice(0, -1).every((line) => line.session && line.time));
});

Deno.test("a question nobody can answer is No once stdin has ended", async () => {
  const script = [{ calls: [{ name: "Ask" }] }, { text: "end" }];
  const { t, err } = await run(script, {}, [{ type: "user", text: "go" }]);
  assert.deepEqual(t.of("tool_end").map((e) => e.text), ["kept"]);
  assert.match(err[0]!, /asks: Delete\?: rm x/);
});

Deno.test("an answer line answers", async () => {
  const t = new TestAgent({
    model: new ScriptedModel([{ calls: [{ name: "Ask" }] }, { text: "end" }]),
    tools: [ask],
    answering: "ask",
  });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const write = (value: unknown) =>
    writer.write(new TextEncoder().encode(JSON.stringify(value) + "\n"));
  const ended = headless({
    desk: t.agent.desk,
    prompt: undefined,
    input: readable,
    format: "json",
    write: () => {},
    complain: () => {},
    watched: false,
    idle: t.agent.idle,
    now: () => 0,
  }).start(t.agent.bus);
  await write({ type: "user", text: "go" });
  const asked = await t.until((e) => e.type === "ask");
  if (asked.type !== "ask") throw new Error("unreachable");
  await write({ type: "answer", id: asked.id, value: "yes" });
  await t.until((e) => e.type === "turn_end");
  await writer.close();
  assert.equal(await ended, 0);
  assert.deepEqual(t.of("tool_end").map((e) => e.text), ["deleted"]);
});

Deno.test("a closed stdout stops the work and is no error", async () => {
  const { code, t } = await run(
    Array.from({ length: 50 }, (_, i) => ({ calls: [{ name: "Look", input: { i } }] })),
    {
      format: "stream-json",
      write: () => {
        throw new Deno.errors.BrokenPipe();
      },
    },
  );
  assert.equal(code, 0);
  await t.agent.idle();
  assert.ok(t.of("usage").length < 50);
});

Deno.test("an unknown cost is null in the result, never a figure", async () => {
  const { out } = await run([
    { calls: [{ name: "Look" }], usage: { input: 1, output: 1, cached: 0, cost: 1 } },
    { text: "x", usage: { input: 2, output: 2, cached: 1, cost: null } },
  ], { format: "json" });
  assert.deepEqual(JSON.parse(out).usage, { input: 3, output: 3, cached: 1, cost: null });
});

Deno.test("text: the output of a shell line is printed", async () => {
  const bash = tool("Bash", (input) => ({
    ok: true,
    text: `ran ${input.command}`,
    detail: { kind: "command", exit: 0 },
  }));
  const t = new TestAgent({ model: new ScriptedModel([]), tools: [bash] });
  let out = "";
  const channel = headless({
    desk: t.agent.desk,
    prompt: "!ls",
    input: undefined,
    format: "text",
    write: (text) => void (out += text),
    complain: () => {},
    watched: false,
    idle: t.agent.idle,
    now: () => performance.now(),
  });
  assert.equal(await channel.start(t.agent.bus), 0);
  assert.equal(out, "ran ls\n");
});

Deno.test("stream-json: a waiting line is taken back by unqueue", async () => {
  const { t } = await run([{ hang: true }, { text: "two" }], {}, [
    { type: "user", text: "first" },
    { type: "user", text: "second" },
    { type: "unqueue", text: "second" },
    { type: "stop" },
  ]);
  assert.deepEqual(t.of("unqueued").map((e) => e.text), ["second"]);
  assert.deepEqual(t.of("turn_start").map((e) => e.text), ["first"]);
});

/** A run in which the model starts two agents, and answers when they have. */
async function withAgents(format: "text" | "json"): Promise<string> {
  const { t } = agentsStage((request) => {
    const usage = { input: 10, output: 1, cached: 0, cost: 0.5 };
    if (firstLine(request).startsWith("part")) return { text: firstLine(request), usage };
    if (request.messages.length === 1) {
      const spawn = (task: string) => ({ name: "Spawn", input: { task } });
      return { calls: [spawn("part one"), spawn("part two")], usage };
    }
    const all = request.messages.filter(({ text }) => /has finished/.test(text)).length;
    return { text: all === 2 ? "all of it" : "I wait", usage };
  });
  let out = "";
  const channel = headless({
    desk: t.agent.desk,
    prompt: "go",
    input: undefined,
    format,
    write: (text) => void (out += text),
    complain: () => {},
    watched: false,
    idle: t.agent.idle,
    now: () => 0,
  });
  assert.equal(await channel.start(t.agent.bus), 0);
  return out;
}

Deno.test("text: where agents work, what is said when all have answered is the answer", async () => {
  assert.equal(await withAgents("text"), "all of it\n");
});

/** What a run prints in which something is to follow from its line. */
async function printed(
  script: readonly Step[],
  more: Partial<TestAgentOptions> = {},
  prompt = "go",
): Promise<{ out: string; err: string[] }> {
  const t = new TestAgent({ model: new ScriptedModel(script), ...more });
  let out = "";
  const err: string[] = [];
  const channel = headless({
    desk: t.agent.desk,
    prompt,
    input: undefined,
    format: "text",
    write: (text) => void (out += text),
    complain: (text) => void err.push(text),
    watched: false,
    idle: t.agent.idle,
    now: () => 0,
  });
  await channel.start(t.agent.bus);
  return { out, err };
}

Deno.test("text: of a plan the last step's answer is printed, and its progress is told", async () => {
  const steps = ["look", "mend"];
  const progress = ["[Step 1/2] look", "[Step 2/2] mend"];
  const first = await printed([
    { text: JSON.stringify(steps) },
    { text: "looked" },
    { text: "mended" },
  ], { planFirst: true });
  assert.equal(first.out, "mended\n");
  const created = "[Plan] 2 steps created";
  assert.deepEqual(first.err, [`${created}\n  1. look\n  2. mend`, ...progress]);
  const called = await printed([
    { calls: [{ name: "Plan", input: { steps } }] },
    { text: "looked" },
    { text: "mended" },
  ], { tools: [plan] });
  assert.equal(called.out, "mended\n");
  assert.deepEqual(called.err, [created, ...progress]);
});

Deno.test("text: where a hook has the turn go on, what is said last is the answer", async () => {
  const hooks: Hooks = {
    has: (event) => event === "turn_end",
    run: (event) => Promise.resolve(event.event === "turn_end" ? "run the tests" : undefined),
  };
  const { out } = await printed([{ text: "done" }, { text: "tested" }], { hooks });
  assert.equal(out, "tested\n");
});

Deno.test("what was not done for the user is told though nobody watches", async () => {
  const read = tool("Read", () => ({ ok: true, text: "" }));
  const { out, err } = await printed([{ text: "ok" }], { tools: [read] }, "look at @none/note.md");
  assert.deepEqual([out, err.length], ["ok\n", 1]);
  assert.match(err[0]!, /^narnat: Nothing found at none\/note\.md/);
  const check: Command = {
    name: "check",
    usage: { zh: "", en: "" },
    help: { zh: "", en: "" },
    asks: () => Promise.resolve({ behind: ["look"], notices: ["a model is not taken"] }),
    run: () => "",
  };
  const more = await printed([{ text: "ok" }], { commands: () => [check] }, "/check");
  assert.deepEqual([more.out, more.err], ["ok\n", ["narnat: a model is not taken"]]);
});

Deno.test("json: what agents used is counted", async () => {
  const { text, usage, turns, iterations } = JSON.parse(await withAgents("json"));
  assert.equal(text, "all of it");
  assert.equal(turns, 1);
  assert.equal(usage.input, 10 * (iterations + 2));
});

Deno.test("who watches stderr sees the steps of a plan begin", () => {
  const begin = { type: "turn_start", session: "s", turn: 1, time: "" } as const;
  assert.equal(
    progressLine({ ...begin, text: "[Step 1/2] look\nmore", from: "plan" }, "en"),
    "· [Step 1/2] look",
  );
  assert.equal(progressLine({ ...begin, text: "typed" }, "en"), undefined);
});

Deno.test("json: what a command says is the text, as it is printed without", async () => {
  const compact = async (format: "json" | "text") => {
    const lines = [{ type: "user", text: "one" }, { type: "user", text: "/compact" }];
    return await run([{ text: "first" }, { text: "the summary" }], { format }, lines);
  };
  const { out } = await compact("text");
  assert.match(out, /^first\n1 turn summed up in 11 characters/);
  const command = await run([], { prompt: "/status", format: "json" });
  assert.match(JSON.parse(command.out).text, /^model: scripted\n/);
  await withWorkspace({}, async (dir) => {
    const edit = async (format: "json" | "text") =>
      (await run([], { prompt: "/memory edit", format }, undefined, { dir })).out;
    assert.equal(JSON.parse(await edit("json")).text + "\n", await edit("text"));
  });
  // an answer stays what a run was for
  assert.equal(JSON.parse((await compact("json")).out).text, "first");
});

Deno.test("the result counts the turns of the run, over a handover and with lines that joined", async () => {
  const lines = [
    { type: "user", text: "one" },
    { type: "user", text: "/compact" },
    { type: "user", text: "two" },
    { type: "user", text: "three" },
  ];
  const script = [{ text: "a" }, { text: "the summary" }, { calls: [{ name: "Look" }] }, {
    text: "b",
  }];
  const { out, t } = await run(script, { format: "json" }, lines);
  assert.equal(t.agent.desk.current().turns, 2);
  assert.equal(JSON.parse(out).run_turns, 3);
  const failed = await run([{ error: new ModelError("auth", "bad key") }], { format: "json" });
  assert.equal(JSON.parse(failed.out).run_turns, 0);
});

Deno.test("a change in what the model sees is told on stderr though nobody watches, once", async () => {
  const lines = Array.from({ length: 121 }, (_, at) => ({ type: "user", text: `q${at}` }));
  const script = Array.from({ length: 130 }, () => ({ text: "words" }));
  for (const watched of [false, true]) {
    const { err } = await run(script, { watched }, lines.map((line) => ({ ...line })));
    const told = err.filter((line) => /summed up in/.test(line));
    assert.equal(told.length, 1, err.join("\n"));
    assert.match(told[0]!, /^narnat: 120 turns summed up in 5 characters/);
  }
  const command = await run([{ text: "a" }, { text: "sum" }], {}, [
    { type: "user", text: "one" },
    { type: "user", text: "/compact" },
  ]);
  assert.deepEqual(command.err, []);
});

Deno.test("work beside the turns that fails makes the run fail", async () => {
  const dreaming = (dream: Memory["dream"]) =>
    run([], { prompt: "/dream", format: "json" }, undefined, { dir: "/memory", dream });
  const failed = await dreaming(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    throw new Error("no key");
  });
  assert.deepEqual([failed.code, failed.err], [1, ["narnat: no key"]]);
  assert.equal(JSON.parse(failed.out).ok, false);
  const well = await dreaming(() => Promise.resolve("tidied"));
  assert.deepEqual([well.code, JSON.parse(well.out).ok], [0, true]);
});
