/** The lane of an agent: opened with a scope of its own, within the budget of who it works for. */
import type { AgentTask, EventBody, Inbound } from "../types.ts";
import type { AgentScope, LaneScope } from "./agent_options.ts";
import type { WatchParts } from "./agent_watch.ts";
import type { Lane } from "./lane.ts";
import type { TurnLimits } from "./limits.ts";

export interface AgentsParts extends WatchParts {
  /** How many work at once. */
  readonly most: number;
  scope(
    task: AgentTask,
    key: string,
    parent: string,
    signal: AbortSignal,
  ): Promise<AgentScope>;
  /** `atRest` is called whenever the lane has nothing left to do. */
  open(key: string, scope: LaneScope, atRest: () => void): void;
  drop(key: string): void;
  lane(key: string): Lane;
  send(inbound: Inbound): void;
  emit(lane: string, event: EventBody): void;
  /** Folder for full copies of what a lane was told in part. */
  outputDir(lane: string): string;
  id(): string;
  /** One of them has ended. */
  onIdle(): void;
}

/** An open lane. */
export interface AgentLane {
  /** Drops the lane, which is at rest, and ends what was opened for it. */
  close(): Promise<void>;
}

/** Opens the lane `key` for a task of the lane `parent`. Rejects in words for the user. */
export async function openLane(
  parts: AgentsParts,
  task: AgentTask,
  key: string,
  parent: string,
  atRest: () => void,
  signal: AbortSignal,
): Promise<AgentLane> {
  const { end, notices = [], ...scope } = await parts.scope(task, key, parent, signal);
  for (const text of notices) parts.emit(parent, { type: "notice", level: "warn", text });
  const limits = within(parts, key, parent, scope.limits);
  try {
    parts.open(key, { ...scope, limits }, atRest);
    // its file is found by it
    await parts.lane(key).desk.save(`${key} ${task.label}`.trim());
  } catch (error) {
    parts.drop(key);
    await end?.();
    throw error;
  }
  return {
    async close() {
      parts.drop(key);
      await end?.();
    },
  };
}

/** The limits of a lane whose costs are counted on another one too: what that one has left. */
function within(
  parts: AgentsParts,
  key: string,
  parent: string,
  own: TurnLimits | undefined,
): TurnLimits {
  const [above, mine] = [() => parts.lane(parent).budget, () => parts.lane(key).budget.spent];
  const { iterations, toolMs } = own ?? above().limits;
  return {
    iterations,
    toolMs,
    get tokens() {
      const { spent, limits } = above();
      if (limits.tokens === undefined) return undefined;
      return mine().input + mine().output + limits.tokens - spent.input - spent.output;
    },
    get cost() {
      const { spent, limits } = above();
      const { cost } = mine();
      if (limits.cost === undefined || spent.cost === null || cost === null) return undefined;
      return cost + limits.cost - spent.cost;
    },
  };
}
