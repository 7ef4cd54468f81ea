/** Plan mode: only tools that change nothing may be called, until the user approves a plan. */
import { HOOK, lastAnswer, PLAN, planLine, stepLines } from "../../agent/lines/queue.ts";
import { createWriting } from "../../agent/loop/request.ts";
import type {
  LaneHost,
  Middleware,
  RunTurn,
  TurnHost,
  TurnOutcome,
} from "../../agent/middleware.ts";
import { HOST_MARK, spokenIn, type T, type Text } from "../../base/t.ts";
import type { Line, Message, PreparedCall } from "../../base/types.ts";
import {
  approved,
  holdsPlan,
  numberedLines,
  planQuestion,
  planText,
  STEPS_AT_MOST,
  stepsIn,
} from "./steps.ts";

/** Tools that change nothing themselves; the agents they start are bound like who starts them. */
const HARMLESS = ["Plan", "TodoWrite", "Spawn", "Team", "Send"];

/** Why a call may not be made while a plan is made, for the model; undefined when it may. */
async function deniedReason(
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
async function planTurn(
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

/** Which states of an agent say that it is not done yet. */
const WORKS = { queued: true, running: true, done: false, failed: false, stopped: false } as const;

/** Holds a lane to its read-only mode, and carries out the plans that a turn ends with. `first`: a person's lines are planned first. */
export function planMode(lane: LaneHost, first: boolean): Middleware {
  const { t, readOnly, queue } = lane;
  /** The user was asked about a plan in this turn. */
  let asked = false;
  return {
    name: "plan",
    beforeTurn(line, seen) {
      asked = false;
      if (readOnly.on === wasTold(seen, t)) return line;
      const text = !readOnly.on ? OFF : readOnly.own ? ON : BOUND;
      return { ...line, behind: [...line.behind ?? [], wording(text, t)] };
    },
    aroundTurn: (line, host, next) =>
      first && line.from === undefined ? planTurn(line, host, next) : next(line, host),
    async aroundCall(call, host, next) {
      // what the user asks for is theirs to decide
      const why = readOnly.on && !host.typed ? await deniedReason(call.what, t) : undefined;
      if (why !== undefined) return { ok: false, text: why, detail: { kind: "barred" } };
      return await next(call, {
        ...host,
        ask(question, signal) {
          asked ||= question.kind === "plan";
          return host.ask(question, signal);
        },
      });
    },
    async afterTurn({ line, steps, answer, signal }) {
      if (steps) {
        readOnly.use(false);
        return stepLines(steps, line);
      }
      if (line.from === HOOK || line.from === PLAN || queue.hasPlan) return [];
      // more is still to be said to what may become a plan
      if (queue.hasPersons || lane.agents.list(lane.key).some(({ state }) => WORKS[state])) {
        return [];
      }
      // a plan of the Plan tool that the user has refused is not asked about again
      if (!readOnly.own || asked || !holdsPlan(answer)) return [];
      const question = t("Run this plan?");
      if (await lane.ask({ kind: "plan", question }, signal) === false) return [];
      readOnly.use(false);
      return [planLine(t("The plan is approved; carry it out."), line)];
    },
  };
}

const BOUND =
  "Only read-only tools may be called now: whoever gave you this task is still planning. Find out what it asks for and answer with that; change nothing.";
const ON =
  "Plan mode is on: until the user approves a plan, only read-only tools may be called. Look around first, then give a concrete plan (submit its steps with the Plan tool; without it, number them); change nothing yet.";
const OFF = "Plan mode is off: all tools may be called.";
const wording = (text: Text, t: T) => `${HOST_MARK} ${t(text)}`;

/** What the model was told last, as far as it still sees it. */
function wasTold(seen: readonly Message[], t: T): boolean {
  const told = seen.filter(({ role, text }) => role === "user" && text.startsWith(HOST_MARK))
    .map(({ text }) => text);
  const languages = spokenIn(told, t);
  const inEach = (...texts: Text[]) =>
    languages.flatMap((t) => texts.map((text) => wording(text, t)));
  const [on, off] = [inEach(ON, BOUND), inEach(OFF)];
  for (const text of told.toReversed()) {
    if (on.includes(text)) return true;
    if (off.includes(text)) return false;
  }
  return false;
}
