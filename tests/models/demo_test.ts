import assert from "node:assert/strict";
import { join } from "node:path";
import { demoProject } from "../../scripts/demo_project.ts";
import { demoModel } from "../../src/models/demo.ts";
import type { Message, ToolMessage } from "../../src/base/types.ts";
import { answerOf, DemoTalk } from "../support/demo_talk.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";

const shop: { readonly [path: string]: string } = {
  ...demoProject,
  // with types the demo itself runs them, in tests/scripts
  "deno.json": demoProject["deno.json"]!.replace("--quiet", "--quiet --no-check"),
  "src/说明.md": "# 说明\n\n价格以分为单位。\n",
};

/** Asks one line in a fresh copy of the shop. */
async function ask(
  line: string,
  check: (answer: string, talk: DemoTalk, root: string) => void | Promise<void>,
  files: { readonly [path: string]: string } = shop,
): Promise<void> {
  await withWorkspace(files, async (root) => {
    using talk = new DemoTalk(root, /\p{Script=Han}/u.test(line) ? "zh" : "en");
    await check(await talk.ask(line), talk, root);
  });
}

const lines = (talk: DemoTalk) => JSON.stringify(talk.messages, null, 1);

for (const line of ["where is shipping defined?", "shipping 在哪里定义？"]) {
  Deno.test(`the demo model cites path and line: ${line}`, () =>
    ask(line, (answer, talk) => {
      assert.deepEqual(talk.called, ["Grep"]);
      assert.match(answer, /^“shipping”.*`src\/cart\.ts:16`/);
      assert.match(answer, /`tests\/cart_test\.ts:13`/);
      assert.match(answer, /6 (?:line|行)/);
    }));
}

for (const line of ['find "exactly 50.00"', "在 tests 里查找“exactly 50.00”"]) {
  Deno.test(`the demo model searches for the text as it stands: ${line}`, () =>
    ask(line, (answer) => {
      assert.match(answer, /`tests\/cart_test\.ts:12`/);
      assert.doesNotMatch(answer, /src\/cart/);
    }));
}

for (const line of ["find quuxification", "查找 quuxification"]) {
  Deno.test(`the demo model says when nothing was found: ${line}`, () =>
    ask(
      line,
      (answer) => assert.match(answer, /“quuxification” was not found|没有找到“quuxification”/),
    ));
}

Deno.test("the demo model takes no words of a tool for a match", () =>
  ask('find "a.ts:3:x"', (answer) => assert.equal(answer, "“a.ts:3:x” was not found.")));

Deno.test("the demo model looks for the likeliest word of a phrase that is nowhere", () =>
  ask("find the freeShipping limit SHIPPING", (answer, talk) => {
    assert.deepEqual(talk.called, ["Grep", "Grep"]);
    assert.match(answer, /“freeShipping limit SHIPPING” was not found/);
  }));

Deno.test("the demo model says how much of a long list it does not show", () => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [`f${n}.txt`, "needle\n".repeat(2)]),
  );
  return ask("plan: find needle; list files", (_, talk) => {
    const said = talk.messages.map((m) => m.role === "assistant" ? m.text : "").join("\n");
    assert.match(said, /240 line\(s\) in 120 file/);
    assert.match(said, /and 230 more/);
    assert.match(said, /120 file\(s\) match/);
    assert.match(said, /and 90 more/);
  }, files);
});

for (const line of ["list *.ts files", "列出 *.ts 文件"]) {
  Deno.test(`the demo model lists files: ${line}`, () =>
    ask(line, (answer, talk) => {
      assert.deepEqual(talk.called, ["Glob"]);
      assert.match(answer, /\b2\b/);
      assert.match(answer, /- src\/cart\.ts/);
      assert.match(answer, /- tests\/cart_test\.ts/);
    }));
}

for (const line of ["read src/说明.md", "查看 src/说明.md"]) {
  Deno.test(`the demo model reads a file: ${line}`, () =>
    ask(line, (answer, talk) => {
      assert.deepEqual(talk.called, ["Read"]);
      assert.match(answer, /`src\/说明\.md`/);
      assert.match(answer, /价格以分为单位/);
    }));
}

