import assert from "node:assert/strict";
import fc from "fast-check";
import {
  decodeText,
  detectCoding,
  EncodeError,
  encodeText,
  type Encoding,
  eolOf,
  looksBinary,
  looksUtf16,
  roundTrips,
  splitLines,
} from "../../src/files/text_file.ts";
import { runs, slow } from "../support/soak.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("every encoding gives back the bytes it was read from", () => {
  const text = "第一行 héllo\r\n第二行\nlast";
  const codings: [Encoding, boolean][] = [
    ["utf-8", false],
    ["utf-8", true],
    ["utf-16le", true],
    ["utf-16be", true],
    ["gb18030", false],
  ];
  for (const [encoding, bom] of codings) {
    const bytes = encodeText(text, { encoding, bom });
    assert.deepEqual(decodeText(bytes), { text, encoding, bom });
    assert.ok(roundTrips(decodeText(bytes), bytes));
  }
});

const LEGACY: readonly [Encoding, string][] = [
  ["gb18030", "第一行 héllo 你好，世界\r\n第二行\nlast"],
  ["big5", "第一行：開啟檔案\r\n第二行的內容\n"],
  ["shift_jis", "一行目：ファイルを開く\r\n半角ｶﾅ、表示\nend"],
  ["euc-kr", "첫째 줄: 파일을 엽니다\n둘째 줄\n"],
  ["euc-jp", "一行目：ファイルを開く\r\n二行目です\n"],
  ["windows-1252", "Größe: 5 €, naïve café\r\n«été»\n"],
];

Deno.test("each of the old encodings is recognised, decoded and written back", () => {
  for (const [encoding, text] of LEGACY) {
    const bytes = encodeText(text, { encoding, bom: false });
    const file = decodeText(bytes);
    assert.deepEqual(file, { text, encoding, bom: false });
    assert.ok(roundTrips(file, bytes));
    assert.deepEqual(detectCoding(bytes), { encoding, bom: false });
  }
});

Deno.test("a byte that is no character of an old encoding is kept, and the rest stays readable", () => {
  for (const [encoding, text] of LEGACY.slice(0, 5)) {
    const half = encodeText(text, { encoding, bom: false });
    const bytes = Uint8Array.from([...half, 0xff, 0x0a, ...half, half[0]! | 0xf0]);
    const file = decodeText(bytes);
    assert.equal(file.encoding, encoding);
    assert.equal(file.text.toWellFormed(), `${text}\ufffd\n${text}\ufffd`);
    assert.ok(roundTrips(file, bytes), encoding);
    const edited = encodeText(file.text.replace("\n", "\n\n"), file);
    assert.equal(edited.length, bytes.length + 1);
  }
});

Deno.test("what the platform decodes in an old encoding can be written so that it reads the same", () => {
  for (const encoding of ["gb18030", "big5", "shift_jis", "euc-kr", "euc-jp"] as const) {
    const pairs: number[] = [];
    for (let lead = 0x81; lead <= 0xfe; lead++) {
      for (let trail = 0x40; trail <= 0xfe; trail++) pairs.push(lead, trail, 0x0a);
    }
    const lines = new TextDecoder(encoding).decode(Uint8Array.from(pairs)).split("\n");
    const good = lines.filter((line) => line !== "" && !/[\ufffd\u0304\u030c]/.test(line));
    assert.ok(good.length > 6000);
    const bytes = encodeText(good.join("\n"), { encoding, bom: false });
    assert.equal(new TextDecoder(encoding).decode(bytes), good.join("\n"), encoding);
  }
});

Deno.test("UTF-16 without a mark is recognised when it is evident, other NULs are binary", () => {
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    for (
      const text of ["Name=value\r\n", "[設定]\r\n名前 = 値\r\n", "ключ = значение\n", "ok 😀\n"]
    ) {
      const bytes = encodeText(text, { encoding, bom: false });
      assert.equal(looksBinary(bytes), false);
      assert.deepEqual(decodeText(bytes), { text, encoding, bom: false });
    }
  }
  const binaries = ["ab\0\n", "./src\0./lib\0", "text\0more text\n", "\0\0\0\x01ab", "ab\0cd\0"]
    .map(utf8);
  const table = new Uint8Array(Uint16Array.from([1, 2, 300, 4, 5, 600]).buffer);
  const utf32 = Uint8Array.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]);
  for (const bytes of [...binaries, table, utf32]) assert.equal(looksBinary(bytes), true);
});

