/** A command's bytes as text a model can use: decoded, without colours, a progress bar's last state. */
import { guessEncoding } from "../../files/encoding/guess_encoding.ts";

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

/** A command's output as text. */
export interface DecodedOutput {
  readonly text: string;
  /** Some bytes are no characters, and stand in the text as U+FFFD. */
  readonly hasBadBytes: boolean;
}

/** Text of bytes that are UTF-8, perhaps with bad ones, or line by line in the old encoding that they clearly are in. */
export function decodeOutput(bytes: Uint8Array): DecodedOutput {
  const utf8 = new TextDecoder();
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: new TextDecoder("utf-16le").decode(bytes), hasBadBytes: false };
  }
  const whole = utf8.decode(bytes);
  if (badIn(whole, bytes) === 0) return { text: whole, hasBadBytes: false };
  let guesses = MAX_GUESSES;
  const lines = splitLines(bytes).map((line) => {
    const text = utf8.decode(line);
    const bad = badIn(text, line);
    const isUtf8 = bad === 0 ||
      isDamaged(text, bad, () => guesses-- > 0 && guessEncoding(line) === "utf-8");
    return { line, text, bad, isUtf8 };
  });
  const decoder = oldDecoder(joinBytes(lines.flatMap((one) => one.isUtf8 ? [] : [one.line])));
  let hasBadBytes = false;
  const texts = lines.map(({ line, text, bad, isUtf8 }) => {
    const told = isUtf8 ? text : decoder.decode(line);
    hasBadBytes ||= isUtf8 ? bad > 0 : told.includes("\ufffd");
    return told;
  });
  return { text: texts.join(""), hasBadBytes };
}

/** Lines of which it is asked at length what they are in. */
const MAX_GUESSES = 50;

/** How many bad bytes of UTF-8 `text` tells; those of its characters that the bytes hold themselves are none. */
function badIn(text: string, bytes: Uint8Array): number {
  let count = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) count++;
  if (count === 0) return 0;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count--;
  }
  return count;
}

/** True of a line of UTF-8 with bad bytes or a cut end; `surely` decides where characters and bad bytes are about as many. */
function isDamaged(text: string, bad: number, surely: () => boolean): boolean {
  // bytes of other encodings rarely make characters of three bytes
  const long = text.match(/[\u0800-\ufffc]|[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  if (long > bad) return true;
  const short = text.match(/[\x80-\u07ff]/g)?.length ?? 0;
  return long + short > 0 && 2 * (long + short) >= bad && surely();
}

/** A letter of an old encoding as words have it. */
const IN_WORD =
  /(?<=[a-z\d])[^\0-\x7f]|[^\0-\x7f](?=[a-z\d])|(?<=\p{L})[^\0-\x7f]|[^\0-\x7f](?=\p{L})/giu;

/** The decoder of lines that are no UTF-8: where their bytes are no words in any encoding, it is that all the same. */
function oldDecoder(bytes: Uint8Array): TextDecoder {
  const encoding = guessEncoding(bytes);
  const decoder = new TextDecoder(encoding);
  if (!/^(?:windows|koi8)/.test(encoding)) return decoder;
  const sample = decoder.decode(bytes.subarray(0, 8192));
  const letters = sample.match(/[^\0-\x7f]/g)?.length ?? 0;
  const inWords = sample.match(IN_WORD)?.length ?? 0;
  return 2 * inWords >= letters ? decoder : new TextDecoder();
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
