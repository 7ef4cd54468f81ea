import assert from "node:assert/strict";
import { NO_USAGE } from "../../../src/base/figures.ts";
import { english } from "../../../src/base/t.ts";
import type { AgentState, EventBody, Question } from "../../../src/base/types.ts";
import { planQuestion } from "../../../src/features/plan/steps.ts";
import { type PlainOptions, startPlain } from "../../../src/terminal/plain/plain_session.ts";
import { slow } from "../../support/soak.ts";
import { done, FakeBus, fakeController, fakeOptions } from "../fake_bus.ts";

interface Played {
  readonly code: number;
  readonly out: string;
  readonly bus: FakeBus;
}

/** Runs the plain session over `input`; `agent` hears the lines, an answer ends the turn. */
async function play(
  input: string | ReadableStream<Uint8Array>,
  agent: (bus: FakeBus, text: string) => void,
  more: Partial<PlainOptions> = {},
): Promise<Played> {
  const bus = new FakeBus();
  bus.onSend = (inbound) => {
    if (inbound.type === "line") queueMicrotask(() => agent(bus, inbound.text));
    if (inbound.type === "answer") queueMicrotask(() => bus.emit(done));
  };
  let out = "";
  const code = await startPlain({
    ...fakeOptions(bus),
    input: typeof input === "string" ? new Blob([input]).stream() : input,
    write: (text) => void (out += text),
    interactive: false,
    ...more,
  });
  return { code, out, bus };
}

const ask = { type: "ask", id: "q", kind: "delete", question: "Delete?", command: "rm x" } as const;

Deno.test("each piped line is a turn of its own, in order, and the end of the input ends it", async () => {
  let open = 0;
  const { code, out, bus } = await play("one\r\n\n二\nlast", (bus, text) => {
    assert.equal(++open, 1, "one turn at a time");
    bus.emit({ type: "turn_start", text }, { type: "text", delta: `you said ${text}` });
    open--;
    bus.emit(done);
  });
  assert.equal(code, 0);
  assert.equal(
    out,
    "narnat 0.1.0 · demo\n/space\n❯ one\nyou said one\n❯ 二\nyou said 二\n❯ last\nyou said last\n",
  );
  assert.equal(bus.listeners, 0);
});

Deno.test("a secret that was typed is told as events tell it", async () => {
  const redact = (text: string) => text.replaceAll("hunter2", "«secret»");
  const { out, bus } = await play("use hunter2\nmore", (bus, text) => {
    bus.emit({ type: "turn_start", text: redact(text) }, done);
  }, { redact });
  assert.ok(out.endsWith("❯ use «secret»\n❯ more\n"), out);
  assert.ok(bus.sent.some((one) => one.type === "line" && one.text === "use hunter2"));
});

Deno.test("no escape sequence and no redraw ever reaches the output", async () => {
  const { out } = await play("go", (bus, text) => {
    bus.emit(
      { type: "turn_start", text },
      { type: "text", delta: "a\x1b" },
      { type: "text", delta: "[2Jb\ud83d" },
      { type: "text", delta: "\ude00" },
      { type: "tool_start", id: "1", name: "Bash", input: { command: "ls" } },
      {
        type: "tool_end",
        id: "1",
        name: "Bash",
        ok: true,
        text: "",
        ms: 300,
        detail: { kind: "command", exit: 0 },
      },
      { type: "notice", level: "warn", text: "careful\x07" },
      { type: "error", kind: "bug", text: "bad\x9b" },
      done,
    );
  });
  assert.ok(out.endsWith("ab😀\n● Bash ls\n● Bash · 0.3 s · exit 0\ncareful\n✗ bad\n"), out);
  assert.ok(!/(?!\n)\p{Cc}/u.test(out));
});

Deno.test("piped lines answer no question, and no line is lost", async () => {
  for (const answered of [undefined, false, true]) {
    const { out, bus } = await play("go\ny\nnext\n", (bus, text) => {
      bus.emit({ type: "turn_start", text });
      if (text !== "go") return bus.emit(done);
      bus.emit({ ...ask, ...answered === undefined ? {} : { answered } });
      if (answered !== undefined) bus.emit(done);
    });
    assert.deepEqual(
      bus.sent.map((inbound) => inbound.type === "line" ? inbound.text : inbound.type),
      answered === undefined ? ["go", "answer", "y", "next"] : ["go", "y", "next"],
    );
    const said = bus.sent.flatMap((one) => one.type === "answer" ? [one.value] : []);
    assert.deepEqual(said, answered === undefined ? [false] : []);
    const told = answered ? "Yes, this once" : "No";
    assert.ok(out.includes(`? Delete?\n  rm x\nGo ahead? [y/N] \n→ ${told}\n`), out);
  }
});

