/** What a request may count. */
import type { T } from "../base/t.ts";
import type { Gauge } from "./window/gauge.ts";
import type { History } from "../session/history.ts";

/** Kept free for what the estimate is wrong by. */
const SAFETY = 1024;
const COMPLETION = 8192;

export interface RoomOptions {
  readonly t: T;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly history: History;
  readonly gauge: Gauge;
  /** Largest answer asked for, in tokens. */
  readonly maxOutputTokens: number | undefined;
  /** Why there were no summaries, as far as the user has been told at length. */
  readonly failures: Set<string>;
}

/** Tokens that a request may count in a window: room is left for an answer. */
export function budgetOf(window: number, maxOutputTokens: number | undefined): number {
  const completion = maxOutputTokens === undefined
    ? Math.min(COMPLETION, window >> 2)
    : Math.min(maxOutputTokens, window >> 1);
  return Math.max(window - completion - SAFETY, window >> 2);
}
