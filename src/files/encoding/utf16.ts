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
