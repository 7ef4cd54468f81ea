/**
 * The lines that wait in a lane, and those that follow from a turn: the steps of a plan, and what a
 * hook asks for.
 */
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

export interface Queue {
  push(line: Line): void;
  /** Puts lines before all others. */
  first(lines: readonly Line[]): void;
  next(): Line | undefined;
  /** Takes the lines that join the running turn: a person's, up to one that stands for itself. */
  takeJoining(): Line[];
  /** Takes what neither a person nor a plan has said. */
  takeSent(): Line[];
  /** Takes the newest line with this text back; false when none waits. */
  takeBack(text: string): boolean;
  /** Drops the steps of a plan that are left, and returns how many. */
  dropPlan(): number;
  clear(): void;
  /** Steps of a plan are left. */
  readonly hasPlan: boolean;
  /** A person has said more. */
  readonly hasPersons: boolean;
}

/** Makes an empty queue. `alone`: the line is no prompt; `room`: how many questions more may be asked. */
export function createQueue(alone: (line: Line) => boolean, room: () => number): Queue {
  let lines: Line[] = [];
  return {
    push: (line) => void lines.push(line),
    first: (more) => void lines.unshift(...more),
    next: () => lines.shift(),
    takeJoining() {
      const taken: Line[] = [];
      // what goes beyond the last turn waits for the handover
      let left = room();
      for (const line of lines) {
        // the steps of a plan come one by one, whatever else is said
        if (line.from === PLAN) continue;
        // a slash or shell line keeps its place: what was typed behind it waits for it
        if (line.from === undefined && (alone(line) || left-- <= 0)) break;
        taken.push(line);
      }
      lines = lines.filter((line) => !taken.includes(line));
      return taken;
    },
    takeSent() {
      const sent = lines.filter(({ from }) => from !== undefined && from !== PLAN);
      lines = lines.filter((line) => !sent.includes(line));
      return sent;
    },
    takeBack(text) {
      const at = lines.findLastIndex((line) => line.text === text);
      if (at >= 0) lines.splice(at, 1);
      return at >= 0;
    },
    dropPlan() {
      const before = lines.length;
      lines = lines.filter((line) => line.from !== PLAN);
      return before - lines.length;
    },
    clear() {
      lines = [];
    },
    get hasPlan() {
      return lines.some(({ from }) => from === PLAN);
    },
    get hasPersons() {
      return lines.some((line) => line.from === undefined);
    },
  };
}
