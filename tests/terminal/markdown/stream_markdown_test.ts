import assert from "node:assert/strict";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { createHighlighter } from "../../../src/terminal/markdown/highlight.ts";
import { createBlockLexer, helpBold as helpBoldIn } from "../../../src/terminal/markdown/blocks.ts";
import type { MarkdownLook } from "../../../src/terminal/markdown/markdown_piece.ts";
import { type Room, StreamMarkdown } from "../../../src/terminal/markdown/stream_markdown.ts";
import { createStyle, markdownTheme } from "../../../src/terminal/style.ts";
import { threadMs } from "../../support/processes.ts";
import { runs, slow } from "../../support/soak.ts";

const none = createStyle("none");
const theme: MarkdownLook = { theme: markdownTheme(none), highlight: createHighlighter(none) };
const WIDTH = 60;

const helpBold = (text: string) => helpBoldIn(text, createBlockLexer());

/** Streams `text` in pieces with a frame and `then` after each, and returns what was committed. */
function stream(
  text: string,
  size: number,
  then: (markdown: StreamMarkdown) => void = () => {},
  room?: Room,
): string[] {
  const lines: string[] = [];
  const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), theme);
  for (let at = 0; at < text.length; at += size) {
    markdown.push(text.slice(at, at + size));
    markdown.settle(room);
    markdown.render(WIDTH, 10);
    then(markdown);
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
    { numRuns: runs(25) },
  );
});

Deno.test("whatever is said amid an answer, nothing of it is lost or said twice", () => {
  // A table that goes on has its head again.
  const text = SAMPLE.replace(/^\|.*\n/gm, "").repeat(2);
  const told = (lines: readonly string[]) => lines.join("").replace(/\s+/g, "");
  const whole = told(stream(text, text.length));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 6 }), (size, rows) => {
      const paused = stream(text, size, (markdown) => markdown.pause({ width: WIDTH, rows }));
      assert.equal(told(paused), whole);
    }),
    { numRuns: runs(50) },
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

Deno.test("code and lists that have no room are cut where it does not show", () => {
  const many = (item: (n: number) => string) => Array.from({ length: 40 }, (_, n) => item(n));
  const room = { width: WIDTH, rows: 6 };
  for (
    const text of [
      "```ts\n" + many((n) => `const s${n} = \`a\n  \${b}\`; // c`).join("\n") + "\n```\n\nend\n",
      "Text:\n\n" + many((n) => n % 3 ? `    x${n} *a* **b**` : "").join("\n") + "\n\nend\n",
      "Text:\n- " + many((n) => `item ${n}`).join("\n- ") + "\n\nend\n",
      many((n) => `- item ${n}\n`).join("\n") + "\nend\n",
      many(() => "1. item\n").join("") + "\nend\n",
      many((n) => `${n + 5}) item\n`).join("\n") + "\nend\n",
      many((n) => `1. item ${n}\n   - in\n   - it\n`).join("") + "\nend\n",
    ]
  ) {
    let tallest = 0;
    const look = (markdown: StreamMarkdown) =>
      tallest = Math.max(tallest, markdown.render(WIDTH, Infinity).length);
    assert.deepEqual(stream(text, 7, look, room), stream(text, text.length), text);
    // A number may yet be the next item's.
    assert.ok(tallest <= room.rows + 2, `${tallest} rows of ${text}`);
  }
});

