import assert from "node:assert/strict";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import {
  createWrapGrowing,
  tame as tameWith,
} from "../../../src/terminal/markdown/markdown_piece.ts";
import { runs } from "../../support/soak.ts";
import { createBlockLexer } from "../../../src/terminal/markdown/blocks.ts";

const bold = (text: string) => `\x1b[1m${text}\x1b[22m`;
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,9}[ ,.]{0,3}$/) },
  fc.stringMatching(/^[一-鿿，。]{1,6}$/),
  fc.stringMatching(/^[a-z ]{1,30}$/).map(bold),
  fc.stringMatching(/^[a-z ]{1,30}$/).map((text) => `\x1b[4m${bold(text)} more\x1b[24m`),
  fc.constantFrom(
    "\n",
    "\n\n",
    " \n  ",
    "\x1b[36m",
    "\x1b[39m",
    "\u0301",
    "👩",
    "\u200d",
    "👧",
    "🇩",
    "🇪",
    "☎",
    "\ufe0e",
    "\ufe0f",
    "\u00a0",
  ),
  fc.stringMatching(/^[a-z]{30,60}$/),
);

const trimmed = (rows: readonly string[]) => rows.map((row) => row.trimEnd());

Deno.test("a text that grows, and others between, has the rows it has when it is wrapped at once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ piece, width: fc.integer({ min: 0, max: 40 }) }), { maxLength: 40 }),
      fc.integer({ min: 4, max: 30 }),
      (steps, usual) => {
        const wrap = createWrapGrowing();
        let text = "";
        for (const { piece, width } of steps) {
          if (width === 40) text = "";
          text += piece;
          const columns = width < 36 ? usual : width;
          assert.deepEqual(
            trimmed(wrap(text, columns)),
            trimmed(wrapTextWithAnsi(text, columns)),
            JSON.stringify([text, columns]),
          );
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

Deno.test("of a text that grows only the end is wrapped again", () => {
  const wrap = createWrapGrowing();
  const words = "some words of one long paragraph ".repeat(400);
  const before = wrap(words, 40);
  const segment = Intl.Segmenter.prototype.segment;
  let looked = 0;
  Intl.Segmenter.prototype.segment = function (text) {
    looked += text.length;
    return segment.call(this, text);
  };
  try {
    const after = wrap(words + "more", 40);
    assert.equal(after.length - before.length, 0);
  } finally {
    Intl.Segmenter.prototype.segment = segment;
  }
  assert.ok(looked < 400, `${looked} characters`);
});

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
