/** A request's body as text. A session only grows, and each request sends all of it: what was told once is kept. */
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

/** The JSON of `head`, which has fields, with `messages` (JSON texts) behind them and the fields of `tail` last. */
export function bodyText(head: object, messages: readonly string[], tail: object): string {
  const rest = JSON.stringify(tail).slice(1);
  // joined once: the body of a long session is large
  const texts = [...messages];
  texts[0] = `${JSON.stringify(head).slice(0, -1)},"messages":[${texts[0] ?? ""}`;
  texts[texts.length - 1] += rest === "}" ? "]}" : `],${rest}`;
  return texts.join(",");
}
