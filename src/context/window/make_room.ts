/** Makes room in the window: pointers for large results, a summary for older messages, at last without them. */
import type { ContextHost, Message, Session, ToolMessage } from "../../base/types.ts";
import { count, spent } from "../../base/figures.ts";
import { foundOf } from "../../models/errors.ts";
import type { T } from "../../base/t.ts";
import { budgetOf, type RoomOptions } from "./gauge.ts";
import { consolidate, type Consolidated, sizeOf, type Sizes } from "../consolidate.ts";
import { truncate } from "../../base/strings.ts";
import {
  BARE_LEAD,
  bodyAfterDrop,
  bodyOf,
  type Draft,
  draftOf,
  leadOf,
  stepStarts,
  tailStart,
  without,
} from "./draft.ts";
import { linesShown, shorten, writeCopies } from "./shorten.ts";

// The newest results, which no answer has been given to yet: cut only where they do not fit alone.

const CALL_CHARS = 80;
/** Results that are told one by one. */
const TOLD = 3;

/** What the next answer answers. */
const newestOf = ({ rest }: Draft): readonly Message[] => rest.slice(tailStart(rest));

/** Cuts the largest of them to what the others leave of `most` tokens, or to half of it at the least. */
function cutNewest(draft: Draft, host: ContextHost, sizes: Sizes, most: number): Draft {
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
function cutList(
  cut: readonly (readonly [place: number, text: string])[],
  { messages }: Session,
  t: T,
): string {
  const told = cut.slice(0, TOLD).map(([place, text]) => {
    const { id, name, text: whole } = messages[place] as ToolMessage;
    const step = messages.slice(0, place).findLast((one) => one.role === "assistant");
    const input = step?.calls.find((call) => call.id === id)?.input ?? "";
    const shown = linesShown(text);
    const lines = whole.split("\n").length;
    return t("the first {shown} of {lines} lines of {call}", {
      call: `${name} ${truncate(plainly(input), CALL_CHARS)}`.trimEnd(),
      shown,
      lines,
    });
  });
  const more = cut.length - told.length;
  return [...told, ...more > 0 ? [t("and of {n} more {n:result|results}", { n: more })] : []]
    .join(t("; "));
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

// The last resort (seed 001): the oldest messages go.

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

/** Above this share of the window the oldest messages are dropped when all else has failed. */
const TRIM_ABOVE = 0.8;
/** Of a lead's body and of its pins, where they leave the newest results no room. */
const LEAST_LEAD_CHARS = 400;

/** Why the line that waits for an answer can never be sent; undefined when it may fit. */
export function tooLong(
  session: Session,
  window: number | undefined,
  { gauge, t }: RoomOptions,
): string | undefined {
  const { rest } = draftOf(session);
  const tail = rest.slice(tailStart(rest));
  if (window === undefined || tail[0]?.role !== "user") return undefined;
  const fixed = gauge.fixed();
  const line = gauge.of(tail);
  if (fixed + line < window) return undefined;
  const figures = { window: count(window), fixed: count(fixed), line: count(line) };
  return t(
    "This does not fit the model's window of {window} tokens: prompt and tools take about {fixed}, the line with what it attaches about {line}. Shorten it, or put the text into a file for the model to read in parts; context_window sets the window. The conversation before it is unchanged",
    figures,
  );
}

/**
 * Shows the model less, where that brings its view down to half of what a window of `window` tokens
 * allows, or nearer to it. Returns whether anything has changed; stopped, nothing has.
 */
export async function makeRoom(
  host: ContextHost,
  window: number,
  o: RoomOptions,
): Promise<boolean> {
  const { session } = host;
  const before = o.gauge.estimate(session);
  const sizes = sizesFor(window, o);
  const { budget, target } = sizes;
  const start = draftOf(session);
  const size = (draft: Draft) => sizeOf(draft, sizes);

  const short = shorten(start, host, {
    until: untilRecent(start, sizes),
    tokens: 0,
    of: o.gauge.of,
  });
  if (size(short) <= target) {
    show(short, start, "shortened", before, host, o);
    return true;
  }
  const made = await consolidate(start, host, sizes, o);
  let draft = made.draft;
  if (size(draft) > target) {
    draft = shorten(draft, host, { until: untilRecent(draft, sizes), tokens: 0, of: o.gauge.of });
  }
  if (size(draft) > budget) {
    draft = shorten(draft, host, { until: tailStart(draft.rest), tokens: 0, of: o.gauge.of });
  }
  const most = Math.max(budget, window * TRIM_ABOVE);
  if (size(draft) > most && sizes.fixed + o.gauge.of(newestOf(draft)) > most) {
    draft = cutNewest(draft, host, sizes, most);
  }
  const kept = draft;
  if (size(draft) > most) {
    const old = draft.rest.slice(0, tailStart(draft.rest));
    const left = target - sizes.fixed - o.gauge.of(draft.rest.slice(old.length));
    draft = drop(draft, trimCount(old, left, o.gauge.of), host, sizes, o);
  }
  const why = draft !== kept ? "trimmed" : made.count > 0 ? "consolidated" : "shortened";
  if (size(draft) > most && draft.lead !== "") {
    const where = { session: host.session, dir: o.dir, t: o.t };
    draft = { ...draft, lead: leadOf(where, draft.from, bodyOf(draft.lead), LEAST_LEAD_CHARS) };
  }
  if (size(draft) > most) draft = cutNewest(draft, host, sizes, most);
  if (size(draft) >= size(start)) return false;
  keep(made.archive, host, o);
  show(draft, start, why, before, host, o, made);
  return true;
}

/**
 * Drops the older half of what the model sees, a second time half of the rest, and so on. Returns
 * false when nothing is left to drop but what has to be answered: then the view is empty.
 */
export function dropHalf(host: ContextHost, window: number, o: RoomOptions): boolean {
  const start = draftOf(host.session);
  const sizes = sizesFor(window, o);
  const before = o.gauge.estimate(host.session);
  const tail = tailStart(start.rest);
  if (tail > 0) {
    const count = groupEnd(start.rest, Math.ceil(tail / 2) - 1);
    show(drop(start, count, host, sizes, o), start, "trimmed", before, host, o);
    return true;
  }
  const cut = cutNewest(start, host, sizes, sizes.budget);
  if (cut.shortened.size > 0) {
    show(cut, start, "shortened", before, host, o);
    return true;
  }
  const lead = start.rest[0]?.role === "assistant" ? BARE_LEAD : "";
  if (start.rest.length > 0 && start.lead.length > lead.length) {
    show({ ...start, lead }, start, "trimmed", before, host, o);
    return true;
  }
  const from = host.session.messages.length;
  host.show({ why: "trimmed", lead: "", from, shortened: [] });
  return false;
}

function sizesFor(window: number, { gauge, maxOutputTokens }: RoomOptions): Sizes {
  const fixed = gauge.fixed();
  const budget = budgetOf(window, maxOutputTokens);
  // where the prompt takes most of a small window, half of it would leave nothing to work with
  const target = Math.max(budget >> 1, Math.min(fixed + (budget >> 2), budget));
  const leadChars = Math.max(LEAST_LEAD_CHARS, Math.round((budget - fixed) / 2));
  return { budget, target, fixed, of: gauge.of, leadChars };
}

/** Where the newest quarter of the budget begins, and the last step at the latest. */
function untilRecent(draft: Draft, { budget, of }: Sizes): number {
  let at = draft.rest.length;
  for (let left = budget >> 2; at > 0; at--) {
    left -= of([draft.rest[at - 1]!]);
    if (left < 0) break;
  }
  return Math.min(at, stepStarts(draft).at(-1) ?? at);
}

function drop(draft: Draft, count: number, host: ContextHost, sizes: Sizes, o: RoomOptions): Draft {
  if (count === 0) return draft;
  const from = draft.from + count;
  const body = bodyAfterDrop(bodyOf(draft.lead));
  const lead = leadOf(
    { session: host.session, dir: o.dir, t: o.t },
    from,
    body,
    sizes.leadChars,
  );
  return without(draft, count, lead);
}

/** Puts what left into the history; the stored session has it anyway. */
function keep(archive: readonly string[], { session, notice }: ContextHost, o: RoomOptions): void {
  try {
    for (const text of archive) o.history.append(text, session.id);
  } catch (error) {
    notice(
      "warn",
      o.t("Cannot write the memory: {why}. The session itself stays stored", {
        why: (error as Error).message,
      }),
    );
  }
}

/** Shows a draft to the model, and to the user what became of `start`. */
function show(
  draft: Draft,
  start: Draft,
  why: "shortened" | "consolidated" | "trimmed",
  before: number,
  host: ContextHost,
  o: RoomOptions,
  made?: Consolidated,
): void {
  writeCopies(draft, host);
  const { lead, from } = draft;
  const shortened = [...draft.shortened].filter(([place]) => place >= from);
  host.show({ why, lead, from, shortened });
  const newest = start.from + tailStart(start.rest);
  const cut = shortened.filter(([place]) => place >= newest);
  const figures = {
    before: count(before),
    after: count(o.gauge.estimate(host.session)),
    spent: made ? spent(made.spent, o.t) : "",
  };
  const consolidated = made?.count ?? 0;
  if (consolidated > 0) {
    const values = { ...figures, n: consolidated };
    const failed = made!.failed;
    if (failed === undefined) {
      host.notice(
        "info",
        o.t(
          "The context was nearly full: {n} earlier {n:message|messages} became a summary ({before} → {after} tokens, spent {spent})",
          values,
        ),
      );
    } else {
      const why = failed === "empty" ? o.t("the model's answer was empty") : foundOf(o.t, failed);
      const text = o.failures.has(why)
        ? "Another {n} earlier {n:message|messages} could not be summed up ({why}); the model no longer sees them ({before} → {after} tokens)"
        : "The context was nearly full: {n} earlier {n:message|messages} could not be summed up ({why}), and the model no longer sees them ({before} → {after} tokens, spent {spent}). {where}. Take another model (/model), or start a new session (/clear)";
      const where = o.t(
        o.dir === undefined
          ? "This session has them (/export) until narnat ends, as nothing is kept on disk"
          : "Their raw text is in .narnat/memory/history.jsonl, and the stored session has them whole (/show, /search)",
      );
      o.failures.add(why);
      host.notice("warn", o.t(text, { ...values, why, where }));
    }
  }
  const dropped = from - start.from - consolidated;
  if (dropped > 0) {
    host.notice(
      "warn",
      o.t(
        "The context was too full: the oldest {n} {n:message|messages} left it without a summary ({before} → {after} tokens). The stored session still has them",
        { ...figures, n: dropped },
      ),
    );
  }
  const n = shortened.length - cut.length;
  const text = consolidated + dropped > 0
    ? "Besides, {n} earlier tool {n:result|results} became a pointer to a copy on disk"
    : "The context was nearly full: {n} earlier tool {n:result|results} became a pointer to a copy on disk ({before} → {after} tokens)";
  const results = [
    ...n > 0 ? [o.t(text, { ...figures, n })] : [],
    ...cut.length > 0
      ? [
        o.t(
          "A result just received does not fit the model's window; the model sees only its beginning: {list}",
          { list: cutList(cut, host.session, o.t) },
        ),
      ]
      : [],
  ];
  if (results.length > 0) {
    host.notice(cut.length > 0 ? "warn" : "info", results.join(o.t(". ")));
  }
  if (consolidated + dropped + shortened.length === 0) {
    host.notice(
      "warn",
      o.t(
        "The context was still too full: the summary of earlier messages left it too ({before} → {after} tokens)",
        figures,
      ),
    );
  }
}
