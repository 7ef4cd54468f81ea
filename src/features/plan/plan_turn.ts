/** A turn that is planned first, and what may be called while a plan is made. */
import type { Line, PreparedCall } from "../../base/types.ts";
import {
  approved,
  numberedLines,
  planQuestion,
  planText,
  STEPS_AT_MOST,
  stepsIn,
} from "./steps.ts";
import { HOST_MARK, type T } from "../../base/t.ts";
import type { TurnHost, TurnOutcome } from "../../agent/middleware.ts";
import { lastAnswer } from "../../agent/lines/steps.ts";
import type { RunTurn } from "../../agent/middleware.ts";
import { createWriting } from "../../agent/loop/writing.ts";

/** Tools that change nothing themselves; the agents they start are bound like who starts them. */
const HARMLESS = ["Plan", "TodoWrite", "Spawn", "Team", "Send"];

/** Why a call may not be made while a plan is made, for the model; undefined when it may. */
export async function deniedReason(
  { tool, input, analysis }: PreparedCall,
  t: T,
): Promise<string | undefined> {
  const { name } = tool;
  if (tool.readOnly || HARMLESS.includes(name)) return undefined;
  if (await tool.onlyReads?.(input, undefined, analysis)) return undefined;
  return t(
    tool.onlyReads
      ? "Error: {name} may not be called like this in plan mode: it is not sure that it only reads"
      : "Error: {name} may not be called in plan mode: only read-only tools until the user approves the plan",
    { name },
  );
}

/** Asks the model for a plan of what the line wants; its steps are what the turn leads to. */
export async function planTurn(
  line: Line,
  host: TurnHost,
  runTurn: RunTurn,
): Promise<TurnOutcome> {
  const { session, t, signal } = host;
  const request = `${HOST_MARK} ${
    t("Before anything is done, break the task above into 3 to 5 steps that are carried out one after another; for a trivial task one step is enough. Call no tools now. Answer with nothing but a JSON array of strings, one for each step: what to do, where, and how to see that it is done.")
  }`;
  const asking = { ...line, behind: [...line.behind ?? [], request] };
  const outcome = await runTurn(asking, { ...host, answerOnly: true, emit: quiet(host) });
  if (outcome.reason !== "done") return outcome;
  const found = stepsIn(lastAnswer(session.messages));
  const planned = found.length > 0 && found.length <= STEPS_AT_MOST;
  const steps = planned ? found : [line.text.trim()];
  host.emit({ type: "notice", level: "info", text: planText(steps, t) });
  const answer = await host.ask(planQuestion(steps, t), signal);
  const agreed = approved(answer, steps);
  const note = (text: string) => session.append({ role: "user", text: `${HOST_MARK} ${text}` });
  if (!agreed) {
    note(t("The user has not approved this plan; no step of it was run."));
    host.emit({ type: "notice", level: "info", text: t("The plan is not run") });
    return signal.aborted ? { ...outcome, reason: "interrupted" } : outcome;
  }
  if (agreed.join("\n") !== steps.join("\n")) {
    note(
      [t("The user has changed the plan; its steps are now:"), ...numberedLines(agreed)].join("\n"),
    );
  }
  return { ...outcome, steps: agreed };
}

/** What is written is for the host alone. */
function quiet(host: TurnHost): TurnHost["emit"] {
  const writing = createWriting(host);
  return (event) => event.type === "text" ? writing.more(event.delta) : host.emit(event);
}
