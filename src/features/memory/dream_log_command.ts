import type { Command } from "../../base/types.ts";
import { say } from "../../base/text.ts";

const SHOWN = 5;
const MOST = 100;

/** Shows what Dreams, and people between them, changed in the memory. */
export const dreamLog: Command = {
  name: "dream-log",
  usage: { zh: "[条数]", en: "[count]" },
  anytime: true,
  help: { zh: "记忆最近的改动", en: "the last changes of the memory" },
  async run(args, desk) {
    const count = args === "" ? SHOWN : Number(args);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new Error(say(desk.lang, "dream.log_count", { found: args }));
    }
    return await desk.memory.log(count) || say(desk.lang, "dream.no_log");
  },
};
