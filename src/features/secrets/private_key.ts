/** Private keys: blocks of many lines, whatever stands before each of them. */
import type { Shape, Sight } from "./shape.ts";

const BEGIN = "-----BEGIN";
/** In an address a blank is another. */
const LABEL =
  /^-----BEGIN((?: |%20|\+)(?:[A-Z0-9]+(?: |%20|\+)){0,3}PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)?)-----/;
/** More than the longest label, and than the longest block with numbers before its lines. */
const LABEL_CHARS = 90;
const BLOCK_CHARS = 24_000;
/** What a line of a block holds at least, but the last. */
const RUN = /[A-Za-z0-9+/=]{16,}/g;
/** The least there is: the lines of an Ed25519 key. */
const KEY_CHARS = 48;

/** The lines of a block, without what stands between them: the same however it is shown. */
export function keyLines(block: string): readonly string[] {
  const plain = block.replaceAll(/\\[nrt]|%0[adAD]/g, "\n")
    .replaceAll(/%2[bBfF]|%3[dD]/g, decodeURIComponent)
    // what a diff begins its lines with
    .replaceAll(/^[+-]+/gm, "");
  return plain.match(RUN) ?? [];
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);

export const privateKey: Shape = {
  kind: "private-key",
  begin: BEGIN,
  look(text, at, last): Sight {
    const label = LABEL.exec(text.slice(at, at + LABEL_CHARS));
    if (!label) return !last && text.length - at < LABEL_CHARS ? "more" : undefined;
    const from = at + label[0].length;
    const mark = `-----END${label[1]}-----`;
    // no line of a block holds five dashes
    const stop = text.indexOf("-----", from);
    const body = text.slice(from, Math.min(stop < 0 ? text.length : stop, from + BLOCK_CHARS));
    const isWhole = stop >= 0 && stop - from < BLOCK_CHARS;
    if (isWhole && text.startsWith(mark, stop)) {
      const end = stop + mark.length;
      return sizeOf(keyLines(body)) >= KEY_CHARS ? { start: at, end } : undefined;
    }
    const mayEnd = text.length - (isWhole ? stop : from) < (isWhole ? mark.length : BLOCK_CHARS);
    return !last && mayEnd ? "more" : cutOff(at, from, body);
  },
};

/** A block without its end: as far as its lines go on. */
function cutOff(at: number, from: number, body: string): Sight {
  let end = 0;
  for (const { 0: run, index } of body.matchAll(RUN)) {
    // between two lines stands a number, a path or a mark
    if (index - end > 200) break;
    end = index + run.length;
  }
  return end === 0 ? undefined : { start: at, end: from + end };
}

/** What PuTTY writes: lines of base64 behind their number, and a hash at the end. */
export const puttyKey: Shape = {
  kind: "private-key",
  begin: "Private-Lines:",
  apart: true,
  look(text, at, last): Sight {
    const number = /^Private-Lines: \d{1,4}(?=\s|\\[nr])/.exec(text.slice(at, at + 24))?.[0];
    if (number === undefined) return !last && text.length - at < 24 ? "more" : undefined;
    const from = at + number.length;
    const stop = text.indexOf("Private-MAC", from);
    if (stop < 0 && !last && text.length - at < BLOCK_CHARS) return "more";
    const body = text.slice(from, Math.min(stop < 0 ? text.length : stop, from + BLOCK_CHARS));
    const first = body.search(RUN);
    const found = cutOff(at, from, body);
    return first >= 0 && typeof found === "object"
      ? { start: from + first, end: found.end }
      : undefined;
  },
};

/** How the body begins when nothing tells that it is one: what is in it comes first. */
const BODIES = [
  "b3BlbnNzaC1rZXktdjE",
  "MC4CAQAwBQYDK2VwBCIEI",
  "MHcCAQEE",
  "MIGHAgEAMBMGByqGSM49",
  "MIGkAgEBBD",
];
/** The first line of one. */
const LINE = /^[A-Za-z0-9+/=]{24,}/;

/** The first line of a block, alone. */
export const keyBodies: readonly Shape[] = [
  ...BODIES.map((begin): Shape => ({
    kind: "private-key",
    begin,
    look: (text, at, last) => lineAt(text, at, last),
  })),
  {
    kind: "private-key",
    begin: "MII",
    // a number, and then the modulus or the name of the algorithm: no certificate begins so
    look: (text, at, last) =>
      text.length - at < 20 && !last
        ? "more"
        : /^MII[A-Za-z][A-Za-z0-9+/]{2}IBA(?:AKC|DANBgkqhkiG9w0BAQ)/.test(text.slice(at, at + 32))
        ? lineAt(text, at, last)
        : undefined,
  },
];

function lineAt(text: string, at: number, last: boolean): Sight {
  const line = LINE.exec(text.slice(at, at + 8000))?.[0];
  if (line === undefined) return !last && text.length - at < 24 ? "more" : undefined;
  if (at + line.length === text.length && !last && line.length < 8000) return "more";
  return { start: at, end: at + line.length };
}
