import { WHERE } from "../../commands/flags.ts";
import type { ShellCommand } from "../../commands/shell_command.ts";

/** `narnat replay`. */
export const replay: ShellCommand = {
  brief: "show a stored session again; --rerun runs it again in a copy of the workspace",
  flags: {
    ...WHERE,
    speed: {
      is: "number",
      brief: "play at N times the speed it had (at once when left out)",
      least: 0.01,
    },
    rerun: {
      is: "yes",
      brief: "the model as recorded, the tools for real; stops at the first difference (exit 1)",
    },
    yes: {
      is: "yes",
      brief:
        "with --rerun: run commands in no sandbox; what they did outside of the copy they do again",
    },
  },
  words: { brief: "session", placeholder: "session" },
  load: async () => (await import("./mod.ts")).replay,
};
