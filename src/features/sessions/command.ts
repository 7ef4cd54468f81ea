import { WHERE } from "../../commands/flags.ts";
import type { ShellCommand } from "../../commands/shell_command.ts";

/** `narnat sessions`: what `/show`, `/search`, `/delete` and `/export` do in a session. */
export const sessions: ShellCommand = {
  brief: "the stored sessions of this workspace",
  flags: {
    ...WHERE,
    redacted: { is: "yes", brief: "hide folders, user and host names and images too" },
    output: { is: "text", brief: "write to this file (standard output)", placeholder: "FILE" },
    jsonl: { is: "yes", brief: "show: a line of JSON per message, for scripts" },
  },
  words: {
    brief: "list, show ID, search WORD… or delete ID",
    placeholder: "list|show|search|export|delete",
  },
  load: async () => (await import("./cli.ts")).sessions,
};
