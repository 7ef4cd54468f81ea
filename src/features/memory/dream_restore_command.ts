import type { Command } from "../../base/types.ts";

/** Undoes what one Dream changed; what was changed since stays. */
export const dreamRestore: Command = {
  name: "dream-restore",
  usage: (t) => t("[id]"),
  help: (t) => t("undo the changes of a Dream (the last one)"),
  async run(args, desk) {
    const what = await desk.memory.restore(args === "" ? undefined : args);
    return desk.t("Undone: {what}. It takes effect in the next session", { what });
  },
};
