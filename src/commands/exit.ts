import type { Command } from "../base/types.ts";

/** Leaves narnat. */
export const exit: Command = {
  name: "exit",
  aliases: ["quit", "q"],
  help: (t) => t("leave narnat"),
  leaves: true,
  run(_args, desk) {
    desk.exit();
    return "";
  },
};
