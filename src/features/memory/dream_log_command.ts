import type { Command } from "../../base/types.ts";

const SHOWN = 5;
const MOST = 100;

/** Shows what Dreams, and people between them, changed in the memory. */
export const dreamLog: Command = {
  name: "dream-log",
  usage: (t) => t("[count]"),
  anytime: true,
  help: (t) => t("the last changes of the memory"),
  async run(args, desk) {
    const count = args === "" ? SHOWN : Number(args);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new Error(
        desk.t("/dream-log [count]: a count from 1 to 100, got {found}", { found: args }),
      );
    }
    return await desk.memory.log(count) ||
      desk.t("There is no record yet: no Dream has changed anything");
  },
};
