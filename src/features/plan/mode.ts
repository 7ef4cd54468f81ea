/** Plan mode: only tools that change nothing may be called, until the user approves a plan. */
import type { Lang, Message } from "../../base/types.ts";
import { HOST_MARK, say, type TextKey } from "../../base/text.ts";
import type { LaneHost, Middleware } from "../../agent/middleware.ts";
import { HOOK, PLAN, planLine, stepLines } from "../../agent/lines/steps.ts";
import { deniedReason, planTurn } from "./plan_turn.ts";
import { holdsPlan } from "./steps.ts";

/** Which states of an agent say that it is not done yet. */
const WORKS = { queued: true, running: true, done: false, failed: false, stopped: false } as const;

/** Holds a lane to its read-only mode, and carries out the plans that a turn ends with. `first`: a person's lines are planned first. */
export function planMode(lane: LaneHost, first: boolean): Middleware {
  const { lang, readOnly, queue } = lane;
  /** The user was asked about a plan in this turn. */
  let asked = false;
  return {
    name: "plan",
    beforeTurn(line, seen) {
      asked = false;
      if (readOnly.on === wasTold(seen)) return line;
      const key = !readOnly.on
        ? "plan.mode_is_off"
        : readOnly.own
        ? "plan.mode_is_on"
        : "plan.bound";
      return { ...line, behind: [...line.behind ?? [], wording(key, lang)] };
    },
    aroundTurn: (line, host, next) =>
      first && line.from === undefined ? planTurn(line, host, next) : next(line, host),
    async aroundCall(call, host, next) {
      // what the user asks for is theirs to decide
      const why = readOnly.on && !host.typed ? await deniedReason(call.what, lang) : undefined;
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
      const question = say(lang, "plan.carry_out");
      if (await lane.ask({ kind: "plan", question }, signal) === false) return [];
      readOnly.use(false);
      return [planLine(say(lang, "plan.go"), line)];
    },
  };
}

const wording = (key: TextKey, lang: Lang) => `${HOST_MARK} ${say(lang, key)}`;
const inBoth = (...keys: TextKey[]) =>
  keys.flatMap((key) => [wording(key, "zh"), wording(key, "en")]);

/** What the model was told last, as far as it still sees it. */
function wasTold(seen: readonly Message[]): boolean {
  const [on, off] = [inBoth("plan.mode_is_on", "plan.bound"), inBoth("plan.mode_is_off")];
  for (const message of seen.toReversed()) {
    if (message.role !== "user") continue;
    if (on.includes(message.text)) return true;
    if (off.includes(message.text)) return false;
  }
  return false;
}
