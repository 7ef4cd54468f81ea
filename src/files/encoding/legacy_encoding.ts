/** The encodings older than Unicode in which a character takes one to four bytes. */
export type MultiByte = "gb18030" | "big5" | "shift_jis" | "euc-kr" | "euc-jp";
/** Those in which each character takes one. */
export type SingleByte = "windows-1252" | "windows-1251" | "koi8-r";
export type LegacyEncoding = MultiByte | SingleByte;

/** Thrown for a character that an encoding does not have. */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
  readonly char: string;
  readonly encoding: LegacyEncoding;

  constructor(char: string, encoding: LegacyEncoding) {
    super(`Cannot write "${char}" in ${encoding}: the encoding does not have it`);
    this.char = char;
    this.encoding = encoding;
  }
}

/** The bytes of each character as one number, first byte highest; 0 where the encoding lacks it. */
interface EncodeTable {
  readonly plane: Uint32Array;
  /** Characters above U+FFFF. */
  readonly above: ReadonlyMap<number, number>;
}

/** Stands in a pair table for a pair that is two characters, as four of Big5 are. */
const TWO_CHARACTERS = 0x110000;
/** The six characters of Big5 whose later pair is the usual one. */
const BIG5_LATER = "═╞╡╪十卅";

/** Decodes bytes; each that is no part of a character becomes the lone surrogate U+DC00 + byte. */
export function decodeLegacy(bytes: Uint8Array, encoding: LegacyEncoding): string {
  // every byte of these is a character
  if (isSingleByte(encoding)) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return escapeBad(bytes, new TextDecoder(encoding), (at) => legacyLength(bytes, at, encoding));
  }
}

function isSingleByte(encoding: LegacyEncoding): encoding is SingleByte {
  return encoding.startsWith("windows-") || encoding === "koi8-r";
}

/** Decodes what `lengthAt` calls a character and escapes every byte for which it says 0. */
export function escapeBad(
  bytes: Uint8Array,
  decoder: TextDecoder,
  lengthAt: (at: number) => number,
): string {
  let text = "";
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]! < 0x80 ? 1 : lengthAt(at);
    if (length === 0) {
      text += decoder.decode(bytes.subarray(start, at)) + String.fromCharCode(0xdc00 + bytes[at]!);
      start = at + 1;
    }
    at += length || 1;
  }
  return text + decoder.decode(bytes.subarray(start));
}

/** Encodes text, escaped bytes as what they were; throws EncodeError for a character that is lacking. */
export function encodeLegacy(text: string, encoding: LegacyEncoding): Uint8Array<ArrayBuffer> {
  const table = encodeTable(encoding);
  const out = new Uint8Array(text.length * 4);
  let length = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0x80 || (code >= 0xdc80 && code <= 0xdcff)) {
      out[length++] = code;
      continue;
    }
    const packed = code <= 0xffff
      ? table.plane[code]!
      : encoding === "gb18030"
      ? gb18030Above(code)
      : table.above.get(code) ?? 0;
    if (packed === 0) throw new EncodeError(char, encoding);
    if (packed > 0xffffff) out[length++] = packed >>> 24;
    if (packed > 0xffff) out[length++] = packed >>> 16;
    if (packed > 0xff) out[length++] = packed >>> 8;
    out[length++] = packed;
  }
  return out.slice(0, length);
}

/** The length of the character at `at`, whose first byte is not ASCII; 0 when there is none. */
export function legacyLength(bytes: Uint8Array, at: number, encoding: MultiByte): number {
  const lead = bytes[at]!;
  const next = bytes[at + 1] ?? 0;
  if (encoding === "shift_jis" && lead >= 0xa1 && lead <= 0xdf) return 1;
  if (encoding === "gb18030" && next >= 0x30 && next <= 0x39) {
    return decodes(bytes.subarray(at, at + 4), encoding) ? 4 : 0;
  }
  if (encoding === "euc-jp" && lead === 0x8f) {
    return decodes(bytes.subarray(at, at + 3), encoding) ? 3 : 0;
  }
  return pairTable(encoding)[lead << 8 | next] === 0 ? 0 : 2;
}

/** The code point of every pair of bytes (`first << 8 | second`), 0 where there is none. */
export const pairTable = once((encoding: MultiByte): Uint32Array => {
  const table = new Uint32Array(0x10000);
  const pairs: number[] = [];
  for (let first = 0x81; first <= 0xfe; first++) {
    if (encoding === "shift_jis" && first >= 0xa0 && first <= 0xdf) continue;
    for (let second = 0x40; second <= 0xfe; second++) pairs.push(first << 8 | second);
  }
  decodeEach(pairs, 2, encoding, (pair, code) => table[pair] = code);
  return table;
});

