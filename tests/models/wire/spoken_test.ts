import assert from "node:assert/strict";
import fc from "fast-check";
import { Spoken } from "../../../src/models/wire/spoken.ts";
import { comesTo, delta, message, sse } from "../served.ts";

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
