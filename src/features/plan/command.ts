import { say } from "../../base/text.ts";
import type { Command } from "../../base/types.ts";

/** Turns plan mode on and off; with words the model is asked for a plan of them. */
export const plan: Command = {
  name: "plan",
  usage: { zh: "[on|off|要做的事]", en: "[on|off|task]" },
  help: {
    zh: "规划模式：批准方案之前只读；写上要做的事就开始规划",
    en: "plan mode: read-only until you approve a plan (of the task)",
  },
  complete(desk) {
    const { lang, planMode } = desk;
    return Promise.resolve([
      planMode
        ? { value: "off", help: say(lang, "plan.choose_off") }
        : { value: "on", help: say(lang, "plan.choose_on") },
    ]);
  },
  asks(args, desk) {
    if (/^(?:on|off|)$/i.test(args)) return Promise.resolve(undefined);
    desk.usePlanMode(true);
    return Promise.resolve({ typed: args });
  },
  run(args, desk) {
    const on = args === "" ? !desk.planMode : /^on$/i.test(args);
    desk.usePlanMode(on);
    return say(desk.lang, on ? "plan.is_on" : "plan.is_off");
  },
};
