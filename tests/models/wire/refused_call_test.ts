import assert from "node:assert/strict";
import { refusedCall } from "../../../src/models/wire/refused_call.ts";
import { answer, hostWith, outcome, withProvider } from "../setup.ts";

const FAILED = "Failed to call a function. Please adjust your prompt.";

const written: readonly (readonly [string, string, unknown])[] = [
  ['<function=Read>{"path": "a"}</function>', "Read", '{"path": "a"}'],
  ['<function=Read{"path": "a"}</function>', "Read", '{"path": "a"}'],
  ['Read{"path": "a", "limit": 20}</function>', "Read", '{"path": "a", "limit": 20}'],
  ['Read({"path": "a"})', "Read", '{"path": "a"}'],
  ['{"name": "Read", "arguments": {"path": "a"}}', "Read", { path: "a" }],
  ['[{"name": "Read", "parameters": {"path": 1}}]', "Read", { path: 1 }],
  [
    '<tool-use>\n{"tool_calls": [{"id": "x", "type": "function", "function": {"name": "Read"}, ' +
    '"parameters": {"path": "a"}}]}\n</tool-use>',
    "Read",
    { path: "a" },
  ],
  ['```\n{"tool_calls": [{"function": {"name": "Read", "arguments": "{}"}}]}\n```', "Read", "{}"],
  [
    '<function=Write>{"path": "a", "content": "it was cut he',
    "Write",
    '{"path": "a", ' +
    '"content": "it was cut he',
  ],
];
for (const [failed_generation, name, input] of written) {
  Deno.test(`a refused call is read from ${JSON.stringify(failed_generation).slice(0, 50)}`, () => {
    const found = refusedCall({ message: FAILED, failed_generation });
    assert.deepEqual(found, { function: { name, arguments: input } });
  });
}

Deno.test("a refused call is named by the message where the model's words do not", () => {
  const of = (message: string, failed_generation?: string) =>
    refusedCall({ message, ...failed_generation === undefined ? {} : { failed_generation } });
  const schema = "tool call validation failed: parameters for tool Read did not match schema: x";
  const missing = "attempted to call tool 'json' which was not in request.tools";
  assert.deepEqual(of(schema), { function: { name: "Read", arguments: "" } });
  assert.deepEqual(of(missing, '{"a": 1}'), { function: { name: "json", arguments: '{"a": 1}' } });
  assert.equal(of(FAILED, "Tool use failed: JSON does not match the expected schema"), undefined);
  assert.equal(of(FAILED), undefined);
});

const error = (failed_generation: string) => ({
  error: {
    message: FAILED,
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation,
  },
});

Deno.test("a call that the provider refuses is the model's to mend: its answer ends with that call", async () => {
  const waits: number[] = [];
  const body = JSON.stringify(error('<function=Read>{"path": 1</function>'));
  await withProvider("openai", [{ fault: "status", status: 400, body }], async (client) => {
    const { message, stop } = await answer(client);
    assert.deepEqual([message.calls.map(({ name }) => name), stop], [["Read"], "calls"]);
    assert.match(message.calls[0]!.input, /^\{"path": 1/);
    assert.deepEqual(waits, []);
  }, { host: hostWith(waits) });
});

Deno.test("the same told amid a stream; where no call is told it is tried again", async () => {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const text = event({ choices: [{ index: 0, delta: { content: "I look." } }] });
  const sse = { "content-type": "text/event-stream" };
  const amid = `${text}event: error\n${event(error('Read({"path": "a"})'))}`;
  await withProvider(
    "openai",
    [{ fault: "status", status: 200, headers: sse, body: amid }],
    async (client) => {
      const { message } = await answer(client);
      assert.equal(message.text, "I look.");
      assert.deepEqual(message.calls.map(({ name, input }) => [name, input]), [
        ["Read", '{"path": "a"}'],
      ]);
    },
  );
  const waits: number[] = [];
  const unknown = { fault: "status" as const, status: 400, body: JSON.stringify(error("no")) };
  await withProvider("openai", [unknown, { text: "hi" }], async (client) => {
    assert.equal((await outcome(client)).error, undefined);
    assert.equal(waits.length, 1);
  }, { host: hostWith(waits) });
});
