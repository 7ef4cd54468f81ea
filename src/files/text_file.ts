import { guessEncoding } from "./encoding/guess_encoding.ts";
import {
  decodeLegacy,
  encodeLegacy,
  escapeBad,
  type LegacyEncoding,
} from "./encoding/legacy_encoding.ts";
import { utf8Length } from "./encoding/scores.ts";

/** Where text that is not mostly Latin has its characters: [first, last]. */
const TEXT_BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x00a0, 0x024f],
  [0x0370, 0x052f],
  [0x2000, 0x206f],
  [0x20a0, 0x2312],
  [0x2460, 0x26ff],
  [0x3000, 0x30ff],
  [0x3131, 0x318e],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff01, 0xffee],
];
const LEAST_UNITS = 2;

/**
 * Recognises UTF-16 without a mark: most NULs stand on one side, as the upper halves of ASCII
 * characters, and every other unit is a character of a living script.
 */
export function looksUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const length = bytes.length & ~1;
  if (length < LEAST_UNITS * 2) return undefined;
  const nuls = [0, 0];
  for (let at = bytes.indexOf(0); at >= 0 && at < length; at = bytes.indexOf(0, at + 1)) {
    nuls[at % 2]!++;
  }
  const [even, odd] = nuls as [number, number];
  if (odd > 0 && odd >= even && isText(bytes, length, 1)) return "utf-16le";
  if (even > 0 && even >= odd && isText(bytes, length, 0)) return "utf-16be";
  return undefined;
}

/** `high`: which byte of a unit is the upper one. */
function isText(bytes: Uint8Array, length: number, high: 0 | 1): boolean {
  let ascii = 0;
  let doubtful = 0;
  for (let at = 0; at < length; at += 2) {
    const unit = bytes[at + high]! << 8 | bytes[at + 1 - high]!;
    if (unit < 0x80) ascii++;
    else if (isAsciiByte(unit >> 8) && isAsciiByte(unit & 0xff)) doubtful++;
    if (isTextUnit(unit)) continue;
    if (unit < 0xd800 || unit > 0xdbff) return false;
    at += 2;
    // the bytes may end inside a pair
    const next = at < length ? bytes[at + high]! << 8 | bytes[at + 1 - high]! : 0xdc00;
    if (next < 0xdc00 || next > 0xdfff) return false;
  }
  // letters of ASCII between some NULs, two by two, would be Chinese
  const units = length / 2;
  return doubtful * 2 < units - ascii || ascii * 10 > units * 7;
}

