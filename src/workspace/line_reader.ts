import { decodeAs, detectCoding, type Encoding } from "./text_file.ts";

const CHUNK_BYTES = 1 << 20;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Some consecutive lines of a file. */
export interface LinePage {
  /** Without line ends; `bytes` is the line's whole length, of which `text` may be the beginning. */
  readonly lines: readonly { readonly text: string; readonly bytes: number }[];
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly encoding: Encoding;
  /** True when the file ends with these lines. */
  readonly end: boolean;
}

/**
 * Reads `limit` lines from line `offset` (from 1) without keeping the rest in memory; an offset
 * beyond the end gives the last line. Of each line at most `lineBytes` bytes are decoded. Throws
 * the platform's errors, and `signal.reason` when aborted. Not for UTF-16.
 */
export async function readPage(
  path: string,
  offset: number,
  limit: number,
  lineBytes: number,
  signal: AbortSignal,
): Promise<LinePage> {
  using file = await Deno.open(path);
  const chunk = new Uint8Array(CHUNK_BYTES);
  const lines: { head: Uint8Array; bytes: number }[] = [];
  let encoding: Encoding | undefined;
  /** The beginning of a line whose end has not been read yet. */
  let open: { head: Uint8Array; bytes: number } | undefined;
  let number = 1;
  let more = false;

  while (!more) {
    signal.throwIfAborted();
    const count = await file.read(chunk);
    if (count === null) break;
    const bytes = chunk.subarray(0, count);
    encoding ??= detectCoding(bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1 || count))
      .encoding;
    for (let at = 0; at < count;) {
      if (number >= offset + limit) {
        more = true;
        break;
      }
      const found = bytes.indexOf(LINE_FEED, at);
      const end = found < 0 ? count : found;
      if (number < offset) {
        open = found < 0 ? { head: bytes.subarray(0, 0), bytes: 1 } : undefined;
      } else {
        const head = bytes.slice(at, Math.min(end, at + lineBytes));
        open = open
          ? { head: join(open.head, head, lineBytes), bytes: open.bytes + end - at }
          : { head, bytes: end - at };
        if (found >= 0) {
          lines.push(open);
          open = undefined;
        }
      }
      if (found >= 0) number++;
      at = end + 1;
    }
  }
  if (open) {
    if (number >= offset) lines.push(open);
    number++;
  }
  if (lines.length === 0 && number > 1) {
    return await readPage(path, number - 1, 1, lineBytes, signal);
  }
  const coding = encoding ?? "utf-8";
  const first = number - lines.length;
  const texts = lines.map(({ head, bytes }, index) => {
    const text = decodeLine(head, bytes, coding);
    return { text: first + index === 1 ? text.replace(/^\ufeff/, "") : text, bytes };
  });
  return { lines: texts, first, encoding: coding, end: !more };
}

function join(a: Uint8Array, b: Uint8Array, most: number): Uint8Array {
  const out = new Uint8Array(Math.min(a.length + b.length, most));
  out.set(a.subarray(0, out.length));
  out.set(b.subarray(0, out.length - a.length), a.length);
  return out;
}

function decodeLine(head: Uint8Array, bytes: number, encoding: Encoding): string {
  if (bytes > head.length) {
    // cut inside a character, its first bytes are left out
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true });
  }
  const end = head.at(-1) === CARRIAGE_RETURN ? head.length - 1 : head.length;
  return decodeAs(head.subarray(0, end), encoding);
}
