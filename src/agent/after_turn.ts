/** What a turn leads to when it has ended. */
import type { Agents, EventBody, Hooks, Lang, Line } from "../base/types.ts";
import { say } from "../base/text.ts";
import type { Current } from "./current.ts";
import type { TurnOutcome } from "./loop/loop.ts";
import { lastAnswer, PLAN, stepLines, toolsOf } from "../features/plan/plan.ts";
import type { PlanMode } from "../features/plan/mode.ts";
import type { Queue } from "./lines/queue.ts";

/** Who a line comes from that a hook had asked for. */
export const HOOK = "hook";

/** What is known of the lane. */
export interface AfterTurn {
  readonly key: string;
  readonly queue: Queue;
  readonly planMode: PlanMode;
  readonly current: Current;
  readonly hooks: Hooks;
  readonly agents: Agents;
  readonly lang: Lang;
  emit(event: EventBody): void;
  /** Warns the user. */
  tell(text: string): void;
}

/** The lines that come before those that wait: the steps of a plan, or what the turn goes on with. */
export async function linesAfter(
  line: Line,
  outcome: Pick<TurnOutcome, "reason" | "steps">,
  about: AfterTurn,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const isOver = () => signal.aborted || outcome.reason !== "done";
  const lines = isOver() ? [] : await goneOnWith(line, outcome, about, signal);
  if (!isOver()) return lines;
  const left = about.queue.dropPlan();
  if (left > 0) about.tell(say(about.lang, "plan.stopped", { left }));
  return [];
}

async function goneOnWith(
  line: Line,
  { reason, steps }: Pick<TurnOutcome, "reason" | "steps">,
  { key, queue, planMode, current, hooks, agents, emit, tell }: AfterTurn,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  if (steps) {
    planMode.use(false);
    return stepLines(steps, line);
  }
  if (line.from === HOOK || queue.hasPlan) return [];
  // more is still to be said to what may become a plan
  const more = queue.hasPersons || agents.list(key).some(({ state }) => WORKS[state]);
  const text = lastAnswer(current.session.messages);
  const go = more || line.from === PLAN ? undefined : await planMode.carryOut(line, text, signal);
  if (go) return [go];
  if (signal.aborted || !hooks.has("turn_end")) return [];
  emit({ type: "hook", event: "turn_end" });
  const at = { session: current.session.id, lane: key };
  const why = await hooks.run({ event: "turn_end", reason, text }, at, signal, tell);
  return why === undefined ? [] : [{ text: why, from: HOOK, ...toolsOf(line) }];
}

/** Which states of an agent say that it is not done yet. */
const WORKS = { queued: true, running: true, done: false, failed: false, stopped: false } as const;
