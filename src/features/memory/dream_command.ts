import type { Command } from "../../base/types.ts";
import { say } from "../../base/text.ts";

/** Works what earlier conversations taught into the memory files, beside the conversation. */
export const dream: Command = {
  name: "dream",
  usage: { zh: "[stop]", en: "[stop]" },
  help: {
    zh: "整理记忆：读新的历史，更新记忆文件",
    en: "update the memory (Dream): read the new history, edit the memory files",
  },
  run(args, desk) {
    const { lang, memory, model } = desk;
    if (args === "stop") {
      if (!memory.dreaming) return say(lang, "dream.none_here");
      desk.stopBeside();
      return "";
    }
    if (args !== "") throw new Error(say(lang, "dream.usage", { found: args }));
    if (model === "demo") throw new Error(say(lang, "dream.demo"));
    if (memory.dir === undefined) throw new Error(say(lang, "memory.none"));
    if (memory.dreaming) return say(lang, "dream.here");
    const why = memory.whyNoDream();
    if (why !== "") return why;
    desk.beside((signal) => memory.dream(signal));
    return say(lang, "dream.started");
  },
};
