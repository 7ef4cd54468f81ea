/** The older part of a session leaves the view for a summary of it. */
import { addUsage, NO_USAGE } from "../base/figures.ts";
import { truncate } from "../base/strings.ts";
import { HOST_MARK, type T } from "../base/t.ts";
import {
  type ContextHost,
  type Message,
  ModelError,
  type Usage,
  type UserMessage,
} from "../base/types.ts";
import { taskNotes } from "../session/task_notes.ts";
import requestEn from "./prompts/consolidate_en.md" with { type: "text" };
import requestZh from "./prompts/consolidate_zh.md" with { type: "text" };
import {
  bodyOf,
  type Draft,
  leadOf,
  messagesOf,
  stepStarts,
  tailStart,
  turnStarts,
  without,
} from "./window/draft.ts";

/** What the model answers when there is nothing worth keeping. */
const NOTHING = /^[\s*_`"]*[(（]?\s*nothing\s*[)）]?[\s.*_`"。]*$/i;

const ALL_CHARS = 32_000;
const SAID_CHARS = 2000;
const RESULT_CHARS = 200;

export interface Summary {
  /** Empty where nothing is worth keeping; undefined where the answer was empty. */
  readonly text: string | undefined;
  readonly usage: Usage;
}

/** The message that asks for one. */
export function summaryRequest(prompt: string): UserMessage {
  return { role: "user", text: `${HOST_MARK} ${prompt.trim()}` };
}

/** Asks for it behind `messages`. Throws ModelError, or the signal's reason. */
export async function summaryOf(
  messages: readonly Message[],
  request: Message,
  host: ContextHost,
): Promise<Summary> {
  const answer = await host.ask([...messages, request]);
  const text = answer.text.trim();
  const { usage } = answer;
  return { usage, text: text === "" ? undefined : NOTHING.test(text) ? "" : text };
}

/** Messages as plain text: what was said whole, what was done in short. */
export function rawText(messages: readonly Message[]): string {
  const lines = messages.flatMap((one) => {
    if (one.role === "user") return [`user: ${truncate(one.text, SAID_CHARS)}`];
    if (one.role === "tool") return [`result of ${one.name}: ${truncate(one.text, RESULT_CHARS)}`];
    return [
      ...one.text === "" ? [] : [`assistant: ${truncate(one.text, SAID_CHARS)}`],
      ...one.calls.map(({ name, input }) => `call: ${name} ${truncate(input, RESULT_CHARS)}`),
    ];
  });
  return truncate(`[raw] ${messages.length} messages\n${lines.join("\n")}`, ALL_CHARS);
}

const ROUNDS = 5;
const REQUESTS = { en: summaryRequest(requestEn), zh: summaryRequest(requestZh) };

/** The tokens there are. */
export interface Sizes {
  /** That a request may count. */
  readonly budget: number;
  /** To which it is to come down. */
  readonly target: number;
  /** Of a request without messages. */
  readonly fixed: number;
  of(messages: readonly Message[]): number;
  /** Of the body and of the pins of a lead, in characters each. */
  readonly leadChars: number;
}

/** What a request would count. */
export const sizeOf = (draft: Draft, { fixed, of }: Sizes): number => fixed + of(messagesOf(draft));

export interface Consolidated {
  readonly draft: Draft;
  /** What is to be kept of the messages that left, oldest first. */
  readonly archive: readonly string[];
  /** How many messages left. */
  readonly count: number;
  readonly spent: Usage;
  /** Why there is no summary of the last that left. */
  readonly failed?: ModelError | "empty";
}

interface Where {
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly t: T;
}

/**
 * Takes older messages out of the draft, at most five times, until it is down to the target; asks
 * the model with a beginning of what it has seen. Throws only `signal.reason`.
 */
export async function consolidate(
  start: Draft,
  host: ContextHost,
  sizes: Sizes,
  { dir, t }: Where,
): Promise<Consolidated> {
  let draft = start;
  let spent = NO_USAGE;
  let failed: Consolidated["failed"];
  const archive: string[] = [];
  // a summary may be longer than was thought; for that alone no model is asked again
  const enough = (round: number) => sizeOf(draft, sizes) <= sizes.target * (round === 0 ? 1 : 1.25);
  for (let round = 0; round < ROUNDS && !enough(round); round++) {
    const cut = cutOf(draft, sizes, REQUESTS[t.lang]);
    if (!cut) break;
    if (round === 0) {
      host.notice(
        "info",
        t("The context is nearly full: summing up what was said earlier…"),
        "passing",
      );
    }
    const count = cut.at;
    const part = draft.rest.slice(0, count);
    const asked = messagesOf({ ...draft, rest: part });
    const answer = await trySummary(asked, REQUESTS[t.lang], host);
    spent = addUsage(spent, answer.usage);
    failed = answer.failed;
    const body = answer.text || bodyWithout(answer.failed !== undefined, draft, part, dir, sizes);
    if (answer.failed) archive.push(rawText(part));
    else if (answer.text !== "") archive.push(answer.text);
    const from = draft.from + count;
    draft = without(
      draft,
      count,
      leadOf({ session: host.session, dir, t }, from, body, sizes.leadChars),
    );
  }
  const count = draft.from - start.from;
  return { draft, archive, count, spent, ...failed ? { failed } : {} };
}

/** A place to cut, and what would leave the view there, in tokens. */
interface Cut {
  readonly at: number;
  readonly gone: number;
}

/** How many messages to take out: up to a question of the user's, else up to a step of the model's. */
function cutOf(draft: Draft, sizes: Sizes, request: Message): Cut | undefined {
  const { of, fixed, budget, target } = sizes;
  const gone = [of(messagesOf({ ...draft, rest: [] }))];
  for (const message of draft.rest) gone.push(gone.at(-1)! + of([message]));
  // what takes their place counts too
  const need = fixed + gone.at(-1)! - target + Math.min(1500, budget >> 4);
  const fits = budget - fixed - of([request]);
  const cuts = (starts: readonly number[], last: number): Cut[] =>
    starts.filter((at) => at > 0 && at <= last && gone[at]! <= fits)
      .map((at) => ({ at, gone: gone[at]! }));
  const first = (all: readonly Cut[], least: number) => all.find((cut) => cut.gone >= least);
  const starts = turnStarts(draft);
  const turns = cuts(starts, starts.at(-1) ?? 0);
  const steps = cuts(stepStarts(draft), tailStart(draft.rest));
  const half = turns.findLast((cut) => cut.gone >= need / 2);
  const cut = first(turns, need) ?? half ?? first(steps, need) ?? steps.at(-1) ?? turns.at(-1);
  return cut && cut.gone >= budget / 10 ? cut : undefined;
}

/** A summary of `messages`, or why there is none. Throws only `signal.reason`. */
async function trySummary(
  messages: readonly Message[],
  request: Message,
  host: ContextHost,
): Promise<{ text: string; usage: Usage; failed?: ModelError | "empty" }> {
  try {
    const { text, usage } = await summaryOf(messages, request, host);
    return text === undefined ? { text: "", usage, failed: "empty" } : { text, usage };
  } catch (error) {
    if (host.signal.aborted || !(error instanceof ModelError)) throw error;
    return { text: "", usage: NO_USAGE, failed: error };
  }
}

/** A body that no model has written: the one there was, and where there is no summary what was asked. */
function bodyWithout(
  failed: boolean,
  { lead }: Draft,
  part: readonly Message[],
  dir: string | undefined,
  { leadChars }: Sizes,
): string {
  const before = bodyOf(lead);
  if (!failed) return before;
  const where = dir === undefined
    ? "The messages since could not be summarised."
    : "The messages since could not be summarised; memory/history.jsonl has their raw text.";
  const head = [before.slice(0, leadChars / 2).toWellFormed(), where]
    .filter((text) => text !== "").join("\n\n");
  // the newest matter most
  const room = Math.max(0, leadChars - head.length - 60);
  const notes = taskNotes(part).slice(-room || Infinity).toWellFormed();
  return notes === "" ? head : `${head} What was asked in them, and what came of it:\n${notes}`;
}
