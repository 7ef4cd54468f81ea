import { HANGUL, KANJI, SIMPLIFIED, TRADITIONAL } from "./common_characters.ts";
import {
  type LegacyEncoding,
  legacyLength,
  type MultiByte,
  once,
  pairTable,
} from "./legacy_encoding.ts";
import {
  BESIDE_LETTER,
  CYRILLIC,
  cyrillicScore,
  isLetter,
  RARE,
  westernScore,
} from "./single_byte_score.ts";
import { utf8Score } from "./utf8.ts";

/** So many bytes of lines that are not pure ASCII are looked at. */
const SAMPLE_BYTES = 16_384;
const LINE_BYTES = 1024;
/** Logarithms of probabilities, as the models below use them. */
const BAD_BYTE = -14;
const ASCII = -3.4;
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

/**
 * Says which encoding bytes that are not valid UTF-8 are most likely in: UTF-8 with bad bytes, or an
 * old one, perhaps with bad bytes too.
 */
export function guessEncoding(bytes: Uint8Array): "utf-8" | LegacyEncoding {
  const sample = linesWithHighBytes(bytes);
  const old = bestLegacy(sample);
  return utf8Score(sample) > old.score ? "utf-8" : old.encoding;
}

interface Guess {
  readonly encoding: LegacyEncoding;
  readonly score: number;
}

function bestLegacy(sample: Uint8Array): Guess {
  const guesses: Guess[] = [
    { encoding: "windows-1252", score: westernScore(sample) },
    ...MODELS.map((model) => ({ encoding: model.encoding, score: scoreOf(sample, model) })),
    ...CYRILLIC.map((encoding) => ({ encoding, score: cyrillicScore(sample, encoding) })),
  ];
  return guesses.reduce((best, each) => each.score > best.score ? each : best);
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
