/** A view that is being made; nothing has changed until it is shown. */
import type { Message, Session } from "../../base/types.ts";
import { HOST_MARK } from "../../base/text.ts";

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
