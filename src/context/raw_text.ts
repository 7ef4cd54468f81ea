/** Messages as plain text, where no model has summarised them. */
import type { Message } from "../types.ts";
import { clip } from "./clip.ts";

const ALL_CHARS = 32_000;
const SAID_CHARS = 2000;
const RESULT_CHARS = 200;

/** What was said whole, what was done in short. */
export function rawText(messages: readonly Message[]): string {
  const lines = messages.flatMap((one) => {
    if (one.role === "user") return [`user: ${clip(one.text, SAID_CHARS)}`];
    if (one.role === "tool") return [`result of ${one.name}: ${clip(one.text, RESULT_CHARS)}`];
    return [
      ...one.text === "" ? [] : [`assistant: ${clip(one.text, SAID_CHARS)}`],
      ...one.calls.map(({ name, input }) => `call: ${name} ${clip(input, RESULT_CHARS)}`),
    ];
  });
  return clip(`[raw] ${messages.length} messages\n${lines.join("\n")}`, ALL_CHARS);
}
