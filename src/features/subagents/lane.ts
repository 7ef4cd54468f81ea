/** The lane of an agent: opened with a scope of its own, within the budget of who it works for. */
import type { AgentTask } from "../../base/types.ts";
import type { AgentScope } from "../../agent/agent_options.ts";
import type { AgentPoolHost } from "../../agent/agent_options.ts";

export interface AgentsParts extends AgentPoolHost {
  /** How many work at once; the others wait. */
  readonly most: number;
  /** What an agent that works for the lane `parent` has otherwise than it. Rejects in words for the user. */
  scope(
    task: AgentTask,
    key: string,
    parent: string,
    signal: AbortSignal,
  ): Promise<AgentScope>;
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
  // what it costs is counted on the other one, whose limits hold
  const { iterations, toolMs } = scope.limits ?? parts.lane(parent).limits;
  const limits = { iterations, toolMs, cost: undefined, tokens: undefined };
  try {
    parts.open(key, { ...scope, limits }, parent, atRest);
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
