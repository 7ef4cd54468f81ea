/** What stands in place of a code point where bytes are no UTF-8. */
export const INVALID = 0x1fffff;

/**
 * Decodes the character at `at` (before `to`): its code point, or INVALID, times 8, plus the number
 * of bytes it takes (1 when invalid).
 */
export function decodeUtf8(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first << 3 | 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > to) return INVALID << 3 | 1;
  const second = bytes[at + 1]!;
  if ((second & 0xc0) !== 0x80) return INVALID << 3 | 1;
  if (size === 2) return (first & 0x1f) << 9 | (second & 0x3f) << 3 | 2;
  const third = bytes[at + 2]!;
  if ((third & 0xc0) !== 0x80) return INVALID << 3 | 1;
  if (size === 3) {
    const code = (first & 0x0f) << 12 | (second & 0x3f) << 6 | (third & 0x3f);
    return code < 0x800 || (code & 0xf800) === 0xd800 ? INVALID << 3 | 1 : code << 3 | 3;
  }
  const fourth = bytes[at + 3]!;
  if ((fourth & 0xc0) !== 0x80) return INVALID << 3 | 1;
  const code = (first & 0x07) << 18 | (second & 0x3f) << 12 | (third & 0x3f) << 6 | (fourth & 0x3f);
  return code < 0x10000 || code > 0x10ffff ? INVALID << 3 | 1 : code << 3 | 4;
}
