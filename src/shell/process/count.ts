/** Counts in bytes of UTF-8, four bytes at a time where that is possible: floods are long. */

const NEWLINE = 10;

/** Characters of UTF-8: every byte but those that continue one. */
export function countChars(bytes: Uint8Array): number {
  const { before, words, after } = inWords(bytes);
  let continuing = continuations(before) + continuations(after);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    for (let bits = word & ~(word << 1) & 0x80808080; bits !== 0; bits &= bits - 1) continuing++;
  }
  return bytes.length - continuing;
}

/** How many line feeds there are. */
export function countNewlines(bytes: Uint8Array): number {
  const { before, words, after } = inWords(bytes);
  let count = 0;
  for (const byte of before) if (byte === NEWLINE) count++;
  for (const byte of after) if (byte === NEWLINE) count++;
  for (let i = 0; i < words.length; i++) {
    const others = words[i]! ^ 0x0a0a0a0a;
    // the highest bit of each byte that is 0, which was a line feed
    const found = ~(((others & 0x7f7f7f7f) + 0x7f7f7f7f) | others | 0x7f7f7f7f);
    count += Math.imul((found >>> 7) & 0x01010101, 0x01010101) >>> 24;
  }
  return count;
}

/** The bytes, and those in the middle as words of four. */
function inWords(bytes: Uint8Array): {
  readonly before: Uint8Array;
  readonly words: Int32Array;
  readonly after: Uint8Array;
} {
  const lead = Math.min((4 - bytes.byteOffset % 4) % 4, bytes.length);
  const count = (bytes.length - lead) >> 2;
  // a view of no words may not begin at any byte either
  const words = count > 0
    ? new Int32Array(bytes.buffer, bytes.byteOffset + lead, count)
    : new Int32Array();
  return {
    before: bytes.subarray(0, lead),
    words,
    after: bytes.subarray(lead + count * 4),
  };
}

function continuations(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) === 0x80) count++;
  return count;
}
