import type { Command } from "../base/types.ts";

/** Goes back to the session that was summed up. */
export const undoCompact: Command = {
  name: "undo-compact",
  help: (t) => t("go back to the session as it was before the compression"),
  async run(_args, desk) {
    const { id, turns } = await desk.undoCompact();
    return desk.t(
      "Back in session {id} ({turns} {turns:turn|turns}) as it was before; the one that followed stays stored",
      { id, turns },
    );
  },
};
