import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { deferred, parseInput, rename, validate } from "../../src/tools/toolbox.ts";
import type { JsonSchema, Tool, ToolContext } from "../../src/base/types.ts";
import { runs } from "../support/soak.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    ratio: { type: "number" },
    all: { type: "boolean" },
    mode: { type: "string", enum: ["content", "count"] },
    items: {
      type: "array",
      minItems: 1,
      items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  },
  required: ["file_path"],
};

const tool: Tool = {
  name: "T",
  description: "",
  input: SCHEMA,
  readOnly: true,
  needs: [],
  adapt: (input) => rename(input, { path: "file_path" }),
  run: () => Promise.resolve({ ok: true, text: "" }),
};

Deno.test("what is plainly meant is cast", () => {
  const cases: [unknown, unknown][] = [
    [{ file_path: 5 }, { file_path: "5" }],
    [{ file_path: "a", limit: "5" }, { file_path: "a", limit: 5 }],
    [{ file_path: "a", limit: 5.0 }, { file_path: "a", limit: 5 }],
    [{ file_path: "a", all: "True" }, { file_path: "a", all: true }],
    [{ file_path: "a", mode: "COUNT" }, { file_path: "a", mode: "count" }],
    [{ file_path: "a", items: '[{"name":"x"}]' }, { file_path: "a", items: [{ name: "x" }] }],
    [{ file_path: "a", limit: null, extra: null }, { file_path: "a" }],
    [{ path: "a" }, { file_path: "a" }],
    [{ file_path: "a", path: "b" }, { file_path: "a" }],
  ];
  for (const [given, wanted] of cases) {
    assert.deepEqual(parseInput(tool, JSON.stringify(given), english), wanted);
  }
  assert.deepEqual(parseInput(tool, JSON.stringify('{"file_path":"a"}'), english), {
    file_path: "a",
  });
});

Deno.test("all that is wrong is told at once", () => {
  const given = { limit: 99, ratio: "x", mode: "all", items: [{}], fill_path: "a" };
  assert.equal(
    parseInput(tool, JSON.stringify(given), english),
    "Error: Invalid parameters: 'limit' must be at most 10, got 99; " +
      "'ratio' must be a number, got \"x\"; " +
      "'mode' must be one of content, count, got 'all'; " +
      "missing required parameter 'items[0].name' (a string); " +
      "unknown parameter 'fill_path', valid ones are: file_path, limit, ratio, all, mode, items; " +
      "missing required parameter 'file_path' (a string)",
  );
  assert.match(
    parseInput(tool, '{"file_path":"","limit":1.5,"items":[]}', english) as string,
    /'file_path' must not be empty; 'limit' must be an integer, got 1\.5; 'items' must have at least 1/,
  );
});

Deno.test("input that is no JSON object says so, and where it was cut off", () => {
  const text = (raw: string) => parseInput(tool, raw, english) as string;
  assert.match(text('{"file_path": "a", "content": "x'), /Unterminated string.*split the work/);
  assert.match(text('{"file_path": "a"'), /position 17.*split the work/);
  assert.match(text("{file_path: 1}"), /not valid JSON: .*position 1/);
  assert.doesNotMatch(text("{file_path: 1}"), /cut off/);
  assert.match(text("[1]"), /must be a JSON object, got array/);
  assert.match(text("null"), /got null/);
  assert.match(text(""), /missing required parameter 'file_path'/);
});

Deno.test("names from the prototype are parameters like any other", () => {
  const raw = '{"file_path":"a","__proto__":{"x":1},"constructor":1,"toString":2}';
  assert.match(parseInput(tool, raw, english) as string, /'__proto__'.*'constructor'.*'toString'/);
  assert.deepEqual(rename({ constructor: 1 }, {}), { constructor: 1 });
});

Deno.test("additional properties pass where the schema lets them", () => {
  const open: JsonSchema = { ...SCHEMA, additionalProperties: true };
  assert.deepEqual(validate(open, { file_path: "a", x: [1] }, english), { file_path: "a", x: [1] });
});

Deno.test("any JSON value gives either a valid input or a text, never a throw", () => {
  fc.assert(
    fc.property(fc.json(), (raw) => {
      const result = parseInput(tool, raw, chinese);
      if (typeof result === "string") assert.match(result, /^Error: /);
      else assert.equal(typeof result["file_path"], "string");
    }),
    { numRuns: runs(500) },
  );
});

const context = {} as ToolContext;

function counted(asks?: Tool["asks"]) {
  const tool: Tool = {
    name: "Work",
    description: "",
    input: { type: "object" },
    readOnly: true,
    needs: [],
    ...asks ? { asks } : {},
    run: ({ n }) => Promise.resolve({ ok: true, text: `ran ${n}` }),
  };
  const { run: _run, asks: _asks, ...declaration } = tool;
  let loads = 0;
  const load = () => {
    loads++;
    return Promise.resolve(tool);
  };
  return { made: deferred(declaration, load), loads: () => loads };
}

Deno.test("a deferred tool is declared at once and loaded once, with its first call", async () => {
  const { made, loads } = counted();
  assert.equal(made.name, "Work");
  assert.equal(loads(), 0);
  const results = await Promise.all([1, 2].map((n) => made.run({ n }, context)));
  assert.deepEqual(results.map(({ text }) => text), ["ran 1", "ran 2"]);
  assert.equal(loads(), 1);
});

Deno.test("a deferred tool is loaded when a call of it begins to arrive; a failure waits for the call", async () => {
  const { made, loads } = counted();
  made.warm?.();
  assert.equal(loads(), 1);
  const broken = deferred(made, () => Promise.reject(new Error("gone")));
  broken.warm?.();
  await assert.rejects(broken.run({}, context), /gone/);
});

Deno.test("a deferred tool asks what its own code asks, and nothing where that asks nothing", async () => {
  assert.equal(await counted(() => Promise.resolve(true)).made.asks!({}, context), true);
  assert.equal(await counted().made.asks!({}, context), false);
});
