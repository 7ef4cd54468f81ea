import type { Command } from "../base/types.ts";

/** Stops the running turn. */
export const stop: Command = {
  name: "stop",
  usage: { zh: "", en: "" },
  anytime: true,
  help: {
    zh: "立即停止正在进行的一轮和它的子代理",
    en: "stop the running turn and its subagents at once",
  },
  run: (_args, desk) => desk.stop() ? "" : desk.t("Nothing is running"),
};
