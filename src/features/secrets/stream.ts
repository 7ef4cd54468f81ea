/** Hides secrets in what comes piece by piece; only what may become one is held back. */
import type { Veil } from "../../base/types.ts";
import { CONTEXT, type Found } from "./find.ts";
import { BEFORE_CHARS } from "./shape.ts";

/** A part of it is looked at again; what stands before that is only asked about. */
const KEPT = CONTEXT + BEFORE_CHARS;

/** What a stream has of its maker. */
export interface StreamParts {
  find(text: string, from: number, last: boolean): Found;
  /** A text with its secrets replaced. */
  replaced(text: string, from: number, to: number, hits: Found["hits"]): string;
}

export function textVeil({ find, replaced }: StreamParts): Veil<string, string> {
  /** What was told already, as far as it matters, and what is held back. */
  let before = "";
  let held = "";
  const take = (piece: string, last: boolean) => {
    const text = before + held + piece;
    const from = before.length;
    const { hits, settled } = find(text, from, last);
    const told = replaced(text, from, settled, hits);
    before = text.slice(Math.max(0, settled - KEPT), settled);
    held = text.slice(settled);
    return told;
  };
  return {
    push: (piece) => take(piece, false),
    end() {
      const told = take("", true);
      before = "";
      return told;
    },
  };
}

/** Every byte is looked at as a character of its own; what is no secret stays the very bytes. */
export function byteVeil({ find, replaced }: StreamParts): Veil<Uint8Array, readonly Uint8Array[]> {
  let before = "";
  let held: Uint8Array = new Uint8Array();
  const decoder = new TextDecoder("latin1");
  const encoder = new TextEncoder();
  const take = (chunk: Uint8Array, last: boolean): readonly Uint8Array[] => {
    const bytes = held.length === 0 ? chunk : joined(held, chunk);
    if (bytes.length === 0) return [];
    const text = before + decoder.decode(bytes);
    const from = before.length;
    const { hits, settled } = find(text, from, last);
    before = text.slice(Math.max(0, settled - KEPT), settled);
    held = bytes.slice(settled - from);
    const told: Uint8Array[] = [];
    let at = from;
    for (const hit of hits) {
      told.push(bytes.subarray(at - from, hit.start - from));
      told.push(encoder.encode(replaced(text, hit.start, hit.end, [hit])));
      at = hit.end;
    }
    told.push(bytes.subarray(at - from, settled - from));
    return told.filter(({ length }) => length > 0);
  };
  return {
    push: (chunk) => take(chunk, false),
    end: () => take(new Uint8Array(), true),
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
