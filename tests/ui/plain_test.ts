import assert from "node:assert/strict";
import { type PlainOptions, startPlain } from "../../src/ui/plain.ts";
import { done, FakeBus, fakeCommands, fakeDesk } from "./fake_bus.ts";

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
    bus,
    desk: fakeDesk,
    commands: fakeCommands,
    lang: "en",
    model: "demo",
    workspace: "/space",
    version: "0.1.0",
    env: () => undefined,
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

Deno.test("a question takes one y/N line; anything else is No, and no line is lost", async () => {
  for (
    const [answer, value, next] of [
      ["y\nnext", true, "next"],
      ["是\nnext", true, "next"],
      ["n\nnext", false, "next"],
      ["\nnext", false, "next"],
      ["next", false, "next"],
    ] as const
  ) {
    const { out, bus } = await play(`go\n${answer}\n`, (bus, text) => {
      bus.emit({ type: "turn_start", text });
      bus.emit(text === "go" ? ask : done);
    });
    assert.deepEqual(bus.sent.filter((inbound) => inbound.type === "answer"), [
      { type: "answer", session: "main", id: "q", value },
    ], JSON.stringify(answer));
    assert.deepEqual(
      bus.sent.flatMap((inbound) => inbound.type === "line" ? [inbound.text] : []),
      ["go", next],
    );
    assert.ok(out.includes("? Delete?\n  rm x\nGo ahead? [y/N] "));
  }
});

Deno.test("a question about a tool call names the call as its line does", async () => {
  const { out } = await play("go\ny\n", (bus, text) => {
    const input = { command: "npm test\nnpm run e2e" };
    bus.emit({ type: "turn_start", text }, { type: "tool_start", id: "1", name: "Bash", input });
    bus.emit({ ...ask, kind: "tool", question: "Allow Bash?", command: JSON.stringify(input) });
  });
  assert.ok(out.includes("? Allow Bash?\n  Bash npm test\n  npm run e2e\nGo ahead? [y/N] "), out);
});

Deno.test("the end of the input answers an open question with No", async () => {
  const { code, bus } = await play("go\n", (bus, text) => {
    bus.emit({ type: "turn_start", text });
    bus.emit(ask);
  });
  assert.equal(code, 0);
  assert.deepEqual(bus.sent.at(-1), { type: "answer", session: "main", id: "q", value: false });
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
  assert.deepEqual(bus.sent.map((inbound) => inbound.type), ["line", "answer", "line"]);
  assert.equal((bus.sent[1] as { value?: boolean }).value, true);
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
      "half\n(the unfinished answer above is void)\n429 slow down\nretrying in 3 s\nwhole\n",
    ),
    out,
  );
});

Deno.test("a session taken up again begins with what was said last", async () => {
  const messages = [
    { role: "user", text: "问" },
    { role: "assistant", text: "答", calls: [], thinking: [] },
  ] as const;
  const session = { ...fakeDesk.current(), messages, turns: 1 };
  const { out } = await play("", () => {}, { desk: { ...fakeDesk, current: () => session } });
  assert.equal(
    out,
    "narnat 0.1.0 · demo\n/space\nGoing on after turn 1; last said:\n❯ 问\n  答\n",
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
