import type { Command } from "../../base/types.ts";

/** Works what earlier conversations taught into the memory files, beside the conversation. */
export const dream: Command = {
  name: "dream",
  usage: () => "[stop]",
  help: (t) => t("update the memory (Dream): read the new history, edit the memory files"),
  run(args, desk) {
    const { t, memory, model } = desk;
    if (args === "stop") {
      if (!memory.dreaming) return t("No Dream is running here");
      desk.stopBeside();
      return "";
    }
    if (args !== "") {
      throw new Error(
        t("/dream tidies the memory, /dream stop ends it; got {found}", { found: args }),
      );
    }
    if (model === "demo") {
      throw new Error(t("Dream needs a real model; the demo cannot. Take another one with /model"));
    }
    if (memory.dir === undefined) {
      throw new Error(
        t("There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)"),
      );
    }
    if (memory.dreaming) {
      return t(
        "A Dream is at work already; you will be told when it is done (/dream stop ends it)",
      );
    }
    const why = memory.whyNoDream();
    if (why !== "") return why;
    desk.beside((signal) => memory.dream(signal));
    return t("Dreaming: the memory is tidied in the background; go on (/dream stop ends it)");
  },
};
