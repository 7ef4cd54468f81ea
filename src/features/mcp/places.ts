/** Where files lie that name servers of tools. */
import { granted } from "../../base/host.ts";
import { under } from "../../base/path.ts";
import type { Environment } from "../../commands/environment.ts";
import type { ServerConfig } from "./types.ts";

export interface ServersPlace {
  readonly path: string;
  readonly scope: ServerConfig["scope"];
  /** It is a narnat.json, in which servers are one of the keys. */
  readonly settings: boolean;
}

/** The files, the ones that win first; in the home folder the user's are no project's. */
export function serverFiles(
  workspace: string,
  userDir: string | undefined,
): readonly ServersPlace[] {
  const own = userDir === undefined
    ? []
    : [under(userDir, "mcp.json"), under(userDir, "narnat.json")];
  const project = [
    [".narnat", "mcp.json"],
    [".mcp.json"],
    [".agent", "mcp.json"],
    [".narnat", "narnat.json"],
  ].map((names) => under(workspace, ...names)).filter((path) => !own.includes(path));
  const placed = (path: string, scope: ServersPlace["scope"]) => ({
    path,
    scope,
    settings: path.endsWith("narnat.json"),
  });
  return [
    ...project.map((path) => placed(path, "project")),
    ...own.map((path) => placed(path, "user")),
  ];
}

/** The file of the logins to servers with an address; undefined where there is no folder of the user's. */
export function tokensFile(userDir: string | undefined): string | undefined {
  return userDir && under(userDir, "mcp-tokens.json");
}

/** How the names of servers' tools begin. */
export const SERVER_TOOL = /^mcp_/i;

/** Whether any file names servers whose tools are wanted. */
export function hasServers(
  { config, workspace, prompt: { userDir }, chosen }: Environment,
): boolean {
  if (chosen && !chosen.some((name) => SERVER_TOOL.test(name))) return false;
  if (config.namesServers) return true;
  return serverFiles(workspace, userDir).some(({ path, settings }) => {
    if (settings) return false;
    try {
      return granted({ name: "read", path }) && Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}
