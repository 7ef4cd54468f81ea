import type { Command } from "../base/types.ts";
import { cleared } from "./clear.ts";

/** Starts an empty session; the old one is summarised for the memory in the background. */
export const fresh: Command = {
  name: "new",
  help: (t) => t("start a new session; the old one is summarised for the memory"),
  async run(_args, desk) {
    const old = desk.current();
    const archiving = await desk.fresh("archived");
    return archiving
      ? desk.t(
        "A new session. The old one, {id}, stays stored and is being summarised in the background",
        { id: old.id },
      )
      : cleared(old, desk);
  },
};
