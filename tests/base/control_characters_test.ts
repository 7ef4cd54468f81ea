import assert from "node:assert/strict";
import fc from "fast-check";
import { character } from "../support/fast_check.ts";
import {
  onlyStyles,
  plain,
  plainLine,
  PlainStream,
  visible,
} from "../../src/base/control_characters.ts";
import { runs } from "../support/soak.ts";

/** Pieces that steer terminals, and pieces that must not be harmed. */
const pieces = fc.constantFrom(
  ..."\x1b \x9b \x07 \x00 \x08 \x0d \x0a \x09 \x7f \x84 \x90 \x98 \x9c \x9d \x9e \x9f".split(" "),
  ..."[31m|[2J|]0;x|]8;;http://x\x07|]52;c;AAAA\x07|P1$r|_pi:c\x07|(0|c|[?1049h|\\|[6n".split("|"),
  "\u2028",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ufeff",
  "\ud800",
  "\udc00",
  "\u{e0001}",
  "你好",
  "👩‍👩‍👧",
  "é",
  "a",
  " ",
  "\r\n",
);
const hostile = fc.array(fc.oneof(pieces, pieces, fc.string({ unit: character, maxLength: 4 })), {
  maxLength: 30,
}).map((parts) => parts.join(""));
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

Deno.test("plain() lets no control character of 20,000 hostile strings through", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      assert.ok(!FORBIDDEN.test(plain(text).replaceAll("\n", "")));
      assert.ok(!FORBIDDEN.test(plainLine(text)));
    }),
    { numRuns: runs(20_000) },
  );
});

Deno.test("plain() of a stream cut anywhere is as clean as plain() of the whole", () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
      const stream = new PlainStream();
      let out = "";
      let at = 0;
      for (const length of cuts) {
        out += stream.push(text.slice(at, at + length));
        at += length;
      }
      out += stream.push(text.slice(at)) + stream.end();
      assert.ok(!FORBIDDEN.test(out.replaceAll("\n", "")));
    }),
    { numRuns: runs(5000) },
  );
});

Deno.test("a stream keeps escape sequences, surrogates and line ends together across deltas", () => {
  const feed = (...deltas: string[]) => {
    const stream = new PlainStream();
    return deltas.map((delta) => stream.push(delta)).join("") + stream.end();
  };
  assert.equal(feed("a\x1b", "[3", "1mred\x1b[0", "m"), "ared");
  assert.equal(feed("x\ud83d", "\ude00y"), "x😀y");
  assert.equal(feed("one\r", "\ntwo"), "one\ntwo");
  assert.equal(feed("title \x1b]0;evil", " still\x07 end"), "title  end");
});

Deno.test("plain() harms no ordinary text", () => {
  const text = "你好，世界！ naïve café 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 नमस्ते می‌خواهم\n  indented {[()]} \\x1b[31m";
  assert.equal(plain(text), text);
  assert.equal(plain("a\tb\r\nc\rd"), "a    b\nc\nd");
});

Deno.test("visible() hides nothing: every character of the input has a mark in the output", () => {
  assert.equal(
    visible("rm \x1b[2K\r-rf\u202e x\u200b\x7f\u00a0"),
    "rm ␛[2K␍-rf<U+202E> x<U+200B>␡<U+00A0>",
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const out = visible(text);
      assert.ok(!FORBIDDEN.test(out.replaceAll("\n", "")));
      assert.ok([...out].length >= [...text].length);
    }),
    { numRuns: runs(3000) },
  );
});

Deno.test("onlyStyles() keeps colours and the cursor mark and drops every other sequence", () => {
  assert.equal(
    onlyStyles("\x1b[1;31mred\x1b[0m \x1b_pi:c\x07\x1b[2Jx\x1b]0;t\x07\x9b2J\n"),
    "\x1b[1;31mred\x1b[0m \x1b_pi:c\x07[2Jx]0;t2J",
  );
});

Deno.test("of links only those to the web and to mail pass, encoded; of the others the text", () => {
  const link = (url: string, end = "\x1b\\") => `\x1b]8;;${url}${end}x\x1b]8;;${end}`;
  const passed = (url: string) => `\x1b]8;;${url}\x1b\\x\x1b]8;;\x1b\\`;
  assert.equal(onlyStyles(link("https://a.b/中 文")), passed("https://a.b/%E4%B8%AD%20%E6%96%87"));
  assert.equal(onlyStyles(link("mailto:a@b", "\x07")), passed("mailto:a@b"));
  for (const url of ["javascript:x", "file:///etc/passwd", "nonsense", "x".repeat(9000)]) {
    assert.equal(onlyStyles(link(url)), "x\x1b]8;;\x1b\\");
  }
});