Deno.test("whatever the blocks, the pieces and the room, an answer reads as the same text", () => {
  const block = fc.constantFrom(
    "a paragraph that takes more than one row, since it goes on for quite some words\n\n",
    "- a\n- b\n- c\n\n",
    "1. x\n1. y\n1. z\n\n",
    "- p\n\n  q\n\n- r\n\n",
    "- n\n  - m\n    1. deep\n    1. deeper\n    ```js\n    let a = `x\n    y`;\n    ```\n  - o\n\n",
    "```ts\nconst x = 1;\n/* c\n\nd */\nlet y;\n```\n\n",
    "~~~\na\n\n```\nb\n~~~\n",
    "> q1\n> q2\n>\n> - l\n>   - k\n\n",
    "text\n- tight after text\n- more\n",
    "    indented\n    code\n\n",
    "1. a\n   b\n\n   ```\n   code\n   ```\n2. c\n\n",
  );
  const told = (lines: readonly string[]) => lines.join("").replace(/[\s│]+/g, "");
  fc.assert(
    fc.property(
      fc.array(block, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 3, max: 16 }),
      (blocks, size, rows) => {
        const text = blocks.join("");
        const streamed = stream(text, size, undefined, { width: WIDTH, rows });
        assert.equal(told(streamed), told(stream(text, text.length)));
      },
    ),
    { numRuns: runs(150) },
  );
});

slow("a pause before the last fence of code, or within it, adds no empty line", () => {
  const code = Array.from({ length: 20 }, (_, n) => `l${n}`);
  const wide = "x ".repeat(1200).trim();
  const endless = "x".repeat(2400);
  const within = (indent: string) => code.map((line) => indent + line).join("\n");
  for (
    const [text, whole] of [
      ["```py\n" + within("") + "\n```\n\nend\n"],
      ["~~~~\n" + within("") + "\n\n~~~~\nend\n"],
      ["- a\n\n  ```\n" + within("  ") + "\n  ```\n- b\n"],
      ["> a\n>\n> ```\n" + within("> ") + "\n> ```\n\nend\n"],
      ["1. a\n   - b\n     ```js\n" + within("     ") + "\n     ```\n\nend\n"],
      ["a\n\n" + within("    ") + "\n\nend\n"],
      ["```\na\n```\n\nend\n"],
      ["```\n" + wide + "\n```\n\nend\n"],
      ["```\n" + wide + "\nb\n\n```\n\nend\n"],
      ["```\n" + endless + "\n```\n\nend\n"],
      ["```\n" + endless + "\n\nb\n```\n\nend\n"],
    ].map(([text]) => [text!, stream(text!, text!.length).join("\n")] as const)
  ) {
    for (const rows of [1, 4, 14]) {
      for (let pause = text.length - 14; pause <= text.length; pause++) {
        const lines: string[] = [];
        const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), theme);
        for (const part of [text.slice(0, pause), text.slice(pause)]) {
          markdown.push(part);
          markdown.settle({ width: WIDTH, rows });
        }
        markdown.end();
        // A line that is cut itself goes on in a row below.
        const told = (shown: string) => shown.replace(/(x ?(?:\n +(?=x))?)+/g, "x");
        assert.equal(
          told(lines.join("\n")),
          told(whole),
          `${rows} rows, ${text.slice(0, pause).slice(-9)}`,
        );
      }
    }
  }
});

slow("no empty line of code is lost where it is cut, whatever the room", () => {
  const code = Array.from({ length: 40 }, (_, n) => `def f${n}():\n    return ${n}\n`).join("\n");
  const shown = (text: string, rows: number) => {
    const whole = stream(text, text.length);
    for (const size of [1, 7, 40]) {
      assert.deepEqual(
        stream(text, size, undefined, { width: WIDTH, rows }),
        whole,
        `${rows} rows`,
      );
    }
  };
  for (const rows of [2, 4, 14, 30]) {
    shown("```python\n" + code + "\n\n\n```\n\nend\n", rows);
    shown("```\n\n\n" + "a\n\n\n\n\n".repeat(20) + "```\n", rows);
    shown("a\n\n" + code.replace(/^(?=.)/gm, "    ") + "\n\n\nend\n", rows);
    shown(code.replace(/^(?=.)/gm, "\t"), rows);
    shown("- a\n\n" + code.replace(/^(?=.)/gm, "      ") + "\n\n  c\n- b\n", rows);
    shown("> a\n>\n" + code.replace(/^/gm, ">     ") + "\n\nend\n", rows);
    shown("- a\n\n  ```\n" + code.replace(/^(?=.)/gm, "  ") + "\n\n  ```\n- b\n", rows);
  }
});

