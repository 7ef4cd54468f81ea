/** A request's body. A session only grows, and each request sends all of it: what was told once is kept. */
import type { Message } from "../types.ts";

/** Makes a function that remembers what `make` told of a message for a model; not of one with images, for their size. */
export function remembering<T>(
  make: (message: Message, model: string) => T,
): (message: Message, model: string) => T {
  const told = new Map<string, WeakMap<Message, T>>();
  return (message, model) => {
    let ofModel = told.get(model);
    if (!ofModel) told.set(model, ofModel = new WeakMap());
    const known = ofModel.get(message);
    if (known !== undefined) return known;
    const made = make(message, model);
    if (message.role === "assistant" || !message.images) ofModel.set(message, made);
    return made;
  };
}

/** A larger body is not kept for the next one: most of it is images. */
const MOST_KEPT = 4_000_000;

/**
 * Makes a function that gives a request's body as bytes: the JSON of `head`, which has fields, with
 * `messages` (JSON texts) behind them and the fields of `tail` last. As far as a body begins like the
 * one before, its bytes are taken from there.
 */
export function bodies(): (
  head: object,
  messages: readonly string[],
  tail: object,
) => Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  let texts: readonly string[] = [];
  /** Where each of them ends in `bytes`. */
  let ends: readonly number[] = [];
  let bytes = new Uint8Array(0);
  return (head, messages, tail) => {
    const now = [`${JSON.stringify(head).slice(0, -1)},"messages":[`, ...messages];
    const other = texts.findIndex((text, at) => text !== now[at]);
    const same = other < 0 ? texts.length : other;
    const kept = ends.slice(0, same);
    const rest = JSON.stringify(tail).slice(1);
    const parts = now.slice(same).map((text, at) => same + at > 1 ? "," + text : text);
    const fresh = [...parts, rest === "}" ? "]}" : `],${rest}`].map((part) => encoder.encode(part));
    let at = kept.at(-1) ?? 0;
    const body = new Uint8Array(fresh.reduce((sum, { length }) => sum + length, at));
    body.set(bytes.subarray(0, at));
    for (const part of fresh) {
      body.set(part, at);
      at += part.length;
      kept.push(at);
    }
    const keep = body.length <= MOST_KEPT;
    texts = keep ? now : [];
    ends = keep ? kept : [];
    bytes = keep ? body : new Uint8Array(0);
    return body;
  };
}