function isAsciiByte(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

function isTextUnit(unit: number): boolean {
  if (unit < 0x80) return unit >= 0x20 && unit !== 0x7f || unit >= 9 && unit <= 13;
  return TEXT_BLOCKS.some(([first, last]) => unit >= first && unit <= last);
}

export { EncodeError } from "./encoding/legacy_encoding.ts";

/** The encodings that are read and written back. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

/** How a file's text is kept in bytes. */
export interface Coding {
  readonly encoding: Encoding;
  /** True when a byte order mark leads; it is not part of the text. */
  readonly bom: boolean;
}

/** A decoded file. A byte that is not valid stands as the lone surrogate U+DC00 + byte (not in UTF-16). */
export interface TextFile extends Coding {
  readonly text: string;
}

/** How much of a file's start decides whether it is binary. */
export const SNIFF_BYTES = 8192;
const CONTROL_BYTES = 1024;

/** True for a NUL in the first 8 KB, or more than 30 % control bytes in the first one; UTF-16 is text. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (markOf(bytes)?.encoding.startsWith("utf-16")) return false;
  const start = bytes.subarray(0, SNIFF_BYTES);
  if (start.includes(0)) return looksUtf16(start) === undefined;
  const head = bytes.subarray(0, CONTROL_BYTES);
  let control = 0;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at]!;
    // tab, line feed, form feed, carriage return, backspace and escape are text
    if ((byte < 32 && !(byte >= 8 && byte <= 13 && byte !== 11) && byte !== 27) || byte === 127) {
      control++;
    }
  }
  return control > head.length * 0.3;
}

/** Finds the encoding of whole lines of a file: a mark, else UTF-8, else what the bytes resemble. */
export function detectCoding(bytes: Uint8Array): Coding {
  return evident(bytes) ?? unmarked(bytes, validUtf8(bytes) !== undefined);
}

/** Decodes a text file; never throws. `roundTrips` tells whether writing it back is safe. */
export function decodeText(bytes: Uint8Array): TextFile {
  let coding = evident(bytes);
  if (!coding) {
    const text = validUtf8(bytes);
    coding = unmarked(bytes, text !== undefined);
    if (text !== undefined) return { text, ...coding };
  }
  const mark = !coding.bom ? 0 : coding.encoding === "utf-8" ? 3 : 2;
  return { text: decodeAs(bytes.subarray(mark), coding.encoding), ...coding };
}

/** What a mark says, or the evident UTF-16 of a file without one. */
function evident(bytes: Uint8Array): Coding | undefined {
  const mark = markOf(bytes);
  if (mark) return mark;
  const encoding = looksUtf16(bytes.subarray(0, SNIFF_BYTES));
  return encoding && { encoding, bom: false };
}

function unmarked(bytes: Uint8Array, valid: boolean): Coding {
  return { encoding: valid ? "utf-8" : guessEncoding(bytes), bom: false };
}

function validUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes bytes whose encoding is known and which carry no mark. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  }
  if (encoding !== "utf-8") return decodeLegacy(bytes, encoding);
  const valid = validUtf8(bytes);
  if (valid !== undefined) return valid;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return escapeBad(bytes, decoder, (at) => utf8Length(bytes, at));
}

/** Encodes text as the file was; throws EncodeError for a character its encoding lacks. */
export function encodeText(text: string, coding: Coding): Uint8Array<ArrayBuffer> {
  const { encoding, bom } = coding;
  const marked = bom ? "\ufeff" + text : text;
  if (encoding === "utf-8") return encodeUtf8(marked);
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return encodeUtf16(marked, encoding === "utf-16le");
  }
  return encodeLegacy(text, encoding);
}

/** True when encoding the decoded file gives exactly its bytes. */
export function roundTrips(file: TextFile, bytes: Uint8Array): boolean {
  // valid UTF-8 cannot be lost; what is not valid has left lone surrogates
  if (file.encoding === "utf-8" && file.text.isWellFormed()) return true;
  try {
    const again = encodeText(file.text, file);
    if (again.length !== bytes.length) return false;
    for (let at = 0; at < bytes.length; at++) if (again[at] !== bytes[at]) return false;
    return true;
  } catch {
    return false;
  }
}

/** The line ends of a text; empty when it has none. */
export function eolOf(text: string): "" | "\n" | "\r\n" | "mixed" {
  if (!text.includes("\r\n")) return text.includes("\n") ? "\n" : "";
  return /(?<!\r)\n/.test(text) ? "mixed" : "\r\n";
}

/** Returns the lines without their ends; a final line end opens no further line. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
}

/** Returns the hex SHA-256 of the bytes. */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function markOf(bytes: Uint8Array): Coding | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", bom: true };
  // two NULs behind it make it the mark of UTF-32, which is not read
  if (a === 0xff && b === 0xfe && (c !== 0 || d !== 0)) return { encoding: "utf-16le", bom: true };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bom: true };
  return undefined;
}

function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const parts = text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)
    .map((part, index) =>
      index % 2 === 0 ? encoder.encode(part) : Uint8Array.of(part.charCodeAt(0) - 0xdc00)
    );
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function encodeUtf16(text: string, little: boolean): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(text.length * 2);
  const view = new DataView(out.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), little);
  return out;
}
