/** Reads what a command writes, and keeps head and tail of it in bounded memory, all of it on disk. */
import { dirname } from "../../base/path.ts";
import { decodeOutput, joinBytes, LineFold, plainText } from "./plain.ts";

/** Characters of UTF-8: every byte but those that continue one. */
function countChars(bytes: Uint8Array): number {
  const { before, words, after } = inWords(bytes);
  let continuing = continuations(before) + continuations(after);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    for (let bits = word & ~(word << 1) & 0x80808080; bits !== 0; bits &= bits - 1) continuing++;
  }
  return bytes.length - continuing;
}

/** How many line feeds there are. */
function countNewlines(bytes: Uint8Array): number {
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

/** What a command has written, or a job since it was last asked. */
export interface Output {
  /** The whole text, or its head and tail; empty when binary. */
  readonly head: string;
  /** Undefined when `head` is everything. */
  readonly tail: string | undefined;
  /** Characters left out between head and tail; exact for UTF-8 without terminal sequences. */
  readonly cut: number;
  /** Bytes that were written. */
  readonly bytes: number;
  /** Lines that were written, progress bars folded; 0 when binary. */
  readonly lines: number;
  /** A NUL among the first 8 KB. */
  readonly binary: boolean;
  /** Some bytes are no characters, and stand in the text as U+FFFD. */
  readonly hasBadBytes: boolean;
  /** File with the output from its beginning; undefined when there is none. */
  readonly path: string | undefined;
  /** The file holds only its first `MAX_FILE_BYTES`. */
  readonly fileCut: boolean;
}

/** Characters that are shown of an output that is too long, half of them of each end. */
const SHOWN_CHARS = 30_000;
/** Bytes kept at each end: enough for half of SHOWN_CHARS of four bytes. */
const HALF_BYTES = SHOWN_CHARS / 2 * 4;
const BINARY_PROBE = 8192;
const NEWLINE = 10;
/** Bytes of a full copy. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** How much of the tail `lastLines` looks at. */
const PREVIEW_BYTES = 2000;

/** Takes chunks as they come; never holds more than about 400 KB. */
export class OutputKeeper {
  readonly #file: OutputFile;
  readonly #chars: number;
  #ends = new Ends();

  /**
   * `path` is written, with its folders, when the output does not fit, or with `keepFile`; never
   * when `theirs`: then the command writes it itself. At most `chars` are shown.
   */
  constructor(path: string, theirs = false, chars: number = SHOWN_CHARS) {
    this.#file = new OutputFile(path, theirs);
    this.#chars = Math.min(chars, SHOWN_CHARS);
  }

  /** Bytes since the last `take`. */
  get bytes(): number {
    return this.#ends.bytes;
  }

  /** The file with the full copy, where there is one. */
  get path(): string | undefined {
    return this.#file.written;
  }

  push(chunk: Uint8Array): void {
    this.#ends.push(chunk);
    this.#file.push(chunk);
  }

  /** The last few lines, for the screen. */
  lastLines(count: number): string {
    return plainText(decodeOutput(this.#ends.last(PREVIEW_BYTES)).text)
      .trimEnd().split("\n").slice(-count).join("\n");
  }

  /** Has everything on disk from now on, what has come too. */
  keepFile(): void {
    this.#file.open();
  }

  /** What has come since the last `take`; an unfinished line counts as it stands. */
  take(): Output {
    const ends = this.#ends;
    this.#ends = new Ends();
    const { binary, head, tail, cut, hasBadBytes } = ends.shown(this.#chars);
    const lines = binary ? 0 : ends.lines;
    if (binary || tail !== undefined) this.#file.open();
    const path = this.#file.written;
    const fileCut = path !== undefined && this.#file.full;
    return { head, tail, cut, bytes: ends.bytes, lines, binary, hasBadBytes, path, fileCut };
  }

  /** Has what there is on disk already, should narnat be killed; what needs no file is removed with `close`. */
  writeEarly(): void {
    this.#file.writeEarly();
  }

  /** `take`, and nothing more is written. */
  finish(): Output {
    const output = this.take();
    this.close();
    return output;
  }

  close(): void {
    this.#file.close();
  }
}

/** The first and the last bytes of a stream, progress bars folded. */
class Ends {
  #fold = new LineFold();
  #probe: Uint8Array[] = [];
  #probeBytes = 0;
  #first: Uint8Array[] = [];
  #firstBytes = 0;
  #last: Uint8Array[] = [];
  #lastBytes = 0;
  #chars = 0;
  #newlines = 0;
  bytes = 0;

  /** An unfinished one counts. */
  get lines(): number {
    const last = this.#last.at(-1)?.at(-1);
    return this.#newlines + (last === undefined || last === NEWLINE ? 0 : 1);
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.#probeBytes < BINARY_PROBE) {
      this.#probe.push(chunk.slice(0, BINARY_PROBE - this.#probeBytes));
      this.#probeBytes += this.#probe.at(-1)!.length;
    }
    // A carriage return of UTF-16 is two bytes.
    if (startsUtf16(this.#probe[0])) return this.#settle(chunk);
    for (const settled of this.#fold.push(chunk)) this.#settle(settled);
  }

  last(bytes: number): Uint8Array {
    return skipPartial(joinBytes([...this.#last, this.#fold.pending]).slice(-bytes));
  }

  shown(most: number): Pick<Output, "head" | "tail" | "cut" | "binary" | "hasBadBytes"> {
    this.#settle(this.#fold.finish());
    if (isBinary(joinBytes(this.#probe))) {
      return { head: "", tail: undefined, cut: 0, binary: true, hasBadBytes: false };
    }
    const first = joinBytes(this.#first);
    const whole = this.#firstBytes <= 2 * HALF_BYTES;
    const start = decodeOutput(whole ? first : dropPartial(first));
    const text = plainText(start.text);
    if (whole && text.length <= most) {
      const { hasBadBytes } = start;
      return { head: text, tail: undefined, cut: 0, binary: false, hasBadBytes };
    }
    const head = wholeChars(text.slice(0, most / 2));
    const end = whole ? start : decodeOutput(skipPartial(joinBytes(this.#last)));
    const tail = wholeChars((whole ? text : plainText(end.text)).slice(-Math.ceil(most / 2)));
    const hasBadBytes = start.hasBadBytes || end.hasBadBytes;
    const cut = this.#chars - [...head].length - [...tail].length;
    return { head, tail, cut: Math.max(cut, 0), binary: false, hasBadBytes };
  }

  #settle(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chars += countChars(bytes);
    this.#newlines += countNewlines(bytes);
    const room = 2 * HALF_BYTES - Math.min(this.#firstBytes, 2 * HALF_BYTES);
    if (room > 0) this.#first.push(bytes.subarray(0, room));
    this.#firstBytes += bytes.length;
    this.#last.push(bytes);
    this.#lastBytes += bytes.length;
    while (this.#lastBytes - this.#last[0]!.length >= HALF_BYTES) {
      this.#lastBytes -= this.#last.shift()!.length;
    }
    // Many small chunks would cost more than what they hold.
    if (this.#last.length > 64) {
      this.#last = [joinBytes(this.#last)];
      this.#lastBytes = this.#last[0]!.length;
    }
    if (this.#first.length > 64) this.#first = [joinBytes(this.#first)];
  }
}

/** The full copy; what comes before it is opened waits in memory as long as it is short. */
class OutputFile {
  readonly #path: string;
  #waiting: Uint8Array[] | undefined = [];
  #waitingBytes = 0;
  #file: Deno.FsFile | undefined;
  #bytes = 0;
  #failed = false;
  /** It is written, but nobody has asked for it. */
  #early = false;
  full = false;

  constructor(path: string, theirs: boolean) {
    this.#path = path;
    if (theirs) this.#waiting = undefined;
  }

  get written(): string | undefined {
    const there = this.#waiting === undefined && !this.#failed && !this.#early;
    return there ? this.#path : undefined;
  }

  push(chunk: Uint8Array): void {
    if (this.#waiting === undefined) return this.#write(chunk);
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waiting.length > 64) this.#waiting = [joinBytes(this.#waiting)];
    if (this.#early) this.#begin();
    else if (this.#waitingBytes > 2 * HALF_BYTES) this.open();
  }

  open(): void {
    this.#early = false;
    this.#begin();
  }

  /** From now on, or with what comes first. */
  writeEarly(): void {
    if (this.#waiting === undefined) return;
    this.#early = true;
    if (this.#waitingBytes > 0) this.#begin();
  }

  #begin(): void {
    if (this.#waiting === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    try {
      Deno.mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const options = { write: true, createNew: true, mode: 0o600 };
      this.#file = Deno.openSync(this.#path, options);
    } catch {
      this.#failed = true;
    }
    for (const chunk of waiting) this.#write(chunk);
  }

  close(): void {
    this.#file?.close();
    if (this.#file && this.#early) {
      try {
        Deno.removeSync(this.#path);
      } catch { /* somebody else has removed it */ }
    }
    this.#file = undefined;
  }

  #write(chunk: Uint8Array): void {
    if (!this.#file || this.#failed) return;
    let rest = chunk.subarray(0, MAX_FILE_BYTES - this.#bytes);
    if (rest.length < chunk.length) this.full = true;
    try {
      while (rest.length > 0) {
        const written = this.#file.writeSync(rest);
        this.#bytes += written;
        rest = rest.subarray(written);
      }
    } catch {
      // A full disk must not lose the command's result; the text says that there is no file.
      this.#failed = true;
    }
  }
}

function isBinary(probe: Uint8Array): boolean {
  return !startsUtf16(probe) && probe.includes(0);
}

function startsUtf16(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0xff && bytes[1] === 0xfe;
}

/** Drops the end of a character whose beginning is gone. */
function skipPartial(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < 3 && (bytes[at]! & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}

/** Drops the beginning of a character whose end is gone. */
function dropPartial(bytes: Uint8Array): Uint8Array {
  const least = Math.max(0, bytes.length - 4);
  for (let at = bytes.length - 1; at >= least; at--) {
    if (bytes[at]! >= 0xc0) return bytes.subarray(0, at);
    if (bytes[at]! < 0x80) break;
  }
  return bytes;
}

/** Drops half a surrogate pair at either end. */
function wholeChars(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** Bytes that are read at once, at first and of what says much. */
const FIRST_CHUNK_BYTES = 4096;
const MOST_CHUNK_BYTES = 65_536;

/** Reads a stream to its end. */
export class Pipe {
  readonly #reader: ReadableStreamBYOBReader;
  readonly ended: Promise<void>;

  constructor(
    stream: ReadableStream<Uint8Array>,
    take: (chunk: Uint8Array) => Promise<void> | void,
  ) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.ended = this.#read(take);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
    await this.ended.catch(() => {});
  }

  /** Most commands say little: a buffer of Deno's own would take 64 KB for each pipe until V8 gives it back. */
  async #read(take: (chunk: Uint8Array) => Promise<void> | void): Promise<void> {
    let buffer = new Uint8Array(FIRST_CHUNK_BYTES);
    try {
      while (true) {
        const { done, value } = await this.#reader.read(buffer);
        if (done) return;
        if (value.length < value.buffer.byteLength) {
          await take(value.slice());
          buffer = new Uint8Array(value.buffer);
        } else {
          await take(value);
          buffer = new Uint8Array(Math.min(2 * value.length, MOST_CHUNK_BYTES));
        }
      }
    } catch (error) {
      // Nobody reads any more: the command must not wait for it.
      await this.#reader.cancel().catch(() => {});
      throw error;
    }
  }
}
