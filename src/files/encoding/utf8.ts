/** UTF-8 that is not all valid. */
import { RARE, westernLetter } from "./single_byte_score.ts";

/** Logarithms of probabilities. */
const BAD_BYTE = -11;
const CUT_OFF = -6;
const PICTURE = -8;
const ODD = -12;
/** [first, last, score] of the characters of a script, or of several. */
const BLOCKS = [
  [0x370, 0x3ff, -4],
  [0x400, 0x45f, -4],
  [0x590, 0x6ff, -6],
  [0xe00, 0xe7f, -6],
  [0x2010, 0x27bf, -8],
  [0x3000, 0x30ff, -7],
  [0x4e00, 0x9fff, -8],
  [0xac00, 0xd7a3, -7],
  [0xff00, 0xff65, -8],
] as const;

/**
 * The logarithm of the probability of the bytes above ASCII as UTF-8 with bad bytes. Sequences come
 * out valid by chance in few texts of other encodings, and then as characters that few texts have.
 */
export function utf8Score(bytes: Uint8Array): number {
  let score = 0;
  let found = false;
  for (let at = 0; at < bytes.length;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = utf8Length(bytes, at);
    if (length > 0) {
      found = true;
      score += charScore(codePoint(bytes, at, length));
    } else if (endsWithin(bytes, at)) {
      score += CUT_OFF;
      break;
    } else {
      score += BAD_BYTE;
    }
    at += length || 1;
  }
  return found ? score : -Infinity;
}

/** The length of the valid multi-byte sequence at `at`, or 0. */
export function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lengthByLead(lead);
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  if (lead === 0xe0 && second < 0xa0 || lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90 || lead === 0xf4 && second > 0x8f) return 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  return length;
}

function lengthByLead(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/** True for a sequence that is right as far as the bytes go. */
function endsWithin(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at]!;
  if (lead < 0xc2 || lead > 0xf4 || at + lengthByLead(lead) <= bytes.length) return false;
  return bytes.subarray(at + 1).every((byte) => (byte & 0xc0) === 0x80);
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let code = bytes[at]! & 0xff >> length + 1;
  for (let i = 1; i < length; i++) code = code << 6 | bytes[at + i]! & 0x3f;
  return code;
}

function charScore(code: number): number {
  if (code <= 0xff) return westernLetter(code);
  if (code >= 0x1f000 && code <= 0x1faff) return PICTURE;
  return BLOCKS.find(([first, last]) => code >= first && code <= last)?.[2] ??
    (code > 0xffff ? RARE : ODD);
}