slow("a cut keeps an item's own indent, an address whole, and HTML what it is", () => {
  const texts = [
    "   1.  A paragraph\n       with two lines.\n\n           indented code\n\n       > A quote.\n",
    "www.a.example/search?q=Markup+(business)\n\nwww.a.example/search?q=(business))+ok",
    `<!-- note\n\n${"\t1. words\n\n\tmore words in it\n".repeat(90)}-->\n\nend`,
    "* 伪类：" + "[:active](https://a.example/CSS/:active)、".repeat(140),
  ];
  const told = (lines: string[]) => lines.join("").replace(/\s+/g, "");
  for (const text of texts) {
    for (const rows of [2, 14]) {
      const size = Math.ceil(text.length / 40);
      const streamed = stream(text, size, undefined, { width: WIDTH, rows });
      assert.equal(told(streamed), told(stream(text, text.length)));
    }
  }
});

slow(
  "a table that has no room is cut between its rows, under one head, in columns that stay",
  () => {
    const cells = Array.from({ length: 16 }, (_, n) => [
      `row ${n}`,
      n % 5 === 4 ? "**some** words of a cell that is longer than all before it" : `值 👍🏽 ${n}`,
      `${n * 1000}`,
    ]);
    const rows = cells.map((row) => `| ${row.join(" | ")} |\n`).join("");
    const text = `before\n\n| name | 值 | sum |\n|:--|---|---:|\n${rows}`;
    for (const tail of ["", "\nafter\n", "\n\n- after\n"]) {
      for (const size of [5, 40]) {
        for (const rows of [2, 8]) {
          let tallest = 0;
          const look = (markdown: StreamMarkdown) =>
            tallest = Math.max(tallest, markdown.render(WIDTH, Infinity).length);
          const lines = stream(text + tail, size, look, { width: WIDTH, rows });
          const table = lines.slice(2, lines.findIndex((line) => line.startsWith("└")) + 1);
          assert.ok(tallest <= rows + 4, `${tallest} rows live`);
          assert.equal(new Set(table.map((line) => visibleWidth(line))).size, 1, lines.join("\n"));
          assert.equal(table.filter((line) => /[┌└]/.test(line)).length, 2, lines.join("\n"));
          assert.equal(table.filter((line) => line.startsWith("├")).length, 16, lines.join("\n"));
          const told = (row: string[]) => row.join("").replace(/[\s*]/g, "");
          assert.equal(
            table.filter((line) => line.startsWith("│")).flatMap((line) => line.split("│")).length,
            table.filter((line) => line.startsWith("│")).length * 5,
          );
          const words = (n: number) =>
            table.filter((line) => line.startsWith("│")).map((line) => line.split("│")[n + 1]).join(
              "",
            )
              .replace(/\s/g, "");
          for (const column of [0, 1, 2]) {
            const head = ["name", "值", "sum"][column]!;
            assert.equal(words(column), head + told(cells.map((row) => row[column]!)));
          }
          assert.deepEqual(lines.slice(0, 2), ["before", ""]);
          assert.deepEqual(
            lines.slice(2 + table.length),
            tail.includes("-") ? ["", "- after"] : tail.includes("a") ? ["", "after"] : [],
          );
        }
      }
    }
  },
);

Deno.test("a Chinese paragraph with words of letters has a cut at each of its rows", () => {
  const text = Array.from({ length: 30 }, (_, n) => `第w${n}q段：**“重点”**内容，一些中文文字👍🏽。`)
    .join("");
  let tallest = 0;
  const look = (markdown: StreamMarkdown) =>
    tallest = Math.max(tallest, markdown.render(40, Infinity).length);
  const lines = stream(text, 24, look, { width: 40, rows: 2 });
  assert.equal(lines.join(""), text.replaceAll("*", ""));
  assert.ok(tallest <= 6, `${tallest} rows`);
});

