/** A command's bytes as text a model can use: decoded, without colours, a progress bar's last state. */

/** Bytes of a line that may still be overwritten after a carriage return. */
const MAX_LINE = 16 * 1024;
const CR = 13;
const LF = 10;

/**
 * Takes bytes as they come and gives them on by whole lines: what a lone carriage return overwrites
 * is left out, CRLF becomes LF. A line longer than 16 KB is given on as it comes.
 */
export class LineFold {
  #line: Uint8Array[] = [];
  #length = 0;
  #returned = false;

  /** The line that has not ended yet. */
  get pending(): Uint8Array {
    return joinBytes(this.#line);
  }

  /** What is settled with this chunk; the rest waits for its line's end. */
  push(chunk: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    if (!this.#returned && !chunk.includes(CR)) {
      const end = chunk.lastIndexOf(LF) + 1;
      if (end > 0) this.#end(chunk.subarray(0, end), out);
      this.#add(chunk.subarray(end), out);
      return out;
    }
    for (let at = 0; at < chunk.length;) {
      const found = chunk.indexOf(LF, at);
      const end = found < 0 ? chunk.length : found;
      this.#overwrite(chunk.subarray(at, end), out);
      if (found >= 0) this.#end(chunk.subarray(end, end + 1), out);
      at = end + 1;
    }
    return out;
  }

  /** What was pending. */
  finish(): Uint8Array {
    const rest = this.pending;
    this.#drop();
    return rest;
  }

  /** Takes a piece without LF: what stands before its last carriage return is gone. */
  #overwrite(piece: Uint8Array, out: Uint8Array[]): void {
    let end = piece.length;
    while (end > 0 && piece[end - 1] === CR) end--;
    if (end > 0) {
      const last = piece.lastIndexOf(CR, end - 1);
      if (last >= 0 || this.#returned) this.#drop();
      this.#add(piece.subarray(last + 1, end), out);
    }
    if (end < piece.length) this.#returned = true;
  }

  #add(rest: Uint8Array, out: Uint8Array[]): void {
    if (rest.length === 0) return;
    if (rest.length > MAX_LINE) return this.#end(rest, out);
    // A copy: a few bytes must not keep their whole chunk alive.
    this.#line.push(rest.slice());
    this.#length += rest.length;
    if (this.#length <= MAX_LINE) return;
    out.push(...this.#line);
    this.#drop();
  }

  #end(rest: Uint8Array, out: Uint8Array[]): void {
    out.push(...this.#line, rest);
    this.#drop();
  }

  #drop(): void {
    this.#line = [];
    this.#length = 0;
    this.#returned = false;
  }
}

/** Text of bytes that are UTF-8, or line by line in the legacy encoding that fits them best. */
export function decodeOutput(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch { /* not UTF-8, or not all of it */ }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  const strict = new TextDecoder("utf-8", { fatal: true });
  const lines = splitLines(bytes);
  const utf8 = new TextDecoder();
  const foreign = lines.filter((line) => !decodes(strict, line) && !isDamaged(utf8.decode(line)));
  const encoding = legacyEncoding(joinBytes(foreign));
  const decoder = new TextDecoder(encoding);
  const odd = new Set(foreign);
  return lines.map((line) => (odd.has(line) ? decoder : utf8).decode(line)).join("");
}

/** True of a line of UTF-8 with a bad byte or a cut end: bytes of other encodings rarely make such characters. */
function isDamaged(text: string): boolean {
  const good = text.match(/[\u0800-\ufffc]|[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return good > text.split("\ufffd").length - 1;
}

/** Control characters other than tab and line feed. */
// deno-lint-ignore no-control-regex -- control characters are what this is about
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const EVERY_CONTROL = new RegExp(CONTROL, "g");
/**
 * OSC and its kin up to their end on the same line, CSI with its parameters, other escapes; one cut
 * off at the end of the text too. (Node's stripVTControlCharacters swallows text before a bell.)
 */
const SEQUENCE =
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|\x1b[ -/]*(?:[0-Z\\^-~]|$)/g;
// deno-lint-ignore no-control-regex -- control characters are what this is about
const OVERSTRUCK = /[^\x08\n]\x08/g;

/** Without terminal sequences and control characters, overstruck characters once. */
export function plainText(text: string): string {
  if (!CONTROL.test(text)) return text;
  return text.replace(SEQUENCE, "").replace(OVERSTRUCK, "").replace(EVERY_CONTROL, "");
}

/** One array of all chunks. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** What a frequent character of an encoding's language looks like once decoded. */
const LANGUAGES: readonly (readonly [encoding: string, lead: RegExp, letters: RegExp])[] = [
  // GB 2312's first level and punctuation stand in these rows; kana there are rare in Chinese.
  ["gb18030", /^[\xa1\xa3\xb0-\xd7]$/, /[\p{sc=Han}\u3000-\u3020\uff00-\uff65]/u],
  ["shift_jis", /^[\x81-\x97]$/, /[\u3040-\u30ff\p{sc=Han}\u3000-\u3020]/u],
  ["euc-jp", /^[\xa1-\xcf]$/, /[\u3040-\u30ff\p{sc=Han}\u3000-\u3020]/u],
  ["euc-kr", /^[\xa1\xb0-\xc8]$/, /[\p{sc=Hangul}]/u],
  ["big5", /^[\xa1-\xc6]$/, /[\p{sc=Han}\u3000-\u3020\uff00-\uff65]/u],
];

/**
 * The encoding in which these bytes make most sense; windows-1252 when in none. The share of
 * frequent characters decides, Simplified Chinese first.
 */
function legacyEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 8192);
  let best = ["windows-1252", 0.6] as [string, number];
  for (const [encoding, lead, letters] of LANGUAGES) {
    const text = new TextDecoder(encoding).decode(sample);
    const share = frequent(sample, text, lead, letters, encoding);
    if (share > best[1] + 0.02) best = [encoding, share];
  }
  return best[0];
}

function frequent(
  bytes: Uint8Array,
  text: string,
  lead: RegExp,
  letters: RegExp,
  encoding: string,
): number {
  let [pairs, leads] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80 || (encoding === "shift_jis" && byte >= 0xa1 && byte <= 0xdf)) continue;
    pairs++;
    at++;
    // The frequent characters of these have both bytes above A0.
    const far = /^gb|^euc/.test(encoding) && (bytes[at] ?? 0) <= 0xa0;
    if (!far && lead.test(String.fromCharCode(byte))) leads++;
  }
  const foreign = [...text].filter((char) => char > "\x7f");
  if (foreign.length === 0 || pairs === 0) return 0;
  const good = foreign.filter((char) => letters.test(char)).length;
  const kana = foreign.filter((char) => /[\u3040-\u30ff]/.test(char)).length / foreign.length;
  const japanese = encoding === "shift_jis" || encoding === "euc-jp";
  const score = Math.min(leads / pairs, good / foreign.length);
  // A word of Big5 looks like two kana of EUC, which few programs write.
  if (encoding === "euc-jp" && pairs < 3) return score * 0.7;
  // Japanese without kana is rarer than another language misread; kana elsewhere too.
  if (japanese) return score * (kana > 0.15 ? 1.1 : 0.7);
  // Korean has blanks between its words, Chinese has none.
  const spaced = encoding === "euc-kr" && pairs >= 6 && /\p{sc=Hangul} \p{sc=Hangul}/u.test(text);
  return spaced ? score * 1.1 : score - kana;
}

function decodes(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LF, at);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}
