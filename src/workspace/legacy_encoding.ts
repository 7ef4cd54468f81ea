/**
 * For each character of the Basic Multilingual Plane its bytes as one number, first byte highest,
 * or 0 where the encoding lacks it (and for U+0000, which is the byte 0).
 */
export type EncodeTable = Uint32Array;

/** Returns the table of windows-1252, whose 256 bytes all stand for one character. */
export function windows1252Table(): EncodeTable {
  const table = new Uint32Array(0x10000);
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const text = new TextDecoder("windows-1252").decode(bytes);
  for (let byte = 0; byte < 256; byte++) table[text.charCodeAt(byte)] = byte;
  return table;
}

/** Returns the table of gb18030, made by decoding every byte sequence; takes some milliseconds. */
export function gb18030Table(): EncodeTable {
  const table = new Uint32Array(0x10000);
  const four: number[] = [];
  for (let first = 0x81; first <= 0x84; first++) {
    for (let second = 0x30; second <= 0x39; second++) {
      for (let third = 0x81; third <= 0xfe; third++) {
        const start = (first << 24 | second << 16 | third << 8) >>> 0;
        for (let fourth = 0x30; fourth <= 0x39; fourth++) four.push(start + fourth);
      }
    }
  }
  addDecoded(table, four, 4);
  // two bytes come last: where both forms exist, the short one is written
  const two: number[] = [];
  for (let first = 0x81; first <= 0xfe; first++) {
    for (let second = 0x40; second <= 0xfe; second++) {
      if (second !== 0x7f) two.push(first << 8 | second);
    }
  }
  addDecoded(table, two, 2);
  for (let code = 0; code < 0x80; code++) table[code] = code;
  return table;
}

/** Returns the four gb18030 bytes of a character above U+FFFF as one number; they follow a formula. */
export function gb18030Above(code: number): number {
  const index = code - 0x10000;
  const bytes = [
    0x90 + Math.floor(index / 12600),
    0x30 + Math.floor(index / 1260) % 10,
    0x81 + Math.floor(index / 10) % 126,
    0x30 + index % 10,
  ];
  return bytes.reduce((packed, byte) => packed * 256 + byte, 0);
}

function addDecoded(table: EncodeTable, sequences: readonly number[], size: 2 | 4): void {
  const bytes = new Uint8Array(sequences.length * (size + 1));
  let at = 0;
  for (const packed of sequences) {
    for (let shift = (size - 1) * 8; shift >= 0; shift -= 8) bytes[at++] = packed >>> shift;
    bytes[at++] = 0x0a;
  }
  const chars = new TextDecoder("gb18030").decode(bytes).split("\n");
  chars.forEach((char, index) => {
    if (char.length === 1 && char !== "\ufffd") table[char.charCodeAt(0)] = sequences[index]!;
  });
}
