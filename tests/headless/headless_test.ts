import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { headless, type HeadlessOptions } from "../../src/headless/headless.ts";
import { createTally, progressLine } from "../../src/headless/output.ts";
import { NO_MEMORY } from "../../src/agent/none.ts";
import { plan } from "../../src/features/plan/tool.ts";
import {
  type Command,
  type Hooks,
  type Json,
  type Memory,
  ModelError,
} from "../../src/base/types.ts";
import { agentsStage, firstLine } from "../features/subagents/stage.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions, tool } from "../support/test_agent.ts";
import { slow } from "../support/soak.ts";

const ask = tool("Ask", async (_input, context) => {
  const yes = await context.ask({ kind: "delete", question: "Delete?", command: "rm x" });
  return { ok: yes, text: yes ? "deleted" : "kept" };
});

const OUTFIT = {
  plain: (text: string) => text,
  outfit: () => Promise.resolve({ tools: ["Ask", "Look"], servers: [], rules: 2, skills: 1 }),
  usageByModel: () => ({}),
};

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
    consentPolicy: input ? "ask" : "deny",
    memory: { ...NO_MEMORY, ...memory },
  });
  let out = "";
  const err: string[] = [];
  const stream = input &&
    new Blob(input.map((line) => JSON.stringify(line) + "\n")).stream();
  const channel = headless({
    controller: t.agent.controller,
    prompt: input ? undefined : "go",
    input: stream,
    format: "text",
    write: (text) => void (out += text),
    complain: (text) => void err.push(text),
    watched: false,
    ...OUTFIT,
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

Deno.test("blanks before the first line of the answer stay, empty lines around it do not", async () => {
  const text = "\n \n    indented: 1\n      two: 2\n\n";
  const whole = "    indented: 1\n      two: 2";
  assert.equal((await run([{ text }])).out, whole + "\n");
  for (const format of ["json", "stream-json"] as const) {
    const { out } = await run([{ text }], { format });
    assert.equal(JSON.parse(out.trim().split("\n").at(-1)!).text, whole);
  }
  assert.equal((await run([{ text: "\u3000\u3000段首" }])).out, "\u3000\u3000段首\n");
});

Deno.test("an error is one line on stderr and exit code 1, with nothing on stdout", async () => {
  const { out, err, code } = await run([{ error: new ModelError("auth", "bad key") }]);
  assert.deepEqual([out, err, code], ["", ["narnat: bad key"], 1]);
});

Deno.test("an answer that is cut off or declined is told by exit code, stop reason and stderr", async () => {
  for (
    const [stop, code, why] of [
      ["length", 3, /cut off at the output limit/],
      ["refused", 1, /declined to answer/],
    ] as const
  ) {
    const { out, err, ...text } = await run([{ text: "Half an", stop }]);
    assert.deepEqual([text.code, out], [code, "Half an\n"]);
    assert.match(err.join("\n"), why);
    for (const format of ["json", "stream-json"] as const) {
      const told = await run([{ calls: [{ name: "Look" }] }, { text: "Half an", stop }], {
        format,
      });
      const result = JSON.parse(told.out.trim().split("\n").at(-1)!);
      assert.deepEqual(
        [told.code, result.ok, result.stop_reason, result.text],
        [code, false, stop, "Half an"],
      );
      assert.match(result.reason, why);
    }
  }
});

Deno.test("a declined answer without a word is not asked for again, and is told as declined", async () => {
  const { code, out, err } = await run([{ text: "", stop: "refused" }, { text: "no" }]);
  assert.deepEqual([code, out], [1, ""]);
  assert.deepEqual(err, ["narnat: The provider declined to answer this"]);
});

Deno.test("progress goes to stderr only when somebody watches it", async () => {
  const script = [{ calls: [{ name: "Look" }] }, { text: "x" }];
  assert.deepEqual((await run(script)).err, []);
  assert.deepEqual((await run(script, { watched: true })).err, ["· Look {}"]);
});

Deno.test("stream-json: every line is an event, the last one the result", async () => {
  const { out } = await run([{ text: "hello" }], { format: "stream-json" });
  const lines = out.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, 2).map(({ type }) => type), ["init", "turn_start"]);
  assert.equal(lines.at(-1).type, "result");
  assert.equal(lines.at(-1).text, "hello");
  assert.ok(lines.slice(0, -1).every((line) => line.session && line.time));
});

