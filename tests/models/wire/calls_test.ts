import assert from "node:assert/strict";
import fc from "fast-check";
import { CallCollector } from "../../../src/models/wire/calls.ts";
import type { FakeCall, OddDeltas } from "../../support/fake_provider.ts";
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