Deno.test("a person's line is the answer to a question: yes, or anything else for No", async () => {
  for (
    const [line, value] of [["y", true], ["是", true], ["n", false], ["", false], ["x", false]]
  ) {
    const { bus } = await converse(async (type, bus) => {
      await type("go\n");
      bus.emit(ask);
      await type(`${line}\n`);
    }, (bus, text) => bus.emit({ type: "turn_start", text }));
    assert.deepEqual(bus.sent.at(-1), { type: "answer", lane: "main", id: "q", value });
  }
});

Deno.test("a question about a tool call names the call as its line does", async () => {
  const { out } = await play("go\ny\n", (bus, text) => {
    const input = { command: "npm test\nnpm run e2e" };
    bus.emit({ type: "turn_start", text }, { type: "tool_start", id: "1", name: "Bash", input });
    const call = { name: "Bash", input };
    bus.emit({ ...ask, kind: "tool", question: "Allow Bash?", command: "…", call });
  });
  assert.ok(out.includes("? Allow Bash?\n  Bash npm test\n  npm run e2e\nGo ahead? [y/N] "), out);
});

Deno.test("the end of the input answers an open question with No", async () => {
  const { code, bus } = await play("go\n", (bus, text) => {
    bus.emit({ type: "turn_start", text });
    bus.emit(ask);
  });
  assert.equal(code, 0);
  assert.deepEqual(bus.sent.at(-1), { type: "answer", lane: "main", id: "q", value: false });
});

Deno.test("a person's question waits for a line typed after it", async () => {
  const typed = new TransformStream<Uint8Array, Uint8Array>();
  const writer = typed.writable.getWriter();
  const say = (text: string) => writer.write(new TextEncoder().encode(text));
  const played = play(typed.readable, (bus, text) => {
    bus.emit({ type: "turn_start", text });
    if (text !== "go") return bus.emit(done);
    void say("ahead\n").then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      bus.emit(ask);
      await say("yes\n");
      await writer.close();
    });
  }, { interactive: true });
  await say("go\n");
  const { bus } = await played;
  assert.deepEqual(bus.sent.map((inbound) => inbound.type), ["line", "line", "answer"]);
  assert.equal((bus.sent[2] as { value?: boolean }).value, true);
});

/** Runs a person's session: `talk` types, the agent hears the lines. */
async function converse(
  talk: (type: (text: string) => Promise<void>, bus: FakeBus) => Promise<void>,
  agent: (bus: FakeBus, text: string) => void,
  more: Partial<PlainOptions> = {},
): Promise<Played> {
  const typed = new TransformStream<Uint8Array, Uint8Array>();
  const writer = typed.writable.getWriter();
  let bus: FakeBus | undefined;
  const played = play(typed.readable, (one, text) => agent(bus = one, text), {
    interactive: true,
    ...more,
  });
  await talk(async (text) => {
    await writer.write(new TextEncoder().encode(text));
    await pause();
  }, {
    emit: (...events: Parameters<FakeBus["emit"]>) => bus!.emit(...events),
  } as FakeBus);
  await writer.close();
  return await played;
}
const pause = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("what a person types meanwhile is sent at once, and shown when its time comes", async () => {
  const { out, bus } = await converse(async (type, bus) => {
    await type("go\n");
    await type("and this\n");
    await type("/help\n");
    bus.emit({ type: "notice", level: "info", text: "joined", joined: "and this" }, done);
    await pause();
    bus.emit({ type: "notice", level: "info", text: "the help" }, { ...done, reason: "command" });
    await type("last\n");
    bus.emit(done);
  }, (bus, text) => {
    if (text === "go" || text === "last") bus.emit({ type: "turn_start", text });
  });
  assert.deepEqual(bus.sent.map((inbound) => "text" in inbound ? inbound.text : ""), [
    "go",
    "and this",
    "/help",
    "last",
  ]);
  const tail = out.slice(out.indexOf("❯ "));
  assert.equal(tail, "❯ (queued)\n(queued)\n❯ and this\njoined\nthe help\n❯ ❯ \n");
});

