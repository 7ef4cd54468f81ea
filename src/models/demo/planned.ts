/** How the demo model works through several requests with a todo list. */
import type { Lang } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { type Outcome, type Script, type Setting, use } from "./script.ts";

/** Does the steps in order, with the todo list kept up to date; stops at the first that fails. */
export function* planned(
  { lang, has }: Setting,
  steps: readonly string[],
  scriptFor: (step: string) => Script,
): Script {
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    if (has("TodoWrite")) {
      const before = outcomes.at(-1)?.text ?? say(lang, "demo.plan", { n: steps.length });
      yield* use(before, "TodoWrite", { todos: todos(lang, steps, outcomes.length) });
    }
    const outcome = yield* scriptFor(step);
    outcomes.push(outcome);
    if (!outcome.ok) break;
  }
  const ok = outcomes.every((outcome) => outcome.ok);
  const last = outcomes.at(-1)!;
  if (ok && has("TodoWrite")) {
    yield* use(last.text, "TodoWrite", { todos: todos(lang, steps, steps.length) });
  }
  const lines = steps.map((step, at) => {
    const outcome = outcomes[at];
    const mark = outcome === undefined ? "○" : outcome.ok ? "✓" : "✗";
    return `${at + 1}. ${mark} ${step}${outcome ? `: ${firstLine(outcome.text)}` : ""}`;
  }).join("\n");
  return {
    ok,
    text: ok
      ? say(lang, "demo.plan_done", { n: steps.length, lines })
      : say(lang, "demo.plan_stopped", { n: outcomes.length, why: last.text, lines }),
  };
}

function todos(lang: Lang, steps: readonly string[], current: number) {
  return steps.map((step, at) => ({
    content: step,
    activeForm: say(lang, "demo.doing", { step }),
    status: at < current ? "completed" : at === current ? "in_progress" : "pending",
  }));
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/[:：]$/, "");
}
