import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { edit } from "../../../src/tools/edit/edit.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { read } from "../../../src/tools/read/read.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";

const withRunner = (files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) =>
  withWorkspace(files, async (root) => {
    const runner = new ToolRunner(root);
    for (const file_path of Object.keys(files)) await runner.run(read, { file_path });
    await use(runner, root);
  });
const go = (runner: ToolRunner, old_string: string, new_string: string, more = {}) =>
  runner.run(edit, { file_path: "a", old_string, new_string, ...more });
const several = (runner: ToolRunner, ...pairs: [string, string][]) =>
  runner.run(edit, {
    file_path: "a",
    edits: pairs.map(([old_string, new_string]) => ({ old_string, new_string })),
  });

Deno.test("Edit says what it did so that the new text fits in", async () => {
  const python = "def f():\n        if x:\n            return 1\n";
  await withRunner({ "a": python }, async (runner) => {
    const numbers = await go(runner, "3 |             return 1", "3 |             return 2");
    assert.match(numbers.text, /^Edited a \(1 replaced\)\. \(Line numbers pasted from Read were/);
    const deeper = await go(runner, "    return 2", "    y = 2\n    return y");
    assert.match(deeper.text, /less indentation than the file/);
    assert.match((await go(runner, "if x:", "if y:\r\n")).text, /given the file's line ends\.\)/);
    const two = await several(runner, ["1 | def f():", "def g():"], [
      "    y = 2",
      "    z = 1\n    y = 2",
    ]);
    assert.match(two.text, /Edit 1: \(Line numbers .*\) Edit 2: \(old_string has less indentation/);
    runner.overrides = { t: chinese };
    assert.match(
      (await go(runner, "1 | def g():", "def f():")).text,
      /（已去掉从 Read 粘贴来的行号）/,
    );
  });
});

Deno.test("Edit names pasted line numbers where they are the cause", async () => {
  await withRunner({ "a": "one\ntwo\nthree\n" }, async (runner, root) => {
    const gap = await go(runner, "1 | one\n3 | three", "x");
    assert.match(gap.text, /^No match.*\nThe nearest place .* old_string carries line numbers/s);
    assert.doesNotMatch(gap.text, /-1 \| one/);
    const added = await go(runner, "two", "2 | two\n3 | 2b");
    assert.match(added.text, /^new_string carries the line numbers .*“2 \| two”.*use Write\.$/);
    runner.overrides = { t: chinese };
    assert.match((await go(runner, "two", "2 | 2")).text, /^new_string 带着 Read 加在行首的行号/);
    assert.equal(await Deno.readTextFile(join(root, "a")), "one\ntwo\nthree\n");
  });
});

Deno.test("Edit says that an earlier edit of the call changed the place, and what the file is then", async () => {
  await withRunner({ "a": "one\ntwo words\nthree\n" }, async (runner) => {
    const same = await several(runner, ["one", "the first"], ["one", "the first"]);
    assert.match(
      same.text,
      /^Edit 2 of 2 .*\nNo match.*\nEdit 1 of this call already changed this/,
    );
    assert.doesNotMatch(same.text, /Nothing in the file|may have been made before/);
    const over = await several(
      runner,
      ["three", "3"],
      ["two words", "2 words"],
      ["two words\nthree", "x"],
    );
    assert.match(over.text, /Edit 1 of this call already changed this place/);
    assert.match(over.text, /\+ is the file after edits 1–2 of this call\)/);
    const first = await several(runner, ["one", "a\nb"], ["tow words", "x"]);
    assert.match(first.text, /nearest place is line 3 \(.*after edit 1 of this call\)/);
    assert.doesNotMatch(first.text, /already changed/);
    const many = await several(runner, ["one", "x\nthree"], ["three", "x"]);
    assert.match(
      many.text,
      /lines 2, 4\. .* Line numbers are those of the file after edit 1 of this/,
    );
    runner.overrides = { t: chinese };
    const inChinese = await several(runner, ["two", "2"], ["three", "3"], ["two words", "x"]);
    assert.match(inChinese.text, /本次调用的修改 1 已经改动了这个地方。.*修改 1–2 之后的内容）/s);
  });
});

Deno.test("Edit of very many places shows the first of them", async () => {
  await withRunner({ "a": "x\n\n\n\n\n\n\n\n".repeat(500) }, async (runner) => {
    const { text } = await go(runner, "x", "y", { replace_all: true });
    const lines = text.split("\n");
    assert.match(lines[0]!, /\(500 replaced\)/);
    assert.ok(lines.length < 30, text);
    assert.equal(lines.at(-1), "… (further changes not shown)");
    assert.notEqual(lines.at(-2), "…");
  });
});

Deno.test("Edit lets a placeholder pass that the file has already, and tells how to do without", async () => {
  const file = "a\n  // ... existing code ...\nb\nc\n";
  await withRunner({ "a": file }, async (runner, root) => {
    assert.equal((await go(runner, "b", "// ... existing code ...\nB")).ok, true);
    const { text } = await go(runner, "c", "/* ...rest of implementation... */");
    assert.match(text, /leaves something out: “\/\* \.\.\.rest.*Edit only the lines that change/);
    assert.match(text, /If it is meant as a comment, word it by what it is about\.$/);
    assert.equal(
      await Deno.readTextFile(join(root, "a")),
      file.replace("b", "// ... existing code ...\nB"),
    );
  });
});

Deno.test("Edit that was to change line ends says that it keeps them", async () => {
  await withRunner({ "a": "a\r\nb\r\n" }, async (runner) => {
    const { ok, text } = await go(runner, "a\r\n", "a\n");
    assert.equal(ok, false);
    assert.match(text, /same as before.*keep a file's line ends; to change them write a new file/);
  });
});

Deno.test("Edit's way out for a character the encoding lacks works", async () => {
  const big5 = Uint8Array.from([0xa4, 0xa4, 0xa4, 0xe5, 0xb9, 0xcf, 0xae, 0xd1, 0xc0, 0x5d, 10]);
  await withRunner({ "a": big5 }, async (runner, root) => {
    const { text } = await go(runner, "中文", "传统");
    assert.match(text, /^Cannot edit a: “传” in new_string .* big5; nothing was written/);
    const command = /with Bash first: (.+) — then Read it again/.exec(text)![1]!;
    const run = (code: string) =>
      new Deno.Command("bash", { args: ["-c", code], cwd: root }).output();
    // a bare system may have no iconv
    if (!(await run("command -v iconv")).success) return;
    assert.equal((await run(command)).success, true, command);
    await runner.run(read, { file_path: "a" });
    assert.equal((await go(runner, "中文", "传统")).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "a")), "传统圖書館\n");
  });
});

Deno.test("Edit takes the calls of other agents' edit tools", async () => {
  await withRunner({ "a": "one one\ntwo\n" }, async (runner, root) => {
    const { prepare, definitions } = createToolbox([edit]);
    const call = async (name: string, input: unknown) => {
      const prepared = prepare(name, JSON.stringify(input), english);
      return typeof prepared === "string"
        ? prepared
        : (await runner.run(edit, prepared.input)).text;
    };
    const pair = { old_string: "one", new_string: "1" };
    const gemini = { file_path: "a", instruction: "count", ...pair, expected_replacements: 3 };
    assert.equal(
      await call("replace", gemini),
      "2 matches found (line 1), not the 3 of expected_replacements; nothing was written.",
    );
    assert.match(await call("replace", { ...gemini, expected_replacements: 2 }), /2 replaced/);
    const copilot = { filePath: "a", oldString: "two", newString: "2", explanation: "why" };
    assert.match(await call("replace_string_in_file", copilot), /1 replaced/);
    const anthropic = { command: "str_replace", path: "a", old_str: "2", new_str: "3" };
    assert.match(await call("str_replace", anthropic), /1 replaced/);
    assert.match(
      await call("str_replace", { ...anthropic, command: "insert" }),
      /unknown parameter 'command'/,
    );
    const alone = { old_string: "3", new_string: "4", explanation: "why" };
    assert.match(await call("Edit", { file_path: "a", edits: alone }), /1 replaced/);
    assert.match(
      await call("Edit", { file_path: "a", edits: [{ ...alone, wrong: 1 }] }),
      /'edits\[0\]\.wrong'/,
    );
    assert.equal(await Deno.readTextFile(join(root, "a")), "1 1\n4\n");
    assert.doesNotMatch(JSON.stringify(definitions), /expected_replacements/);
  });
});
