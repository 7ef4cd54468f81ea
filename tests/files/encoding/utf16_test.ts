import assert from "node:assert/strict";
import { looksUtf16 } from "../../../src/files/encoding/utf16.ts";

const units = (...values: number[]) => new Uint8Array(new Uint16Array(values).buffer);
const text = [..."plain text in it"].map((one) => one.charCodeAt(0));

Deno.test("a pair of surrogates is a character of UTF-16, one half beside another unit is none", () => {
  assert.equal(looksUtf16(units(...text, 0xd83d, 0xde00, ...text)), "utf-16le");
  assert.equal(looksUtf16(units(...text, 0xd83d, 0x0041, ...text)), undefined);
  assert.equal(looksUtf16(units(...text, 0xd83d, 0xe000, ...text)), undefined);
  assert.equal(looksUtf16(units(...text, 0xde00, ...text)), undefined);
});
