import type { Command } from "../base/types.ts";

/** Stops the running turn. */
export const stop: Command = {
  name: "stop",
  anytime: true,
  help: (t) => t("stop the running turn and its subagents at once"),
  run: (_args, desk) => desk.stop() ? "" : desk.t("Nothing is running"),
};
