/** The newest results, which no answer has been given to yet: cut only where they do not fit alone. */
import type { KeeperHost, Lang, Message, Session, ToolMessage } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { clip } from "./clip.ts";
import { sizeOf, type Sizes } from "../consolidate.ts";
import { type Draft, tailStart } from "./draft.ts";
import { linesShown, shorten } from "./shorten.ts";

const CALL_CHARS = 80;
/** Results that are told one by one. */
const TOLD = 3;

/** What the next answer answers. */
export const newestOf = ({ rest }: Draft): readonly Message[] => rest.slice(tailStart(rest));

/** Cuts the largest of them to what the others leave of `most` tokens, or to half of it at the least. */
export function cutNewest(draft: Draft, host: KeeperHost, sizes: Sizes, most: number): Draft {
  const results = newestOf(draft).filter(({ role }) => role === "tool");
  const others = sizeOf(draft, sizes) - sizes.of(results);
  const room = Math.max(most - others, (most - sizes.fixed) / 2);
  const tokens = evenShare(results.map((one) => sizes.of([one])), room);
  return shorten(draft, host, { until: draft.rest.length, tokens, of: sizes.of });
}

/** What each may have of `room` at most, when those that need less leave the rest to the others. */
function evenShare(needs: readonly number[], room: number): number {
  let left = room;
  for (const [at, need] of needs.toSorted((a, b) => a - b).entries()) {
    const share = left / (needs.length - at);
    if (need > share) return Math.max(0, share);
    left -= need;
  }
  return Infinity;
}

/** How much of each result that was cut the model sees, in words for the user. */
export function cutList(
  cut: readonly (readonly [place: number, text: string])[],
  { messages }: Session,
  lang: Lang,
): string {
  const told = cut.slice(0, TOLD).map(([place, text]) => {
    const { id, name, text: whole } = messages[place] as ToolMessage;
    const step = messages.slice(0, place).findLast((one) => one.role === "assistant");
    const input = step?.calls.find((call) => call.id === id)?.input ?? "";
    const shown = linesShown(text);
    const lines = whole.split("\n").length;
    return say(lang, "room.cut_result", {
      call: `${name} ${clip(plainly(input), CALL_CHARS)}`.trimEnd(),
      shown,
      lines,
    });
  });
  const more = cut.length - told.length;
  return [...told, ...more > 0 ? [say(lang, "room.cut_more", { n: more })] : []]
    .join(lang === "zh" ? "；" : "; ");
}

/** What a call is about: the first text of its arguments. */
function plainly(input: string): string {
  try {
    const values: unknown[] = Object.values(JSON.parse(input));
    return values.find((value) => typeof value === "string") as string ?? "";
  } catch {
    return input;
  }
}
