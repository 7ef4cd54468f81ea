import type { Command } from "../base/types.ts";

/** Goes on in a new session that begins with a summary of this one. */
export const compact: Command = {
  name: "compact",
  aliases: ["compress", "summarize"],
  usage: { zh: "[总结重点]", en: "[focus]" },
  help: {
    zh: "压缩：总结当前会话，在新会话中继续（旧会话保留）",
    en: "summarise this session and continue in a new one (the old one is kept)",
  },
  async run(args, desk) {
    await desk.compact(args);
    return "";
  },
};
