/** `narnat mcp accept`: takes a server's tools as they are now. */
import { ConfigError } from "../../../base/config_error.ts";
import { changedRows, knownTools } from "../known_tools.ts";
import { rememberedTools } from "../tool_cache.ts";
import { under } from "../../../base/under.ts";
import type { Environment } from "../../../commands/environment.ts";
import { put } from "../../../base/host.ts";
import { demandPerson } from "../../../shell/process/inside_job.ts";
import { serverNamed } from "./cli_named.ts";
import { configuredServers } from "../trust.ts";

/** Shows what has changed, and accepts it. Throws ConfigError. */
export function acceptTools(ground: Environment, name: string): number {
  const { config: { t }, prompt: { userDir }, secrets } = ground;
  if (userDir === undefined) {
    throw new ConfigError(t("There is no home folder for --user to write to"));
  }
  const { hash } = serverNamed(configuredServers(ground).servers, name, t);
  const known = knownTools(under(userDir, "mcp-known"));
  const changed = (rememberedTools(under(userDir, "mcp-cache"), hash) ?? [])
    .flatMap((tool) => {
      const before = known.otherwise(hash, tool);
      return before ? [{ tool, before }] : [];
    });
  if (changed.length === 0) {
    put(t("No tool of {name} has changed, by its last list", { name }) + "\n");
    return 0;
  }
  for (const { tool, before } of changed) {
    put(secrets.hide([`${tool.name}:`, ...changedRows(before, tool), ""].join("\n")));
  }
  demandPerson("narnat mcp accept", t);
  known.accept(hash, changed.map(({ tool }) => tool));
  const names = changed.map(({ tool }) => tool.name).join(", ");
  put(t("Accepted as they are now, of {name}: {names}", { name, names }) + "\n");
  return 0;
}
