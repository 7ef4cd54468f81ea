/** Plan mode: only tools that change nothing may be called, until the user approves a plan. */
import type { Answer, EventBody, Lang, Line, Message, Question } from "../../base/types.ts";
import { HOST_MARK, say, type TextKey } from "../../base/text.ts";
import { holdsPlan } from "./steps.ts";
import { planLine } from "./plan.ts";

type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

export interface PlanMode {
  /** It holds here, or where the lane works for. */
  readonly on: boolean;
  use(on: boolean): void;
  /** A turn begins with the line; returns it as the model has to read it in this mode. */
  begin(line: Line, seen: readonly Message[]): Line;
  /** Asks the user, and remembers that it was about a plan. */
  ask: Ask;
  /**
   * A turn has ended with this answer: returns the line to go on with when it is a plan that is to
   * be carried out.
   */
  carryOut(line: Line, answer: string, signal: AbortSignal): Promise<Line | undefined>;
}

/** Makes the mode of a lane, off. `above` is that of the lane it works for. */
export function createPlanMode(
  lang: Lang,
  ask: Ask,
  above: () => boolean,
  emit: (event: EventBody) => void,
): PlanMode {
  let own = false;
  let asked = false;
  const use = (on: boolean) => {
    if (own === on) return;
    own = on;
    emit({ type: "plan_mode", on });
  };
  return {
    get on() {
      return own || above();
    },
    use,
    begin(line, seen) {
      asked = false;
      const on = own || above();
      if (on === wasTold(seen)) return line;
      const text = wording(!on ? "plan.mode_is_off" : own ? "plan.mode_is_on" : "plan.bound", lang);
      return { ...line, behind: [...line.behind ?? [], text] };
    },
    ask(question, signal) {
      asked ||= question.kind === "plan";
      return ask(question, signal);
    },
    async carryOut(line, answer, signal) {
      // who has refused the plan of the tool is not asked again
      if (!own || asked || !holdsPlan(answer)) return undefined;
      const question = say(lang, "plan.carry_out");
      if (await ask({ kind: "plan", question }, signal) === false) return undefined;
      use(false);
      return planLine(say(lang, "plan.go"), line);
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
