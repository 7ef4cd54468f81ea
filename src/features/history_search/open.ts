/** Where the search over everything said finds its files. */
import type { Archive } from "./mod.ts";
import { say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { under } from "../../base/under.ts";
import { granted } from "../../base/host.ts";

/**
 * The archive of a workspace, loaded with the first search; the index is a file only where `kept`
 * and writing is permitted.
 */
export function openArchive(workspace: string, lang: Lang, kept: boolean): Archive {
  const dir = under(workspace, ".narnat");
  const sessions = under(dir, "sessions");
  let archive: Archive | undefined;
  return {
    async search(words, tell) {
      if (!granted({ name: "read", path: dir })) {
        throw new Error(say(lang, "search.not_permitted", { dir }));
      }
      const { createArchive } = await import("./mod.ts");
      archive ??= createArchive({
        sessions,
        memory: under(dir, "memory"),
        index: kept && granted({ name: "write", path: sessions })
          ? under(sessions, "search.db")
          : undefined,
        lang,
      });
      return await archive.search(words, tell);
    },
    close: () => archive?.close(),
  };
}
