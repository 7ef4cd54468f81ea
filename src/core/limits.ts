/** What a turn and a session may take. */
import type { EventBody, Lang, Usage } from "../types.ts";
import { say } from "../text.ts";

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
  /** Milliseconds after which a tool call is given up. */
  readonly toolMs: number;
}

/** What to tell the user when the session may cost no more. */
export function overBudget(spent: Usage, limits: TurnLimits, lang: Lang): string | undefined {
  if (limits.tokens !== undefined && spent.input + spent.output >= limits.tokens) {
    return say(lang, "turn.budget_tokens", {
      spent: spent.input + spent.output,
      limit: limits.tokens,
    });
  }
  if (limits.cost !== undefined && spent.cost !== null && spent.cost >= limits.cost) {
    return say(lang, "turn.budget_cost", { spent: spent.cost.toFixed(4), limit: limits.cost });
  }
  return undefined;
}
