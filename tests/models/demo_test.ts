import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { demoProject } from "../../scripts/demo_project.ts";
import { demoModel } from "../../src/models/demo.ts";
import type { Message } from "../../src/base/types.ts";
import { answerOf, DemoTalk } from "./demo_talk.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";
import { threadMs } from "../support/processes.ts";
import { slow } from "../support/soak.ts";

type Files = { readonly [path: string]: string };

const shop: Files = {
  ...demoProject,
  // with types the demo itself runs them, in tests/scripts
  "deno.json": demoProject["deno.json"]!.replace("--quiet", "--quiet --no-check"),
};

/** Asks one line in a fresh copy of the shop. */
async function ask(
  line: string,
  check: (answer: string, talk: DemoTalk, root: string) => void | Promise<void>,
  files: Files = shop,
): Promise<void> {
  await withWorkspace(files, async (root) => {
    using talk = new DemoTalk(root, /\p{Script=Han}/u.test(line) ? chinese : english);
    await check(await talk.ask(line), talk, root);
  });
}

const lines = (talk: DemoTalk) => JSON.stringify(talk.messages, null, 1);

for (
  const [line, tools, answer] of [
    ["hello", [], /^I am narnat's built-in demo model[^]*NARNAT_API_KEY/],
    ["你好", [], /^我是 narnat 自带的演示模型[^]*NARNAT_API_KEY/],
    ["write me a poem", [], /^I cannot do that[^]*built-in demo model[^]*narnat\.json/],
    ["写一首诗", [], /^这个我做不到[^]*演示模型[^]*narnat\.json/],
    ["show me how total works", [], /^I cannot do that/],
    ["find shipping", ["Grep"], /“shipping”[^]*\nsrc\/cart\.ts:16:[^]*\ntests\/cart_test\.ts:13:/],
    ["where is shipping defined?", ["Grep"], /\nsrc\/cart\.ts:16:/],
    ["shipping 在哪里定义？", ["Grep"], /“shipping”的结果[^]*\nsrc\/cart\.ts:16:/],
    ['please find "exactly 50.00" in tests', ["Grep"], /\ntests\/cart_test\.ts:12:[^\n]*\n````$/],
    ["在 tests 里查找“exactly 50.00”", ["Grep"], /\ntests\/cart_test\.ts:12:[^\n]*\n````$/],
    ["find quuxification", ["Grep"], /No matches in \. for quuxification/],
    ["list files", ["Glob"], /^(?=[^]*\nREADME\.md\n)[^]*\nsrc\/cart\.ts\n/],
    ["list src", ["Glob"], /`src\/\*\*`:\n````\nsrc\/cart\.ts\n````$/],
    [
      "list *.ts files",
      ["Glob"],
      /`\*\*\/\*\.ts`:\n````\n\w+\/cart\w*\.ts\n\w+\/cart\w*\.ts\n````$/,
    ],
    ["列出 *.ts 文件", ["Glob"], /\nsrc\/cart\.ts\n/],
    ["列出所有文件", ["Glob"], /\nREADME\.md\n/],
    ["read src/cart.ts", ["Read"], /`src\/cart\.ts`:\n````\n1 \|[^]*\n20 \|[^\n]*\n…\n````$/],
    ["查看 README.md", ["Read"], /A little shop/],
    ["read nope.md", ["Read"], /^That did not work; Read says:\n````\nCannot read nope\.md/],
    ["读取 nope.md", ["Read"], /^没有成功，Read 报告：\n````\n[^\n]*nope\.md/],
    ["run seq 30", ["Bash"], /````\n…\n12\n13\n[^]*\n30\n\[exit code 0/],
    ["运行 echo 你好", ["Bash"], /\n你好\n\[退出码 0/],
    ["run echo hi; exit 3", ["Bash"], /^That did not work; Bash says:\n````\nhi\n\[exit code 3/],
    ["run vim a.txt", ["Bash"], /^That did not work; Bash says:\n````\nNot run/],
    [
      "replace x1 with y in src/cart.ts",
      ["Read", "Edit"],
      /did not work; Edit says:\n````\nNo match/,
    ],
    ["run the tests", ["Glob", "Glob", "Read", "Bash"], /^`deno task test` fails:[^]*490 !== 0/],
    ["跑一下测试", ["Glob", "Glob", "Read", "Bash"], /^`deno task test` 没有通过/],
  ] as const
) {
  Deno.test(`the demo model answers: ${line}`, () =>
    ask(line, (said, talk) => {
      assert.deepEqual(talk.called, tools);
      assert.match(said, answer);
    }));
}

for (
  const line of [
    "replace SHIPPING with POSTAGE in src/cart.ts",
    "把 src/cart.ts 里的 SHIPPING 替换成 POSTAGE",
  ]
) {
  Deno.test(`the demo model reads and edits: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.deepEqual(talk.called, ["Read", "Edit"]);
      const text = await Deno.readTextFile(join(root, "src/cart.ts"));
      assert.equal(text, shop["src/cart.ts"]!.replaceAll("SHIPPING", "POSTAGE"));
      assert.match(answer, /src\/cart\.ts/);
    }));
}

for (const line of ["delete README.md", "删除 README.md"]) {
  Deno.test(`the demo model says so when a delete is declined: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.equal(talk.runner.questions.length, 1);
      assert.match(answer, /That did not work|没有成功/);
      assert.ok(await Deno.stat(join(root, "README.md")));
    }));
}

Deno.test("the demo model deletes when the user agrees", () =>
  withWorkspace({ "it's.txt": "x" }, async (root) => {
    using talk = new DemoTalk(root);
    talk.runner.answer = true;
    assert.match(await talk.ask('delete "it\'s.txt"'), /exit code 0/, lines(talk));
    await assert.rejects(Deno.stat(join(root, "it's.txt")));
  }));

Deno.test("the demo model changes nothing by half a request, and answers any text at once", () => {
  const texts = ["replace a with b in c", "delete a.txt", "run ls", "把 c 里的 a 替换成 b"]
    .map((text) => `${text}\nand some more lines`);
  const long = ["find ", "在", "把 ", "replace "].map((word) => word + "in 里的 with ".repeat(120));
  return withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    for (const text of [...texts, ...long.map((text) => `${text}\nx`)]) {
      const began = threadMs();
      assert.match(await talk.ask(text), /I cannot do that|这个我做不到/, text);
      assert.ok(threadMs() - began < 2000, text);
    }
    assert.deepEqual(talk.called, []);
  });
});

