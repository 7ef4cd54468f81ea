/** The message that stands in the place of those that left the view. */
import type { Lang, Session } from "../../base/types.ts";
import { HOST_MARK } from "../../base/text.ts";
import { under } from "../../base/under.ts";
import { cutText, pinnedWithin } from "./pins.ts";

const PINS = "\n\n---\n\n";
const DROPPED = "The newest of these messages were dropped without a summary.";

/** What of it stays the same for a session. */
export interface LeadOptions {
  readonly session: Session;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly lang: Lang;
}

/**
 * A lead for a view that begins at place `from`: `body`, which is what a model made of the messages
 * before, cut to `most` characters, and what the host itself pins, cut likewise.
 */
export function leadOf(
  { session, dir, lang }: LeadOptions,
  from: number,
  body: string,
  most: number,
): string {
  const where = dir === undefined
    ? ""
    : ` In full, one JSON record a line: ${
      under(dir, "sessions", `${session.id}.jsonl`)
    } (Grep it for a detail).`;
  const head = `${HOST_MARK} The first ${from} messages of this session are not shown any more, ` +
    `to make room.${where}`;
  return [head, cutText(body, most)].filter((text) => text !== "").join("\n\n") +
    PINS + pinnedWithin(session, most, lang);
}

/** The body of a lead. */
export function bodyOf(lead: string): string {
  const end = lead.lastIndexOf(PINS);
  const begin = lead.indexOf("\n\n");
  return end < 0 || begin >= end ? "" : lead.slice(begin + 2, end);
}

/** A body that says that messages went unsummarised. */
export function bodyAfterDrop(body: string): string {
  return body.includes(DROPPED) ? body : [body, DROPPED].filter((text) => text !== "").join("\n\n");
}

/** The shortest lead, where an answer may not stand first. */
export const BARE_LEAD = `${HOST_MARK} The earlier messages of this session were dropped.`;
