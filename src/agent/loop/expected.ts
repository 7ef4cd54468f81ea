/** What a request is expected to take, and what a broken one has taken. */
import type { Session, Usage } from "../../base/types.ts";

/** Tokens of an answer in a session that has none yet. */
const FIRST_ANSWER = 500;

/** Tokens of a character: of most texts, and of Chinese and the like. */
const OF_ASCII = 0.28;
const OF_OTHER = 0.7;

/**
 * The next request of a session, of which `input` tokens are sent: what the last one has left in the
 * provider's cache, where it has one, and an answer as long as the session's are.
 */
export function expectedUsage(session: Session, input: number): Omit<Usage, "cost"> {
  const { lastUsage, meanOutput = FIRST_ANSWER } = session;
  const whole = Math.ceil(input);
  const cached = lastUsage && lastUsage.cached > 0 ? Math.min(whole, lastUsage.input) : 0;
  return { input: whole, output: Math.ceil(meanOutput), cached };
}

/** Tokens of what was streamed. */
export function streamedTokens(text: string): number {
  const other = text.replaceAll(/[\0-\x7f]+/g, "").length;
  return Math.ceil(other * OF_OTHER + (text.length - other) * OF_ASCII);
}