for (
  const line of [
    "plan: find shipping; run echo two; list files",
    "分步：查找 shipping；运行 echo two；列出文件",
    "plan:\nfind shipping\nrun echo two\nlist files",
  ]
) {
  Deno.test(`the demo model keeps exactly one step in progress: ${line.slice(0, 12)}`, () =>
    ask(line, (answer, talk) => {
      const lists = talk.messages.flatMap((m) => m.role === "assistant" ? m.calls : [])
        .filter((call) => call.name === "TodoWrite")
        .map((call) => (JSON.parse(call.input).todos as { status: string }[]).map((t) => t.status));
      assert.deepEqual(lists, [
        ["in_progress", "pending", "pending"],
        ["completed", "in_progress", "pending"],
        ["completed", "completed", "in_progress"],
        ["completed", "completed", "completed"],
      ]);
      assert.ok(talk.messages.every((m) => m.role !== "tool" || m.ok), lines(talk));
      assert.match(answer, /^3 (?:steps are done|步都完成了)/);
    }));
}

Deno.test("the demo model stops a plan at the step that fails, and leaves it open", () =>
  ask("plan: list files; read nope.md; run echo three", (answer, talk) => {
    assert.match(answer, /^Stopped at step 2: That did not work; Read says/);
    assert.equal(talk.runner.context().todos[1]?.status, "in_progress");
  }));

Deno.test("the demo model answers a line that joined the running turn", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.messages.push({ role: "user", text: "find FREE_SHIPPING_FROM" });
    await talk.step();
    const answer = await talk.ask("list src");
    assert.deepEqual(talk.called, ["Grep", "Glob"]);
    assert.match(answer, /src\/cart\.ts:9:[^]*\nsrc\/cart\.ts\n/);
  }));

Deno.test("the demo model does not resume what the user stopped", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    const call = { id: "demo_1", name: "Bash", input: '{"command":"sleep 100"}' };
    talk.messages.push(
      { role: "user", text: "run sleep 100" },
      { role: "assistant", text: "", calls: [call], thinking: [] },
      { role: "tool", id: "demo_1", name: "Bash", ok: false, text: "interrupted" },
    );
    assert.match(await talk.ask("list src"), /^Files that match/);
    assert.deepEqual(talk.called, ["Bash", "Glob"]);
  }));

Deno.test("the demo model answers without calls when no tool may be used", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.messages.push({ role: "user", text: "plan: list files; run echo two" });
    await talk.step();
    const message = await talk.step("none");
    assert.deepEqual(message.calls, []);
    assert.match(message.text, /not finished/);
  }));

