import type { Command } from "../../base/types.ts";

/** Turns plan mode on and off; with words the model is asked for a plan of them. */
export const plan: Command = {
  name: "plan",
  usage: (t) => t("[on|off|task]"),
  help: (t) => t("plan mode: read-only until you approve a plan (of the task)"),
  complete(controller) {
    const { t, planMode } = controller;
    return Promise.resolve([
      planMode
        ? { value: "off", help: t("off: all tools") }
        : { value: "on", help: t("on: read-only until you approve a plan") },
    ]);
  },
  asks(args, controller) {
    if (/^(?:on|off|)$/i.test(args)) return Promise.resolve(undefined);
    controller.usePlanMode(true);
    return Promise.resolve({ typed: args });
  },
  run(args, controller) {
    const on = args === "" ? !controller.planMode : /^on$/i.test(args);
    controller.usePlanMode(on);
    return controller.t(
      on
        ? "Plan mode is on: read-only tools until you approve a plan; /plan off ends it"
        : "Plan mode is off",
    );
  },
};
