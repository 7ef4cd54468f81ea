/** Keeps the head and the tail of a command's output in bounded memory, all of it on disk. */
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** What is left of an output. */
export interface Output {
  /** The whole text, or its head and tail; empty when binary. */
  readonly head: string;
  /** Undefined when `head` is everything. */
  readonly tail: string | undefined;
  /** Characters left out between head and tail. */
  readonly cut: number;
  /** Bytes in all. */
  readonly bytes: number;
  /** A NUL among the first 8 KB. */
  readonly binary: boolean;
  /** File with the output; undefined when it fits or could not be written. */
  readonly path: string | undefined;
  /** The file holds only its first `MAX_FILE_BYTES`. */
  readonly fileCut: boolean;
}

/** Characters shown at each end of an output that is too long. */
const HALF_CHARS = 15_000;
/** Bytes kept at each end: enough for HALF_CHARS of four bytes. */
const HALF_BYTES = HALF_CHARS * 4;
const BINARY_PROBE = 8192;
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** How much of the tail `lastLines` looks at. */
const PREVIEW_BYTES = 2000;

/** Takes chunks as they come; never holds more than about 250 KB. */
export class OutputKeeper {
  readonly #path: string;
  #first: Uint8Array[] = [];
  #firstBytes = 0;
  #last: Uint8Array[] = [];
  #lastBytes = 0;
  #bytes = 0;
  #chars = 0;
  #file: Deno.FsFile | undefined;
  #fileBytes = 0;
  #fileFailed = false;

  /** `path` is written, with its folders, only when the output does not fit. */
  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#chars += countChars(chunk);
    if (this.#file === undefined && !this.#fileFailed) {
      this.#first.push(chunk);
      this.#firstBytes += chunk.length;
      if (this.#firstBytes > 2 * HALF_BYTES) await this.#spill();
    } else {
      await this.#write(chunk);
    }
    this.#last.push(chunk);
    this.#lastBytes += chunk.length;
    while (this.#lastBytes - this.#last[0]!.length >= HALF_BYTES) {
      this.#lastBytes -= this.#last.shift()!.length;
    }
  }

  /** The last few lines, for the screen. */
  lastLines(count: number): string {
    const bytes = joinBytes(this.#last).slice(-PREVIEW_BYTES);
    return plainText(decode(skipPartial(bytes))).trimEnd().split("\n").slice(-count).join("\n");
  }

  async finish(): Promise<Output> {
    const first = joinBytes(this.#first);
    const binary = first.subarray(0, BINARY_PROBE).includes(0);
    const whole = this.#bytes === first.length;
    const text = binary ? "" : decode(first);
    const fits = whole && text.length <= 2 * HALF_CHARS && !binary;
    if (!fits && this.#file === undefined && !this.#fileFailed) await this.#spill();
    const path = this.#file && !this.#fileFailed ? this.#path : undefined;
    this.#file?.close();
    const base = {
      bytes: this.#bytes,
      binary,
      path,
      fileCut: path !== undefined && this.#fileBytes < this.#bytes,
    };
    if (fits || binary) return { ...base, head: plainText(text), tail: undefined, cut: 0 };
    const head = wholeChars(text.slice(0, HALF_CHARS));
    const end = whole ? text : decode(skipPartial(joinBytes(this.#last)));
    const tail = wholeChars(end.slice(-HALF_CHARS));
    const cut = this.#chars - [...head].length - [...tail].length;
    return { ...base, head: plainText(head), tail: plainText(tail), cut: Math.max(cut, 0) };
  }

  async #spill(): Promise<void> {
    try {
      await Deno.mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      const options = { write: true, create: true, truncate: true, mode: 0o600 };
      this.#file = await Deno.open(this.#path, options);
    } catch {
      this.#fileFailed = true;
    }
    for (const chunk of this.#first) await this.#write(chunk);
    this.#first = [joinBytes(this.#first).slice(0, HALF_BYTES)];
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (!this.#file || this.#fileFailed) return;
    let rest = chunk.subarray(0, MAX_FILE_BYTES - this.#fileBytes);
    try {
      while (rest.length > 0) {
        const written = await this.#file.write(rest);
        this.#fileBytes += written;
        rest = rest.subarray(written);
      }
    } catch {
      // A full disk must not lose the command's result; the text says that there is no file.
      this.#fileFailed = true;
    }
  }
}

/** Without colour codes and other terminal sequences, which only cost the model tokens. */
function plainText(text: string): string {
  return text.includes("\x1b") ? stripVTControlCharacters(text) : text;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Drops the end of a character whose beginning is gone. */
function skipPartial(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < 3 && (bytes[at]! & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}

/** Drops half a surrogate pair at either end. */
function wholeChars(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function countChars(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if ((bytes[i]! & 0xc0) !== 0x80) count++;
  return count;
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