Deno.test("a question nobody can answer is No once stdin has ended", async () => {
  const script = [{ calls: [{ name: "Ask" }] }, { text: "end" }];
  const { t, err } = await run(script, {}, [{ type: "user", text: "go" }]);
  assert.deepEqual(t.of("tool_end").map((e) => e.text), ["kept"]);
  assert.match(err[0]!, /asks: Delete\? rm x/);
});

/** A run that asks one question, and reads these lines then; stdin ends right behind them. */
async function answered(lines: (id: string) => readonly (Json | string)[]) {
  const t = new TestAgent({
    model: new ScriptedModel([{ calls: [{ name: "Ask" }] }, { text: "end" }]),
    tools: [ask],
    consentPolicy: "ask",
  });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const write = (value: unknown) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return writer.write(new TextEncoder().encode(text + "\n"));
  };
  let stdout = "";
  let stderr = "";
  const ended = headless({
    controller: t.agent.controller,
    prompt: undefined,
    input: readable,
    format: "stream-json",
    write: (text) => stdout += text,
    complain: (text) => stderr += `${text}\n`,
    watched: false,
    ...OUTFIT,
    idle: t.agent.idle,
    now: () => 0,
  }).start(t.agent.bus);
  await write({ type: "user", text: "go" });
  const asked = await t.until((e) => e.type === "ask");
  if (asked.type !== "ask") throw new Error("unreachable");
  for (const line of lines(asked.id)) await write(line);
  await writer.close();
  const code = await ended;
  const told = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const errors = told.filter((event) => event.type === "error")
    .map(({ kind, text }) => [kind, text]);
  const { ok, error } = told.at(-1);
  const results = t.of("tool_end").map((e) => e.text);
  return { code, errors, stderr, results, ok, error };
}

const answer = (id: string, value: Json) => ({ type: "answer", id, value });

Deno.test("an answer line answers, and no answer is told of a question twice", async () => {
  for (const [value, result] of [["yes", "deleted"], ["no", "kept"], [false, "kept"]] as const) {
    const { code, errors, results } = await answered((id) => [answer(id, value)]);
    assert.deepEqual([code, errors, results], [0, [], [result]]);
  }
});

Deno.test("an answer line that is no answer to its question is a No and an error event, and the turn is done", async () => {
  for (const value of [{ allow: false, answer: "no" }, {}, { foo: 1 }, [], null, "maybe"]) {
    const { code, errors, stderr, results, ok } = await answered((id) => [
      answer(id, value as Json),
    ]);
    assert.deepEqual(results, ["kept"]);
    assert.deepEqual([code, ok], [0, true]);
    assert.equal(errors[0]![0], "input");
    assert.match(errors[0]![1], /counts as No: expected "yes" or "no"/);
    assert.match(stderr, /counts as No/);
  }
  const { code, errors, results } = await answered(() => [answer("nobody", "yes")]);
  assert.deepEqual([code, results], [0, ["kept"]]);
  assert.match(errors[0]![1], /^The answer to nobody was not used/);
});

Deno.test("stray input lines are told and do not make a turn fail that is done", async () => {
  const stray: readonly ((id: string) => readonly (Json | string)[])[] = [
    (id) => [answer("other", "yes"), answer(id, "yes")],
    (id) => [answer(id, "yes"), answer(id, "yes")],
    (id) => ["garbage", { type: "what" }, answer(id, "yes")],
  ];
  for (const lines of stray) {
    const { code, errors, stderr, results, ok, error } = await answered(lines);
    assert.deepEqual([results, code, ok, error], [["deleted"], 0, true, undefined]);
    assert.ok(errors.length > 0 && errors.every(([kind]) => kind === "input"));
    assert.ok(stderr.includes(errors[0]![1]), stderr);
  }
});

Deno.test("a run of nothing but wrong input fails, and one that fails says of what", async () => {
  const wrong = await run([], { format: "json" }, ["one", "two"]);
  const { ok, error } = JSON.parse(wrong.out);
  assert.deepEqual([wrong.code, ok, error.kind], [1, false, "input"]);
  assert.match(error.text, /line 1 of stdin/);
  const lines = [{ type: "user", text: "go" }, "garbage"];
  const failed = await run([{ error: new ModelError("auth", "bad key") }], {
    format: "json",
  }, lines);
  assert.equal(failed.code, 1);
  assert.deepEqual(JSON.parse(failed.out).error, { kind: "auth", text: "bad key" });
  const command = await run([], {}, [{ type: "user", text: "/status" }, "garbage"]);
  assert.equal(command.code, 0);
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
    controller: t.agent.controller,
    prompt: "!ls",
    input: undefined,
    format: "text",
    write: (text) => void (out += text),
    complain: () => {},
    watched: false,
    ...OUTFIT,
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
    controller: t.agent.controller,
    prompt: "go",
    input: undefined,
    format,
    write: (text) => void (out += text),
    complain: () => {},
    watched: false,
    ...OUTFIT,
    idle: t.agent.idle,
    now: () => 0,
  });
  assert.equal(await channel.start(t.agent.bus), 0);
  return out;
}

