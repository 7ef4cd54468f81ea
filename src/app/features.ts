/** THE list of what joins a lane's work, in order. */
import { consentLayer } from "../agent/loop/calls.ts";
import type { LaneHost, Middleware } from "../agent/middleware.ts";
import type { Hooks } from "../base/types.ts";
import { hooksLayer } from "../features/hooks/layer.ts";
import { planMode } from "../features/plan/mode.ts";
import { redactResults, restorePlaceholders } from "../features/secrets/layer.ts";
import { skillsLayer } from "../features/skills/layer.ts";
import type { LaneParts } from "../commands/environment.ts";
import { createAgents } from "../features/subagents/pool.ts";
import { subagentsLayer } from "../features/subagents/lost.ts";
import { undoLayer } from "../features/undo/mod.ts";

export interface LaneFeatures {
  readonly hooks?: Hooks;
  /** A person's lines are planned first, and the plan's steps asked one by one. */
  readonly planFirst?: boolean;
}

/**
 * The order carries promises: a hook sees placeholders, not secrets; consent comes before the
 * checkpoint, and the checkpoint before the change. `tests/e2e/promises_test.ts` holds each of them.
 */
export function laneFeatures({ hooks, planFirst = false }: LaneFeatures) {
  return (lane: LaneHost): readonly Middleware[] => [
    redactResults(),
    subagentsLayer(lane),
    skillsLayer(),
    // a lane that works for another is not planned: that one has planned it
    planMode(lane, planFirst && !lane.isScoped),
    ...hooks ? [hooksLayer(lane, hooks)] : [],
    restorePlaceholders(),
    consentLayer,
    undoLayer(),
  ];
}

/** What joins the lanes of an agent that has no others working for it. */
export const lonelyLaneParts = (options: LaneFeatures): LaneParts => ({
  features: laneFeatures(options),
  agentPool: (host) => createAgents({ ...host, most: 1, scope: () => Promise.resolve({}) }),
});
