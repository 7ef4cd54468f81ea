import { approved, numberedLines, planQuestion, STEPS_AT_MOST, stepsIn, stepsOf } from "./steps.ts";
import type { Tool, ToolInput } from "../../base/types.ts";
import { rename } from "../../tools/toolbox.ts";

/** Plan: the model breaks its task into steps, which the user approves; each is then a turn of its own. */
export const plan: Tool = {
  name: "Plan",
  description:
    "Break a task of several parts into 3 to 5 steps, which are then carried out one after another in this conversation, each asked for in a message of its own. The user may approve, change or refuse them first. Look around before you plan; not for what one or two calls do. Call it alone; a step cannot be planned again.",
  input: {
    type: "object",
    properties: {
      steps: {
        type: "array",
        items: {
          type: "string",
          description: "What to do, where, and how to see that it is done",
        },
      },
      task: { type: "string", description: "What all of it is for" },
    },
    required: ["steps"],
  },
  readOnly: false,
  needs: [],
  aliases: ["create_plan", "make_plan"],
  // a person reads it
  unlimited: true,
  adapt(input) {
    const out = rename(input, { plan: "steps", tasks: "steps" });
    return "steps" in out ? { ...out, steps: listOf(out["steps"]) } : out;
  },
  async run(input, { t, planned, fill }) {
    const steps = input["steps"] as string[];
    if (planned) return { ok: false, text: t("Error: Cannot plan within a plan") };
    const n = steps.length;
    if (n === 0) {
      return {
        ok: false,
        text: t('Error: there are no steps; give 3 to 5 of them, like {"steps": ["…", "…", "…"]}'),
      };
    }
    if (n > STEPS_AT_MOST) {
      return {
        ok: false,
        text: t("Error: the plan has {n} steps, {most} at most; make it 3 to 5", {
          n,
          most: STEPS_AT_MOST,
        }),
      };
    }
    const command = numberedLines(steps).join("\n");
    const agreed = approved(await fill({ ...planQuestion(steps, t), command }), steps);
    if (!agreed) {
      return {
        ok: false,
        text: t(
          "The user has not approved this plan; no step of it was run. Do not run it, and do not submit it again as it is; ask what is to be different, or wait for what the user says next.",
        ),
        detail: { kind: "declined" },
      };
    }
    const changed = agreed.join("\n") === steps.join("\n")
      ? []
      : [t("The user has changed the plan; its steps are now:"), ...numberedLines(agreed)];
    const text = [t("[Plan] {n} steps created", { n: agreed.length }), ...changed].join("\n");
    return { ok: true, text, steps: agreed };
  },
};

/** The steps in whatever form they came; what is no list at all is for the schema to refuse. */
function listOf(steps: ToolInput[string]): unknown {
  if (typeof steps !== "string") {
    return typeof steps === "object" && steps !== null ? stepsOf(steps) : steps;
  }
  const found = stepsIn(steps);
  return found.length > 0 ? found : stepsOf(steps.split("\n"));
}
