import assert from "node:assert/strict";
import { bodyOf, calledIn } from "../../../src/models/demo/called.ts";

const failure = { path: "x", line: 0, actual: "-1", expected: "3" };

for (
  const [imports, call, name, module] of [
    [`import { add } from "./a.js";`, "add", "add", "./a.js"],
    [`import { add as sum } from "../a.ts";`, "sum", "add", "../a.ts"],
    [`import * as math from "./a.js";`, "math.add", "add", "./a.js"],
    [`import add from "./a.js";`, "add", "add", "./a.js"],
    [`const { add } = require("./a");`, "add", "add", "./a"],
    [`const { add: sum } = require("./a");`, "sum", "add", "./a"],
    [`const math = require('./a');`, "math.add", "add", "./a"],
    ["from a import sub, add", "add", "add", "a"],
    ["from a.b import (\n    sub,\n    add as plus,\n)", "plus", "add", "a.b"],
    ["from .a import add", "add", "add", ".a"],
    ["import a", "a.add", "add", "a"],
    ["import a.b as m", "m.add", "add", "a.b"],
    ["    from a import add", "add", "add", "a"],
  ] as const
) {
  Deno.test(`calledIn() follows ${JSON.stringify(imports)}`, () => {
    const test = `${imports}\n\n\nequal(${call}(1, 2), 3)\n`;
    const line = test.split("\n").length - 1;
    const { actual, expected } = failure;
    assert.deepEqual(calledIn(test, { ...failure, line }), {
      ...{ name, module, args: ["1", "2"], actual, expected },
    });
  });
}

Deno.test("calledIn() takes the call nearest above, but no package's and none far away", () => {
  const above = (n: number) =>
    `import { f, g } from "./a.js";\nf(1);\nconst got = g(2);${"\n".repeat(n)}equal(got, 3);`;
  assert.equal(calledIn(above(2), { ...failure, line: 5 })?.name, "g");
  assert.equal(calledIn(above(20), { ...failure, line: 23 }), undefined);
  assert.equal(
    calledIn(`import { f } from "pkg";\nequal(f(1), 2);`, { ...failure, line: 2 }),
    undefined,
  );
});

function body(source: string, name: string): string {
  const lines = source.split("\n").map((text, at) => ({ number: at + 1, text }));
  return bodyOf(lines, name).map(({ text }) => text).join("\n");
}

Deno.test("bodyOf() ends a Python function where its indentation ends", () => {
  const source = "class A:\n    def f(self):\n        x = 1\n\n        return x\n\n" +
    "    def g(self):\n        return 2\n\n\ndef h(\n    a,\n):\n    return a\n\nprint(h(1))";
  assert.equal(body(source, "f"), "    def f(self):\n        x = 1\n\n        return x\n");
  assert.equal(body(source, "g"), "    def g(self):\n        return 2\n\n");
  assert.equal(body(source, "h"), "def h(\n    a,\n):\n    return a\n");
});

Deno.test("bodyOf() finds functions in their JavaScript forms, and them alone", () => {
  for (
    const form of [
      "function f(a) {\n  return a;\n}",
      "export async function f(a) {\n  return a;\n}",
      "const f = (a) => a;",
      "const f = (a) => a",
      "exports.f = (a) => {\n  return a;\n};",
      "  f(a) {\n    return a;\n  },",
      "  static f(a) {\n    return a;\n  }",
      "  f: function (a) {\n    return a;\n  },",
      "function f(\n  a,\n) {\n  return a;\n}",
    ]
  ) {
    assert.equal(body(`f(1);\n${form}\n\nconst g = () => 1;\n`, "f"), form);
  }
  assert.equal(body("f(1);\n", "f"), "");
});
