/** The search over everything said in a workspace. */
import type { Archive } from "./archive.ts";
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { granted } from "../../base/host.ts";

/**
 * The archive of a workspace, loaded with the first search; the index is a file only where `kept`
 * and writing is permitted.
 */
export function openArchive(workspace: string, t: T, kept: boolean): Archive {
  const dir = under(workspace, ".narnat");
  const sessions = under(dir, "sessions");
  let archive: Archive | undefined;
  return {
    async search(words, tell) {
      if (!granted({ name: "read", path: dir })) {
        throw new Error(t("Cannot search: reading {dir} is not permitted (--allow-read)", { dir }));
      }
      const { createArchive } = await import("./archive.ts");
      archive ??= createArchive({
        sessions,
        memory: under(dir, "memory"),
        index: kept && granted({ name: "write", path: sessions })
          ? under(sessions, "search.db")
          : undefined,
        t,
      });
      return await archive.search(words, tell);
    },
    close: () => archive?.close(),
  };
}

/** The hits as rows, the newest first, and how to go on. */
export async function searchTable(
  ...found: Parameters<typeof import("./command.ts").searchTable>
): Promise<string> {
  return (await import("./command.ts")).searchTable(...found);
}
