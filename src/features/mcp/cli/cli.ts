/** `narnat mcp`: the servers that are configured, and how they are reached. */
import { table } from "../../../commands/table.ts";
import { ConfigError } from "../../../base/config_error.ts";
import type { ServerConfig } from "../types.ts";
import { langFrom, say } from "../../../base/text.ts";
import type { Lang } from "../../../base/types.ts";
import { choicesFrom, type Flags } from "../../../commands/flags.ts";
import type { CommandHost, Environment } from "../../../commands/environment.ts";
import { complain, env, put, tellWarnings } from "../../../base/host.ts";
import { serverNamed, shownPath } from "./cli_named.ts";
import { configuredServers, mayStart } from "../trust.ts";

/** Lists the servers, changes which there are, tries them, or logs in to one. */
export async function mcp(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  const ground = await host.open(choicesFrom(flags), flags.lang ?? langFrom(env), "no model");
  tellWarnings(ground);
  ground.secrets.refresh();
  const { lang } = ground.config;
  try {
    const [verb = "list", name, ...more] = words;
    const ofAdd = ["url", "header", "env", "user", "project", "scope", "transport"] as const;
    for (const flag of ofAdd) {
      const ofJson = verb === "add-json" && /^(user|project|scope)$/.test(flag);
      if (flags[flag] === undefined || verb === "add" || ofJson) continue;
      throw new ConfigError(say(lang, "mcp.wrong_flag", { flag: `--${flag}` }));
    }
    const usage = () => new ConfigError(say(lang, "mcp.cli_usage"));
    if (verb === "add" && name !== undefined) {
      const { addServer } = await import("./cli_edit.ts");
      return await addServer(ground, flags, name, more);
    }
    if (verb === "add-json" && name !== undefined && more.length === 1) {
      const { addJson } = await import("./cli_edit.ts");
      return await addJson(ground, flags, name, more[0]!);
    }
    if (more.length > 0) throw usage();
    if (verb === "get" && name !== undefined) return list(ground, name);
    if (verb === "list" && name === undefined) return list(ground);
    if (verb === "test") {
      const { tryServers } = await import("./cli_test.ts");
      return await tryServers(ground, name);
    }
    if (name === undefined) throw usage();
    if (verb === "remove" || verb === "enable" || verb === "disable") {
      const { changeServer } = await import("./cli_edit.ts");
      return await changeServer(ground, verb, name);
    }
    if (verb === "accept") {
      return (await import("./accept.ts")).acceptTools(ground, name);
    }
    if (verb === "login" || verb === "logout") {
      const { login, logout } = await import("./cli_login.ts");
      return await (verb === "login" ? login : logout)(ground, name);
    }
    throw usage();
  } finally {
    await ground.close();
  }
}

/** All of them, or one. Throws ConfigError where that is not there. */
function list(ground: Environment, only?: string): number {
  const { config: { lang }, secrets } = ground;
  const print = (text: string) => put(secrets.hide(text));
  const { servers, hidden, files, warnings } = configuredServers(ground);
  for (const warning of warnings) complain(secrets.hide(`narnat: ${warning}`));
  if (only !== undefined) serverNamed(servers, only, lang);
  if (servers.length === 0) print(say(lang, "mcp.none") + "\n");
  const may = mayStart(ground);
  const asked = ({ name }: ServerConfig) => only === undefined || name === only;
  const counting = servers.filter(asked);
  const others = hidden.filter(asked);
  const rows = [...counting, ...others.filter((one) => !may(one))].map((one) => [
    one.name,
    stateOf(one, may(one), lang),
    shownPath(one.file, ground),
    one.what,
  ]);
  print(table(rows).map((row) => row + "\n").join(""));
  const rank = (path: string) => files.findIndex((file) => file.path === path);
  for (const one of others) {
    const own = servers.find(({ name }) => name === one.name)!;
    const wins = may(own) && !may(one) && rank(one.file) < rank(own.file);
    const key = wins ? "mcp.would_hide" : own.file === one.file ? "mcp.twice" : "mcp.hidden";
    const paths = { own: shownPath(own.file, ground), file: shownPath(one.file, ground) };
    print(say(lang, key, { name: one.name, ...paths }) + "\n");
  }
  for (const { fault } of counting) if (fault !== "") print(fault + "\n");
  return 0;
}

function stateOf({ enabled, fault }: ServerConfig, trusted: boolean, lang: Lang): string {
  if (!enabled) return say(lang, "mcp.state_off");
  if (fault !== "") return say(lang, "mcp.state_faulty");
  return say(lang, trusted ? "mcp.state_on" : "mcp.state_untrusted");
}
