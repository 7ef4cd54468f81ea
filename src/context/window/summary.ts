/** A summary of a conversation, by the model that leads it; where there is none, its text in short. */
import type { KeeperHost, Message, Usage, UserMessage } from "../../base/types.ts";
import { HOST_MARK } from "../../base/t.ts";
import { truncate } from "../../base/strings.ts";

/** What the model answers when there is nothing worth keeping. */
const NOTHING = /^[\s*_`"]*[(（]?\s*nothing\s*[)）]?[\s.*_`"。]*$/i;

const ALL_CHARS = 32_000;
const SAID_CHARS = 2000;
const RESULT_CHARS = 200;

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

/** Messages as plain text: what was said whole, what was done in short. */
export function rawText(messages: readonly Message[]): string {
  const lines = messages.flatMap((one) => {
    if (one.role === "user") return [`user: ${truncate(one.text, SAID_CHARS)}`];
    if (one.role === "tool") return [`result of ${one.name}: ${truncate(one.text, RESULT_CHARS)}`];
    return [
      ...one.text === "" ? [] : [`assistant: ${truncate(one.text, SAID_CHARS)}`],
      ...one.calls.map(({ name, input }) => `call: ${name} ${truncate(input, RESULT_CHARS)}`),
    ];
  });
  return truncate(`[raw] ${messages.length} messages\n${lines.join("\n")}`, ALL_CHARS);
}
