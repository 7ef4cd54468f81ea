import fc from "fast-check";
import assert from "node:assert/strict";
import { CallCollector, Spoken } from "../../../src/models/wire/answer_parts.ts";
import type { FakeCall, OddDeltas } from "../../support/fake_provider.ts";
import { comesTo, delta, message, sse } from "../served.ts";
import { answer, requestOf, withProvider } from "../setup.ts";

const calls: FakeCall[] = [
  { name: "Read", input: { path: "src/main.ts", note: "读 “quoted” {}" } },
  { name: "Grep", input: { pattern: "a{2}", nested: { deep: [1, 2] } } },
];

const odd: OddDeltas[] = [
  "no_index",
  "constant_index",
  "gapped_index",
  "no_id",
  "repeated_id",
  "repeated_name",
  "object_arguments",
  "null_deltas",
  "extra_fields",
  "same_id",
];
for (const kind of odd) {
  Deno.test(`parallel calls survive ${kind.replace("_", " ")}`, async () => {
    await withProvider("openai", [{ calls, odd: kind }], async (client) => {
      const { message, stop } = await answer(client);
      assert.deepEqual(
        message.calls.map((call) => ({ name: call.name, input: JSON.parse(call.input) })),
        calls,
      );
      assert.equal(new Set(message.calls.map((call) => call.id)).size, 2);
      assert.ok(message.calls.every((call) => call.id !== ""));
      assert.equal(stop, "calls");
    });
  });
}

Deno.test("empty arguments become an empty object", async () => {
  await withProvider("openai", [{ calls, odd: "empty_arguments" }], async (client) => {
    const { message } = await answer(client);
    assert.deepEqual(message.calls.map((call) => call.input), ["{}", "{}"]);
  });
});

Deno.test("unknown fields of a call are kept", async () => {
  await withProvider("openai", [{ calls, odd: "extra_fields" }], async (client) => {
    const { message } = await answer(client);
    assert.deepEqual(message.calls[0]!.extra, {
      extra_content: { google: { thought_signature: "sig=" } },
    });
  });
});

Deno.test("an id that the conversation has used is replaced", async () => {
  const request = requestOf({
    messages: [
      { role: "user", text: "go" },
      {
        role: "assistant",
        text: "",
        calls: [{ id: "call_1", name: "Read", input: "{}" }],
        thinking: [],
      },
      { role: "tool", id: "call_1", name: "Read", ok: true, text: "x" },
    ],
  });
  await withProvider("openai", [{ calls }], async (client) => {
    const { message } = await answer(client, request);
    assert.equal(new Set(["call_1", ...message.calls.map((call) => call.id)]).size, 3);
  });
});

Deno.test("the name of each call is told once, when it begins, its input as it comes", () => {
  const collector = new CallCollector(() => false, Math.random);
  const told = (id: string, name: string, input: string) =>
    collector.take([{ index: 0, id, function: { name, arguments: input } }])
      .map((event) => event.type === "call" ? event.name : event.type === "input" && event.delta);
  assert.deepEqual(told("a", "Read", ""), ["Read"]);
  assert.deepEqual(told("a", "", '{"a":'), ['{"a":']);
  assert.deepEqual(told("", "Read", "1}"), ["1}"]);
  assert.deepEqual(told("b", "Bash", "{}"), ["Bash", "{}"]);
});

Deno.test("nonsense in place of deltas makes no call and does not throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const collector = new CallCollector(() => false, () => 0.5);
    collector.take(value);
    collector.take([value, null, { function: value }]);
    for (const call of collector.finish()) assert.equal(typeof call.input, "string");
  }));
});

