import { say } from "../../base/text.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";

const ENTRIES_AT_MOST = 200;

/** Lists a folder as `ls` would: folders first, links marked, the number told. */
export async function listFolder(
  path: string,
  shown: string,
  context: ToolContext,
): Promise<ToolResult> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  const names = (folders: boolean) =>
    entries.filter((entry) => entry.isDirectory === folders)
      .map(({ name, isSymlink }) => quoted(name) + (folders ? "/" : isSymlink ? "@" : ""))
      .sort();
  const listed = [...names(true), ...names(false)];
  const count = listed.length;
  const head = say(context.lang, "read.folder", { path: shown, count });
  const more = count > ENTRIES_AT_MOST
    ? "\n" + say(context.lang, "read.folder_cut", { shown: ENTRIES_AT_MOST, count })
    : "";
  return {
    ok: true,
    text: `${head}\n${listed.slice(0, ENTRIES_AT_MOST).join("\n")}${more}`.trimEnd(),
    detail: { kind: "lines", count, path: shown },
  };
}

/** A name with a line break in it must not look like two. */
function quoted(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
