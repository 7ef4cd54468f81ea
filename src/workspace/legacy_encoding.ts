/** A table from character to bytes, made by decoding every byte sequence of an encoding. */
export type EncodeTable = ReadonlyMap<number, readonly number[]>;

/** Returns the table of windows-1252, whose 256 bytes all stand for one character. */
export function windows1252Table(): EncodeTable {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const text = new TextDecoder("windows-1252").decode(bytes);
  return new Map(Array.from(text, (char, index) => [char.codePointAt(0)!, [index]]));
}

/** Returns the table of gb18030 for the Basic Multilingual Plane; the rest follows a formula. */
export function gb18030Table(): EncodeTable {
  const table = new Map<number, readonly number[]>();
  const decoder = new TextDecoder("gb18030");
  for (let first = 0x81; first <= 0x84; first++) {
    for (let second = 0x30; second <= 0x39; second++) {
      const sequences: number[][] = [];
      for (let third = 0x81; third <= 0xfe; third++) {
        for (let fourth = 0x30; fourth <= 0x39; fourth++) {
          sequences.push([first, second, third, fourth]);
        }
      }
      addDecoded(table, decoder, sequences);
    }
  }
  // two bytes come last: where both forms exist, the short one is written
  for (let first = 0x81; first <= 0xfe; first++) {
    const sequences: number[][] = [];
    for (let second = 0x40; second <= 0xfe; second++) {
      if (second !== 0x7f) sequences.push([first, second]);
    }
    addDecoded(table, decoder, sequences);
  }
  for (let code = 0; code < 0x80; code++) table.set(code, [code]);
  return table;
}

/** Returns the four gb18030 bytes of a character above U+FFFF. */
export function gb18030Above(code: number): number[] {
  const index = code - 0x10000;
  return [
    0x90 + Math.floor(index / 12600),
    0x30 + Math.floor(index / 1260) % 10,
    0x81 + Math.floor(index / 10) % 126,
    0x30 + index % 10,
  ];
}

function addDecoded(
  table: Map<number, readonly number[]>,
  decoder: TextDecoder,
  sequences: readonly number[][],
): void {
  const text = decoder.decode(Uint8Array.from(sequences.flatMap((bytes) => [...bytes, 0x0a])));
  text.split("\n").forEach((char, index) => {
    const code = char.codePointAt(0);
    const bytes = sequences[index];
    const single = code !== undefined && char.length === (code > 0xffff ? 2 : 1);
    if (bytes && single && code !== 0xfffd && code <= 0xffff) table.set(code, bytes);
  });
}
