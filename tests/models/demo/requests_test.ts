import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRequest } from "../../../src/models/demo/requests.ts";
import { TEST_FILES, type Wish } from "../../../src/models/demo/wishes.ts";
import { threadMs } from "../../support/thread_time.ts";

const english: readonly (readonly [string, Wish])[] = [
  ["hello", { kind: "help" }],
  ["Hi there!", { kind: "help" }],
  ["what can you do?", { kind: "help" }],
  ["plan: find TODO; read a.ts", { kind: "plan", steps: ["find TODO", "read a.ts"] }],
  ["Do these:\n1. find TODO\n2) read a.ts", { kind: "plan", steps: ["find TODO", "read a.ts"] }],
  ["- find TODO\n- read a.ts", { kind: "plan", steps: ["find TODO", "read a.ts"] }],
  ["find X", { kind: "find", text: "X", quoted: false }],
  ['find "foo bar"', { kind: "find", text: "foo bar", quoted: true }],
  ["search for foo in src", { kind: "find", text: "foo", quoted: false, path: "src" }],
  ["grep foo", { kind: "find", text: "foo", quoted: false }],
  ["where is total defined?", { kind: "find", text: "total", quoted: false }],
  ["find all uses of Cart in src/", { kind: "find", text: "Cart", quoted: false, path: "src/" }],
  ["find TODO in *.ts", { kind: "find", text: "TODO", quoted: false, path: "*.ts" }],
  ["search the code for foo", { kind: "find", text: "foo", quoted: false }],
  ["which files contain TODO", { kind: "find", text: "TODO", quoted: false }],
  ["list files", { kind: "list", pattern: "**/*" }],
  ["list *.ts", { kind: "list", pattern: "**/*.ts" }],
  ["list all TypeScript files", { kind: "list", pattern: "**/*.{ts,tsx}" }],
  ["list files in src", { kind: "list", pattern: "**/*", path: "src" }],
  ["list src", { kind: "list", pattern: "**/*", path: "src" }],
  ["find the file named cart.ts", { kind: "list", pattern: "**/*cart.ts*" }],
  ["what files are in this project?", { kind: "list", pattern: "**/*" }],
  ["read README.md", { kind: "read", file: "README.md" }],
  ["please show me src/a.ts", { kind: "read", file: "src/a.ts" }],
  ["show lines 3-9 of src/a.ts", { kind: "read", file: "src/a.ts", first: 3, last: 9 }],
  ["read src/a.ts lines 3 to 9", { kind: "read", file: "src/a.ts", first: 3, last: 9 }],
  ['read "my file.txt"', { kind: "read", file: "my file.txt" }],
  ["count files", { kind: "count_files", pattern: "**/*" }],
  ["how many *.ts files are there in src?", {
    kind: "count_files",
    pattern: "**/*.ts",
    path: "src",
  }],
  ["count lines in src/a.ts", { kind: "count_lines", path: "src/a.ts" }],
  ["how many lines does src/a.ts have?", { kind: "count_lines", path: "src/a.ts" }],
  ["how many lines of code are there", { kind: "count_lines" }],
  ['count "TODO"', { kind: "count_text", text: "TODO" }],
  ["how many TODOs are there?", { kind: "count_text", text: "TODO" }],
  ["how often does foo appear in src", { kind: "count_text", text: "foo", path: "src" }],
  ["how many tests are there?", { kind: "count_tests" }],
  ["replace foo with bar in src/a.ts", {
    kind: "replace",
    before: "foo",
    after: "bar",
    file: "src/a.ts",
  }],
  ['replace "a in b" with "" in c.txt.', {
    kind: "replace",
    before: "a in b",
    after: "",
    file: "c.txt",
  }],
  ["in a.ts, replace foo with bar", { kind: "replace", before: "foo", after: "bar", file: "a.ts" }],
  ["replace foo with bar everywhere", { kind: "replace", before: "foo", after: "bar" }],
  ["create a.txt with hello world", { kind: "create", file: "a.txt", content: "hello world\n" }],
  ["create an empty file b.txt", { kind: "create", file: "b.txt", content: "" }],
  ['write "hello" to a.txt', { kind: "create", file: "a.txt", content: "hello\n" }],
  ["create x.ts with:\n```ts\nlet a;\n\nlet b;\n```", {
    kind: "create",
    file: "x.ts",
    content: "let a;\n\nlet b;\n",
  }],
  ["delete a.txt", { kind: "delete", file: "a.txt" }],
  ["run ls -la .", { kind: "run", command: "ls -la ." }],
  ["run `git status`", { kind: "run", command: "git status" }],
  ["run the tests", { kind: "test" }],
  ["fix the failing test", { kind: "mend" }],
  ["fix the failing tests.", { kind: "mend" }],
  ["run the tests and fix what fails", { kind: "mend" }],
  ["make the tests pass", { kind: "mend" }],
  ["What does this project do?", { kind: "about" }],
  ["describe the codebase", { kind: "about" }],
  ["why is the sky blue?", { kind: "unknown" }],
  ["write me a poem", { kind: "unknown" }],
  ["show me how total works", { kind: "unknown" }],
  ["search the web for cats", { kind: "unknown" }],
];

