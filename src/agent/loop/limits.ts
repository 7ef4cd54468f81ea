/** What a turn and a session may take. */
import type { Allowance, EventBody } from "../../base/types.ts";
import type { T } from "../../base/t.ts";

export const BUDGETS = {
  session: {
    cost: "The session's cost budget",
    tokens: "The session's token budget",
  },
  day: {
    cost: "Today's cost budget",
    tokens: "Today's token budget",
  },
} as const;

const STANDINGS = {
  short: "{what} would be exceeded by the next request (about {next}): {spent} of {limit} spent",
  used_up: "{what} is used up: {spent} of {limit}",
  near: "{what} is {percent}% spent: {spent} of {limit}",
} as const;

/** A turn shorter than this has been watched to its end, in milliseconds. */
const LONG_TURN_MS = 30_000;

/** Tells of each turn's end whether a person has waited long for it, and may have gone: a plan is one wait. */
export function longWait(): (
  end: Pick<Extract<EventBody, { type: "turn_end" }>, "reason" | "ms" | "more">,
) => boolean {
  let waited = 0;
  return ({ reason, ms, more }) => {
    waited += ms;
    if (more) return false;
    const long = waited >= LONG_TURN_MS && reason !== "interrupted";
    waited = 0;
    return long;
  };
}

export interface TurnLimits {
  /** Model calls per turn. */
  readonly iterations: number;
  /** US dollars per session. */
  readonly cost: number | undefined;
  /** Tokens per session, input and output. */
  readonly tokens: number | undefined;
  /** Of all the user's narnats together. */
  readonly day?: Allowance;
  /** Milliseconds after which a tool call is given up. */
  readonly toolMs: number;
}

/** A limit, and how near it is. */
export interface Limit {
  readonly scope: "session" | "day";
  readonly unit: "tokens" | "cost";
  readonly limit: number;
  readonly spent: number;
  /** What the next request is expected to take. */
  readonly next: number;
}

/** What to tell the user of it. */
export function overText(
  how: "used_up" | "short" | "near",
  { scope, unit, limit, spent, next }: Limit,
  t: T,
  { percent = 0 }: { readonly percent?: number } = {},
): string {
  return t(STANDINGS[how], {
    what: t(BUDGETS[scope][unit]),
    spent: unit === "cost" ? `$${spent.toFixed(4)}` : spent,
    limit: figure(unit, limit),
    next: unit === "cost" ? `$${next.toFixed(4)}` : next,
    percent,
  });
}

/** `$0.5`, `2000`. */
export const figure = (unit: Limit["unit"], n: number): string =>
  unit === "cost" ? `$${Number(n.toFixed(4))}` : String(Math.round(n));

/** Up to two digits that count, as a person would say it. */
export function roundUp(n: number, whole: boolean): number {
  const least = whole ? 1 : 0.01;
  const step = Math.max(least, 10 ** (Math.floor(Math.log10(Math.max(n, least))) - 1));
  return Number((Math.max(1, Math.ceil(n / step - 1e-9)) * step).toFixed(2));
}
