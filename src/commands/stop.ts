/** `/stop` ends the running turn, `/exit` narnat. */
import type { Command } from "../base/types.ts";

/** Stops the running turn. */
export const stop: Command = {
  name: "stop",
  anytime: true,
  help: (t) => t("stop the running turn and its subagents at once"),
  run: (_args, controller) => controller.stop() ? "" : controller.t("Nothing is running"),
};

/** Leaves narnat. */
export const exit: Command = {
  name: "exit",
  aliases: ["quit", "q"],
  help: (t) => t("leave narnat"),
  leaves: true,
  run(_args, controller) {
    controller.exit();
    return "";
  },
};