slow("a paragraph that is nearly all bold has a cut at its rows", () => {
  const bold = (n: number) => `**w${n}q** 和**“v${n}q”**字`;
  const words = (n: number) => `**some bold ${n}** **words** 重点**内容**，`;
  for (const [one, between] of [[bold, " "], [words, ""]] as const) {
    const text = Array.from({ length: 60 }, (_, n) => one(n)).join(between);
    let tallest = 0;
    const look = (markdown: StreamMarkdown) =>
      tallest = Math.max(tallest, markdown.render(40, Infinity).length);
    const lines = stream(text, 24, look, { width: 40, rows: 2 });
    const told = (shown: string) => shown.replace(/[*\s]/g, "");
    assert.equal(told(lines.join("")), told(text));
    assert.ok(tallest <= 8, `${tallest} rows`);
  }
});

Deno.test("what stands right above a table that has no room is kept, and so is its head", () => {
  const told = (lines: string[]) => lines.map((line) => line.replace(/ |─/g, ""));
  for (const above of ["## Limits\n", "***\n"]) {
    const text = above + "| what | 值 |\n|---|---|\n" + "| look-ups | 1,000 |\n".repeat(9);
    for (const size of [3, 40]) {
      const lines = stream(text, size, undefined, { width: WIDTH, rows: 2 });
      assert.deepEqual(told(lines), told(stream(text, text.length)));
    }
  }
});

Deno.test("columns of a table in a list and in a quote are aligned", () => {
  const table = ["| n | 数量 |", "|---|---:|", "| a | 1,000 |", "| b | 20 |"];
  for (
    const [text, lead] of [["- x\n\n", "  "], ["1. x\n   - y\n\n", "     "], ["> x\n>\n", "> "]]
  ) {
    const rows = read(text + table.map((row) => lead + row).join("\n"));
    assert.deepEqual(
      rows.filter((row) => /│ [nab]/.test(row)).map((row) => row.slice(row.search(/│ [nab]/))),
      [
        "│ n │  数量 │",
        "│ a │ 1,000 │",
        "│ b │    20 │",
      ],
    );
  }
});

Deno.test("code that ends with the answer, or with what is no fence yet, has one border", () => {
  for (
    const text of [
      "    a\n    b\n    c\n\n",
      "```\na\nb\nc\n",
      "```\na\n``` b\n```\n",
      "- ```\n  a\n  b\n  c\n",
    ]
  ) {
    for (let size = 1; size < 12; size++) {
      const rows = stream(text, size, undefined, { width: WIDTH, rows: 2 });
      assert.deepEqual(rows, stream(text, text.length), `${text} by ${size}`);
    }
  }
});

slow("the head of a table that has no room yet is not cut into a paragraph", () => {
  const name = "Name of the thing that is told of in each of the rows";
  const text = `| ${name} | ${name} | Value |\n|---|---|---:|\n` +
    "| first | described in some words | 100 |\n".repeat(20) + "\nend\n";
  const told = (lines: string[]) =>
    stripTerminalSequences(lines.join("")).replace(/[\s│┌─┬┐├┼┤└┴┘]+/g, "");
  const lines = stream(text, 3, undefined, { width: WIDTH, rows: 2 });
  assert.match(lines[0]!, /^┌/);
  assert.equal(told(lines).length, told(stream(text, text.length)).length);
});

Deno.test("the numbers of a list in a list count on where it was cut", () => {
  const text = "- a\n" + "  1. deep\n".repeat(30) + "- c\n";
  const pause = (markdown: StreamMarkdown) => markdown.pause({ width: WIDTH, rows: 6 });
  assert.deepEqual(stream(text, 7, pause), stream(text, text.length));
});

slow("a table too long to wait for goes on under its head, with every row once", () => {
  const rows = Array.from({ length: 600 }, (_, i) => `| row ${i} | 值 ${i} |`);
  const lines = stream("| name | 值 |\n|---|---|\n" + rows.join("\n") + "\n\nafter\n", 100);
  const cells = lines.flatMap((line) => /^│ (row \d+) +│ (值 \d+) +│$/.exec(line)?.slice(1) ?? []);
  assert.deepEqual(cells, rows.flatMap((_, i) => [`row ${i}`, `值 ${i}`]));
  const heads = lines.filter((line) => line.startsWith("│ name"));
  assert.ok(heads.length > 1 && heads.length < 10, `${heads.length} heads`);
  assert.ok(!lines.some((line) => line.includes("| row")), "a row without its table");
  assert.equal(lines.at(-1), "after");
});

