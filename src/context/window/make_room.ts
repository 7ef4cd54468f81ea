/** Makes room in the window: pointers for large results, a summary for older messages, at last without them. */
import type { KeeperHost, Session } from "../../base/types.ts";
import { count } from "../../base/figures.ts";
import { foundOf } from "../../models/errors.ts";
import { say } from "../../base/text.ts";
import { spent } from "../../base/usage.ts";
import { budgetOf, type RoomOptions } from "../budget.ts";
import { consolidate, type Consolidated, sizeOf, type Sizes } from "../consolidate.ts";
import { type Draft, draftOf, stepStarts, tailStart, without } from "./draft.ts";
import { BARE_LEAD, bodyAfterDrop, bodyOf, leadOf } from "./lead.ts";
import { cutList, cutNewest, newestOf } from "./newest.ts";
import { shorten, writeCopies } from "./shorten.ts";
import { groupEnd, trimCount } from "./trim.ts";

/** Above this share of the window the oldest messages are dropped when all else has failed. */
const TRIM_ABOVE = 0.8;
/** Of a lead's body and of its pins, where they leave the newest results no room. */
const LEAST_LEAD_CHARS = 400;

/** Why the line that waits for an answer can never be sent; undefined when it may fit. */
export function tooLong(
  session: Session,
  window: number | undefined,
  { gauge, lang }: RoomOptions,
): string | undefined {
  const { rest } = draftOf(session);
  const tail = rest.slice(tailStart(rest));
  if (window === undefined || tail[0]?.role !== "user") return undefined;
  const fixed = gauge.fixed();
  const line = gauge.of(tail);
  if (fixed + line < window) return undefined;
  const figures = { window: count(window), fixed: count(fixed), line: count(line) };
  return say(lang, "room.line_too_long", figures);
}

/**
 * Shows the model less, where that brings its view down to half of what a window of `window` tokens
 * allows, or nearer to it. Returns whether anything has changed; stopped, nothing has.
 */
export async function makeRoom(
  host: KeeperHost,
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
    const where = { session: host.session, dir: o.dir, lang: o.lang };
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
export function dropHalf(host: KeeperHost, window: number, o: RoomOptions): boolean {
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

function drop(draft: Draft, count: number, host: KeeperHost, sizes: Sizes, o: RoomOptions): Draft {
  if (count === 0) return draft;
  const from = draft.from + count;
  const body = bodyAfterDrop(bodyOf(draft.lead));
  const lead = leadOf(
    { session: host.session, dir: o.dir, lang: o.lang },
    from,
    body,
    sizes.leadChars,
  );
  return without(draft, count, lead);
}

/** Puts what left into the history; the stored session has it anyway. */
function keep(archive: readonly string[], { session, notice }: KeeperHost, o: RoomOptions): void {
  try {
    for (const text of archive) o.history.append(text, session.id);
  } catch (error) {
    notice("warn", say(o.lang, "memory.not_kept", { why: (error as Error).message }));
  }
}

/** Shows a draft to the model, and to the user what became of `start`. */
function show(
  draft: Draft,
  start: Draft,
  why: "shortened" | "consolidated" | "trimmed",
  before: number,
  host: KeeperHost,
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
    spent: made ? spent(made.spent, o.lang) : "",
  };
  const consolidated = made?.count ?? 0;
  if (consolidated > 0) {
    const values = { ...figures, n: consolidated };
    const failed = made!.failed;
    if (failed === undefined) host.notice("info", say(o.lang, "room.consolidated", values));
    else {
      const why = failed === "empty" ? say(o.lang, "room.empty") : foundOf(o.lang, failed);
      const key = o.failures.has(why) ? "room.raw_again" : "room.raw";
      const where = say(o.lang, o.dir === undefined ? "room.raw_unkept" : "room.raw_where");
      o.failures.add(why);
      host.notice("warn", say(o.lang, key, { ...values, why, where }));
    }
  }
  const dropped = from - start.from - consolidated;
  if (dropped > 0) host.notice("warn", say(o.lang, "room.trimmed", { ...figures, n: dropped }));
  const n = shortened.length - cut.length;
  const key = consolidated + dropped > 0 ? "room.shortened_too" : "room.shortened";
  const results = [
    ...n > 0 ? [say(o.lang, key, { ...figures, n })] : [],
    ...cut.length > 0
      ? [say(o.lang, "room.cut", { list: cutList(cut, host.session, o.lang) })]
      : [],
  ];
  if (results.length > 0) {
    host.notice(cut.length > 0 ? "warn" : "info", results.join(o.lang === "zh" ? "。" : ". "));
  }
  if (consolidated + dropped + shortened.length === 0) {
    host.notice("warn", say(o.lang, "room.lead_dropped", figures));
  }
}