const encodeTable = once((encoding: LegacyEncoding): EncodeTable => {
  const plane = new Uint32Array(0x10000);
  const above = new Map<number, number>();
  if (isSingleByte(encoding)) {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const text = new TextDecoder(encoding).decode(bytes);
    for (let byte = 0x80; byte < 256; byte++) plane[text.charCodeAt(byte)] = byte;
    return { plane, above };
  }
  for (const { sequences, size } of longSequences(encoding)) {
    decodeEach(sequences, size, encoding, (packed, code) => {
      if (code <= 0xffff) plane[code] = packed;
    });
  }
  // pairs come after longer forms, and the usual pair last: what is written is the usual form
  const later = new Set(Array.from(BIG5_LATER, (char) => char.charCodeAt(0)));
  const pairs = pairTable(encoding);
  for (const unusual of [true, false]) {
    for (let pair = 0xffff; pair > 0; pair--) {
      const code = pairs[pair]!;
      if (code === 0 || code === TWO_CHARACTERS || isUnusual(pair, encoding) !== unusual) continue;
      if (code > 0xffff) above.set(code, pair);
      else if (encoding !== "big5" || !later.has(code) || plane[code] === 0) plane[code] = pair;
    }
  }
  if (encoding === "shift_jis") {
    plane[0x80] = 0x80;
    for (let byte = 0xa1; byte <= 0xdf; byte++) plane[0xff61 - 0xa1 + byte] = byte;
  }
  return { plane, above };
});

/** Shift-JIS has some characters twice; Big5 has those of Hong Kong's extension before its own. */
function isUnusual(pair: number, encoding: MultiByte): boolean {
  const lead = pair >> 8;
  if (encoding === "shift_jis") return lead === 0xed || lead === 0xee;
  return encoding === "big5" && lead < 0xa1;
}

/** Every sequence of three or four bytes that may be a character of the basic plane. */
function longSequences(encoding: MultiByte): { sequences: number[]; size: number }[] {
  const sequences: number[] = [];
  if (encoding === "euc-jp") {
    for (let second = 0xa1; second <= 0xfe; second++) {
      for (let third = 0xa1; third <= 0xfe; third++) {
        sequences.push(0x8f << 16 | second << 8 | third);
      }
    }
    return [{ sequences, size: 3 }];
  }
  if (encoding !== "gb18030") return [];
  for (let first = 0x81; first <= 0x84; first++) {
    for (let second = 0x30; second <= 0x39; second++) {
      for (let third = 0x81; third <= 0xfe; third++) {
        const start = (first << 24 | second << 16 | third << 8) >>> 0;
        for (let fourth = 0x30; fourth <= 0x39; fourth++) sequences.push(start + fourth);
      }
    }
  }
  return [{ sequences, size: 4 }];
}

/** Returns the four gb18030 bytes of a character above U+FFFF as one number; they follow a formula. */
function gb18030Above(code: number): number {
  const index = code - 0x10000;
  const bytes = [
    0x90 + Math.floor(index / 12600),
    0x30 + Math.floor(index / 1260) % 10,
    0x81 + Math.floor(index / 10) % 126,
    0x30 + index % 10,
  ];
  return bytes.reduce((packed, byte) => packed * 256 + byte, 0);
}

/** Tells for each sequence that the platform decodes the code point, or TWO_CHARACTERS. */
function decodeEach(
  sequences: readonly number[],
  size: number,
  encoding: MultiByte,
  tell: (packed: number, code: number) => void,
): void {
  const bytes = new Uint8Array(sequences.length * (size + 1)).fill(0x0a);
  let at = 0;
  for (const packed of sequences) {
    for (let i = 1; i <= size; i++) bytes[at++] = packed >>> (size - i) * 8;
    at++;
  }
  const text = new TextDecoder(encoding).decode(bytes);
  at = 0;
  for (const packed of sequences) {
    const first = text.charCodeAt(at);
    let units = 0;
    let bad = false;
    for (let unit = first; unit !== 0x0a; unit = text.charCodeAt(++at)) {
      if (unit === 0xfffd) bad = true;
      units++;
    }
    const code = units === 0 ? 0 : text.codePointAt(at - units)!;
    if (!bad && units > 0) tell(packed, units > (code > 0xffff ? 2 : 1) ? TWO_CHARACTERS : code);
    at++;
  }
}

function decodes(bytes: Uint8Array, encoding: MultiByte): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.length === String.fromCodePoint(text.codePointAt(0)!).length;
  } catch {
    return false;
  }
}

/** A function of a constant's name that works out the constant when it is first asked for. */
export function once<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, value = make(key));
    return value;
  };
}