Deno.test("text: where agents work, what is said when all have answered is the answer", async () => {
  assert.equal(await withAgents("text"), "all of it\n");
});

Deno.test("what two agents of one name used is counted for both", () => {
  const { agent } = new TestAgent({ model: new ScriptedModel([]) });
  const tally = createTally(english);
  for (const input of [0, 50, 0, 20]) {
    const usage = { input, output: 0, cached: 0, cost: 0 };
    const of = {
      id: "ann",
      label: "",
      kind: "",
      state: "done",
      steps: 1,
      doing: "",
      ms: 0,
    } as const;
    tally.hear({ type: "agent", ...of, usage, session: "s", turn: 0, time: "" });
  }
  assert.equal(tally.result(agent.controller, 0, {}).usage.input, 70);
});

Deno.test("text: of two lines that wait both answers are printed", async () => {
  const lines = ["a", "b"].map((text) => ({ type: "user", text }));
  const { out } = await run([{ text: "one" }, { text: "two" }], {}, lines);
  assert.equal(out, "one\ntwo\n");
});

Deno.test("text: who writes lines reads an answer before the next line is written", async () => {
  const t = new TestAgent({ model: new ScriptedModel([{ text: "one" }, { text: "two" }]) });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const printed: string[] = [];
  let heard = () => {};
  const ended = headless({
    controller: t.agent.controller,
    prompt: undefined,
    input: readable,
    format: "text",
    write(text) {
      printed.push(text);
      heard();
    },
    complain: () => {},
    watched: false,
    ...OUTFIT,
    idle: t.agent.idle,
    now: () => 0,
  }).start(t.agent.bus);
  for (const text of ["one", "two"]) {
    const said = new Promise<void>((resolve) => heard = resolve);
    await writer.write(new TextEncoder().encode(JSON.stringify({ type: "user", text }) + "\n"));
    await said;
    assert.equal(printed.at(-1), `${text}\n`);
  }
  await writer.close();
  assert.equal(await ended, 0);
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
    controller: t.agent.controller,
    prompt,
    input: undefined,
    format: "text",
    write: (text) => void (out += text),
    complain: (text) => void err.push(text),
    watched: false,
    ...OUTFIT,
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
    help: () => "",
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
    progressLine({ ...begin, text: "[Step 1/2] look\nmore", from: "plan" }, english),
    "· [Step 1/2] look",
  );
  assert.equal(progressLine({ ...begin, text: "typed" }, english), undefined);
});

Deno.test("json: what a command says is the text, as it is printed without", async () => {
  const compact = async (format: "json" | "text") => {
    const lines = [{ type: "user", text: "one" }, { type: "user", text: "/compact" }];
    return await run([{ text: "first" }, { text: "the summary" }], { format }, lines);
  };
  const { out } = await compact("text");
  assert.match(out, /^first\nSummarised 1 turn \(.* 11 characters/);
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
  assert.equal(t.agent.controller.current().turns, 2);
  assert.equal(JSON.parse(out).run_turns, 3);
  const failed = await run([{ error: new ModelError("auth", "bad key") }], { format: "json" });
  assert.equal(JSON.parse(failed.out).run_turns, 0);
});

slow("a change in what the model sees is told on stderr though nobody watches, once", async () => {
  const lines = Array.from({ length: 121 }, (_, at) => ({ type: "user", text: `q${at}` }));
  const script = Array.from({ length: 130 }, () => ({ text: "words" }));
  for (const watched of [false, true]) {
    const { err } = await run(script, { watched }, lines.map((line) => ({ ...line })));
    const told = err.filter((line) => /Summarised/.test(line));
    assert.equal(told.length, 1, err.join("\n"));
    assert.match(told[0]!, /^narnat: Summarised 120 turns \(.* 5 characters/);
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
