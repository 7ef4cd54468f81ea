const SHOWN_CHARS = 400;
const SHOWN_BEFORE_MATCH = 120;
/** So many bytes hold at least SHOWN_CHARS UTF-16 units, at up to three bytes each. */
const ENOUGH_BYTES = 3 * SHOWN_CHARS;
/** What is cut off in front is counted up to so many bytes. */
const COUNTED_BYTES = 256 * 1024;

/** A line as it is shown. */
export interface CutLine {
  readonly text: string;
  /** As GrepLine has it. */
  readonly skipped: number | undefined;
}

/**
 * The text of the line at [start, end) of UTF-8 bytes, without a "\r" at its end. Of a long line
 * 400 characters around `place`, where it matches, with `…` for what is left out.
 */
export function cutLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  place: number,
  decoder: TextDecoder,
): CutLine {
  const to = end > start && bytes[end - 1] === 0x0d ? end - 1 : end;
  if (to - start <= SHOWN_CHARS) {
    return { text: decoder.decode(bytes.subarray(start, to)), skipped: 0 };
  }
  const middle = characterStart(bytes, place, start, to);
  const left = characterStart(bytes, middle - ENOUGH_BYTES, start, to);
  const right = characterStart(bytes, middle + ENOUGH_BYTES, start, to);
  const before = decoder.decode(bytes.subarray(left, middle));
  const text = before + decoder.decode(bytes.subarray(middle, right));
  const room = Math.max(0, text.length - SHOWN_CHARS);
  const from = wholePair(text, Math.min(Math.max(0, before.length - SHOWN_BEFORE_MATCH), room));
  const until = wholePair(text, Math.min(text.length, from + SHOWN_CHARS));
  const more = until < text.length || right < to;
  const shown = text.slice(from, until) + (more ? "…" : "");
  if (left === start) return { text: (from > 0 ? "…" : "") + shown, skipped: from };
  const skipped = left - start > COUNTED_BYTES
    ? undefined
    : from + decoder.decode(bytes.subarray(start, left)).length;
  return { text: "…" + shown, skipped };
}

/** The beginning of the character that the byte at `at` belongs to, within [start, to]. */
function characterStart(bytes: Uint8Array, at: number, start: number, to: number): number {
  if (at <= start) return start;
  if (at >= to) return to;
  for (let back = 0; back < 4 && at - back > start; back++) {
    if ((bytes[at - back]! & 0xc0) !== 0x80) return at - back;
  }
  return at;
}

/** Moves a place between the halves of a pair to the front of it. */
function wholePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
