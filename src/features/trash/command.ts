import { under } from "../../base/path.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";

/** What Bash deleted with rm: lists it, brings it back, removes it for good. */
export const trash: SharedCommand = {
  name: "trash",
  usage: (t) => t("[restore ID [PATH…] | empty]"),
  help: (t) => t("what Bash deleted with rm: list, restore (never over anything), empty"),
  async run(args, controller) {
    const { t, workspace } = controller;
    const [verb, id, ...rest] = args.split(/\s+/).filter((word) => word !== "");
    // what a path is written with is not split at its blanks
    const path = rest.length === 0 ? [] : [args.replace(/^\s*\S+\s+\S+\s*/, "")];
    const words = [verb, id, ...path].filter((word) => word !== undefined);
    const { answerTrash } = await import("./answer.ts");
    const { text } = await answerTrash(words, {
      trash: under(workspace, ".narnat", "trash"),
      workspace,
      t,
      called: "/trash",
      ask: async (question) => await controller.ask({ kind: "delete", question }) !== false,
      note: (paths) =>
        controller.note(t("The user has brought back from the trash: {paths}", { paths })),
    });
    return text;
  },
  shell: {
    brief: "what Bash deleted with rm: list, bring back, empty",
    flags: { ...WHERE, yes: { is: "yes", brief: "empty without asking" } },
    words: { brief: "list | restore ID [PATH…] | empty", placeholder: "words" },
    load: async () => (await import("./cli.ts")).trash,
  },
};
