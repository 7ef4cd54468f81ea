import type { Command, Desk, Session } from "../base/types.ts";
import { say } from "../base/text.ts";

/** Starts an empty session. */
export const clear: Command = {
  name: "clear",
  aliases: ["reset"],
  usage: { zh: "", en: "" },
  help: {
    zh: "开始新会话（旧会话仍保存着）",
    en: "start a new session (the old one is kept)",
  },
  async run(_args, desk) {
    const old = desk.current();
    await desk.fresh();
    return cleared(old, desk);
  },
};

/** What is said of the session that was left. */
export function cleared({ id, messages }: Session, { lang, memory }: Desk): string {
  if (messages.length === 0) return say(lang, "command.cleared_empty");
  const kept = memory.dir !== undefined;
  return say(lang, kept ? "command.cleared" : "command.cleared_unkept", { id });
}