slow("code in a list, a list in a list and code in a quote go on where they were cut", () => {
  const code = Array.from({ length: 400 }, (_, i) => `line ${i};`);
  const indented = (by: string) => code.map((line) => by + line).join("\n");
  for (
    const [text, shown] of [
      ["1. one\n\n   ```ts\n" + indented("   ") + "\n   ```\n2. two\n", "     "],
      ["- a\n  - b\n    ~~~\n" + indented("    ") + "\n    ~~~\n- two\n", "      "],
      ["> ```\n" + indented("> ") + "\n> ```\n> two\n", "│   "],
      ["- a\n" + indented("  - ") + "\n- two\n", "    - "],
    ] as const
  ) {
    const lines = stream(text, 90);
    assert.deepEqual(
      lines.filter((line) => line.includes("line ")).map((line) => line.trim()),
      code.map((line) => (shown + line).trim()),
    );
    assert.match(lines.at(-1)!, /^(?:2\. |- |│ )two$/, text.slice(0, 20));
    const borders = lines.filter((line) => /```|~~~/.test(line)).length;
    assert.equal(borders, text.includes("  - line") ? 0 : 2, lines.join("\n"));
  }
});

slow("an endless line is cut between words, and loses none", () => {
  const words = Array.from({ length: 4000 }, (_, i) => `word${i}`);
  assert.deepEqual(stream(words.join(" "), 70).join(" ").split(/ +/), words);
  const wide = "😀".repeat(9000);
  assert.equal(stream(wide, 101).join(""), wide);
});

slow("a line without an end is cut in whatever it stands, and loses nothing", () => {
  const words = Array.from({ length: 2500 }, (_, n) => `w${n}`).join(" ");
  for (const head of ["```js\n", "- a\n- ", "7. ", "> ", "# ", "| a | b |\n|---|---|\n| "]) {
    let longest = 0;
    const lines = stream(head + words, 200, (markdown) => {
      longest = Math.max(longest, markdown.render(WIDTH, Infinity).join("").trimEnd().length);
    });
    const found = lines.join(" ").match(/\bw\d+\b/g) ?? [];
    assert.deepEqual(found, words.split(" "), head);
    assert.ok(longest < 8000, `${longest} characters of ${head} are drawn with each frame`);
    if (head === "> ") assert.ok(lines.every((line) => line.startsWith("│ ")));
    if (head === "7. ") {
      assert.ok(lines.every((line, n) => line.startsWith(n === 0 ? "7. w0" : "   w")));
    }
  }
});

Deno.test("a table that a narrow terminal has no room for reads as a list", () => {
  const text = "before\n\n| 名称 | Language | License | Stars |\n|---|---|---|---|\n" +
    "| narnat | TypeScript | MIT | many of them |\n| 其他 | | GPL | |\n\nafter\n";
  const at = (width: number) => {
    const lines: string[] = [];
    const markdown = new StreamMarkdown((draw) => lines.push(...draw(width)), theme);
    markdown.push(text);
    markdown.end();
    return lines;
  };
  assert.deepEqual(at(40), [
    "before",
    "",
    "- 名称: narnat",
    "    - Language: TypeScript",
    "    - License: MIT",
    "    - Stars: many of them",
    "- 名称: 其他",
    "    - Language:",
    "    - License: GPL",
    "    - Stars:",
    "",
    "after",
  ]);
  const wide = at(80);
  assert.ok(wide.includes("│ narnat │ TypeScript │ MIT     │ many of them │"), wide.join("\n"));
  for (const width of [20, 30, 40, 60, 80, 200]) {
    for (const line of at(width)) assert.ok(visibleWidth(line) <= width, `${width}: ${line}`);
  }
});

Deno.test("cells that a row has more than its head are told in its last", () => {
  const row = (text: string, of = 0) =>
    read(`| A | B |\n|---|---|\n| x | y |\n${text}`).filter((line) => /^│/.test(line))[2 + of];
  const cells = (text: string) => row(text)?.split("│").slice(1, -1).map((cell) => cell.trim());
  assert.deepEqual(cells("| 1 | 2 | EXTRA3 |"), ["1", "2 | EXTRA3"]);
  assert.deepEqual(cells("1 | 2 | 3 | 4"), ["1", "2 | 3 | 4"]);
  assert.deepEqual(cells("| `ls | wc` | RESULT |"), ["ls | wc", "RESULT"]);
  assert.deepEqual(cells("| ``a | ` b`` | c | d |"), ["a | ` b", "c | d"]);
  assert.deepEqual(cells("| a \\| b | c \\| |"), ["a | b", "c |"]);
  assert.deepEqual(cells("| 1 | 2 | | |"), ["1", "2"]);
  assert.deepEqual(cells("| | | 3 |"), ["", "| 3"]);
  for (const [text, lead] of [["- x\n\n", "  "], ["> x\n>\n", "> "]]) {
    const table = ["| A | B |", "|---|---|", "| 1 | 2 | EXTRA |", "| 3 | 4 |"];
    const code = ["```", "| 1 | 2 | 3 |", "```"];
    const rows = read(text + [...table, "", ...code].map((line) => lead + line).join("\n"));
    assert.ok(rows.some((line) => line.includes("2 | EXTRA │")), rows.join("\n"));
    assert.ok(rows.some((line) => line.endsWith("  | 1 | 2 | 3 |")), rows.join("\n"));
  }
});

Deno.test("headings, quotes, tasks, nested lists and links keep their shape", () => {
  const lines = stream(
    "# One\n\n### Three\n\n> said *so*\n> > twice\n\n- [x] done\n- [ ] open\n  1. first\n     - deep\n\n" +
      "See [the site](https://a.example/x) and <https://b.example>.\n",
    9,
  );
  assert.deepEqual(lines, [
    "One",
    "",
    "### Three",
    "",
    "│ said so",
    "│",
    "│ │ twice",
    "",
    "- [x] done",
    "- [ ] open",
    "    1. first",
    "        - deep",
    "",
    "See the site (https://a.example/x) and https://b.example.",
  ]);
});

slow("no flood of signs stops the screen, and none is lost", () => {
  const signs = [
    "*",
    "**a ",
    "_",
    ">",
    "> ",
    "- ",
    "1. ",
    "[",
    "![](",
    "`",
    "~~a ",
    "|",
    "<a ",
    "#",
  ];
  for (const sign of signs) {
    const began = threadMs();
    const lines = stream(sign.repeat(8000 / sign.length), 2000);
    // Quotes of quotes would overflow the stack, emphasis take the cube of its length.
    assert.ok(threadMs() - began < 5000, sign);
    if (!"*_>-~1".includes(sign[0]!)) continue;
    const count = (text: string) => text.split(sign[0]!).length;
    assert.equal(count(lines.join("")), count(sign.repeat(8000 / sign.length)), sign);
  }
});

slow("twice the text costs about twice the time, also in one endless block", () => {
  const cost = (length: number, block: string) => {
    const text = block.repeat(Math.ceil(length / block.length));
    const began = threadMs();
    stream(text, 64);
    return threadMs() - began;
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
    const bold = (inner: string) => `<${inner}>`;
    const style = { ...theme, theme: { ...theme.theme, bold } };
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
  assert.equal(bold("- ```\n  这**“x”**y\n  ```\n\n这**“z”**w").split("\n").at(-1), "这<“z”>w");
  assert.equal(bold("    ```\n    x\n    ```\n\n这**“z”**w").split("\n").at(-1), "这<“z”>w");
  assert.equal(bold("2 ** 3 是**（八）**吗"), "2 ** 3 是<（八）>吗");
});

slow("bold words are bold, however many a paragraph has and wherever it is cut", () => {
  for (
    const [word, shown] of [["blah 中文 **x** ", "blah 中文 x "], [
      "一**“重点”**内容，",
      "一“重点”内容，",
    ]]
  ) {
    for (const count of [50, 200, 3000]) {
      const text = word!.repeat(count);
      const told = (lines: string[]) => lines.join("").replaceAll(" ", "");
      const whole = told([shown!.repeat(count)]);
      assert.equal(told(stream(text, text.length)), whole);
      if (count === 3000) continue;
      assert.equal(told(stream(text, 40, undefined, { width: WIDTH, rows: 12 })), whole);
    }
  }
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

/** What an answer that ends as `text` does reads as. */
const read = (text: string) => stream(text, text.length);

Deno.test("columns of a table are aligned as their head says", () => {
  const rows = read(
    "| n | 数量 | mid |\n|:--|---:|:-:|\n| a | 1,000 | x |\n| b | **20** | a\\|c |\n\nend",
  );
  assert.deepEqual(rows.filter((row) => row.startsWith("│")), [
    "│ n │  数量 │ mid │",
    "│ a │ 1,000 │  x  │",
    "│ b │    20 │ a|c │",
  ]);
});

Deno.test("columns stay aligned where a cell takes several rows, beside what looks like a table", () => {
  const rows = read(
    "┌─┐\n│ a │\n\n| 名称 | what it is for | sum |\n|---:|:-:|---:|\n" +
      "| 一 | words that take more than one row **of a cell** in a table | 1,000 |\n" +
      "| second | short │ | `20` |\n\nend",
  ).map(stripTerminalSequences);
  for (const row of rows.slice(3)) {
    if (row !== "end") assert.ok(row === "" || visibleWidth(row) <= WIDTH, row);
  }
  const cells = rows.filter((row) => row.startsWith("│ ") && row.endsWith(" │")).slice(1);
  assert.deepEqual(
    cells.map((row) => row.slice(-8)),
    ["    sum │", "  1,000 │", "        │", "     20 │"].map((row) => row.slice(-8)),
  );
  assert.match(cells[0]!, /^│ +名称 │/);
  assert.match(cells[1]!, /^│ +一 │/);
  assert.match(cells.at(-1)!, /^│ second │ {10,}short │ {10,}│/);
});

Deno.test("a code line wider than the terminal goes on at the code's indent", () => {
  const rows = read("```sh\n" + "word ".repeat(20) + "end\n```\n");
  assert.equal(rows.length, 4);
  for (const row of rows.slice(1, 3)) assert.match(row, /^ {2}(word ?)+/);
  assert.match(rows[2]!, /end$/);
});

Deno.test("the numbers of a list count up from its first", () => {
  assert.deepEqual(read("1. a\n1. b\n1. c\n"), ["1. a", "2. b", "3. c"]);
  assert.deepEqual(read("7. a\n8. b\n"), ["7. a", "8. b"]);
  assert.deepEqual(read("5) a\n5) b\n   1. c\n   2) d\n"), [
    "5) a",
    "6) b",
    "    1. c",
    "    2) d",
  ]);
  assert.deepEqual(read("* a\n+ b\n"), ["- a", "- b"]);
  const numbers = (size: number) =>
    stream("1. a\n\n1. b\n\n1. c\n", size).filter((row) => row !== "");
  for (const size of [1, 2, 3, 7]) assert.deepEqual(numbers(size), ["1. a", "2. b", "3. c"]);
});

Deno.test("an image is its words and its address, but not in code", () => {
  assert.deepEqual(read('见 ![图](a.png) 和 ![](b.png "t")'), ["见 图 (a.png) 和 b.png"]);
  assert.deepEqual(read("`![图](a.png)`"), ["![图](a.png)"]);
  assert.deepEqual(read("```\n![图](a.png)\n```"), ["```", "  ![图](a.png)", "```"]);
});

Deno.test("where a reference or a footnote leads is shown", () => {
  assert.deepEqual(
    read('[Docs][d], a note[^1].\n\n[d]: https://a.example/x "T"\n[^1]: https://b.example\n\nend'),
    [
      "[Docs][d], a note[^1].",
      "",
      '[d]: https://a.example/x "T"',
      "[^1]: https://b.example",
      "",
      "end",
    ],
  );
  assert.deepEqual(
    read("[d]\n\n- item\n\n  [d]: http://x.example\n").at(-1),
    "  [d]: http://x.example",
  );
  assert.deepEqual(read("[Foo*bar\\]]: /url\n\n[Foo*bar\\]]"), [
    "[Foo*bar]]: /url",
    "",
    "[Foo*bar]]",
  ]);
  assert.deepEqual(read("[two\nlines]: /url"), ["[two", "lines]: /url"]);
  assert.deepEqual(read("- [d]: /url"), ["- [d]: /url"]);
  assert.deepEqual(read("[d]: /url\n===\nend"), ["[d]: /url", "===", "end"]);
});

Deno.test("a definition said again shifts no cut behind it", () => {
  const text = "[1]: u\n[1]: u\n\n```js\nconst a = 1;\n```\n\nend\n";
  const whole = ["[1]: u", "[1]: u", "", "```js", "  const a = 1;", "```", "", "end"];
  for (const size of [1, 7, text.length]) assert.deepEqual(stream(text, size), whole);
});

Deno.test("an entity is its character in prose, and stands as it is in code", () => {
  assert.deepEqual(
    read("List&lt;T&gt; &amp; A&#124;B&nbsp;&#x4E2D; `&lt;T&gt;` ``a ` &lt;`` &amp;lt; &nosuch;"),
    ["List<T> & A|B\u00a0中 &lt;T&gt; a ` &lt; &lt; &nosuch;"],
  );
  assert.deepEqual(read("```\n&lt;T&gt;\n```\n").at(1), "  &lt;T&gt;");
  assert.deepEqual(
    read("- a\n  - b\n    ```\n    &lt;T&gt;\n    ```\n").at(3)?.trim(),
    "&lt;T&gt;",
  );
  assert.deepEqual(read("- ```\n  &lt;T&gt;\n  ```\n").at(1)?.trim(), "&lt;T&gt;");
  assert.deepEqual(read("&#42;not em&#42; &#27;[31m &#8238;x &#0; &#99999999;"), [
    "*not em* [31m x � �",
  ]);
  assert.deepEqual(read("&gt; no quote\n"), ["> no quote"]);
  assert.deepEqual(read("https://a.example/?a=1&amp;b=2&copy=3"), [
    "https://a.example/?a=1&b=2&copy=3",
  ]);
});

Deno.test("named entities are their characters, whatever their case, and are told once", () => {
  assert.deepEqual(
    read("&AElig;&aelig; &frac34; &Dcaron; &check; &lbrack;x&rsqb; &alpha;&Omega; &sup2; &there4;"),
    ["Ææ ¾ Ď ✓ [x] αΩ ² ∴"],
  );
  assert.deepEqual(read("&amp;AElig; &amp;amp;lt; &#38;AElig; &nosuch; &aeLig; &frac34 &rlm;x"), [
    "&AElig; &amp;lt; &AElig; &nosuch; &aeLig; &frac34 x",
  ]);
});

Deno.test("a row that has come by half waits for the rest, and reads as text when none comes", () => {
  const lines: string[] = [];
  const markdown = new StreamMarkdown((draw) => lines.push(...draw(WIDTH)), theme);
  const shown = () => markdown.render(WIDTH, 20).filter((row) => row.startsWith("│"));
  markdown.push("| a | b |\n|---|---|\n| 1 | 2 |\n| th");
  assert.deepEqual(shown(), ["│ a │ b │", "│ 1 │ 2 │"]);
  markdown.push("ree | 4 |\n|");
  assert.deepEqual(shown().at(-1), "│ three │ 4 │");
  markdown.push(" five");
  markdown.end();
  assert.deepEqual(lines.slice(-2), ["", "| five"]);
  assert.ok(lines.includes("│ three │ 4 │"));
});
