/** `/compact` and the way back: a session goes on in a new one that begins with its summary. */
import type { Command } from "../base/types.ts";

/** Goes on in a new session that begins with a summary of this one. */
export const compact: Command = {
  name: "compact",
  aliases: ["compress", "summarize"],
  usage: (t) => t("[focus]"),
  help: (t) => t("summarise this session and continue in a new one (the old one is kept)"),
  async run(args, controller) {
    await controller.compact(args);
    return "";
  },
};

/** Goes back to the session that was summed up. */
export const undoCompact: Command = {
  name: "undo-compact",
  help: (t) => t("go back to the session as it was before the compression"),
  async run(_args, controller) {
    const { id, turns } = await controller.undoCompact();
    return controller.t(
      "Back in session {id} ({turns} {turns:turn|turns}) as it was before; the one that followed stays stored",
      { id, turns },
    );
  },
};
