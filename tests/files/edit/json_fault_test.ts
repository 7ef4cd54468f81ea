import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonFault } from "../../../src/files/edit/json_fault.ts";

Deno.test("the place where a text stops being JSON is told", () => {
  for (
    const [text, line, column, near] of [
      ['{\n "a": [\n  "x = "a"\\n"\n ]\n}', 3, 9, '`a"\\n"`'],
      ['["a"\n "b"]', 2, 2, '`"b"]`'],
      ['["a",\n]', 2, 1, "`]`"],
      ['{"a": 1,}', 1, 9, "`}`"],
      ['{"a" 1}', 1, 6, "`1}`"],
      ['["a\nb"]', 1, 4, "``"],
      ['["a\\d"]', 1, 4, '`\\d"]`'],
      ["[01]", 1, 3, "`1]`"],
      ["[tru]", 1, 2, "`tru]`"],
      ['{"a": [1, 2', 1, 12, "``"],
      ['["a', 1, 4, "``"],
      ["", 1, 1, "``"],
      ["{} x", 1, 4, "`x`"],
      ["[1}", 1, 3, "`}`"],
      ["{1: 2}", 1, 2, "`1: 2}`"],
    ] as const
  ) assert.deepEqual(jsonFault(text), { line, column, near }, text);
  assert.equal(jsonFault(' {"a": [1, -0.5e3, true, null, "\\u00e9\\n", {}, []]}\n'), undefined);
});

Deno.test("the place is the one that the platform tells, where it tells one", () => {
  let told = 0;
  const chars = fc.constantFrom(...'[]{},:"\\ 01.eE-trufalsn\n');
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), chars, (json, where, char) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + char + json.slice(at);
      let message = "";
      try {
        JSON.parse(text);
      } catch (error) {
        message = String(error);
      }
      const fault = jsonFault(text);
      assert.equal(fault === undefined, message === "");
      const position = /at position (\d+)/.exec(message)?.[1];
      // within a number, an escape or a word the platform goes on to the character that is wrong in it
      if (!fault || !position || /number|Exponent|escape|string/i.test(message)) return;
      told++;
      const lines = text.split("\n").slice(0, fault.line);
      const offset = lines.slice(0, -1).join("\n").length + (fault.line > 1 ? 1 : 0);
      assert.equal(offset + fault.column - 1, Number(position), JSON.stringify({ text, message }));
    }),
    { numRuns: 1000 },
  );
  assert.ok(told > 100, `${told}`);
});

Deno.test("a string of many megabytes is looked through", () => {
  const text = `["${"x".repeat(8_000_000)}", a]`;
  assert.equal(jsonFault(text)!.near, "`a]`");
});
