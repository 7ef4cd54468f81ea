/** Plan mode: only tools that change nothing may be called, until the user approves a plan. */
import type { Message } from "../../base/types.ts";
import { HOST_MARK, spokenIn, type T, type Text } from "../../base/t.ts";
import type { LaneHost, Middleware } from "../../agent/middleware.ts";
import { HOOK, PLAN, planLine, stepLines } from "../../agent/lines/steps.ts";
import { deniedReason, planTurn } from "./plan_turn.ts";
import { holdsPlan } from "./steps.ts";

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
      const text = !readOnly.on
        ? "Plan mode is off: all tools may be called."
        : readOnly.own
        ? "Plan mode is on: until the user approves a plan, only read-only tools may be called. Look around first, then give a concrete plan (submit its steps with the Plan tool; without it, number them); change nothing yet."
        : "Only read-only tools may be called now: whoever gave you this task is still planning. Find out what it asks for and answer with that; change nothing.";
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

const wording = (text: Text, t: T) => `${HOST_MARK} ${t(text)}`;

/** What the model was told last, as far as it still sees it. */
function wasTold(seen: readonly Message[], t: T): boolean {
  const told = seen.filter(({ role, text }) => role === "user" && text.startsWith(HOST_MARK))
    .map(({ text }) => text);
  const languages = spokenIn(told, t);
  const inEach = (...texts: Text[]) =>
    languages.flatMap((t) => texts.map((text) => wording(text, t)));
  const [on, off] = [
    inEach(
      "Plan mode is on: until the user approves a plan, only read-only tools may be called. Look around first, then give a concrete plan (submit its steps with the Plan tool; without it, number them); change nothing yet.",
      "Only read-only tools may be called now: whoever gave you this task is still planning. Find out what it asks for and answer with that; change nothing.",
    ),
    inEach("Plan mode is off: all tools may be called."),
  ];
  for (const text of told.toReversed()) {
    if (on.includes(text)) return true;
    if (off.includes(text)) return false;
  }
  return false;
}