Deno.test("the demo model sums the conversation up when it is asked to without tools", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root, chinese);
    await talk.ask("列出 src");
    const text =
      "请总结本轮对话的全部经验和成果，写入经验成果.md，确保新对话能继承当前对话的全部经验成果。";
    talk.messages.push({ role: "user", text });
    const message = await talk.step("none");
    assert.match(message.text, /^到目前为止[^\n]*\n- 列出 src\n {2}→ 符合 `src\/\*\*` 的文件/);
  }));

Deno.test("the demo model uses only the tools it is offered", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.without = ["Bash"];
    assert.match(await talk.ask("run ls"), /needs the Bash tool/);
    assert.match(await talk.ask("plan: list files; run ls"), /needs the Bash tool/);
    assert.deepEqual(talk.called, ["TodoWrite", "Glob", "TodoWrite"]);
  }));

slow(
  "the demo model gives the same answer to the same request, and keeps ids apart",
  () =>
    withWorkspace(shop, async (root) => {
      using talk = new DemoTalk(root);
      await talk.ask("plan: find tea; fix the failing test; list files");
      for (const [at, message] of talk.messages.entries()) {
        if (message.role !== "assistant") continue;
        const before = { ...talk.request(), messages: talk.messages.slice(0, at) };
        assert.deepEqual(await answerOf(before), message);
      }
      const ids = talk.messages.flatMap((m) =>
        m.role === "assistant" ? m.calls.map((c) => c.id) : []
      );
      assert.equal(new Set(ids).size, ids.length);
    }),
);

Deno.test("the demo model counts the previous request as cached, and costs nothing", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    await talk.ask("find tea");
    await talk.ask("list files");
    assert.equal(talk.usages.length, 4);
    for (const [at, usage] of talk.usages.entries()) {
      assert.equal(usage.cached, at === 0 ? 0 : talk.usages[at - 1]!.input);
      assert.ok(usage.input > usage.cached && usage.output > 0);
      assert.equal(usage.cost, 0);
    }
  }));

Deno.test("the demo model stops between two deltas with the signal's reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped by the test");
  const messages: Message[] = [{ role: "user", text: "help" }];
  const request = { model: "demo", system: "", tools: [], messages };
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const event of demoModel().stream(request, stop.signal)) {
      seen.push(event.type);
      if (seen.length === 3) stop.abort(reason);
    }
  }, (error) => error === reason);
  assert.deepEqual(seen, ["text", "text", "text"]);
});

