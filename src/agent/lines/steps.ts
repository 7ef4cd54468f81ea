/** Lines that follow from a turn: the steps of a plan, and what a hook asks for. */
import type { Line, Message } from "../../base/types.ts";

/** The sender of a plan's steps. */
export const PLAN = "plan";
/** The sender of a line that a hook has asked for. */
export const HOOK = "hook";

/** The tools that a line restricts its turn to hold for what follows from it. */
export const toolsOf = ({ tools }: Pick<Line, "tools">): Pick<Line, "tools"> =>
  tools ? { tools } : {};

/** A line that belongs to the plan which `line` asked for. */
export const planLine = (text: string, line: Line): Line => ({
  text,
  from: PLAN,
  ...toolsOf(line),
});

/** The steps as lines. */
export function stepLines(steps: readonly string[], line: Line): Line[] {
  const of = steps.length;
  return steps.map((step, index) => planLine(`[Step ${index + 1}/${of}] ${step}`, line));
}

/** The text of the last message, where it is the model's; else empty. */
export function lastAnswer(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last.text : "";
}