Deno.test("GBK bytes written by others are recognised", () => {
  const bytes = Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4, 0x20, 0x61, 0x0a]);
  assert.deepEqual(decodeText(bytes), { text: "中文 a\n", encoding: "gb18030", bom: false });
});

Deno.test("western single-byte text is windows-1252, not Chinese", () => {
  const bytes = Uint8Array.from([...utf8("les cl"), 0xe9, ...utf8("s du caf"), 0xe9, 0x0a]);
  assert.deepEqual(decodeText(bytes), {
    text: "les clés du café\n",
    encoding: "windows-1252",
    bom: false,
  });
});

Deno.test("any bytes survive decoding and encoding, or are known not to", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
      const bytes = Uint8Array.from(array);
      const file = decodeText(bytes);
      const safe = roundTrips(file, bytes);
      if (file.encoding === "utf-8" || file.encoding === "windows-1252") assert.ok(safe);
      if (safe) assert.deepEqual(encodeText(file.text, file), bytes);
    }),
    { numRuns: runs(500) },
  );
});

Deno.test("one bad byte in UTF-8 text leaves the rest readable and is kept", () => {
  const bytes = Uint8Array.from([...utf8("中文中文中文 ok "), 0xff, ...utf8(" 完\n")]);
  const file = decodeText(bytes);
  assert.equal(file.encoding, "utf-8");
  assert.equal(file.text.toWellFormed(), "中文中文中文 ok \ufffd 完\n");
  const edited = encodeText(file.text.replace("ok", "yes"), file);
  assert.deepEqual(edited, Uint8Array.from([...utf8("中文中文中文 yes "), 0xff, ...utf8(" 完\n")]));
});

slow("gb18030 writes every Unicode character that it reads, and refuses the others", () => {
  // private ones that the edition of 2022 gave a place elsewhere, and what stands for a broken byte
  const lacking = [..."\ue5e5\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864\ufffd"];
  for (let code = 0xe78d; code <= 0xe796; code++) lacking.push(String.fromCodePoint(code));
  const write = (text: string) => encodeText(text, { encoding: "gb18030", bom: false });
  for (const char of lacking) assert.throws(() => write(char), EncodeError, char);

  const codes = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff);
  const text = codes.map((code) => String.fromCodePoint(code)).filter((char) =>
    !lacking.includes(char)
  ).join("");
  assert.ok(new TextDecoder("gb18030").decode(write(text)) === text);
});

Deno.test("a character the encoding lacks is named, not replaced", () => {
  assert.throws(
    () => encodeText("naïve 中", { encoding: "windows-1252", bom: false }),
    (error) => error instanceof EncodeError && error.char === "中",
  );
});

Deno.test("binary is told from text by NUL and control bytes", () => {
  assert.equal(looksBinary(Uint8Array.from([0x89, 0x50, 0, 1])), true);
  assert.equal(looksBinary(Uint8Array.from([1, 2, 3, 4, 65])), true);
  assert.equal(looksBinary(utf8("plain\ttext\r\n\x1b[31mred")), false);
  assert.equal(looksBinary(encodeText("ab", { encoding: "utf-16le", bom: true })), false);
  assert.equal(looksBinary(new Uint8Array()), false);
});

Deno.test("line ends and lines are counted as editors do", () => {
  assert.equal(eolOf("a\r\nb\r\n"), "\r\n");
  assert.equal(eolOf("a\nb"), "\n");
  assert.equal(eolOf("a\r\nb\n"), "mixed");
  assert.equal(eolOf("a\rb"), "");
  assert.deepEqual(splitLines("a\r\n\nb\n"), ["a", "", "b"]);
  assert.deepEqual(splitLines("\n"), [""]);
  assert.deepEqual(splitLines(""), []);
});

const units = (...values: number[]) => new Uint8Array(new Uint16Array(values).buffer);
const text = [..."plain text in it"].map((one) => one.charCodeAt(0));

Deno.test("a pair of surrogates is a character of UTF-16, one half beside another unit is none", () => {
  assert.equal(looksUtf16(units(...text, 0xd83d, 0xde00, ...text)), "utf-16le");
  assert.equal(looksUtf16(units(...text, 0xd83d, 0x0041, ...text)), undefined);
  assert.equal(looksUtf16(units(...text, 0xd83d, 0xe000, ...text)), undefined);
  assert.equal(looksUtf16(units(...text, 0xde00, ...text)), undefined);
});
