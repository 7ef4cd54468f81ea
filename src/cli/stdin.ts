/** The prompt that comes through stdin. */
import { ConfigError } from "../base/errors.ts";
import type { T } from "../base/t.ts";
import { type Wait, Watchdog } from "../base/watchdog.ts";

/** How long a pipe may stay silent when the command line already has a prompt. */
const SILENCE_MS = 3000;
const PIECE_BYTES = 64 * 1024;

/**
 * Reads stdin to its end as UTF-8 text. With `patient` false a pipe that stays silent at first is given
 * up, so that a caller who merely left stdin open does not hang us; `onSilence` is told.
 */
export async function readStdin(
  stdin: { read(into: Uint8Array): Promise<number | null> },
  patient: boolean,
  t: T,
  onSilence: () => void,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  const piece = new Uint8Array(PIECE_BYTES);
  let wait: Wait | undefined;
  const silence = new Promise<"silent">((resolve) => {
    if (!patient) wait = new Watchdog().begin(SILENCE_MS, () => resolve("silent"));
  });
  try {
    for (let first = true;; first = false) {
      const read = stdin.read(piece);
      const got = first ? await Promise.race([read, silence]) : await read;
      wait?.end();
      if (got === "silent") {
        onSilence();
        return "";
      }
      if (got === null) break;
      chunks.push(piece.slice(0, got));
    }
  } catch (error) {
    throw unreadable(error, t);
  } finally {
    wait?.end();
  }
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  // each would be six bytes of the request, and no text has any
  const nul = whole.indexOf(0);
  const wide = utf16(whole);
  if (wide !== undefined) {
    throw new ConfigError(
      t("stdin is UTF-16, not UTF-8; convert it first: iconv -f {from} -t UTF-8", { from: wide }),
    );
  }
  if (nul >= 0) {
    throw new ConfigError(
      t(
        "stdin has a NUL at byte {at}: it is no text; convert it first, for example tr '\\0' '\\n'",
        { at: nul },
      ),
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(whole);
  } catch {
    throw new ConfigError(
      t(
        "stdin is not valid UTF-8 at byte {at}; convert it first, for example iconv -f GBK -t UTF-8",
        { at: firstBadByte(whole) },
      ),
    );
  }
}

/** Stdin piece by piece, each good until the next is asked for. */
export async function* stdinPieces(t: T): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES);
  for (;;) {
    const got = await Deno.stdin.read(piece).catch((error) => {
      throw unreadable(error, t);
    });
    if (got === null) return;
    yield piece.subarray(0, got);
  }
}

/** What the caller did wrong, where a stdin cannot be read for that. */
function unreadable(error: unknown, t: T): unknown {
  const { code } = error as { code?: string };
  if (code === "EISDIR" || /directory/i.test(String(error))) {
    return new ConfigError(t("Cannot read stdin: it is a folder"));
  }
  return code === "EBADF"
    ? new ConfigError(
      t("Cannot read stdin: it is open for writing only; give it a file, a pipe or </dev/null"),
    )
    : error;
}

/** The name of the UTF-16 that a text is in: it begins with its mark, or every second byte is NUL. */
function utf16(bytes: Uint8Array): "UTF-16" | "UTF-16LE" | "UTF-16BE" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe || first === 0xfe && second === 0xff) return "UTF-16";
  const looked = bytes.subarray(0, 1024);
  const nuls = (from: 0 | 1) => looked.filter((byte, at) => byte === 0 && at % 2 === from).length;
  const [even, odd] = [nuls(0), nuls(1)];
  // a quarter of all: Chinese between them has none
  if (looked.length < 4 || Math.max(even, odd) * 4 < looked.length || even * odd > 0) {
    return undefined;
  }
  return odd > 0 ? "UTF-16LE" : "UTF-16BE";
}

/** Offset of the first byte that is not UTF-8. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = good + Math.ceil((bad - good) / 2);
    try {
      // A character cut at the end is not yet wrong.
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle - 1;
    }
  }
  return good;
}
