/** What the window is filled with. */
import type { Message, Share } from "../../base/types.ts";
import { HOST_MARK } from "../../base/text.ts";
import { OF_IMAGE, textTokens } from "./gauge.ts";
import type { PromptPart } from "../part.ts";

/**
 * Shares of a request that counts `tokens` in all: the parts of the prompt in their order, then what
 * the conversation is made of, the largest first.
 */
export function sharesOf(
  parts: readonly PromptPart[],
  tools: string,
  messages: readonly Message[],
  tokens: number,
): Share[] {
  const fixed: Share[] = [
    ...parts.map(({ name, text }) => ({ kind: "prompt", name, tokens: textTokens(text) }) as const),
    { kind: "definitions", name: "", tokens: textTokens(tools) },
  ];
  const told = new Map<string, Share>();
  const add = (kind: Share["kind"], text: string, name = "", images = 0) => {
    const more = textTokens(text) + images * OF_IMAGE;
    const before = told.get(kind + name)?.tokens ?? 0;
    if (more > 0) told.set(kind + name, { kind, name, tokens: before + more });
  };
  for (const message of messages) {
    const images = message.role === "assistant" ? 0 : message.images?.length;
    if (message.role === "user") {
      add(message.text.startsWith(HOST_MARK) ? "host" : "user", message.text, "", images);
    } else if (message.role === "tool") {
      add("tool", message.text, message.name, images);
    } else {
      add("answer", message.text);
      for (const { name, input } of message.calls) add("tool", name + input, name);
      for (const { text } of message.thinking) add("thinking", text);
    }
  }
  const all = [...fixed, ...[...told.values()].sort((a, b) => b.tokens - a.tokens)];
  const scale = tokens / all.reduce((sum, share) => sum + share.tokens, 0);
  return all.map((share) => ({ ...share, tokens: Math.round(share.tokens * scale) }));
}
