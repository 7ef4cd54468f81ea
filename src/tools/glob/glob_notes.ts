import { join } from "../../base/path.ts";
import { globFolder } from "../../search/walk/glob_folder.ts";
import { globTest } from "../../search/walk/glob_match.ts";
import type { Searcher } from "../../search/mod.ts";
import type { GlobQuery } from "../../search/types.ts";
import { say } from "../../base/text.ts";
import type { ToolContext } from "../../base/types.ts";
import { excerpt } from "../excerpt.ts";
import { inBounds } from "../files.ts";
import { inFolders, isUnclosed } from "./globs.ts";
import { listed, onOneLine } from "../search_notes.ts";

const FOLDERS_NAMED = 3;
const LOOK_MS = 1000;

/**
 * Says why globs match no file, where that can be told: a brace left open, files that are ignored,
 * folders that match. `name` shows a path relative to the query's root.
 */
export async function whyNone(
  query: GlobQuery,
  searcher: Searcher,
  context: ToolContext,
  name: (path: string) => string,
): Promise<string | undefined> {
  const { lang, signal } = context;
  /** A folder or file below the root that may be looked at, by its real path. */
  const found = async (path: string) => {
    try {
      const real = await inBounds(join(query.root, path), context, Deno.realPath);
      return { real, ...await Deno.stat(real) };
    } catch {
      return undefined;
    }
  };
  const wanted = query.patterns.filter((glob) => !glob.startsWith("!"));
  const unclosed = wanted.find(isUnclosed);
  if (unclosed !== undefined) return say(lang, "glob.unclosed", { pattern: excerpt(unclosed) });
  const look = async (root: string, globs: readonly string[]) => {
    const unwanted = query.patterns.filter((glob) => glob.startsWith("!"));
    const patterns = [...globs, ...root === query.root ? unwanted : []];
    return await searcher.glob({ ...query, root, patterns, deadlineMs: LOOK_MS }, signal);
  };
  for (const glob of wanted) {
    const rooted = glob.replace(/^(\.?\/)+/, "");
    const folder = globFolder(rooted);
    const rest = rooted.slice(folder === "" ? 0 : folder.length + 1);
    const inner = folder !== "" && rest !== "" ? await found(folder) : undefined;
    if (inner?.isDirectory) {
      const pattern = rest.includes("/") ? rest : `./${rest}`;
      const { total } = await look(inner.real, [pattern]);
      const path = onOneLine(name(folder));
      if (total > 0) return say(lang, "glob.ignored_folder", { count: total, path, pattern });
    }
    if (!/[*?[{]/.test(rooted) && (await found(rooted))?.isFile) {
      return say(lang, "glob.ignored_file", { path: onOneLine(name(rooted)) });
    }
  }
  const open = wanted.filter((glob) => !/(^|\/)(\*\*)?$/.test(glob));
  const inside = open.map(inFolders);
  const { files } = open.length > 0 ? await look(query.root, inside) : { files: [] };
  if (files.length === 0) return undefined;
  const matches = globTest(open, query.hidden);
  const folders = [...new Set(files.flatMap(foldersOf))].filter(matches).sort();
  const names = listed(folders.map(name).map(onOneLine), FOLDERS_NAMED);
  return say(lang, "glob.folders", { names, pattern: inside.join(" ") });
}

/** The folders above a file, relative to the same root. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