Deno.test("a person's lines that are answered beside the turn are not called queued", async () => {
  const { out } = await converse(async (type, bus) => {
    await type("go\n");
    await type("/cost\n");
    bus.emit(done);
  }, (bus, text) => {
    bus.emit({ type: "turn_start", text });
    bus.onSend = (inbound) => {
      if (inbound.type !== "line") return;
      bus.emit({ type: "notice", level: "info", text: "beside", joined: inbound.text });
    };
  });
  assert.ok(out.includes("❯ /cost\nbeside\n") && !out.includes("(queued)"), out);
});

Deno.test("a backslash at the end of a line goes on in the next; two are one", async () => {
  const { bus, out } = await converse(async (type) => {
    await type("one \\\n");
    await type("二\\\n");
    await type("three\n");
    await type("C:\\dir\\\\\n");
  }, (bus, text) => bus.emit({ type: "turn_start", text }, done));
  const lines = bus.sent.flatMap((inbound) => inbound.type === "line" ? [inbound.text] : []);
  assert.deepEqual(lines, ["one \n二\nthree", "C:\\dir\\"]);
  assert.ok(out.includes("❯ … … ❯ "), out);
  const piped = await play("a\\\nb\\\n", (bus) => bus.emit(done));
  assert.deepEqual(piped.bus.sent.map((inbound) => "text" in inbound && inbound.text), ["a\nb"]);
});

slow("a long silence is broken by a line that says what is being done", async () => {
  const { out } = await converse(
    async (type, bus) => {
      await type("go\n");
      bus.emit(
        { type: "tool_start", id: "1", name: "Bash", input: { command: "make" } },
        { type: "tool_progress", id: "1", text: "cc a.c\ncc b\x1b[2J.c\n" },
      );
      await pause(450);
      bus.emit(ask);
      await pause(450);
      await type("n\n");
    },
    (bus, text) => bus.emit({ type: "turn_start", text }),
    { silenceMs: 300 },
  );
  const lines = out.split("\n").filter((line) => line.startsWith("… "));
  assert.equal(lines.length, 1, out);
  assert.match(lines[0]!, /^… Bash make · \d+\.\d s · cc b\.c$/);
});

Deno.test("a prompt gone back to is shown, for there is no editor to put it into", async () => {
  const { out } = await play("/back\n", (bus) => {
    bus.emit({ type: "notice", level: "info", text: "Back." });
    bus.emit({ ...done, reason: "command", prompt: "two\nlines" });
  });
  assert.ok(out.endsWith("❯ /back\nBack.\nBack at this prompt:\n❯ two\n  lines\n"), out);
});

Deno.test("without a clipboard program /copy says so, and sends no control sequence", async () => {
  const { out } = await play("/copy\n", (bus) => {
    bus.emit({ type: "copy", text: "x" }, { ...done, reason: "command" });
  });
  assert.match(out, /Cannot copy: there is no clipboard program/);
  assert.ok(!/(?!\n)\p{Cc}/u.test(out));
});

Deno.test("the output of a user's own shell line is shown whole", async () => {
  const output = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
  const { out } = await play("!seq\n", (bus, text) => {
    bus.emit({ type: "turn_start", text });
    bus.emit({ type: "tool_start", id: "1", name: "Bash", input: { command: "seq" } });
    const detail = { kind: "command", exit: 1, output } as const;
    const event = {
      type: "tool_end",
      id: "1",
      name: "Bash",
      ok: true,
      text: "",
      ms: 5,
      detail,
    } as const;
    bus.emitStamped({ ...event, session: "s1", turn: 0, time: "" });
    bus.emit({ ...done, reason: "command" });
  });
  assert.ok(out.includes(`${output}\n`), out);
});

Deno.test("a retry says why and how long it waits, and voids what was begun", async () => {
  const { out } = await play("go", (bus, text) => {
    bus.emit(
      { type: "turn_start", text },
      { type: "text", delta: "half" },
      { type: "notice", level: "warn", text: "429 slow down", retryMs: 2500 },
      { type: "text", delta: "whole" },
      done,
    );
  });
  assert.ok(
    out.endsWith(
      "half\n(the unfinished answer above is void; it starts over)\n429 slow down\nRetrying in 3 s\nwhole\n",
    ),
    out,
  );
});

Deno.test("a session taken up again begins with what was said last", async () => {
  const messages = [
    { role: "user", text: "问" },
    { role: "assistant", text: "答", calls: [], thinking: [] },
  ] as const;
  const session = { ...fakeController.current(), messages, turns: 1 };
  const { out } = await play("", () => {}, {
    controller: { ...fakeController, current: () => session },
  });
  assert.equal(
    out,
    "narnat 0.1.0 · demo\n/space\nResumed at turn 1. Last exchange:\n❯ 问\n  答\n",
  );
});

