import assert from "node:assert/strict";
import { createBlockLexer } from "../../../src/terminal/transcript/blocks.ts";
import { tame as tameWith } from "../../../src/terminal/markdown/tame.ts";

const blocks = createBlockLexer();
const tame = (text: string) => tameWith(text, blocks);

Deno.test("markdown as people write it is left as it is", () => {
  const text = "# *a*\n\n> > quoted **b** _c_\n\n- x\n  - y\n    1. z\n\n" +
    "| **a** | _b_ |\n|---|---|\n".repeat(300) + "- **item** with ~~two~~ marks\n".repeat(300) +
    "---\n* * *\n";
  assert.equal(tame(text), text);
});

Deno.test("a flood of signs and nesting without end stand as plain text", () => {
  assert.equal(tame("*a ".repeat(500)), "\\*a ".repeat(500));
  for (const deep of [">", "> ", "- ", "1. "]) {
    const [block] = blocks(tame(deep.repeat(30) + "x"));
    assert.equal(block?.type, "paragraph", deep);
  }
});

Deno.test("signs that each have their end are no flood, however many stand in a paragraph", () => {
  const pairs = [
    "word **bold** `code` ",
    "中文 **x** ",
    "**“重点”**内容，",
    "**`call()`**: *so* ~~not~~ _this_ ",
    "**a *b* snake_case** ",
    "***x*** ",
    "- **a** b\n",
  ];
  for (const pair of pairs) {
    for (
      const text of [pair.repeat(1000), "* 2 ** 3 " + pair.repeat(1000), "> " + pair.repeat(500)]
    ) {
      assert.equal(tame(text), text);
    }
  }
  // Each would begin anew behind the one before it.
  for (const open of ["***a”", "_x”_a", "*b *。", "\\****x", "**a ", "_a_b。"]) {
    const text = open.repeat(800);
    assert.notEqual(tame(text), text, open);
  }
});

Deno.test("code is left as it is, whatever stands in it or beside it", () => {
  const code = "-".repeat(70) + "\n" + "- ".repeat(30) +
    "\nMAX_RETRY_COUNT = __init__ ** 2 ~x~\n".repeat(300);
  const flood = "*a ".repeat(500);
  for (
    const text of [
      "```\n" + code + "```\n",
      "~~~ a`b\n" + code + "~~~\n",
      code.replace(/^/gm, "    "),
      "- item\n  ```\n" + code.replace(/^/gm, "  ") + "  ```\n",
      "> ```\n" + code.replace(/^/gm, "> ").trimEnd() + "\n> ```\n",
    ]
  ) {
    assert.ok(!tame(text).includes("\\"), text.slice(0, 20));
    const mixed = tame(`${text}\n${flood}\n\n${text}`);
    assert.equal(mixed.split("\\").length, 1 + 500, text.slice(0, 20));
  }
  assert.ok(!tame("`a*b` ".repeat(500)).includes("\\"), "code within a line");
  assert.equal(tame(("some_snake_case ").repeat(500)), "some_snake_case ".repeat(500));
});

Deno.test("a line of dashes is a rule, a heading's or a table's, however long", () => {
  const dashes = "-".repeat(70);
  const types = (text: string) => blocks(text).map(({ type }) => type);
  assert.deepEqual(types(dashes), ["hr"]);
  assert.deepEqual(types(`Title\n${dashes}\n`), ["heading"]);
  assert.deepEqual(types(`Name | V\n${dashes}|---\na | b\n`), ["table"]);
  assert.deepEqual(types(`a\n\n\`\`\`\n${dashes}\n\n${dashes}\n\`\`\`\n`), [
    "paragraph",
    "space",
    "code",
  ]);
});

Deno.test("the blocks of any text together are the text", () => {
  for (
    const text of [
      "a\n\n\nb\n\n- c\n",
      "*a ".repeat(500) + "\n\n\n\nmore\n\nlast",
      ">".repeat(4000),
      "```\n" + "- ".repeat(30) + "\n```\n\n" + "> ".repeat(30) + "x\n\n- end\n",
      "[1]: u\n[1]: u\n\n```js\nconst a = 1;\n```\n",
      "[a\nb]: http://a.example\n[a\nb]: http://a.example\n\nend",
      "* ",
      "1. ",
    ]
  ) {
    assert.equal(blocks(text).map(({ raw }) => raw).join(""), text);
  }
});
