import type { Command } from "../base/types.ts";

/** Leaves narnat. */
export const exit: Command = {
  name: "exit",
  aliases: ["quit", "q"],
  usage: { zh: "", en: "" },
  help: { zh: "退出", en: "leave narnat" },
  leaves: true,
  run(_args, desk) {
    desk.exit();
    return "";
  },
};