const chinese: readonly (readonly [string, Wish])[] = [
  ["你好！", { kind: "help" }],
  ["帮助", { kind: "help" }],
  ["你能做什么？", { kind: "help" }],
  ["分步：查找 TODO；读取 a.ts", { kind: "plan", steps: ["查找 TODO", "读取 a.ts"] }],
  ["1. 查找 TODO\n2、读取 a.ts", { kind: "plan", steps: ["查找 TODO", "读取 a.ts"] }],
  ["查找 foo", { kind: "find", text: "foo", quoted: false }],
  ["搜索“foo bar”", { kind: "find", text: "foo bar", quoted: true }],
  ["在src中搜索foo", { kind: "find", text: "foo", quoted: false, path: "src" }],
  ["total 在哪里定义？", { kind: "find", text: "total", quoted: false }],
  ["哪里用到了 Cart", { kind: "find", text: "Cart", quoted: false }],
  ["找一下 discount 函数", { kind: "find", text: "discount", quoted: false }],
  ["列出文件", { kind: "list", pattern: "**/*" }],
  ["列出所有 *.ts 文件", { kind: "list", pattern: "**/*.ts" }],
  ["列出 src 目录下的所有文件", { kind: "list", pattern: "**/*", path: "src" }],
  ["src 里有哪些文件？", { kind: "list", pattern: "**/*", path: "src" }],
  ["读取 README.md", { kind: "read", file: "README.md" }],
  ["请查看 README.md 的内容", { kind: "read", file: "README.md" }],
  ["查看 src/a.ts 的第 3 到 9 行", { kind: "read", file: "src/a.ts", first: 3, last: 9 }],
  ["查看“我的 文件.txt”", { kind: "read", file: "我的 文件.txt" }],
  ["统计文件数量", { kind: "count_files", pattern: "**/*" }],
  ["有多少个文件？", { kind: "count_files", pattern: "**/*" }],
  ["统计 src 里的 ts 文件数量", { kind: "count_files", pattern: "**/*.ts", path: "src" }],
  ["src/a.ts 有多少行", { kind: "count_lines", path: "src/a.ts" }],
  ["统计代码行数", { kind: "count_lines" }],
  ["统计“TODO”的数量", { kind: "count_text", text: "TODO" }],
  ["foo 在 src/a.ts 里出现了几次", { kind: "count_text", text: "foo", path: "src/a.ts" }],
  ["这个项目有多少个测试？", { kind: "count_tests" }],
  ["把 src/a.ts 里的 foo 替换成 bar", {
    kind: "replace",
    before: "foo",
    after: "bar",
    file: "src/a.ts",
  }],
  ["将src/a.ts中的“foo bar”替换为“baz”。", {
    kind: "replace",
    before: "foo bar",
    after: "baz",
    file: "src/a.ts",
  }],
  ["把集中式替换为分布式", { kind: "replace", before: "集中式", after: "分布式" }],
  ["创建 a.txt 内容为 你好世界", { kind: "create", file: "a.txt", content: "你好世界\n" }],
  ["创建文件 notes.md，内容为“你好”", { kind: "create", file: "notes.md", content: "你好\n" }],
  ["创建空文件 b.txt", { kind: "create", file: "b.txt", content: "" }],
  ["删除 a.txt", { kind: "delete", file: "a.txt" }],
  ["运行 ls -la", { kind: "run", command: "ls -la" }],
  ["执行命令：echo 你好", { kind: "run", command: "echo 你好" }],
  ["跑一下测试", { kind: "test" }],
  ["修复失败的测试", { kind: "mend" }],
  ["请帮我把失败的测试修好", { kind: "mend" }],
  ["这个项目是做什么的？", { kind: "about" }],
  ["今天天气怎么样", { kind: "unknown" }],
  ["上网搜索新闻", { kind: "unknown" }],
];

for (const [lang, table] of [["en", english], ["zh", chinese]] as const) {
  Deno.test(`parseRequest() understands each ${lang} form`, () => {
    for (const [text, wish] of table) assert.deepEqual(parseRequest(text), { ...wish, lang }, text);
  });
}

Deno.test("parseRequest() takes tests for the files of several languages", () => {
  assert.deepEqual(parseRequest("list test files"), {
    kind: "list",
    lang: "en",
    pattern: TEST_FILES,
  });
});

Deno.test("parseRequest() keeps every line of a long content", () => {
  const content = "line\n".repeat(20_000);
  const wish = parseRequest(`create big.txt with ${content}`);
  assert.equal(wish.kind === "create" && wish.content.length, content.length);
});

Deno.test("parseRequest() answers at once whatever the text", () => {
  const words = fc.constantFrom(
    "find",
    "把",
    "在",
    "replace",
    "with",
    "in",
    " ",
    "\n",
    "里",
    "a.b",
  );
  fc.assert(fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 400 }), (parts) => {
    const began = threadMs();
    parseRequest(parts.join(" "));
    assert.ok(threadMs() - began < 2000);
  }));
});

Deno.test("parseRequest() reads the request on the first line when other text follows it", () => {
  const wish = parseRequest("find TODO\nsome piped text\nmore of it");
  assert.deepEqual(wish, { kind: "find", lang: "en", text: "TODO", quoted: false });
});

Deno.test("parseRequest() does not change things by half a sentence", () => {
  const rest = "\nand some more lines\n";
  for (
    const text of ["replace a with b", "delete a.txt", "run ls", "把 a 替换成 b", "删除 a.txt"]
  ) {
    assert.equal(parseRequest(text + rest).kind, "unknown", text);
    assert.notEqual(parseRequest(text).kind, "unknown", text);
  }
  assert.equal(parseRequest(`replace a with ${"b".repeat(2000)} in c.txt`).kind, "unknown");
});

Deno.test("parseRequest() replaces quoted text of several lines", () => {
  assert.deepEqual(parseRequest('replace "a\nb" with "c" in d.txt'), {
    kind: "replace",
    lang: "en",
    before: "a\nb",
    after: "c",
    file: "d.txt",
  });
});
