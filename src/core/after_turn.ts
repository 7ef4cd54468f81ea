/** What a turn leads to when it has ended. */
import type { Agents, Hooks, Lang, Line } from "../types.ts";
import { say } from "../text.ts";
import type { Current } from "./current.ts";
import type { TurnOutcome } from "./loop.ts";
import { lastAnswer, PLAN, stepLines, toolsOf } from "./plan.ts";
import type { PlanMode } from "./plan_mode.ts";
import type { Queue } from "./queue.ts";

/** Who a line comes from that a hook had asked for. */
const HOOK = "hook";

/** What is known of the lane. */
export interface AfterTurn {
  readonly key: string;
  readonly queue: Queue;
  readonly planMode: PlanMode;
  readonly current: Current;
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly lang: Lang;
  /** Warns the user. */
  tell(text: string): void;
}

/** The lines that come before those that wait: the steps of a plan, or what the turn goes on with. */
export async function linesAfter(
  line: Line,
  { reason, steps }: Pick<TurnOutcome, "reason" | "steps">,
  { key, queue, planMode, current, hooks, agents, lang, tell }: AfterTurn,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  if (signal.aborted || reason !== "done") {
    const left = queue.dropPlan();
    if (left > 0) tell(say(lang, "plan.stopped", { left }));
    return [];
  }
  if (steps) {
    planMode.use(false);
    return stepLines(steps, line);
  }
  if (line.from === HOOK) return [];
  // more is still to be said to what may become a plan
  const more = queue.hasPersons || agents.list(key).some(({ state }) => WORKS[state]);
  const text = lastAnswer(current.session.messages);
  const ending = { answer: text, hasTool: offersPlan(current, line) };
  const go = more || line.from === PLAN ? undefined : await planMode.carryOut(line, ending, signal);
  if (go) return [go];
  if (signal.aborted || !hooks.has("turn_end")) return [];
  const at = { session: current.session.id, lane: key };
  const why = await hooks.run({ event: "turn_end", reason, text }, at, signal, tell);
  return why === undefined ? [] : [{ text: why, from: HOOK, ...toolsOf(line) }];
}

/** Whether the model could have submitted a plan with the tool for it. */
function offersPlan(current: Current, { tools }: Line): boolean {
  return (tools?.includes("Plan") ?? true) &&
    current.parts().toolbox.definitions.some(({ name }) => name === "Plan");
}

/** Which states of an agent say that it is not done yet. */
const WORKS = { queued: true, running: true, done: false, failed: false, stopped: false } as const;
