import fc from "fast-check";
import { character } from "../../../support/fast_check.ts";
import assert from "node:assert/strict";
import { MessageLines } from "../../../../src/features/mcp/wire/stdio.ts";
import { runs } from "../../../support/soak.ts";

/** What is taken out of these bytes, cut at these places. */
function taken(text: string, cuts: readonly number[] = [], most = 1000) {
  const messages: unknown[] = [];
  const garbage: string[] = [];
  const unreadable: unknown[] = [];
  const lines = new MessageLines({
    message: (message) => void messages.push(message),
    garbage: (line) => void garbage.push(line),
    unreadable: (id, why) => void unreadable.push([id, why]),
  }, most);
  const bytes = new TextEncoder().encode(text);
  const at = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  for (let n = 1; n < at.length; n++) lines.push(bytes.subarray(at[n - 1], at[n]));
  return { messages, garbage, unreadable };
}

const message = (id: number, text = "") => ({ jsonrpc: "2.0", id, result: { text } });

Deno.test("wherever the bytes are cut, the messages are the same", () => {
  const texts = fc.array(fc.string({ unit: character }), { maxLength: 8 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 12 }), (texts, cuts) => {
      const all = texts.map((text, id) => message(id, text.toWellFormed()));
      const bytes = all.map((one) => JSON.stringify(one) + "\n").join("");
      assert.deepEqual(taken(bytes, cuts, 100_000), {
        messages: all,
        garbage: [],
        unreadable: [],
      });
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("empty lines, Windows line ends and batches are understood", () => {
  const one = JSON.stringify(message(1));
  const { messages, garbage } = taken(`\n${one}\r\n  \n[${one},${one}]\n`);
  assert.equal(messages.length, 3);
  assert.deepEqual(garbage, []);
});

Deno.test("what is no message is garbage, and what stands behind it is not", () => {
  const { messages, garbage } = taken(`hello\n{"a":1}\n42\n${JSON.stringify(message(1))}\n`);
  assert.deepEqual(garbage, ["hello", '{"a":1}', "42"]);
  assert.equal(messages.length, 1);
});

Deno.test("a line that is too long is no message, whichever end names the request", () => {
  const long = "x".repeat(5000);
  const lines = [
    `{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}`,
    `{"result":{"text":"${long}"},"jsonrpc":"2.0","id":8}`,
    `{"id":"nine","result":{"text":"${long}"}}`,
    `{"jsonrpc":"2.0","method":"note","params":{"text":"${long}"}}`,
  ];
  const { messages, garbage, unreadable } = taken(
    lines.map((line) => line + "\n").join("") + JSON.stringify(message(1)) + "\n",
  );
  assert.deepEqual(unreadable, [[7, "too long"], [8, "too long"], ["nine", "too long"]]);
  assert.equal(garbage.length, 1);
  assert.equal(messages.length, 1);
});

Deno.test("an answer that is no JSON fails its request, and is kept as garbage like all such", () => {
  const { unreadable, garbage } = taken(
    '{"jsonrpc":"2.0","id":3,"result":{"x":\n{"jsonrpc":"2.0","id":4,"method":"x","params":\n',
  );
  assert.deepEqual(unreadable, [[3, "not JSON"]]);
  assert.equal(garbage.length, 2);
});

Deno.test("a list of a thousand things that are no messages is one line of garbage", () => {
  const line = JSON.stringify(Array.from({ length: 1000 }, (_, n) => n));
  assert.equal(taken(line + "\n", [], 100_000).garbage.length, 1);
});
