import type { Command } from "../../base/types.ts";
import { under } from "../../base/under.ts";

/** What Bash deleted with rm: lists it, brings it back, removes it for good. */
export const trash: Command = {
  name: "trash",
  usage: (t) => t("[restore ID [PATH…] | empty]"),
  help: (t) => t("what Bash deleted with rm: list, restore (never over anything), empty"),
  async run(args, desk) {
    const { t, workspace } = desk;
    const place = { trash: under(workspace, ".narnat", "trash"), workspace, t };
    const words = await import("./list_text.ts");
    const [verb = "list", ...rest] = args.split(/\s+/).filter((word) => word !== "");
    if (verb === "list" && rest.length === 0) return words.trashList(place);
    if (verb === "restore" && rest[0] !== undefined) {
      // what a path is written with is not split at its blanks
      const path = args.replace(/^\s*restore\s+\S+\s*/, "");
      const { back, text } = words.trashRestore(
        place,
        rest[0],
        path === "" ? [] : [path],
        workspace,
      );
      if (back.length > 0) {
        desk.note(
          t("The user has brought back from the trash: {paths}", {
            paths: words.listed(back, workspace, t),
          }),
        );
      }
      return text;
    }
    if (verb !== "empty" || rest.length > 0) {
      throw new Error(t("Usage: {name} [list | restore ID [PATH…] | empty]", { name: "/trash" }));
    }
    const { emptyTrash } = await import("../../files/trash/restore.ts");
    const { listTrash } = await import("../../files/trash/record.ts");
    const n = listTrash(place.trash).length;
    if (n === 0) return t("The trash is empty");
    const question = t("Empty the trash ({n} {n:entry|entries}) for good?", { n });
    if (await desk.ask({ kind: "delete", question }) === false) return t("Nothing was undone");
    return t("Emptied ({n} {n:entry|entries})", { n: await emptyTrash(place.trash) });
  },
};
