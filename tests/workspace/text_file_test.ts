import assert from "node:assert/strict";
import fc from "fast-check";
import {
  decodeText,
  EncodeError,
  encodeText,
  type Encoding,
  eolOf,
  looksBinary,
  roundTrips,
  splitLines,
} from "../../src/workspace/text_file.ts";

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
      if (file.encoding === "utf-8" || file.encoding === "windows-1252") {
        assert.ok(roundTrips(file, bytes));
      }
    }),
    { numRuns: 500 },
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

Deno.test("gb18030 writes every Unicode character", () => {
  const anyText = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed());
  const check = (texts: string[]) => {
    const text = texts.join("").replaceAll("\ue5e5", "");
    const bytes = encodeText(text, { encoding: "gb18030", bom: false });
    assert.equal(new TextDecoder("gb18030").decode(bytes), text);
  };
  fc.assert(fc.property(fc.array(anyText, { maxLength: 50 }), check), { numRuns: 20 });
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
