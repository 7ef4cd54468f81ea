/** Plans: their steps, asked one by one in the lane that made them. */
import type { Lang, Line, Message, PreparedCall, Tool } from "../../base/types.ts";
import {
  approved,
  numberedLines,
  planQuestion,
  planText,
  STEPS_AT_MOST,
  stepsIn,
} from "./steps.ts";
import { HOST_MARK, say } from "../../base/text.ts";
import { runTurn, type TurnHost, type TurnOutcome } from "../../agent/loop/loop.ts";
import { createWriting } from "../../agent/loop/writing.ts";

/** Who the steps of a plan come from. */
export const PLAN = "plan";

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

/** What restricts the tools of a turn. */
export interface Bounds {
  /** Only what changes nothing may be called. */
  readonly planMode: boolean;
  readonly tools?: readonly string[] | undefined;
}

/** Tools that change nothing themselves; the agents they start are bound like who starts them. */
const HARMLESS = ["Plan", "TodoWrite", "Spawn", "Team", "Send"];

/** Why a call may not be made in the turn, for the model; undefined when it may. */
export async function barredBy(
  { tool, input }: PreparedCall,
  { planMode, tools }: Bounds,
  lang: Lang,
): Promise<string | undefined> {
  const { name } = tool;
  if (tools && !tools.some((one) => names(one, tool))) {
    return say(lang, "command.barred", { name, names: tools.join(", ") });
  }
  if (!planMode || tool.readOnly || HARMLESS.includes(name)) return undefined;
  if (await tool.onlyReads?.(input)) return undefined;
  return say(lang, tool.onlyReads ? "plan.barred_input" : "plan.barred", { name });
}

/** Whether a name, perhaps another agent's, means the tool. */
function names(name: string, tool: Tool): boolean {
  // mcp__server__tool is how others write mcp_server_tool
  const meant = name.toLowerCase().replace(/^mcp__(.+?)__/, "mcp_$1_");
  return [tool.name, ...tool.aliases ?? []].some((own) => own.toLowerCase() === meant);
}

/** Asks the model for a plan of what the line wants; its steps are what the turn leads to. */
export async function planTurn(line: Line, host: TurnHost): Promise<TurnOutcome> {
  const { session, lang, signal } = host;
  const request = `${HOST_MARK} ${say(lang, "plan.request")}`;
  const asking = { ...line, behind: [...line.behind ?? [], request] };
  const outcome = await runTurn(asking, { ...host, answerOnly: true, emit: quiet(host) });
  if (outcome.reason !== "done") return outcome;
  const found = stepsIn(lastAnswer(session.messages));
  const planned = found.length > 0 && found.length <= STEPS_AT_MOST;
  const steps = planned ? found : [line.text.trim()];
  host.emit({ type: "notice", level: "info", text: planText(steps, lang) });
  const answer = await host.ask(planQuestion(steps, lang), signal);
  const agreed = approved(answer, steps);
  const note = (text: string) => session.append({ role: "user", text: `${HOST_MARK} ${text}` });
  if (!agreed) {
    note(say(lang, "plan.refused"));
    host.emit({ type: "notice", level: "info", text: say(lang, "plan.given_up") });
    return signal.aborted ? { ...outcome, reason: "interrupted" } : outcome;
  }
  if (agreed.join("\n") !== steps.join("\n")) {
    note([say(lang, "plan.changed"), ...numberedLines(agreed)].join("\n"));
  }
  return { ...outcome, steps: agreed };
}

/** What is written is for the host alone. */
function quiet(host: TurnHost): TurnHost["emit"] {
  const writing = createWriting(host);
  return (event) => event.type === "text" ? writing.more(event.delta) : host.emit(event);
}

/** What was answered last. */
export function lastAnswer(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last.text : "";
}
