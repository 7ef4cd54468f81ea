/** The folders that a server is told it works in. */
import { basename, resolve } from "../../../base/path.ts";
import { pathToFileURL } from "node:url";
import type { ServerConfig } from "../types.ts";

/**
 * The folders that the server's own arguments name, else the workspace: some servers
 * (server-filesystem) forget their arguments for what they are told here.
 */
export async function rootsFor(
  { reach }: ServerConfig,
  workspace: string,
): Promise<{ uri: string; name: string }[]> {
  const named: string[] = [];
  if (reach?.type === "stdio") {
    for (const arg of reach.args.filter((each) => /[/\\]|^\.{1,2}$/.test(each))) {
      const path = resolve(reach.cwd, arg);
      const folder = await Deno.stat(path).then((found) => found.isDirectory, () => false);
      if (folder) named.push(path);
    }
  }
  return (named.length > 0 ? named : [workspace]).map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path),
  }));
}
