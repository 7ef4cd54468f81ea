import assert from "node:assert/strict";
import fc from "fast-check";
import { readPlain } from "../../src/base/front_matter.ts";
import { readYaml } from "../../src/base/yaml.ts";

const KEY = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom("name", "description", "metadata", "always", "x-y", "a1"),
  },
  { weight: 1, arbitrary: fc.constantFrom("-", "é", "a b", "1") },
);
const VALUE = fc.oneof(
  fc.string({ unit: fc.constantFrom(...`ab 中:#'"{}[],&*!|>%@\`-?~.0+\\/=<`), maxLength: 12 }),
  fc.constantFrom("true", "false", "True", "null", "~", "42", "0x1f", "1e3", ".inf", "2024-01-01"),
  fc.constantFrom("Use when: x", "x #y", "x: y: z", "'it''s'", "'a: b'", '"a\\tb"', '"a" b', "yes"),
  fc.json({ maxDepth: 2 }),
);
const LINE = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(KEY, VALUE).map(([key, value]) => `${key}: ${value}`) },
  { weight: 1, arbitrary: fc.constantFrom("", "  more", "# note", "- item", "key:", "a:b", "---") },
);

/** As the slow way gives it; undefined where it refuses. */
function slow(text: string): unknown {
  try {
    return readYaml(text);
  } catch {
    return undefined;
  }
}

/** The slow way quotes all there is when it has to quote at all. */
const asTexts = (value: unknown) =>
  Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [
      key,
      typeof one === "boolean" ? String(one) : one,
    ]),
  );

Deno.test("what is read without a YAML reader is what the YAML reader gives", () => {
  let quick = 0;
  fc.assert(
    fc.property(fc.array(LINE, { minLength: 1, maxLength: 4 }), (lines) => {
      const text = lines.join("\n");
      const plain = readPlain(text);
      if (plain === undefined || Object.keys(plain).length === 0) return;
      quick++;
      const other = slow(text);
      assert.notEqual(other, undefined, text);
      assert.deepEqual(asTexts(plain), asTexts(other), text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(quick > 500, `${quick}`);
});

Deno.test("the usual front matter needs no YAML reader, the unusual one does", () => {
  assert.deepEqual(
    readPlain(
      `name: review\r\ndescription: Use when: a change is there\r\n\r\nalways: true\r\n` +
        `metadata: {"nanobot":{"requires":{"bins":["gh"]}}}\r\nlicense: 'MIT: x'\r\n`,
    ),
    {
      name: "review",
      description: "Use when: a change is there",
      always: true,
      metadata: { nanobot: { requires: { bins: ["gh"] } } },
      license: "MIT: x",
    },
  );
  for (
    const text of [
      "description: >\n  folded",
      "metadata:\n  nanobot: {}",
      "description: a\n  b",
      "a: [1]",
      "a: x # y",
      "a: 1",
      "a: b\na: c",
      "# comment",
      "a: *x",
    ]
  ) assert.equal(readPlain(text), undefined, text);
});
