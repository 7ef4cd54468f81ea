/** A view that is being made; nothing has changed until it is shown. */
import type { Message, Session } from "../../base/types.ts";
import { HOST_MARK, type T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { cutText, pinnedWithin } from "./pins.ts";

// The message that stands in the place of those that left the view.

const PINS = "\n\n---\n\n";
const DROPPED = "The newest of these messages were dropped without a summary.";

/** What of it stays the same for a session. */
interface LeadOptions {
  readonly session: Session;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly t: T;
}

/**
 * A lead for a view that begins at place `from`: `body`, which is what a model made of the messages
 * before, cut to `most` characters, and what the host itself pins, cut likewise.
 */
export function leadOf(
  { session, dir, t }: LeadOptions,
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
    PINS + pinnedWithin(session, most, t);
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

/** What the model would see: `rest[i]` stands at place `from + i` of the session. */
export interface Draft {
  /** A user's message that stands first; empty for none. */
  readonly lead: string;
  readonly from: number;
  readonly rest: readonly Message[];
  /** Places of results that would be seen as another text, besides those that are already. */
  readonly shortened: ReadonlyMap<number, string>;
}

/** What the model sees now. */
export function draftOf({ view, viewFrom, messages }: Session): Draft {
  const led = view.length > messages.length - viewFrom;
  return {
    lead: led ? view[0]!.text : "",
    from: viewFrom,
    rest: led ? view.slice(1) : view.slice(),
    shortened: new Map(),
  };
}

/** The messages of a request. */
export function messagesOf({ lead, rest }: Draft): readonly Message[] {
  return lead === "" ? rest : [{ role: "user", text: lead }, ...rest];
}

/** Without the first `count` messages, behind another lead. */
export function without(draft: Draft, count: number, lead: string): Draft {
  const from = draft.from + count;
  return { ...draft, lead, from, rest: draft.rest.slice(count) };
}

/** Where a person's questions begin. */
export function turnStarts({ rest }: Draft): number[] {
  return rest.flatMap((one, at) =>
    one.role === "user" && !one.text.startsWith(HOST_MARK) ? [at] : []
  );
}

/** Where the model's answers begin, with the results of their calls behind them. */
export function stepStarts({ rest }: Draft): number[] {
  return rest.flatMap((one, at) => one.role === "assistant" ? [at] : []);
}

/** Where that begins which the next answer answers: the last calls with their results, or the last question. */
export function tailStart(rest: readonly Message[]): number {
  const at = rest.findLastIndex((one) => one.role === "assistant");
  const answer = rest[at];
  return answer?.role === "assistant" && answer.calls.length > 0 ? at : at + 1;
}
