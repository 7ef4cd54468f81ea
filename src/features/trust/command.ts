import type { Command } from "../../base/types.ts";
import { WHERE } from "../../commands/flags.ts";
import type { ShellCommand } from "../../commands/shell_command.ts";

/** Asks again for the trust in what the project wants to start; `ask` returns what came of it. */
export function trustCommand(ask: () => Promise<string>): Command {
  return {
    name: "trust",
    help: (t) => t("what the project asks to run or use: review it, trust it"),
    run: ask,
  };
}

/** `narnat trust`. */
export const trustShell: ShellCommand = {
  brief: "what the project wants to start or use, and whether you trust it",
  flags: WHERE,
  words: {
    brief: "list (default), add to trust all of it, or remove",
    placeholder: "list|add|remove",
  },
  load: async () => (await import("./cli.ts")).trustCommand,
};
