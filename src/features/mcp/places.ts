/** Where files lie that name servers of tools. */
import { granted } from "../../base/host.ts";
import { under } from "../../base/under.ts";
import type { Environment } from "../../commands/environment.ts";
import type { ServerConfig } from "./types.ts";

export interface ServersPlace {
  readonly path: string;
  readonly scope: ServerConfig["scope"];
}

/** The files, the ones that win first; in the home folder the user's is no project's. */
export function serverFiles(
  workspace: string,
  userDir: string | undefined,
): readonly ServersPlace[] {
  const own = userDir && under(userDir, "mcp.json");
  const project = [[".narnat", "mcp.json"], [".mcp.json"], [".agent", "mcp.json"]]
    .map((names) => under(workspace, ...names)).filter((path) => path !== own);
  return [
    ...project.map((path) => ({ path, scope: "project" as const })),
    ...own === undefined ? [] : [{ path: own, scope: "user" as const }],
  ];
}

/** The file of the logins to servers with an address; undefined where there is no folder of the user's. */
export function tokensFile(userDir: string | undefined): string | undefined {
  return userDir && under(userDir, "mcp-tokens.json");
}

/** How the names of servers' tools begin. */
export const SERVER_TOOL = /^mcp_/i;

/** Whether any file names servers whose tools are wanted. */
export function hasServers({ workspace, prompt: { userDir }, chosen }: Environment): boolean {
  if (chosen && !chosen.some((name) => SERVER_TOOL.test(name))) return false;
  return serverFiles(workspace, userDir).some(({ path }) => {
    try {
      return granted({ name: "read", path }) && Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}
