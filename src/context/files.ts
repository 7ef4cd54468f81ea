/** Text files that become part of the prompt, watched for changes meanwhile. */
import { detectCoding, looksBinary } from "../files/text_file.ts";

/** No single file may crowd out the rest of the prompt. */
export const FILE_CAP = 32 * 1024;

/** A file up to this size is read at once. */
export const BUFFERED = 64 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true });
const LENIENT = new TextDecoder();

export interface InstructionFile {
  readonly path: string;
  /** Empty when the file was left out. */
  readonly text: string;
  /** How long the file is. */
  readonly bytes: number;
  /** Bytes left out at the end. */
  readonly cut: number;
  /** Why the whole file was left out. */
  readonly left?: "not_text" | "unreadable" | "dangling" | "nested";
}

/**
 * Reads a file in its own encoding if it says anything but comments, at most `cap` bytes of it; a
 * path that `namesIn` did not give is asked `mayRead` before.
 */
export function readInstructions(path: string, cap = FILE_CAP): InstructionFile | undefined {
  let bytes: Uint8Array;
  let size: number;
  try {
    ({ bytes, size } = beginningOf(path, cap));
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    const none = error instanceof NotFound || error instanceof NotADirectory;
    // a file of its own may be denied in a folder that is granted
    if (none || !mayRead(path)) return undefined;
    return { path, text: "", bytes: 0, cut: 0, left: "unreadable" };
  }
  const cut = Math.max(0, size - cap);
  const whole = decode(bytes, cap, bytes.length < size);
  if (whole === undefined) return { path, text: "", bytes: 0, cut: 0, left: "not_text" };
  // Cutting inside a character would leave a replacement mark at the end.
  const text = (cut > 0 ? whole.replace(/\ufffd+$/, "") : whole).trim();
  return cut === 0 && isBlank(text) ? undefined : { path, text, bytes: size, cut };
}

/** Nothing but comments and blanks. */
function isBlank(text: string): boolean {
  const mayBe = text === "" || text.startsWith("<!--");
  return mayBe && text.replaceAll(/<!--[^]*?-->/g, "").trim() === "";
}

/**
 * The first bytes of a file of that length, as many as `into` has room for; undefined when it is no
 * text or cannot be read.
 */
export function readHead(path: string, into: Uint8Array, bytes: number): string | undefined {
  try {
    const head = readInto(path, into);
    return decode(head, head.length, bytes > head.length);
  } catch {
    return undefined;
  }
}

/**
 * The first and the last bytes of a text file longer than BUFFERED, and how long it is; undefined
 * for a shorter one, or when it is no text or cannot be read.
 */
export function readEnds(
  path: string,
  first: number,
  last: number,
): { first: string; last: string; bytes: number } | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size <= BUFFERED) return undefined;
    const beginning = withoutLast(readInto(path, new Uint8Array(first)));
    const text = decode(beginning, first, false);
    if (text === undefined) return undefined;
    // an even place, as a character of UTF-16 has two bytes
    const end = readInto(path, new Uint8Array(last), (size - last) & ~1);
    const decoder = new TextDecoder(detectCoding(beginning).encoding);
    return { first: text, last: decoder.decode(end), bytes: size };
  } catch {
    return undefined;
  }
}

/** Names in a folder, sorted; none where it cannot be read. Looking at them puts no question. */
export function namesIn(dir: string): string[] {
  if (!mayRead(dir)) return [];
  try {
    return Array.from(Deno.readDirSync(dir), ({ name }) => name).sort();
  } catch {
    return [];
  }
}

/** Names of the `*.md` files of a folder, sorted. */
export function markdownIn(dir: string): string[] {
  return namesIn(dir).filter((name) => name.endsWith(".md") && !name.startsWith("."));
}

/** Whether something is at a path where one may look. */
export function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** How long a file is, with a stamp that is another one once it has changed; undefined where there is none. */
export function fileAt(
  path: string,
): { readonly bytes: number; readonly stamp: string } | undefined {
  try {
    const { isFile, size, mtime, ctime, ino } = Deno.statSync(path);
    const stamp = `${size} ${mtime?.getTime()} ${ctime?.getTime()} ${ino}`;
    return isFile ? { bytes: size, stamp } : undefined;
  } catch {
    return undefined;
  }
}

/** The folder a path lies in; undefined for the outermost. */
export function parentOf(path: string): string | undefined {
  const above = path.replace(/[/\\][^/\\]+$/, "");
  if (above === path) return undefined;
  return /^(?:[A-Za-z]:)?$/.test(above) ? above + path[above.length] : above;
}

const ALL = Deno.permissions.querySync({ name: "read" });
/** Mostly so: no path needs a question of its own then. */
const READS_ALL = ALL.state === "granted" && !ALL.partial;

/** Trying without permission would put Deno's own question on a terminal. */
export function mayRead(path: string): boolean {
  return READS_ALL || Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

/** The first `cap` bytes as text, in the encoding that all of them tell; undefined when it is none. */
function decode(bytes: Uint8Array, cap: number, partial: boolean): string | undefined {
  try {
    const utf8 = UTF8.decode(partial ? withoutLast(bytes) : bytes);
    if (!utf8.includes("\0")) {
      return bytes.length <= cap ? utf8 : LENIENT.decode(bytes.subarray(0, cap));
    }
  } catch { /* it is in another encoding, or no text */ }
  if (looksBinary(bytes)) return undefined;
  return new TextDecoder(detectCoding(bytes).encoding).decode(bytes.subarray(0, cap));
}

/** Bytes without a last character that is not of one byte: where it is cut it makes the encoding doubtful. */
function withoutLast(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 4 && bytes[end - 1]! >= 0x80) {
    if (bytes[--end]! >= 0xc0) break;
  }
  return bytes.subarray(0, end);
}

/** A file's bytes, of a long one at least the first `atMost`. Throws when it is none. */
function beginningOf(path: string, atMost: number): { bytes: Uint8Array; size: number } {
  const { isFile, size } = Deno.statSync(path);
  if (!isFile) throw new TypeError("no file");
  if (size <= Math.max(BUFFERED, atMost)) {
    const bytes = Deno.readFileSync(path);
    return { bytes, size: bytes.length };
  }
  return { bytes: readInto(path, new Uint8Array(atMost)), size };
}

/** The file's bytes from a place on, in the buffer. */
function readInto(path: string, buffer: Uint8Array, from = 0): Uint8Array {
  const file = Deno.openSync(path);
  try {
    if (from > 0) file.seekSync(from, Deno.SeekMode.Start);
    let length = 0;
    for (let n; length < buffer.length && (n = file.readSync(buffer.subarray(length)));) {
      length += n;
    }
    return buffer.subarray(0, length);
  } finally {
    file.close();
  }
}

/** A file where one may look, and how people name it. */
export interface WatchedFile {
  readonly path: string;
  readonly name: string;
}

/** Returns a function that gives the files that came, went or changed since it was last asked. */
export function watch(filesNow: () => readonly WatchedFile[]): () => WatchedFile[] {
  const stamps = () =>
    new Map(filesNow().map((file) => [file.name, { file, stamp: stampOf(file.path) }]));
  let known = stamps();
  return () => {
    const before = known;
    known = stamps();
    return [...new Map([...before, ...known]).values()].map(({ file }) => file)
      .filter(({ name }) => (before.get(name)?.stamp ?? "") !== (known.get(name)?.stamp ?? ""));
  };
}

function stampOf(path: string): string {
  try {
    const { mtime, size } = Deno.statSync(path);
    return `${mtime?.getTime()} ${size}`;
  } catch {
    return "";
  }
}
