/**
 * How likely bytes are text: of an encoding that has one byte for each character, or of UTF-8 that
 * is not all valid.
 */
import { once, type SingleByte } from "./legacy_encoding.ts";

/** Logarithms of probabilities. */
export const RARE = -16.5;
/** A character of another script right beside a Latin letter is less likely than beside anything else. */
export const BESIDE_LETTER = -2.3;

/** Western letters and marks with their share among the bytes above ASCII. */
const WESTERN: readonly (readonly [chars: string, share: number])[] = [
  ["éäöüáíóàñåãçèêßÇ", 0.76],
  ["úõøæâôîûùïëìòÉÜÖÄÅÁÓÀÈÃÕ", 0.14],
  ["’‘“”–—…«»°·§¿¡€™£©®\u00a0", 0.08],
  ["•ÊÂÎÔÛËÏÙÍÚÑØÆýÿœŒðþÐÞšžŠŽ±²³µ¼½¾×÷ªº†„", 0.02],
];
const WESTERN_PRIOR = 1.5;
const HIGH_AFTER_HIGH = -2.5;
const MARK_AFTER_MARK = -0.7;
const LETTER_ALONE = -1.5;
const MARK_IN_WORD = -1.2;

/** The encodings of Cyrillic letters. */
export const CYRILLIC = ["windows-1251", "koi8-r"] as const;
/** Cyrillic letters and marks with their share among the bytes above ASCII. */
const CYRILLIC_SHARES: readonly (readonly [chars: string, share: number])[] = [
  ["оеаинт", 0.47],
  ["срвлкмдп", 0.32],
  ["уяыьгзбчй", 0.15],
  ["хжшюцщэфъёіїєґў", 0.05],
  ["«»—–…“”„’№©°§\u00a0", 0.01],
];
const CYRILLIC_PRIOR = { "windows-1251": -3, "koi8-r": -3.6 } as const;
const CAPITAL_FIRST = -1.5;
const CAPITAL_AFTER_CAPITAL = -0.2;
const CAPITAL_IN_WORD = -5;

const westernScores = once((_: "windows-1252"): Float32Array => {
  const scores = new Float32Array(256).fill(RARE);
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = new TextDecoder("windows-1252").decode(bytes);
  for (const [chars, share] of WESTERN) {
    for (const char of chars) scores[text.indexOf(char)] = Math.log(share / chars.length);
  }
  return scores;
});

/** How likely a character of Latin-1 is among those of a western text. */
function westernLetter(code: number): number {
  return westernScores("windows-1252")[code]!;
}

/** The logarithm of the probability of the bytes above ASCII as a western language in windows-1252. */
export function westernScore(bytes: Uint8Array): number {
  const scores = westernScores("windows-1252");
  let score = WESTERN_PRIOR;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const before = bytes[at - 1] ?? 0x20;
    const after = bytes[at + 1] ?? 0x20;
    score += scores[byte]!;
    const letter = byte >= 0xc0;
    if (before >= 0x80) score += letter || before >= 0xc0 ? HIGH_AFTER_HIGH : MARK_AFTER_MARK;
    if (letter && !isLetter(before) && !isLetter(after)) score += LETTER_ALONE;
    if (!letter && byte !== 0x92 && isLetter(before) && isLetter(after)) score += MARK_IN_WORD;
  }
  return score;
}

/** The characters of the bytes above ASCII, as lower-case letters where they are letters. */
const cyrillicTable = once((encoding: SingleByte) => {
  const text = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, i) => i));
  const scores = new Float32Array(256).fill(RARE);
  const capital = new Uint8Array(256);
  const letter = new Uint8Array(256);
  for (const [chars, share] of CYRILLIC_SHARES) {
    for (const char of chars) {
      for (const form of new Set([char, char.toUpperCase()])) {
        const byte = text.indexOf(form);
        if (byte < 0x80) continue;
        scores[byte] = Math.log(share / chars.length);
        letter[byte] = form === char && char === char.toUpperCase() ? 0 : 1;
        capital[byte] = form === char ? 0 : 1;
      }
    }
  }
  return { scores, capital, letter };
});

/** The logarithm of the probability of the bytes above ASCII as Russian, or what is written like it. */
export function cyrillicScore(
  bytes: Uint8Array,
  encoding: (typeof CYRILLIC)[number],
): number {
  const { scores, capital, letter } = cyrillicTable(encoding);
  let score: number = CYRILLIC_PRIOR[encoding];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const before = bytes[at - 1] ?? 0x20;
    score += scores[byte]!;
    if (isLetter(before) || isLetter(bytes[at + 1] ?? 0x20)) score += BESIDE_LETTER;
    if (!capital[byte]) continue;
    score += !letter[before]
      ? CAPITAL_FIRST
      : capital[before]
      ? CAPITAL_AFTER_CAPITAL
      : CAPITAL_IN_WORD;
  }
  return score;
}

/** True for the byte of an ASCII letter. */
export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a && byte < 0x80;
}

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
