import type { Command } from "../types.ts";
import { say } from "../text.ts";

/** Starts an empty session. */
export const clear: Command = {
  name: "clear",
  usage: { zh: "", en: "" },
  help: {
    zh: "开始新对话（旧对话仍保存着）",
    en: "start a new session (the old one stays stored)",
  },
  async run(_args, desk) {
    const old = desk.current();
    await desk.fresh();
    return say(desk.lang, old.messages.length > 0 ? "command.cleared" : "command.cleared_empty", {
      id: old.id,
    });
  },
};
