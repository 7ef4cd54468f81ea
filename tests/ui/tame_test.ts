import assert from "node:assert/strict";
import { createBlockLexer } from "../../src/ui/blocks.ts";
import { tame } from "../../src/ui/tame.ts";

Deno.test("markdown as people write it is left as it is", () => {
  const text = "# *a*\n\n> > quoted **b** _c_\n\n- x\n  - y\n    1. z\n\n" +
    "| **a** | _b_ |\n|---|---|\n".repeat(300) + "- **item** with ~~two~~ marks\n".repeat(300) +
    "---\n* * *\n";
  assert.equal(tame(text), text);
});

Deno.test("a flood of signs and nesting without end stand as plain text", () => {
  assert.equal(tame("*a ".repeat(500)), "\\*a ".repeat(500));
  assert.equal(tame(">".repeat(30) + " x"), "\\>".repeat(30) + " x");
  assert.equal(tame("- ".repeat(30) + "x"), "\\- ".repeat(30) + "x");
  assert.equal(tame("1. ".repeat(30) + "x"), "1\\. ".repeat(30) + "x");
});

Deno.test("the blocks of any text together are the text", () => {
  const blocks = createBlockLexer();
  for (
    const text of [
      "a\n\n\nb\n\n- c\n",
      "*a ".repeat(500) + "\n\n\n\nmore\n\nlast",
      ">".repeat(4000),
    ]
  ) {
    assert.equal(blocks(text).map(({ raw }) => raw).join(""), text);
  }
});
