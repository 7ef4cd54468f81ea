/** A request's body. A session only grows, and each request sends all of it: what was told once is kept. */
import type { Message } from "../../base/types.ts";

/** So many requests later a message that none of them had has left the view; lanes may ask in turn. */
const REQUESTS = 64;

/** How messages are told to a model, and what was. */
interface Telling<T> {
  readonly told: WeakMap<Message, T>;
  readonly make: (message: Message) => T;
}

/**
 * Makes a function to be called for each request, with its model; the one it returns remembers what
 * `makeFor` that model told of a message, as long as requests have it; not of one with images, for
 * their size.
 */
export function remembering<T>(
  makeFor: (model: string) => (message: Message) => T,
): (model: string) => (message: Message) => T {
  let recent = new Map<string, Telling<T>>();
  let before = recent;
  let requests = 0;
  return (model) => {
    if (requests++ % REQUESTS === 0) [recent, before] = [new Map(), recent];
    const earlier = before.get(model);
    const telling = recent.get(model) ??
      { told: new WeakMap<Message, T>(), make: earlier?.make ?? makeFor(model) };
    recent.set(model, telling);
    const { told, make } = telling;
    return (message) => {
      let known = told.get(message);
      if (known !== undefined) return known;
      known = earlier?.told.get(message) ?? make(message);
      if (message.role === "assistant" || !message.images) told.set(message, known);
      return known;
    };
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
  /** Where each of them ends in `kept`. */
  let ends: number[] = [];
  // Grown in place: a body itself is let go with its request, before the collector takes it for old.
  let kept = new Uint8Array(0);
  return (head, messages, tail) => {
    const now = [`${JSON.stringify(head).slice(0, -1)},"messages":[`, ...messages];
    const other = texts.findIndex((text, at) => text !== now[at]);
    const same = other < 0 ? texts.length : other;
    const fresh = now.slice(same).map((text, at) =>
      encoder.encode(same + at > 1 ? "," + text : text)
    );
    const rest = JSON.stringify(tail).slice(1);
    const last = encoder.encode(rest === "}" ? "]}" : `],${rest}`);
    ends.length = same;
    let at = ends.at(-1) ?? 0;
    const length = fresh.reduce((sum, part) => sum + part.length, at);
    kept = withRoom(kept, at, length);
    for (const part of fresh) {
      kept.set(part, at);
      ends.push(at += part.length);
    }
    texts = now;
    const body = new Uint8Array(length + last.length);
    body.set(kept.subarray(0, length));
    body.set(last, length);
    if (length > MOST_KEPT) [texts, ends, kept] = [[], [], new Uint8Array(0)];
    return body;
  };
}

/** The bytes, or their first `used` ones in a larger array, with room for `length` and some more. */
function withRoom(
  bytes: Uint8Array<ArrayBuffer>,
  used: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const larger = new Uint8Array(length + (length >> 2));
  larger.set(bytes.subarray(0, used));
  return larger;
}
