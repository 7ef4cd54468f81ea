/** Servers and their files as the user names them. */
import { ConfigError } from "../../../base/errors.ts";
import type { ServerConfig } from "../types.ts";
import { nearest } from "../../../base/nearest.ts";
import type { T } from "../../../base/t.ts";
import type { Environment } from "../../../commands/environment.ts";

/** The server of this name. Throws ConfigError. */
export function serverNamed(
  servers: readonly ServerConfig[],
  name: string,
  t: T,
): ServerConfig {
  const found = servers.find((one) => one.name === name);
  if (found) return found;
  const names = servers.map((one) => one.name);
  const near = nearest(name, names)[0];
  const values = { name, near: near ?? "", names: names.join(", ") || t("none") };
  throw new ConfigError(
    t(
      near === undefined
        ? "There is no MCP server {name} (there are: {names})"
        : "There is no MCP server {name}; did you mean {near}?",
      values,
    ),
  );
}

/** A server's name as a shell takes it. */
export const shellName = (name: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** A file as people name it. */
export function shownPath(file: string, { workspace, prompt: { userDir } }: Environment): string {
  if (userDir !== undefined && file.startsWith(userDir)) {
    return `~/.narnat${file.slice(userDir.length)}`;
  }
  return file.startsWith(workspace) ? file.slice(workspace.length).replace(/^[/\\]/, "") : file;
}
