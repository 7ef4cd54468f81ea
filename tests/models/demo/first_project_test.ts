import assert from "node:assert/strict";
import { join } from "node:path";
import { DemoTalk } from "../../support/demo_talk.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

type Files = { readonly [path: string]: string };

/** A first project of one's own: what it holds, and what the mended file must say. */
interface Project {
  readonly what: string;
  readonly needs: "node" | "python3" | "pytest";
  readonly files: Files;
  /** Undefined where the demo model must own up to not being able to. */
  readonly mended?: { readonly file: string; readonly text: RegExp };
  readonly answer: RegExp;
}

const nodeTest = (imports: string, body: string) =>
  `import test from "node:test";
import assert from "node:assert/strict";
${imports}

test("it works", () => {
${body}
});
`;

const addTest = nodeTest(`import { add } from "./math.js";`, "  assert.equal(add(1, 2), 3);");
const addCode = "export function add(a, b) {\n  return a - b;\n}\n";
const addMended = { file: "math.js", text: /return a \+ b;/ };
const unitTest = (imports: string, body: string) =>
  `import unittest
${imports}


class TestIt(unittest.TestCase):
    def test_it(self):
${body.replaceAll(/^/gm, "        ")}


if __name__ == "__main__":
    unittest.main()
`;
const calc = `"""Sums - and more."""


def add(a, b):
    # a - b
    return a - b


def is_big(n):
    if n > 10:
        return True
    return False


def greet(name):
    return 'Helo'
`;

const projects: readonly Project[] = [
  {
    what: "node --test as the package's test script",
    needs: "node",
    files: {
      "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }`,
      "math.js": addCode,
      "math.test.js": addTest,
    },
    mended: addMended,
    answer: /`npm test` passes now/,
  },
  {
    what: "the script that npm init writes, which is none",
    needs: "node",
    files: {
      "package.json":
        `{ "type": "module", "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }`,
      "math.js": addCode,
      "math.test.js": addTest,
    },
    mended: addMended,
    answer: /`node --test` passes now/,
  },
  {
    what: "a node:test file without package.json, in CommonJS, without file extension",
    needs: "node",
    files: {
      "lib/math.js":
        "module.exports = {\n  big(n) {\n    return n > 10;\n  },\n};\nexports.unused = 1;\n",
      "test/math.test.js": `const { test } = require("node:test");
const assert = require("node:assert");
const math = require("../lib/math");
test("ten is big", () => {
  assert.ok(math.big(10));
});
`,
    },
    mended: { file: "lib/math.js", text: /return n >= 10;/ },
    answer: /`node --test` passes now/,
  },
  {
    what: "a value computed above its assertion, with a default export and no blanks",
    needs: "node",
    files: {
      "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }`,
      "times.mjs": "export default function times(a, b) {\n  return a+b\n}\n",
      "times.test.mjs": nodeTest(
        `import times from "./times.mjs";`,
        "  const got = times(4, 5);\n  assert.strictEqual(got, 20);",
      ),
    },
    mended: { file: "times.mjs", text: /return a\*b\n/ },
    answer: /passes now/,
  },
  {
    what: "a wrong word",
    needs: "node",
    files: {
      "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }`,
      "greet.js": "export const greet = () => 'Helo'\n\nexport const other = () => 'Helo'\n",
      "greet.test.js": nodeTest(
        `import { greet as hi } from "./greet.js";`,
        `  assert.equal(hi(), "Hello");`,
      ),
    },
    mended: { file: "greet.js", text: /greet = \(\) => 'Hello'\n\n.*'Helo'/ },
    answer: /passes now/,
  },
  {
    what: "a failure that no rule mends",
    needs: "node",
    files: {
      "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }`,
      "math.js": "export function add(a, b) {\n  return Number(`${a}${b}`);\n}\n",
      "math.test.js": addTest,
    },
    answer: /beyond the demo model/,
  },
  {
    what: "tests that node does not take for tests",
    needs: "node",
    files: { "package.json": "{}", "a.spec.js": "" },
    answer: /`node --test` ran no tests/,
  },
  {
    what: "unittest, as pytest is not installed",
    needs: "python3",
    files: {
      "calc.py": calc,
      "test_calc.py": unitTest("from calc import add", "self.assertEqual(add(1, 2), 3)"),
    },
    mended: { file: "calc.py", text: /# a - b\n {4}return a \+ b\n/ },
    answer: /`python3 -B -m unittest discover` passes now/,
  },
  {
    what: "unittest in a folder of its own, where a limit is wrong",
    needs: "python3",
    files: {
      "calc.py": calc,
      "tests/test_calc.py": unitTest("import calc", "self.assertTrue(calc.is_big(10))"),
    },
    mended: { file: "calc.py", text: /if n >= 10:/ },
    answer: /`python3 -B -m unittest discover -s tests` passes now/,
  },
  {
    what: "unittest, where a word is wrong",
    needs: "python3",
    files: {
      "pkg/__init__.py": "",
      "pkg/calc.py": calc,
      "test_calc.py": unitTest(
        "from pkg.calc import (\n    add,\n    greet,\n)",
        `got = greet("Ann")\nself.assertEqual(got, "Hello")`,
      ),
    },
    mended: { file: "pkg/calc.py", text: /return 'Hello'/ },
    answer: /passes now/,
  },
  {
    what: "tests for pytest, which unittest does not see",
    needs: "python3",
    files: {
      "calc.py": calc,
      "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    },
    answer: /ran no tests/,
  },
  {
    what: "pytest",
    needs: "pytest",
    files: {
      "calc.py": calc,
      "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    },
    mended: { file: "calc.py", text: /return a \+ b\n/ },
    answer: /pytest -q` passes now/,
  },
];

async function works(command: string, ...args: string[]): Promise<boolean> {
  const run = new Deno.Command(command, { args, stdout: "null", stderr: "null" });
  return await run.output().then((output) => output.success, () => false);
}

const have = {
  node: await works("node", "-e", "require('node:test')"),
  python3: await works("python3", "-m", "venv", "--help"),
  pytest: await works("python3", "-m", "pytest", "--version"),
};
for (const [what, there] of Object.entries(have)) {
  if (!there) console.warn(`SKIPPED: ${what} is missing, so its projects are not tried`);
}

/** A Python with nothing installed. */
const bare = await Deno.makeTempDir({ prefix: "narnat-python-" });
Deno.test.beforeAll(async () => {
  if (have.python3) assert.ok(await works("python3", "-m", "venv", "--without-pip", bare));
});
Deno.test.afterAll(() => Deno.remove(bare, { recursive: true }));

for (const { what, needs, files, mended, answer } of projects) {
  Deno.test({
    name: `the demo model on a first project: ${what}`,
    ignore: !have[needs],
    fn: () =>
      withWorkspace(files, async (root) => {
        using talk = new DemoTalk(root);
        extend(talk, { npm_config_update_notifier: "false" });
        if (needs === "python3") {
          extend(talk, { PATH: `${join(bare, "bin")}:${Deno.env.get("PATH") ?? ""}` });
        }
        const said = await talk.ask("fix the failing test");
        const told = `${said}\n${JSON.stringify(talk.messages, null, 1)}`;
        assert.match(said, answer, told);
        for (const [file, text] of Object.entries(files)) {
          const now = await Deno.readTextFile(join(root, file));
          if (file === mended?.file) assert.match(now, mended.text);
          else assert.equal(now, text, `${file} is as it was`);
        }
      }),
  });
}

function extend(talk: DemoTalk, more: Files): void {
  const { env } = talk.desk.context();
  talk.desk.overrides = { ...talk.desk.overrides, env: { ...env, ...more } };
}
