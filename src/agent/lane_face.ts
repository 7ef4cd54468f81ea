/** What a lane is to the others, and what it shares with them. */
import type { Agents, Desk, EventBody, Evidence, Inbound, Line, Usage } from "../base/types.ts";
import type { Budget } from "./budget.ts";
import type { TurnLimits } from "./loop/limits.ts";

export interface LaneFace {
  receive(inbound: Inbound): void;
  readonly desk: Desk;
  /** Goes on with a stored session; tells of its unreadable lines, and what else is to be told of it. */
  resume(which: string): Promise<{ readonly bad: number; readonly notes: readonly string[] }>;
  busy(): boolean;
  readonly limits: TurnLimits;
  readonly budget: Budget;
  /** What the running turn is restricted to; it holds for what is done elsewhere for it, too. */
  readonly bounds: Pick<Line, "tools">;
  /** Emits an event of what goes on for it elsewhere. */
  tell(event: EventBody): void;
  /** Counts what was spent for it elsewhere. */
  spend(usage: Usage): void;
  /** Takes in what was changed and verified for it elsewhere. */
  vouch(evidence: Evidence): void;
  /** The model is to read this behind the next line. */
  note(text: string): void;
  stop(): void;
  close(): void;
}

/** The agents, as lanes know them. */
export interface LaneAgents extends Agents {
  /** Stops what is done for a lane; what was said so far comes with the lane's next line. */
  interrupt(parent: string): void;
  /** Stops and forgets all that work for a lane; returns how many were at work. */
  leave(parent: string): number;
}
