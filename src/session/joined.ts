/** Which lines of a stored session joined a turn that was running. */
import type { Entry } from "./entries.ts";

/** The entries of lines that joined. */
export function joinedLines(entries: readonly Entry[]): ReadonlySet<Entry> {
  const joined = new Set<Entry>();
  const told = entries.some((entry) => entry.type === "event");
  let notice: string | undefined;
  /** Ids of the calls that have no result, while a turn is known to go on. */
  let open: Set<string> | undefined;
  for (const entry of entries) {
    if (entry.type === "event" && entry.event.type === "notice") notice = entry.event.joined;
    if (entry.type !== "message") continue;
    const { message, asked } = entry;
    // an older narnat has not kept the notice: behind results the model is asked again
    const joins = told ? notice === message.text : open?.size === 0;
    if (message.role === "user" && asked && joins) joined.add(entry);
    if (message.role === "assistant") {
      open = message.calls.length > 0 ? new Set(message.calls.map(({ id }) => id)) : undefined;
    } else if (message.role === "tool") open?.delete(message.id);
    notice = undefined;
  }
  return joined;
}
