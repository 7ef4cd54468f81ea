/** The last resort (seed 001): the oldest messages go. */
import type { Message } from "../../base/types.ts";

/**
 * How many of the oldest messages have to go for the others to count `most` tokens at most: a call
 * goes with its results. `of` says what messages count for.
 */
export function trimCount(
  messages: readonly Message[],
  most: number,
  of: (messages: readonly Message[]) => number,
): number {
  let count = 0;
  for (let left = of(messages); left > most && count < messages.length;) {
    const end = groupEnd(messages, count);
    left -= of(messages.slice(count, end));
    count = end;
  }
  return count;
}

/** Where the group ends that the message at `at` is in: no result is left without its call. */
export function groupEnd(messages: readonly Message[], at: number): number {
  let end = at + 1;
  while (messages[end]?.role === "tool") end++;
  return end;
}
