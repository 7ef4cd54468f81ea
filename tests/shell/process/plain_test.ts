import assert from "node:assert/strict";
import fc from "fast-check";
import { character } from "../../support/fast_check.ts";
import { decodeOutput, joinBytes, LineFold, plainText } from "../../../src/shell/process/plain.ts";
import { runs, slow } from "../../support/soak.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (all: Uint8Array) => new TextDecoder().decode(all);

/** What LineFold is to do, on a whole text. */
function folded(source: string): string {
  return source.replaceAll(/\r+\n/g, "\n").split("\n")
    .map((line, at, all) => at < all.length - 1 ? line : line.replace(/\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1)).join("\n");
}

function fold(chunks: readonly Uint8Array[]): string {
  const fold = new LineFold();
  const out = chunks.flatMap((chunk) => fold.push(chunk));
  return text(joinBytes([...out, fold.finish()]));
}

Deno.test("of a progress bar its last state is left, line ends become LF", () => {
  for (
    const [source, expected] of [
      ["10%\r20%\r100%\ndone\n", "100%\ndone\n"],
      ["a\r\nb\r\n", "a\nb\n"],
      ["a\r\r\nb", "a\nb"],
      ["working\r", "working"],
      ["one\rtwo", "two"],
      ["\rx\n\r\ny", "x\n\ny"],
    ]
  ) assert.equal(fold([bytes(source!)]), expected, JSON.stringify(source));
});

Deno.test("folding does not depend on how the bytes are cut", () => {
  const piece = fc.constantFrom("a", "\r", "\n", "\r\n", "中", "50%", "\r\r");
  fc.assert(fc.property(
    fc.array(piece, { maxLength: 40 }),
    fc.integer({ min: 1, max: 7 }),
    (pieces, size) => {
      const source = pieces.join("");
      const all = bytes(source);
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size));
      assert.equal(fold(chunks), folded(source));
    },
  ));
});

Deno.test("a line that never ends is given on and not held", () => {
  const fold = new LineFold();
  let out = 0;
  for (let n = 0; n < 1000; n++) {
    out += joinBytes(fold.push(bytes("x".repeat(1000)))).length;
    assert.ok(fold.pending.length <= 20_000);
  }
  assert.equal(out + fold.finish().length, 1_000_000);
});

Deno.test("colours, titles, bells, overstrikes and lone escapes are left out", () => {
  for (
    const [source, expected] of [
      ["\x1b[31mred\x1b[0m \x1b[1;4mbold\x1b[m", "red bold"],
      ["\x1b]0;title\x07text\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "textlink"],
      ["\x1b[2K\x1b[1Gdone\x07", "done"],
      ["N\bNA\bAM\bME\bE _\bu", "NAME u"],
      ["tab\there\nnext", "tab\there\nnext"],
      ["half \x1b[3", "half "],
      ["\x00\x01\x7f\x85plain", "plain"],
      ["中文 😀", "中文 😀"],
    ]
  ) assert.equal(plainText(source!), expected, JSON.stringify(source));
});

slow("no control character is left of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 200 }), (source) => {
      // deno-lint-ignore no-control-regex -- control characters are what this is about
      assert.ok(!/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(plainText(source)));
    }),
    { numRuns: runs(500) },
  );
});

/** Messages as programs of each country write them. */
const LEGACY: readonly (readonly [name: string, hex: string, expected: string])[] = [
  ["gbk", "b4edcef3a3bad5d2b2bbb5bdcec4bcfe", "错误：找不到文件"],
  ["big5", "bff9bb7ea147a7e4a4a3a8ecc0c9aed7", "錯誤：找不到檔案"],
  ["big5, one word", "a4a4a4e5", "中文"],
  ["big5, another", "bff9bb7e", "錯誤"],
  ["big5, a sentence", "a8cfa5cea4e5a5f3", "使用文件"],
  ["shift_jis", "83658358836790ac8cf7", "テスト成功"],
  ["euc-jp", "a5c6a5b9a5c8c0aeb8f9", "テスト成功"],
  ["euc-kr", "c6c4c0cfc0bb20c3a3c0bb20bcf620bef8bdc0b4cfb4d9", "파일을 찾을 수 없습니다"],
  ["windows-1252", "636166e920e0206c61206372e86d65", "café à la crème"],
];

Deno.test("output in a legacy encoding is read as what it says", () => {
  for (const [name, hex, expected] of LEGACY) {
    const raw = Uint8Array.fromHex(hex + "0a");
    assert.equal(decodeOutput(raw).text, expected + "\n", name);
  }
});

Deno.test("a line of UTF-8 that is cut, or has a bad byte, stays UTF-8", () => {
  const cut = bytes("数据库连接失败").slice(0, -1);
  const bad = joinBytes([bytes("\n你好 "), Uint8Array.of(0xff), bytes(" done 🎉\n")]);
  assert.equal(
    decodeOutput(joinBytes([cut, bad])).text,
    "数据库连接失\ufffd\n你好 \ufffd done 🎉\n",
  );
});

Deno.test("a bad byte in UTF-8 is U+FFFD, and makes no other characters of the rest", () => {
  const raw = (parts: readonly (string | number)[]) =>
    joinBytes(parts.map((part) => typeof part === "number" ? Uint8Array.of(part) : bytes(part)));
  const cases: readonly (readonly [given: readonly (string | number)[], expected: string])[] = [
    [["café ok ", 0xff, " bad 文\n"], "café ok \ufffd bad 文\n"],
    [["café ", 0xff, "\n"], "café \ufffd\n"],
    [["naïve ", 0xe9, "t", 0xe9, "\n"], "naïve \ufffdt\ufffd\n"],
    [["привет ", 0xff, " мир\n"], "привет \ufffd мир\n"],
    [["привет", 0xd0], "привет\ufffd"],
    [["✓ ok\n", "bad ", 0xff, " only\n"], "✓ ok\nbad \ufffd only\n"],
    [["bad ", 0xff, " only\n"], "bad \ufffd only\n"],
    [["é é é ", 0xfe, 0xfd, "\n"], "é é é \ufffd\ufffd\n"],
    [["ok ✓ ", 0xc3, "\n"], "ok ✓ \ufffd\n"],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(decodeOutput(raw(given)), { text: expected, hasBadBytes: true });
  }
  const clear: readonly (readonly [hex: string, expected: string])[] = [
    ["636166e9", "café"],
    ["4772f6df65", "Größe"],
    ["3235b043", "25°C"],
    ["cef8e8e1eae03a20f4e0e9eb20ede520ede0e9e4e5ed", "Ошибка: файл не найден"],
  ];
  for (const [hex, expected] of clear) {
    assert.deepEqual(decodeOutput(Uint8Array.fromHex(hex)), { text: expected, hasBadBytes: false });
  }
  // what a program prints as U+FFFD itself is no bad byte
  assert.equal(decodeOutput(bytes("a \ufffd b")).hasBadBytes, false);
});

Deno.test("UTF-8 lines stay what they are beside lines of another encoding", () => {
  const gbk = Uint8Array.of(0xb9, 0xb9, 0xbd, 0xa8, 0xb3, 0xc9, 0xb9, 0xa6, 10);
  assert.equal(
    decodeOutput(joinBytes([bytes("测试\n"), gbk, bytes("é\n")])).text,
    "测试\n构建成功\né\n",
  );
});

Deno.test("UTF-16 with its mark is read, any bytes at all give a text", () => {
  assert.equal(decodeOutput(Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e, 10, 0)).text, "中\n");
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (raw) => {
    assert.equal(typeof decodeOutput(raw).text, "string");
  }));
});