Deno.test("the demo model shows the lines asked for", () =>
  ask("show lines 15-17 of src/cart.ts", (answer) => {
    assert.match(answer, /lines 15 to 17/);
    assert.match(answer, /shipped free/);
    assert.doesNotMatch(answer, /subtotal/);
  }));

for (
  const [line, number] of [
    ["how many files are there?", 5],
    ["统计文件数量", 5],
    ["这个项目有多少个文件？", 5],
    ["当前目录下一共有多少个 .ts 文件", 2],
    ["count lines in src/cart.ts", 23],
    ["src/cart.ts 有多少行", 23],
    ['count "SHIPPING" in src/cart.ts', 3],
    ["统计 src/cart.ts 里“SHIPPING”的数量", 3],
    ["how many tests are there", 3],
    ["有多少个测试", 3],
  ] as const
) {
  Deno.test(`the demo model counts: ${line}`, () =>
    ask(line, (answer) => assert.match(answer, new RegExp(`(?<!\\d)${number}(?!\\d)`))));
}

for (
  const line of [
    "replace SHIPPING with POSTAGE in src/cart.ts",
    "把 src/cart.ts 里的 SHIPPING 替换成 POSTAGE",
  ]
) {
  Deno.test(`the demo model reads, edits and verifies: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.deepEqual(talk.called, ["Read", "Edit", "Grep"]);
      const text = await Deno.readTextFile(join(root, "src/cart.ts"));
      assert.equal(text, shop["src/cart.ts"]!.replaceAll("SHIPPING", "POSTAGE"));
      assert.match(answer, /`src\/cart\.ts:8` const POSTAGE = 490;/);
    }));
}

Deno.test("the demo model replaces in every file that has the text", () =>
  ask("replace tea with coffee everywhere", async (answer, _talk, root) => {
    assert.match(answer, /2 time/);
    const text = await Deno.readTextFile(join(root, "tests/cart_test.ts"));
    assert.equal(text.includes("tea"), false);
  }));

Deno.test("the demo model changes nothing where the text to replace is missing", () =>
  ask("replace nothing-like-it with x in src/cart.ts", (answer, talk) => {
    assert.deepEqual(talk.called, ["Read"]);
    assert.match(answer, /does not contain/);
  }));

for (const line of ["run echo hi; exit 3", "运行 echo hi; exit 3"]) {
  Deno.test(`the demo model reports the exit code: ${line}`, () =>
    ask(line, (answer) => {
      assert.match(answer, /(?:exit code|退出码是) 3/);
      assert.match(answer, /^hi$/m);
    }));
}

for (const line of ["create notes/a.txt with hello there", "创建 notes/a.txt 内容为 hello there"]) {
  Deno.test(`the demo model creates a file: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.deepEqual(talk.called, ["Write"]);
      assert.equal(await Deno.readTextFile(join(root, "notes/a.txt")), "hello there\n");
      assert.match(answer, /`notes\/a\.txt`/);
    }));
}

for (const line of ["read nope.md", "读取 nope.md"]) {
  Deno.test(`the demo model reports a missing file: ${line}`, () =>
    ask(line, (answer, talk) => {
      const result = talk.messages.find((m): m is ToolMessage => m.role === "tool")!;
      assert.equal(result.ok, false);
      assert.match(answer, /That did not work|没有成功/);
      assert.ok(answer.includes(result.text.split("\n")[0]!), answer);
    }));
}

