/** Where files lie that name servers of tools. */
import { under } from "../under.ts";
import type { ServerConfig } from "./types.ts";

export interface ServersPlace {
  readonly path: string;
  readonly scope: ServerConfig["scope"];
}

/** The files, the ones that win first. */
export function serverFiles(
  workspace: string,
  userDir: string | undefined,
): readonly ServersPlace[] {
  const project = [[".narnat", "mcp.json"], [".mcp.json"], [".agent", "mcp.json"]];
  return [
    ...project.map((names) => ({ path: under(workspace, ...names), scope: "project" as const })),
    ...userDir === undefined ? [] : [{ path: under(userDir, "mcp.json"), scope: "user" as const }],
  ];
}

/** The file of the logins to servers with an address; undefined where there is no folder of the user's. */
export function tokensFile(userDir: string | undefined): string | undefined {
  return userDir && under(userDir, "mcp-tokens.json");
}
