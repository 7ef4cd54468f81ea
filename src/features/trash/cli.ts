/** `narnat trash`: what Bash deleted with rm, outside of a session. */
import { trashList, trashRestore } from "./list_text.ts";
import { ConfigError } from "../../base/config_error.ts";
import { under } from "../../base/under.ts";
import { listTrash } from "../../files/trash/record.ts";
import { emptyTrash } from "../../files/trash/restore.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { demand, put, translatorFor } from "../../base/host.ts";
import { readPlace } from "../../config/place.ts";

/** Lists, brings back, or empties; 1 when something could not be brought back, or after a No. */
export async function trash(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  const { cwd, settings } = choicesFrom(flags);
  const { config, workspace } = readPlace(
    cwd,
    settings,
    translatorFor(flags),
    true,
  );
  const { t } = config;
  const place = { trash: under(workspace, ".narnat", "trash"), workspace, t };
  const [verb = "list", id, ...paths] = words;
  const print = (text: string) => put(text + "\n");
  demand("read", place.trash);
  if (verb === "list" && id === undefined) {
    print(trashList(place));
    return 0;
  }
  demand("write", place.trash);
  if (verb === "restore" && id !== undefined) {
    try {
      const { taken, failed, missing, text } = trashRestore(place, id, paths, workspace);
      print(text);
      return taken.length + failed.length + missing.length === 0 ? 0 : 1;
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
  }
  if (verb !== "empty" || id !== undefined) {
    throw new ConfigError(
      t("Usage: {name} [list | restore ID [PATH…] | empty]", { name: "narnat trash" }),
    );
  }
  const n = listTrash(place.trash).length;
  if (n > 0 && !flags.yes) {
    print(t("Empty the trash ({n} {n:entry|entries}) for good?", { n }));
    if (
      !await host.confirm(
        t,
        "Emptying the trash needs your Yes, and there is no terminal to ask at; add --yes if you mean it",
      )
    ) return 1;
  }
  print(
    n === 0
      ? t("The trash is empty")
      : t("Emptied ({n} {n:entry|entries})", { n: await emptyTrash(place.trash) }),
  );
  return 0;
}
