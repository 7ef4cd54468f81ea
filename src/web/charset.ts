/**
 * Decodes a page's bytes: byte order mark, then the header's charset, then the page's `<meta>`, then UTF-8
 * when the bytes are valid, else what its language and its most frequent characters speak for.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = bomCharset(bytes) ??
    known(/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]) ??
    known(metaCharset(bytes)) ?? guessedCharset(bytes);
  return new TextDecoder(label).decode(bytes);
}

function bomCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes, 4096);
  const label = /<meta\s[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml\s[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  // A meta tag that could be read this way was not written in UTF-16.
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function latin1(bytes: Uint8Array, length: number): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, length));
}

/** Characters that make up a good part of any text in the language. */
const FREQUENT: readonly (readonly [charset: string, language: RegExp, characters: RegExp])[] = [
  ["euc-kr", /^ko/i, /[가-힣]/g],
  ["shift_jis", /^ja/i, /[ぁ-んァ-ヶ]/g],
  ["euc-jp", /^ja/i, /[ぁ-んァ-ヶ]/g],
  ["big5", /^zh-(tw|hk|mo|hant)/i, /[的一是不在人有我他這個們中來上大為和國地到以說時要就出會可]/g],
  [
    "gb18030",
    /^zh(?!-(tw|hk|mo|hant))/i,
    /[的一是不在人有我他这个们中来上大为和国地到以说时要就出会可]/g,
  ],
];
/** A text counts as written in an encoding from this share of frequent characters on; Korean has nothing else. */
const LEAST_SHARE: { readonly [charset: string]: number } = { "euc-kr": 0.9 };
const LETTERS = /[\u00a1-\uffff]/g;

function guessedCharset(bytes: Uint8Array): string {
  // a character cut at the end is no reason to call it not UTF-8
  if (decodes("utf-8", bytes) !== undefined) return "utf-8";
  const language = /<html\s[^>]{0,300}?lang\s*=\s*["']?([\w-]+)/i.exec(latin1(bytes, 4096))?.[1] ??
    "";
  let best = { charset: "windows-1252", score: 0 };
  for (const [charset, languages, characters] of FREQUENT) {
    const text = decodes(charset, bytes);
    if (text === undefined) continue;
    const letters = text.match(LETTERS)?.length ?? 0;
    const share = (text.match(characters)?.length ?? 0) / Math.max(1, letters);
    const least = LEAST_SHARE[charset] ?? 0.05;
    const score = (share >= least ? share : 0) + (languages.test(language) ? 1 : 0);
    if (score > best.score) best = { charset, score };
  }
  return best.charset;
}

/** The beginning of the bytes as text; undefined when they are not of this encoding. */
function decodes(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes.subarray(0, 200_000), {
      stream: true,
    });
  } catch {
    return undefined;
  }
}
