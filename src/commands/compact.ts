import type { Command } from "../base/types.ts";

/** Goes on in a new session that begins with a summary of this one. */
export const compact: Command = {
  name: "compact",
  aliases: ["compress", "summarize"],
  usage: (t) => t("[focus]"),
  help: (t) => t("summarise this session and continue in a new one (the old one is kept)"),
  async run(args, desk) {
    await desk.compact(args);
    return "";
  },
};