Deno.test("a reader that goes away ends the session quietly", async () => {
  let writes = 0;
  const { code } = await play("one\ntwo\n", (bus, text) => {
    bus.emit({ type: "turn_start", text }, { type: "text", delta: "x" }, done);
  }, {
    write: () => {
      if (++writes > 2) throw new Deno.errors.BrokenPipe();
    },
  });
  assert.equal(code, 0);
});

Deno.test("a session that is ended from inside does not wait for the input", async () => {
  const over = new AbortController();
  const never = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("/exit\n")),
  });
  const { code } = await play(never, () => over.abort(), { ended: over.signal });
  assert.equal(code, 0);
});

/** A person's session in which `question` is asked; the answer, and all that was written. */
async function filled(question: Question, lines: readonly string[]) {
  const { bus, out } = await converse(async (type, bus) => {
    await type("go\n");
    bus.emit({ type: "ask", id: "q", ...question });
    for (const line of lines) await type(`${line}\n`);
  }, (bus, text) => bus.emit({ type: "turn_start", text }));
  const answer = bus.sent.find(({ type }) => type === "answer");
  return { out, value: answer?.type === "answer" ? answer.value : undefined };
}

Deno.test("a plan is approved, refused or changed line by line", async () => {
  const plan = planQuestion(["look", "mend"], english);
  const { out, value } = await filled(plan, ["e", "look", "test", ""]);
  assert.deepEqual(value, { steps: ["look", "test"] });
  assert.match(out, /Go ahead\? \[Y\/n, e to change it\] /);
  assert.match(out, /Steps, one a line\n {2}1\. look\n {2}2\. mend\n/);
  assert.match(out, /→ Change it first…\n {4}1\. look\n {4}2\. test\n/);
  assert.deepEqual((await filled(plan, ["e", ""])).value, { steps: ["look", "mend"] });
  assert.equal((await filled(plan, ["y"])).value, true);
  assert.equal((await filled(plan, [""])).value, true);
  assert.equal((await filled({ kind: "delete", question: "Delete?" }, [""])).value, false);
  assert.equal((await filled(plan, ["no"])).value, false);
});

Deno.test("a question that the user asked for begins with its first field", async () => {
  const choices = ["one", "two"].map((value) => ({ value, label: value }));
  const question: Question = {
    kind: "input",
    question: "Which?",
    fields: [{
      name: "turn",
      label: "turn",
      type: "choice",
      choices,
      value: "one",
      required: true,
    }],
    direct: true,
  };
  assert.deepEqual((await filled(question, ["2"])).value, { turn: "two" });
  assert.deepEqual((await filled(question, [""])).value, { turn: "one" });
});

Deno.test("a form is filled in field by field, what is wrong asked for again", async () => {
  const choices = ["red", "blue"].map((value) => ({ value, label: value }));
  const question: Question = {
    kind: "input",
    question: "Who?",
    fields: [
      { name: "name", label: "Name", type: "text", required: true },
      { name: "age", label: "Age", type: "integer", value: 7 },
      { name: "colour", label: "Colour", type: "choice", choices },
    ],
  };
  const { out, value } = await filled(question, ["y", "", "Ann", "x", "", "2"]);
  assert.deepEqual(value, { name: "Ann", age: 7, colour: "blue" });
  assert.match(out, /✗ this must be filled in\nName\n/);
  assert.match(out, /✗ this must be a whole number\nAge \(may be left empty\)\n\[7\] /);
  assert.match(out, / {2}1\. red\n {2}2\. blue\n/);
  assert.equal((await filled(question, ["n"])).value, false);
});

Deno.test("the end of the input waits for agents at work, and tells of their end", async () => {
  const info = { label: "bug", kind: "", steps: 1, doing: "", usage: NO_USAGE, ms: 1000 };
  const agent = (state: AgentState): EventBody => ({
    type: "agent",
    id: "aaaaaaaa",
    ...info,
    state,
  });
  const { out } = await play("go\n", (bus, text) => {
    bus.emit({ type: "turn_start", text }, agent("running"), done);
    setTimeout(() => {
      bus.emit(agent("done"), { type: "turn_start", text: "found it", from: "sub:aaaaaaaa" });
      bus.emit({ type: "text", delta: "thanks" }, done);
    }, 30);
  });
  assert.match(out, /◆ aaaaaaaa bug · done[^\n]*\n← sub:aaaaaaaa · found it\nthanks\n$/);
});