Deno.test("any inputs cut anywhere come out whole, with and without index and id", () => {
  const input = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  fc.assert(fc.property(
    fc.array(input, { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(200), { maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
    (inputs, cuts, withIndex, withId) => {
      const collector = new CallCollector(() => false, Math.random);
      inputs.forEach((text, at) => {
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
        places.sort((a, b) => a - b);
        places.slice(1).forEach((to, part) => {
          collector.take([{
            ...(withIndex ? { index: at } : {}),
            ...(withId && part === 0 ? { id: `id${at}` } : {}),
            function: {
              ...(part === 0 ? { name: `Tool${at}` } : {}),
              arguments: part === 0 && to === 0 ? null : text.slice(places[part], to),
            },
          }]);
        });
      });
      const expected = inputs.map((text, at) => ({ name: `Tool${at}`, input: text }));
      assert.deepEqual(collector.finish().map(({ name, input }) => ({ name, input })), expected);
    },
  ));
});

Deno.test("an input nested too deep becomes a text, however deep it is; braces in a text are no levels", () => {
  const inputOf = (text: string) => {
    const collector = new CallCollector(() => false, Math.random);
    collector.take([{ id: "a", function: { name: "Read", arguments: text } }]);
    return collector.finish()[0]!.input;
  };
  const nested = (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);
  assert.equal(inputOf(nested(100)), nested(100));
  for (const levels of [101, 2000, 200_000]) {
    const input: unknown = JSON.parse(inputOf(nested(levels)));
    assert.ok(
      typeof input === "string" && input.startsWith("(more than 100 levels) "),
      `${levels}`,
    );
  }
  assert.match(inputOf("[".repeat(3000)), /more than 100 levels/);
  for (const text of ["{[".repeat(500), '\\"{'.repeat(500), "\\".repeat(500)]) {
    const input = JSON.stringify({ path: text });
    assert.equal(inputOf(input), input);
  }
});

/** What comes of a text in these pieces: what is shown in the end, and kept. */
function spoken(pieces: readonly string[], cut = false) {
  const one = new Spoken();
  const events = [...pieces.flatMap((piece) => one.push(piece)), ...one.end(cut)];
  const from = events.findLastIndex(({ type }) => type === "thought") + 1;
  const told = (type: string, from: number) =>
    events.slice(from).map((event) => event.type === type && "delta" in event ? event.delta : "")
      .join("");
  assert.equal(told("text", from), one.text, "what is shown is what is kept");
  return { text: one.text, thinking: one.before + told("thinking", 0) };
}

/** Every way to cut a text in two, and into characters. */
function cuts(text: string): string[][] {
  const twos = Array.from(
    { length: text.length + 1 },
    (_, at) => [text.slice(0, at), text.slice(at)],
  );
  return [[text], [...text], ...twos];
}

const cases: [name: string, said: string, thinking: string, text: string][] = [
  ["no thinking", "Hello <b>", "", "Hello <b>"],
  ["a text that begins with a bracket", "<thing> is a tag", "", "<thing> is a tag"],
  ["blanks before a text stay", "  indented", "", "  indented"],
  ["<think>", "<think>\nwhy\n</think>\n\nHello", "\nwhy\n", "Hello"],
  ["blanks before <think>", "\n\n<think>why</think>Hello", "why", "Hello"],
  ["<thinking>", "<thinking>why</thinking>\nHello", "why", "Hello"],
  ["<thought>", "<thought>why</thought>Hello", "why", "Hello"],
  ["<mm:think>", "<mm:think>why</mm:think>Hello", "why", "Hello"],
  ["<seed:think>", "<seed:think>why</seed:think>Hello", "why", "Hello"],
  ["[THINK]", "[THINK]why[/THINK]Hello", "why", "Hello"],
  ["◁think▷", "◁think▷why◁/think▷Hello", "why", "Hello"],
  ["an empty one", "<think>\n\n</think>\n\nHello", "\n\n", "Hello"],
  ["two of them", "<think>wh</think>\n<think>y</think>Hello", "why", "Hello"],
  ["another tag inside", "<think>a <b> </thinking> c</think>Hello", "a <b> </thinking> c", "Hello"],
  ["the tag amid the answer is text", "Use <think>x</think> so", "", "Use <think>x</think> so"],
  ["an end mark first of all is dropped", "\n</think>\n\nHello", "", "Hello"],
  ["an end mark that has a line of its own", "why\nso\n</think>\n\nHello", "why\nso\n", "Hello"],
  ["an end mark at the end of a line", "why so.</think>391", "why so.", "391"],
  ["an end mark before the answer in its line", "why\n</think>{}", "why\n", "{}"],
  [
    "an end mark that is spoken of is text",
    "the tag </think> ends it",
    "",
    "the tag </think> ends it",
  ],
  ["an end mark that is quoted is text", 'split("</think>")[1]', "", 'split("</think>")[1]'],
  ["an end mark in inline code is text", "use `<x></think>` here", "", "use `<x></think>` here"],
  [
    "an end mark in code is text",
    "So:\n```\n<x>\n</think>\n```\nDone",
    "",
    "So:\n```\n<x>\n</think>\n```\nDone",
  ],
  [
    "an end mark whose beginning was said is text",
    "So: <think>\nx\n</think>\nDone",
    "",
    "So: <think>\nx\n</think>\nDone",
  ],
  [
    "a tag that is not closed is text at the end",
    "<think> is a tag",
    " is a tag",
    "<think> is a tag",
  ],
  ["half a tag at the end is text", "<thi", "", "<thi"],
  ["half a tag behind thinking", "<think>why</think>\n<", "why", "<"],
  ["nothing but thinking", "<think>why</think>\n", "why", ""],
];
for (const [name, said, thinking, text] of cases) {
  Deno.test(`thinking in a text, however it is cut: ${name}`, () => {
    for (const pieces of cuts(said)) assert.deepEqual(spoken(pieces), { text, thinking });
  });
}

Deno.test("what is open when the answer is cut was thinking", () => {
  for (const pieces of cuts("<think>so far</thi")) {
    assert.deepEqual(spoken(pieces, true), { text: "", thinking: "so far</thi" });
  }
});

Deno.test("any thinking and any text come apart, however they are cut", () => {
  const plain = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "<", "think", ">", "/", "`", "好"),
  });
  fc.assert(fc.property(plain, plain, fc.array(fc.nat(60)), (thought, rest, sizes) => {
    fc.pre(!thought.includes("</think>"));
    // what itself begins with a mark would be more thinking
    fc.pre(!/^\s*<\/?think(?:ing)?>|<\/think>/.test(rest));
    const said = `<think>${thought}</think>${rest}`;
    const pieces: string[] = [];
    let at = 0;
    for (const size of sizes) pieces.push(said.slice(at, at += size));
    pieces.push(said.slice(at));
    assert.deepEqual(spoken(pieces), {
      thinking: thought,
      text: rest.trimStart(),
    });
  }));
});

Deno.test("thinking in the text is thinking in both protocols", async () => {
  const said = "<think>why</think>\n\nHello";
  const want = { text: "Hello", thinking: "why", calls: [], stop: "end" } as const;
  await comesTo(
    "openai",
    sse(...[...said].map((one) => delta({ content: one })), delta({}, "stop")),
    want,
  );
  await comesTo(
    "anthropic",
    message([[
      { type: "text", text: "" },
      ...[...said].map((text) => ({ type: "text_delta", text })),
    ]]),
    want,
  );
});

Deno.test("thinking that is not closed before a call stays thinking", async () => {
  const call = { id: "a", index: 0, function: { name: "Read", arguments: "{}" } };
  await comesTo(
    "openai",
    sse(delta({ content: "<think>why" }), delta({ tool_calls: [call] }, "tool_calls")),
    { text: "", thinking: "why", calls: ["Read{}"], stop: "calls" },
  );
});
