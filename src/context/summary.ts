/** A summary of a conversation, by the model that leads it. */
import type { KeeperHost, Message, Usage, UserMessage } from "../types.ts";
import { HOST_MARK } from "../text.ts";

/** What the model answers when there is nothing worth keeping. */
const NOTHING = /^[\s*_`"]*[(（]?\s*nothing\s*[)）]?[\s.*_`"。]*$/i;

export interface Summary {
  /** Empty where nothing is worth keeping; undefined where the answer was empty. */
  readonly text: string | undefined;
  readonly usage: Usage;
}

/** The message that asks for one. */
export function summaryRequest(prompt: string): UserMessage {
  return { role: "user", text: `${HOST_MARK} ${prompt.trim()}` };
}

/** Asks for it behind `messages`. Throws ModelError, or the signal's reason. */
export async function summaryOf(
  messages: readonly Message[],
  request: Message,
  host: KeeperHost,
): Promise<Summary> {
  const answer = await host.ask([...messages, request]);
  const text = answer.text.trim();
  const { usage } = answer;
  return { usage, text: text === "" ? undefined : NOTHING.test(text) ? "" : text };
}
