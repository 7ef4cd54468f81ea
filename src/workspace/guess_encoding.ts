import { HANGUL, KANJI, SIMPLIFIED, TRADITIONAL } from "./common_characters.ts";
import {
  type LegacyEncoding,
  legacyLength,
  type MultiByte,
  once,
  pairTable,
} from "./legacy_encoding.ts";

/** So many bytes of lines that are not pure ASCII are looked at. */
const SAMPLE_BYTES = 16_384;
const LINE_BYTES = 1024;
/** Logarithms of probabilities, as the models below use them. */
const BAD_BYTE = -14;
const RARE = -16.5;
const ASCII = -3.4;
/** A character of these scripts right beside a Latin letter is less likely than beside anything else. */
const BESIDE_LETTER = -2.3;
/** A half-width katakana, the one character that Shift-JIS keeps in one byte. */
const HALF_WIDTH = -10.3;
const PUNCTUATION = "，。、；：？！（）《》“”‘’…—·「」『』【】～";

/** How a script's characters are spread: the share of its common ones, and of whole blocks. */
interface Model {
  readonly encoding: MultiByte;
  /** Added to the score: how likely a file is in this encoding at all. */
  readonly prior: number;
  readonly common: string;
  readonly share: number;
  /** [first, last, share] of characters that are all about as frequent. */
  readonly blocks: readonly (readonly [first: number, last: number, share: number])[];
  /** [first, last lead byte, share]: where the encoding has its less frequent characters. */
  readonly level: readonly [first: number, last: number, share: number];
}

const KANA = [[0x3041, 0x3096, 0.36], [0x30a1, 0x30fe, 0.3]] as const;
const MODELS: readonly Model[] = [
  {
    encoding: "gb18030",
    prior: 0,
    common: SIMPLIFIED,
    share: 0.89,
    blocks: [],
    level: [0xb0, 0xd7, 0.04],
  },
  {
    encoding: "big5",
    prior: -0.5,
    common: TRADITIONAL,
    share: 0.89,
    blocks: [],
    level: [0xa4, 0xc6, 0.04],
  },
  {
    encoding: "shift_jis",
    prior: -0.5,
    common: KANJI,
    share: 0.24,
    blocks: KANA,
    level: [0x88, 0x97, 0.02],
  },
  {
    encoding: "euc-jp",
    prior: -2.5,
    common: KANJI,
    share: 0.24,
    blocks: KANA,
    level: [0xb0, 0xcf, 0.02],
  },
  {
    encoding: "euc-kr",
    prior: -0.5,
    common: HANGUL,
    share: 0.93,
    blocks: [],
    level: [0xb0, 0xc8, 0.05],
  },
];

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

/** Says which of the old encodings bytes that are not UTF-8 are most likely in. */
export function guessLegacy(bytes: Uint8Array): LegacyEncoding {
  const sample = linesWithHighBytes(bytes);
  let best: LegacyEncoding = "windows-1252";
  let most = westernScore(sample);
  for (const model of MODELS) {
    const score = scoreOf(sample, model);
    if (score > most) [best, most] = [model.encoding, score];
  }
  return best;
}

/** The lines with bytes above ASCII, shortened to what stands near those. */
function linesWithHighBytes(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  for (let at = 0; at < bytes.length && filled < SAMPLE_BYTES;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const start = Math.max(at - 1, 0);
    const newline = bytes.indexOf(0x0a, at);
    const end = Math.min(newline < 0 ? bytes.length : newline + 1, start + LINE_BYTES);
    const part = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES - filled));
    out.set(part, filled);
    filled += part.length;
    at = end;
  }
  return out.subarray(0, filled);
}

/** The logarithm of the probability of the bytes above ASCII, and of what they take with them. */
function scoreOf(bytes: Uint8Array, model: Model): number {
  const { encoding } = model;
  const scores = pairScores(model);
  let score = model.prior;
  let inside = false;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      if (inside && isLetter(lead)) score += BESIDE_LETTER;
      inside = false;
      at++;
      continue;
    }
    const length = legacyLength(bytes, at, encoding);
    if (length === 0) {
      score += BAD_BYTE;
      inside = false;
      at++;
      continue;
    }
    if (!inside && at > 0 && isLetter(bytes[at - 1]!)) score += BESIDE_LETTER;
    inside = true;
    if (length === 2) {
      const pair = lead << 8 | bytes[at + 1]!;
      score += scores[pair]!;
      if (bytes[at + 1]! < 0x80) score -= ASCII;
    } else {
      score += length === 1 ? HALF_WIDTH : RARE;
    }
    at += length;
  }
  return score;
}

/** The logarithm of each pair's probability. */
const pairScores = once((model: Model): Float32Array => {
  const scores = new Map<number, number>();
  for (const [first, last, share] of model.blocks) {
    for (let code = first; code <= last; code++) {
      scores.set(code, Math.log(share / (last - first + 1)));
    }
  }
  for (const char of PUNCTUATION) scores.set(char.charCodeAt(0), Math.log(0.003));
  const chars = [...model.common];
  const sum = Math.log((chars.length + 40) / 40);
  for (const [rank, char] of chars.entries()) {
    scores.set(char.charCodeAt(0), Math.log(model.share / sum / (rank + 40)));
  }
  const pairs = pairTable(model.encoding);
  const table = new Float32Array(pairs.length);
  for (let pair = 0x8140; pair < pairs.length; pair++) {
    const code = pairs[pair]!;
    if (code > 0) table[pair] = scores.get(code) ?? levelScore(pair >> 8, code, model);
  }
  return table;
});

function levelScore(lead: number, code: number, { level, encoding }: Model): number {
  const [first, last, share] = level;
  if (lead >= first && lead <= last) return Math.log(share / ((last - first + 1) * 94));
  // punctuation, full-width forms, digits in circles
  const symbol = code < 0x3400 || code >= 0xff00;
  const kana = code >= 0x3041 && code <= 0x30fe;
  if (symbol && !(kana && encoding !== "shift_jis" && encoding !== "euc-jp")) return -11;
  return RARE;
}

const westernScores = once((_: "windows-1252"): Float32Array => {
  const scores = new Float32Array(256).fill(RARE);
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = new TextDecoder("windows-1252").decode(bytes);
  for (const [chars, share] of WESTERN) {
    for (const char of chars) scores[text.indexOf(char)] = Math.log(share / chars.length);
  }
  return scores;
});

function westernScore(bytes: Uint8Array): number {
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

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a && byte < 0x80;
}
