import assert from "node:assert/strict";
import fc from "fast-check";
import { helpBold, StreamMarkdown } from "../../src/ui/stream_markdown.ts";
import { createStyle, markdownTheme } from "../../src/ui/style.ts";

const theme = markdownTheme(createStyle("none"));
const WIDTH = 60;

/** Streams `text` in pieces with a frame after each, and returns what was committed. */
function stream(text: string, size: number): string[] {
  const lines: string[] = [];
  const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), theme);
  for (let at = 0; at < text.length; at += size) {
    markdown.push(text.slice(at, at + size));
    markdown.settle();
    markdown.render(WIDTH, 10);
  }
  markdown.end();
  return lines;
}

const SAMPLE = `# 标题 Heading

Some **bold** text and \`code\`. 中文宽字符应该正确换行，不会破坏布局，这是一段比较长的中文文本用来测试自动换行。

- item one
- item two
  1. nested

1. first

2. second

| col | 列 |
|---|---|
| a | 中文 |

\`\`\`ts
const x: number = 1;

function f() { return x }
\`\`\`

> quote

END
`;

Deno.test("an answer streamed in any pieces reads as the same answer at once", () => {
  const whole = stream(SAMPLE, SAMPLE.length);
  assert.ok(whole.join("\n").includes("function f() { return x }"));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
      assert.deepEqual(stream(SAMPLE, size), whole);
    }),
    { numRuns: 25 },
  );
});

Deno.test("finished blocks are committed while the rest still streams", () => {
  const lines: string[] = [];
  const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), theme);
  markdown.push("first paragraph\n\nsecond para");
  markdown.settle();
  assert.deepEqual(lines, ["first paragraph"]);
  assert.deepEqual(markdown.render(WIDTH, 10), ["", "second para"]);
  markdown.drop();
  markdown.end();
  assert.deepEqual(lines, ["first paragraph"]);
});

Deno.test("the unfinished block takes a gap and no more lines than it is given", () => {
  const markdown = new StreamMarkdown(() => {}, theme);
  markdown.push("```\n" + "x\n".repeat(100));
  markdown.settle();
  assert.equal(markdown.render(WIDTH, 7).length, 1 + 7);
  assert.equal(markdown.render(WIDTH, -3).length, 1 + 1);
});

Deno.test("a code block too long to wait for is cut between lines, losing and doubling none", () => {
  const code = Array.from({ length: 3000 }, (_, i) => i % 7 === 0 ? "" : `line ${i};`);
  const text = "```ts\n" + code.join("\n") + "\n```\n\nafter\n";
  const lines = stream(text, 500);
  assert.deepEqual(lines, [
    "```ts",
    ...code.map((line) => line && `  ${line}`),
    "```",
    "",
    "after",
  ]);
});

Deno.test("a list too long to wait for keeps every item in order", () => {
  const items = Array.from({ length: 1500 }, (_, i) => `${i + 1}. item ${i}`);
  assert.deepEqual(stream(items.join("\n") + "\n", 300), items);
});

Deno.test("twice the text costs about twice the time, also in one endless block", () => {
  const cost = (length: number, block: string) => {
    const text = block.repeat(Math.ceil(length / block.length));
    const began = performance.now();
    stream(text, 64);
    return performance.now() - began;
  };
  for (const block of ["some words of text\n", "paragraph one\n\n- a\n- b\n\n"]) {
    cost(10_000, block);
    const small = cost(30_000, block);
    // Quadratic cost would be sixteen times as much.
    assert.ok(cost(120_000, block) < 10 * small + 200, `${block} ${small}`);
  }
});

Deno.test("Chinese bold with punctuation at its edge is bold", () => {
  const bold = (text: string) => {
    const lines: string[] = [];
    const style = { ...theme, bold: (inner: string) => `<${inner}>` };
    const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), style);
    markdown.push(text);
    markdown.end();
    return lines.join("\n");
  };
  assert.equal(bold("这是**“重点”**内容"), "这是<“重点”>内容");
  assert.equal(bold("说明：**完成。**然后"), "说明：<完成。>然后");
  assert.equal(bold("a **b** c"), "a <b> c");
  assert.equal(bold("`这**“x”**y` 和**“z”**w"), "这**“x”**y 和<“z”>w");
  assert.equal(bold("```\n这**“x”**y\n```"), "```\n  这**“x”**y\n```");
  assert.equal(bold("2 ** 3 是**（八）**吗"), "2 ** 3 是<（八）>吗");
});

Deno.test("help for bold changes nothing but invisible marks", () => {
  const piece = fc.constantFrom(
    "**",
    "`",
    "``",
    "\n",
    "“",
    "”",
    "重点",
    " ",
    "```\n",
    "\\",
    "a",
    "*",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
    const text = parts.join("");
    assert.equal(helpBold(text).replaceAll("\u200b", ""), text);
  }));
});
