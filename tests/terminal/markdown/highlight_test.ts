import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createHighlighter,
  GRAMMARS,
  type Highlighter,
  type Open,
} from "../../../src/terminal/markdown/highlight.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { threadMs } from "../../support/processes.ts";

/** Marks instead of colours. */
const marks: Highlighter = createHighlighter({
  ...createStyle("none"),
  dim: (text) => `‹${text}›`,
  green: (text) => `«${text}»`,
  blue: (text) => `[${text}]`,
  cyan: (text) => `#${text}#`,
});

const painted = (code: string, lang: string) => marks(code, lang).lines.join("\n");

Deno.test("words, strings, numbers and comments of a language are told apart", () => {
  assert.equal(
    painted('const re = /a"b`/g; // it\'s\nlet n = 0x1f + "é\\"";', "ts"),
    '[const] re = «/a"b`/g»; ‹// it\'s›\n[let] n = #0x1f# + «"é\\""»;',
  );
  assert.equal(
    painted("def f(x):  # it's\n  return None", "Python"),
    "[def] f(x):  ‹# it's›\n  [return] [None]",
  );
  assert.equal(painted('{"a": [1, "b", true]}', "json"), '{["a"]: [#1#, «"b"», [true]]}');
  assert.equal(
    painted("fn f<'a>(x: &'a str) { 'x' }", "rust"),
    "[fn] f<'a>(x: &'a [str]) { «'x'» }",
  );
  assert.equal(painted("echo $HOME#x # no", "bash"), "[echo] [$HOME]#x ‹# no›");
  assert.equal(painted("select 'it''s' FROM t -- c", "sql"), "[select] «'it''s'» [FROM] t ‹-- c›");
  assert.equal(painted("<a href='x'>it's</a>", "html"), "[<a] href=«'x'»[>]it's[</a][>]");
  assert.equal(painted("name: 'v' # c", "yaml"), "[name]: «'v'» ‹# c›");
});

Deno.test("a string and a comment over several lines stay what they are, also from piece to piece", () => {
  const code = "a = `x\n'y'\n`; /* b\nc */ if";
  assert.equal(painted(code, "ts"), "a = «`x»\n«'y'»\n«`»; ‹/* b›\n‹c */› [if]");
  let open: Open | undefined;
  const lines = code.split("\n").map((line) => {
    const piece = marks(line, "ts", open);
    open = piece.open;
    return piece.lines[0];
  });
  assert.equal(lines.join("\n"), painted(code, "ts"));
});

Deno.test("a diff is coloured by its signs; an unknown language and no language are left alone", () => {
  const style = {
    ...createStyle("none"),
    red: (text: string) => `-${text}`,
    green: (text: string) => `+${text}`,
  };
  const lines = createHighlighter(style)("@@ -1 +1 @@\n-a\n+b\n c", "diff").lines;
  assert.deepEqual(lines, ["@@ -1 +1 @@", "--a", "++b", " c"]);
  assert.equal(painted("if 'x' // y", "klingon"), "if 'x' // y");
  assert.equal(painted("if 'x' // y", ""), "if 'x' // y");
});

Deno.test("colours change nothing of any code but its colours", () => {
  const plain = createHighlighter(createStyle("none"));
  const lang = fc.constantFrom(...GRAMMARS.map(({ names }) => names[0]!));
  const piece = fc.constantFrom(
    '"',
    "'",
    "`",
    "/",
    "*",
    "\\",
    "#",
    "-",
    "[",
    "]",
    "<",
    ">",
    "=",
    ":",
    " ",
    "\n",
    "a1",
    "if",
    "中",
  );
  fc.assert(fc.property(lang, fc.array(piece, { maxLength: 60 }), (lang, parts) => {
    assert.equal(plain(parts.join(""), lang).lines.join("\n"), parts.join(""));
  }));
});

Deno.test("no line of signs takes the square of its length", () => {
  const plain = createHighlighter(createStyle("none"));
  const began = threadMs();
  for (const { names } of GRAMMARS) {
    for (const sign of ['"', "'", "`", "/", "\\", "/*", "/[", "[", " ", "a/", ": ", "0", "<"]) {
      plain(sign.repeat(10_000), names[0]!);
    }
  }
  // Some 200 lines; each would take about a second.
  assert.ok(threadMs() - began < 10_000);
});
