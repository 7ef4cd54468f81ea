import type { Command } from "../types.ts";

/** Goes on in a new session that begins with a summary of this one. */
export const compact: Command = {
  name: "compact",
  aliases: ["compress", "summarize"],
  usage: { zh: "[总结重点]", en: "[focus]" },
  help: {
    zh: "压缩：总结当前对话，在新对话中继续（旧对话保留）",
    en: "sum this session up and go on in a new one (the old one stays)",
  },
  async run(args, desk) {
    await desk.compact(args);
    return "";
  },
};