for (const line of ["delete README.md", "删除 README.md"]) {
  Deno.test(`the demo model says so when a delete is declined: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.equal(talk.desk.questions.length, 1);
      assert.match(answer, /That did not work|没有成功/);
      assert.ok(await Deno.stat(join(root, "README.md")));
    }));
}

Deno.test("the demo model deletes when the user agrees", () =>
  withWorkspace({ "it's.txt": "x" }, async (root) => {
    using talk = new DemoTalk(root);
    talk.desk.answer = true;
    assert.match(await talk.ask('delete "it\'s.txt"'), /Deleted/, lines(talk));
    await assert.rejects(Deno.stat(join(root, "it's.txt")));
  }));

Deno.test("the demo model reports a command that the tool refuses", () =>
  ask(
    "run vim a.txt",
    (answer) => assert.match(answer, /^That did not work; Bash says:\nNot run/),
  ));

Deno.test("the demo model tells what a project does from its README", () =>
  ask("what does this project do?", (answer) => {
    assert.match(answer, /`README\.md:1`/);
    assert.match(answer, /Adds up a shopping cart/);
    assert.match(answer, /deno\.json/);
    assert.doesNotMatch(answer, /cart_test/);
  }));

Deno.test("the demo model makes nothing up for a project without README", () =>
  ask("这个项目是做什么的", (answer) => assert.match(answer, /没有 README.*a\.txt/s), {
    "a.txt": "x",
  }));

for (
  const [line, words] of [["hello", /NARNAT_API_KEY/], [
    "你好",
    /演示模型.*NARNAT_API_KEY/s,
  ]] as const
) {
  Deno.test(`the demo model says what it is: ${line}`, () =>
    ask(line, (answer, talk) => {
      assert.deepEqual(talk.called, []);
      assert.match(answer, words);
    }));
}

for (
  const [line, words] of [["write me a poem", /I cannot do that/], [
    "写一首诗",
    /我做不到/,
  ]] as const
) {
  Deno.test(`the demo model refuses honestly and shows the way to a real model: ${line}`, () =>
    ask(line, (answer, talk) => {
      assert.deepEqual(talk.called, []);
      assert.match(answer, words);
      assert.match(answer, /narnat\.json/);
      assert.match(answer, /NARNAT_API_KEY/);
    }));
}

for (
  const line of [
    "plan: find shipping; run echo two; count files",
    "分步：查找 shipping；运行 echo two；统计文件数量",
    "1. find shipping\n2. run echo two\n3. count files",
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
      assert.deepEqual(answer.match(/✓/g)?.length, 3);
    }));
}

Deno.test("the demo model stops a plan at the step that fails, and leaves it open", () =>
  ask("plan: count files; read nope.md; run echo three", (answer, talk) => {
    assert.match(answer, /Stopped at step 2/);
    assert.match(answer, /2\. ✗ read nope\.md/);
    assert.match(answer, /3\. ○ run echo three/);
    assert.equal(talk.desk.context().todos[1]?.status, "in_progress");
  }));

Deno.test("the demo model counts nothing where there is nothing, in both languages", () =>
  withWorkspace({}, async (root) => {
    using talk = new DemoTalk(root);
    assert.match(await talk.ask("count files"), /^0 file/);
    assert.match(await talk.ask("统计文件数量"), /共 0 个/);
  }));

Deno.test("the demo model answers a line that joined the running turn", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.messages.push({ role: "user", text: "find FREE_SHIPPING_FROM" });
    await talk.step();
    const answer = await talk.ask("count files");
    assert.deepEqual(talk.called, ["Grep", "Glob"]);
    const said = talk.messages.map((m) => m.role === "assistant" ? m.text : "").join("\n");
    assert.match(said, /src\/cart\.ts:9/);
    assert.match(answer, /5 file/);
  }));

Deno.test("the demo model does not resume what the user stopped", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.messages.push(
      { role: "user", text: "run sleep 100" },
      {
        role: "assistant",
        text: "",
        calls: [{ id: "demo_1", name: "Bash", input: '{"command":"sleep 100"}' }],
        thinking: [],
      },
      { role: "tool", id: "demo_1", name: "Bash", ok: false, text: "interrupted" },
    );
    assert.match(await talk.ask("count files"), /5 file/);
    assert.deepEqual(talk.called, ["Bash", "Glob"]);
  }));

Deno.test("the demo model answers without calls when no tool may be used", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.messages.push({ role: "user", text: "plan: count files; run echo two" });
    await talk.step();
    const message = await talk.step("none");
    assert.deepEqual(message.calls, []);
    assert.match(message.text, /not finished/);
  }));

Deno.test("the demo model sums the conversation up when it is asked to without tools", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root, "zh");
    await talk.ask("统计文件数量");
    const text =
      "请总结本轮对话的全部经验和成果，写入经验成果.md，确保新对话能继承当前对话的全部经验成果。";
    talk.messages.push({ role: "user", text });
    const message = await talk.step("none");
    assert.match(message.text, /统计文件数量 → .*5 个/);
  }));

Deno.test("the demo model uses only the tools it is offered", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    talk.without = ["Bash", "TodoWrite"];
    assert.match(await talk.ask("run ls"), /needs the Bash tool/);
    assert.match(await talk.ask("plan: count files; count tests"), /All 2 step\(s\) are done/);
    assert.deepEqual(talk.called, ["Glob", "Glob", "Grep"]);
  }));

Deno.test("the demo model gives the same answer to the same request, and keeps ids apart", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    await talk.ask("plan: find tea; what does this project do; count files");
    for (const [at, message] of talk.messages.entries()) {
      if (message.role !== "assistant") continue;
      const before = { ...talk.request(), messages: talk.messages.slice(0, at) };
      assert.deepEqual(await answerOf(before), message);
    }
    const ids = talk.messages.flatMap((m) =>
      m.role === "assistant" ? m.calls.map((c) => c.id) : []
    );
    assert.equal(new Set(ids).size, ids.length);
  }));

Deno.test("the demo model counts the previous request as cached, and costs nothing", () =>
  withWorkspace(shop, async (root) => {
    using talk = new DemoTalk(root);
    await talk.ask("find tea");
    await talk.ask("count files");
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
    for await (const event of demoModel({ delayMs: 1 }).stream(request, stop.signal)) {
      seen.push(event.type);
      if (seen.length === 3) stop.abort(reason);
    }
  }, (error) => error === reason);
  assert.deepEqual(seen, ["text", "text", "text"]);
});

Deno.test("the demo model stops at once while it waits between two deltas", async () => {
  const stop = new AbortController();
  const messages: Message[] = [{ role: "user", text: "help" }];
  const request = { model: "demo", system: "", tools: [], messages };
  const stream = demoModel({ delayMs: 600_000 }).stream(request, stop.signal);
  const first = stream[Symbol.asyncIterator]().next();
  queueMicrotask(() => stop.abort(new Error("stopped by the test")));
  await assert.rejects(first, /stopped by the test/);
});

for (const line of ["fix the failing test", "修复失败的测试"]) {
  Deno.test(`the demo model mends the demo project: ${line}`, () =>
    ask(line, async (answer, talk, root) => {
      assert.deepEqual(
        talk.called,
        ["Glob", "Glob", "Read", "Bash", "Read", "Read", "Edit", "Bash"],
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

Deno.test("the demo model undoes what did not help before it tries the next rule", () => {
  const body =
    "  let s = 0;\n  for (let i = 0; i < all.length - 1; i++) s += all[i]!;\n  return s;";
  return ask("fix the failing test", async (answer, _talk, root) => {
    const text = await Deno.readTextFile(join(root, "sum.ts"));
    assert.equal(text.includes("i < all.length; i++"), true, answer);
    assert.match(answer, /passes now/);
  }, sum(body, "[1, 2, 4] = 7"));
});

Deno.test("the demo model leaves the source as it was when no rule helps", () => {
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
    assert.match(answer, /nothing to fix/);
  }, sum("  return all.length;", "[1, 2] = 2")));

Deno.test("the demo model says when a project has no tests", () =>
  ask("修复失败的测试", (answer) => assert.match(answer, /没有找到测试/), { "a.txt": "x" }));

Deno.test("the demo model plans the parts of a list, and anything else as one step", async () => {
  const t = new TestAgent({ model: demoModel(), planFirst: true });
  await t.say("1. help\n2. list the files");
  await t.say("help");
  const steps = t.of("turn_start").filter((e) => e.from === "plan").map((e) => e.text);
  assert.deepEqual(steps, ["[Step 1/2] help", "[Step 2/2] list the files", "[Step 1/1] help"]);
  assert.match(t.messages.at(-1)!.text, /"read src\/cart\.ts"|read /);
  assert.doesNotMatch(t.messages.at(-1)!.text, /cannot do that/);
});
