import {
  type EncodeTable,
  gb18030Above,
  gb18030Table,
  windows1252Table,
} from "./legacy_encoding.ts";

/** The encodings that are read and written back. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "windows-1252";

/** How a file's text is kept in bytes. */
export interface Coding {
  readonly encoding: Encoding;
  /** True when a byte order mark leads; it is not part of the text. */
  readonly bom: boolean;
}

/** A decoded file. In UTF-8, a byte that is not valid stands as the lone surrogate U+DC00 + byte. */
export interface TextFile extends Coding {
  readonly text: string;
}

/** Thrown by `encodeText` for a character the encoding does not have. */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
  readonly char: string;
  readonly encoding: Encoding;

  constructor(char: string, encoding: Encoding) {
    super(`Cannot write "${char}" in ${encoding}: the encoding does not have it`);
    this.char = char;
    this.encoding = encoding;
  }
}

/** How much of a file's start decides whether it is binary. */
export const SNIFF_BYTES = 8192;
const CONTROL_BYTES = 1024;

/** True for a NUL in the first 8 KB, or more than 30 % control bytes in the first one; UTF-16 with a mark is text. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (markOf(bytes)?.encoding.startsWith("utf-16")) return false;
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return true;
  const head = bytes.subarray(0, CONTROL_BYTES);
  let control = 0;
  for (const byte of head) {
    // tab, line feed, form feed, carriage return, backspace and escape are text
    if ((byte < 32 && !(byte >= 8 && byte <= 13 && byte !== 11) && byte !== 27) || byte === 127) {
      control++;
    }
  }
  return control > head.length * 0.3;
}

/** Finds the encoding of whole lines of a file: a mark, else UTF-8, else what the bytes resemble. */
export function detectCoding(bytes: Uint8Array): Coding {
  const mark = markOf(bytes);
  if (mark) return mark;
  const encoding = isUtf8(bytes) ? "utf-8" : resembles(bytes);
  return { encoding, bom: false };
}

/** Decodes a text file; never throws. `roundTrips` tells whether writing it back is safe. */
export function decodeText(bytes: Uint8Array): TextFile {
  const mark = markOf(bytes);
  if (!mark) {
    const text = validUtf8(bytes);
    if (text !== undefined) return { text, encoding: "utf-8", bom: false };
  }
  const coding = mark ?? { encoding: resembles(bytes), bom: false };
  const body = coding.bom ? bytes.subarray(coding.encoding === "utf-8" ? 3 : 2) : bytes;
  return { ...coding, text: decodeAs(body, coding.encoding) };
}

/** Decodes bytes whose encoding is known and which carry no mark. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "utf-8") return validUtf8(bytes) ?? escapedUtf8(bytes);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Encodes text as the file was; throws EncodeError for a character its encoding lacks. */
export function encodeText(text: string, coding: Coding): Uint8Array<ArrayBuffer> {
  const { encoding, bom } = coding;
  if (encoding === "utf-8") return bom ? encodeUtf8("\ufeff" + text) : encodeUtf8(text);
  if (encoding === "windows-1252") return encodeBy(text, windows1252Table(), encoding);
  if (encoding === "gb18030") return encodeBy(text, gb18030Table(), encoding);
  return encodeUtf16(bom ? "\ufeff" + text : text, encoding === "utf-16le");
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
  let crlf = false;
  let lf = false;
  for (let at = text.indexOf("\n"); at >= 0 && !(crlf && lf); at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf = true;
    else lf = true;
  }
  return crlf && lf ? "mixed" : crlf ? "\r\n" : lf ? "\n" : "";
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
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", bom: true };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", bom: true };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bom: true };
  return undefined;
}

function validUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  return validUtf8(bytes) !== undefined;
}

/**
 * Guesses among UTF-8 with a few bad bytes, gb18030 and windows-1252: Chinese text is made of
 * pairs of high bytes, western text of single ones between letters.
 */
function resembles(bytes: Uint8Array): Encoding {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = utf8Length(bytes, at);
    if (length === 0) invalid++;
    else valid++;
    at += length || 1;
  }
  if (valid > 0 && invalid * 4 <= valid) return "utf-8";
  let pairs = 0;
  let others = 0;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    const next = bytes[at + 1] ?? 0;
    if (lead < 0x80) {
      at++;
    } else if (lead === 0x80 || lead === 0xff || next < 0x30 || next === 0x7f || next === 0xff) {
      others += 4;
      at++;
    } else if (next <= 0x39) {
      at += 4;
    } else {
      if (next >= 0xa1) pairs++;
      else others++;
      at += 2;
    }
  }
  return pairs > others ? "gb18030" : "windows-1252";
}

/** The length of the valid multi-byte sequence at `at`, or 0. */
function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  if (lead === 0xe0 && second < 0xa0 || lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90 || lead === 0xf4 && second > 0x8f) return 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  return length;
}

function escapedUtf8(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]! < 0x80 ? 1 : utf8Length(bytes, at);
    if (length === 0) {
      text += decoder.decode(bytes.subarray(start, at)) + String.fromCharCode(0xdc00 + bytes[at]!);
      start = at + 1;
    }
    at += length || 1;
  }
  return text + decoder.decode(bytes.subarray(start));
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

function encodeBy(text: string, table: EncodeTable, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(text.length * 4);
  let length = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    const above = encoding === "gb18030" && code > 0xffff;
    const packed = above ? gb18030Above(code) : table[code] ?? 0;
    if (packed === 0 && code !== 0) throw new EncodeError(char, encoding);
    if (packed > 0xffff) {
      out[length++] = packed >>> 24;
      out[length++] = packed >>> 16;
    }
    if (packed > 0xff) out[length++] = packed >>> 8;
    out[length++] = packed;
  }
  return out.slice(0, length);
}
