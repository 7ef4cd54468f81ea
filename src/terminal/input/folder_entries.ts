import { resolvePath } from "../../files/paths.ts";

const ENTRIES_LOOKED_AT = 2000;

/** Names in the folder of a path that is being typed (absolute, or from `~` or `..`), which begin as it ends; folders have a slash at their end. */
export async function listOutside(
  typed: string,
  workspace: string,
  home: string | undefined,
  limit: number,
): Promise<string[]> {
  const cut = typed.lastIndexOf("/") + 1;
  const folder = typed.slice(0, cut);
  const start = typed.slice(cut).toLowerCase();
  const names: string[] = [];
  let seen = 0;
  for await (const { name, isDirectory } of Deno.readDir(resolvePath(folder, workspace, home))) {
    if (++seen > ENTRIES_LOOKED_AT) break;
    const hidden = name.startsWith(".") && !start.startsWith(".");
    if (!hidden && name.toLowerCase().startsWith(start)) {
      names.push(name + (isDirectory ? "/" : ""));
    }
  }
  return names.sort().slice(0, limit).map((name) => folder + name);
}