for (
  const [line, test] of [["fix the failing test", Deno.test], ["修复失败的测试", slow]] as const
) {
  test(`the demo model mends the demo project: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.deepEqual(
        talk.called,
        ["Glob", "Glob", "Read", "Bash", "Read", "Grep", "Read", "Edit", "Bash"],
        lines(talk),
      );
      const text = await Deno.readTextFile(join(root, "src/cart.ts"));
      assert.equal(text, shop["src/cart.ts"]!.replace("amount > FREE", "amount >= FREE"));
      assert.match(answer, /src\/cart\.ts:17/);
      assert.match(answer, /passes now|现在通过/);
    }));
}

const sum = (body: string, test: string) => ({
  "deno.json": '{ "tasks": { "test": "deno test --quiet --no-check" } }',
  "sum.ts": `export function sum(all: number[]): number {\n${body}\n}\n`,
  "sum_test.ts": `import assert from "node:assert/strict";
import { sum } from "./sum.ts";
Deno.test("sum", () => assert.equal(sum(${test.split(" = ")[0]}), ${test.split(" = ")[1]}));
`,
});

slow("the demo model undoes a change that did not help before it tries the next", () => {
  const body = "  return all.length > 5 ? 0 : all[0]! - all[1]!;";
  return ask("fix the failing test", async (answer, talk, root) => {
    const text = await Deno.readTextFile(join(root, "sum.ts"));
    assert.ok(text.includes(body.replace(" - ", " + ")), lines(talk));
    assert.match(answer, /passes now/);
  }, sum(body, "[1, 2] = 3"));
});

slow("the demo model leaves the source as it was when no change helps", () => {
  const files = sum("  return Number(all.join('') + 1);", "[1, 2] = 3");
  return ask("fix the failing test", async (answer, _talk, root) => {
    assert.equal(await Deno.readTextFile(join(root, "sum.ts")), files["sum.ts"]);
    assert.match(answer, /beyond the demo model/);
    assert.match(answer, /NARNAT_API_KEY/);
  }, files);
});

Deno.test("the demo model finds nothing to fix when the tests pass", () =>
  ask("fix the failing test", (answer, talk) => {
    assert.equal(talk.called.includes("Edit"), false);
    assert.match(answer, /`deno task test` ended with exit code 0/);
  }, sum("  return all.length;", "[1, 2] = 2")));

Deno.test("the demo model says when a project has no tests", () =>
  ask("修复失败的测试", (answer) => assert.match(answer, /没有找到可以运行的测试/), {
    "a.txt": "x",
  }));

Deno.test("the demo model plans the parts of a list, and anything else as one step", async () => {
  const t = new TestAgent({ model: demoModel(), planFirst: true });
  await t.say("plan: help; list files");
  await t.say("help");
  const steps = t.of("turn_start").filter((e) => e.from === "plan").map((e) => e.text);
  assert.deepEqual(steps, ["[Step 1/2] help", "[Step 2/2] list files", "[Step 1/1] help"]);
  assert.match(t.messages.at(-1)!.text, /"read src\/cart\.ts"|read /);
  assert.doesNotMatch(t.messages.at(-1)!.text, /cannot do that/);
});

const NODE_TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { add, hi } from "./math.js";
`;
const MATH = "export const hi = () => 'Helo'\nexport function add(a, b) {\n  return a - b;\n}\n";
const UNITTEST = `import unittest
from pkg import calc
class TestIt(unittest.TestCase):
    def test_it(self):
        got = calc.is_big(10)
        self.assertTrue(got)
`;
const CALC = `def add(a, b):
    # a - b
    return a - b

def is_big(n):
    if n > 10:
        return True
    return False
`;

/** Failing projects: what they need and hold, and what the answer and a mended file must say. */
const projects: readonly {
  readonly needs: "node" | "python3" | "pytest";
  readonly files: Files;
  readonly answer: RegExp;
  readonly mended?: readonly [file: string, text: RegExp];
}[] = [
  {
    needs: "node",
    files: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }',
      "math.js": MATH,
      "math.test.js": `${NODE_TEST}test("add", () => {\n  assert.equal(add(1, 2), 3);\n});\n`,
    },
    answer: /`npm test` passes now/,
    mended: ["math.js", /return a \+ b;/],
  },
  {
    needs: "node",
    files: {
      "package.json":
        '{ "type": "module", "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }',
      "math.js": MATH,
      "math.test.js": `${NODE_TEST}test("hi", () => {\n  assert.equal(hi(), "Hello");\n});\n`,
    },
    answer: /`node --test` passes now/,
    mended: ["math.js", /hi = \(\) => 'Hello'/],
  },
  {
    needs: "node",
    files: { "package.json": "{}", "a_test.js.txt": "", "b_test.ts": "" },
    answer: /I found no tests to run/,
  },
  {
    needs: "python3",
    files: { "pkg/__init__.py": "", "pkg/calc.py": CALC, "test_calc.py": UNITTEST },
    answer: /`python3 -B -m unittest` passes now/,
    mended: ["pkg/calc.py", /if n >= 10:/],
  },
  {
    needs: "python3",
    files: { "calc.py": CALC, "test_calc.py": "def test_add():\n    assert False\n" },
    answer: /I found no tests to run/,
  },
  {
    needs: "pytest",
    files: {
      "calc.py": CALC,
      "test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    },
    answer: /pytest -q` passes now/,
    mended: ["calc.py", /# a - b\n {4}return a \+ b\n/],
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

for (const [at, { needs, files, answer, mended }] of projects.entries()) {
  slow({
    name: `the demo model and a project that needs ${needs} (${at}): ${answer.source}`,
    ignore: !have[needs],
    fn: () =>
      withWorkspace({ "w/.keep": "", ...prefixed(files) }, async (dir) => {
        const root = join(dir, "w");
        using talk = new DemoTalk(root);
        const { env } = talk.runner.context();
        let path = Deno.env.get("PATH") ?? "";
        if (needs === "python3") {
          // a Python with nothing installed
          assert.ok(await works("python3", "-m", "venv", "--without-pip", join(dir, "bare")));
          path = `${join(dir, "bare/bin")}:${path}`;
        }
        const more = { PATH: path, npm_config_update_notifier: "false" };
        talk.runner.overrides = { ...talk.runner.overrides, env: { ...env, ...more } };
        assert.match(await talk.ask("fix the failing test"), answer, lines(talk));
        for (const [file, text] of Object.entries(files)) {
          const now = await Deno.readTextFile(join(root, file));
          if (file === mended?.[0]) assert.match(now, mended[1]);
          else assert.equal(now, text, `${file} is as it was`);
        }
      }),
  });
}

function prefixed(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`w/${path}`, text]));
}
