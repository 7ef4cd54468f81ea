/** `narnat mcp`: the servers that are configured, and how they are reached. */
import { ConfigError } from "../../../base/errors.ts";
import { complain, put, tellWarnings, translatorFor } from "../../../base/host.ts";
import type { T } from "../../../base/t.ts";
import type { CommandHost, Environment } from "../../../commands/environment.ts";
import { choicesFrom, type Flags } from "../../../commands/flags.ts";
import { table } from "../../../commands/table.ts";
import { configuredServers, mayStart } from "../config.ts";
import type { ServerConfig } from "../types.ts";
import { serverNamed, shownPath } from "./cli_named.ts";

const WITH_VALUE = /^(?:--(?:cwd|lang|url|header|env|scope|transport)|-[CeHst])$/;
const ALONE = /^(?:--(?:user|project|help)|-h)$/;

/**
 * The arguments with `--` before a program that has options; a text where it cannot be told whether
 * they are the program's or narnat's.
 */
export function addWords(args: readonly string[], t: T): readonly string[] | string {
  const words: number[] = [];
  for (let at = 1; at < args.length && words.length < 3; at++) {
    const arg = args[at]!;
    if (WITH_VALUE.test(arg)) at++;
    else if (!arg.startsWith("-")) words.push(at);
  }
  const [verb = 0, name = 0, program] = words;
  if (args[verb] !== "add") return args;
  const bare = args.indexOf("--");
  if (bare >= 0) return withHeaders(args, bare);
  if (program === undefined || /^https?:/.test(args[program]!)) {
    return withHeaders(args, args.length);
  }
  const options = args.slice(program + 1).filter((arg) => /^-./.test(arg));
  const ours = options.filter((arg) => [WITH_VALUE, ALONE].some((own) => own.test(nameOf(arg))));
  if (ours.length === options.length) return withHeaders(args, args.length);
  if (ours.length === 0) return [...args.slice(0, program), "--", ...args.slice(program)];
  const values = { option: ours[0]!, name: args[name]!, program: args[program]! };
  return t(
    "It cannot be told whether {option} is narnat's or {program}'s; put narnat's options first and -- before the program: narnat mcp add {name} -- {program} …",
    values,
  );
}

/** `-H` means something else to stricli. */
const withHeaders = (args: readonly string[], end: number) =>
  args.map((arg, at) => arg === "-H" && at < end ? "--header" : arg);

const nameOf = (option: string) => option.split("=")[0]!;

/** Lists the servers, changes which there are, tries them, or logs in to one. */
export async function mcp(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  const environment = await host.open(
    choicesFrom(flags),
    translatorFor(flags),
    "no model",
  );
  tellWarnings(environment);
  environment.secrets.refresh();
  const { t } = environment.config;
  try {
    const [verb = "list", name, ...more] = words;
    const ofAdd = ["url", "header", "env", "user", "project", "scope", "transport"] as const;
    for (const flag of ofAdd) {
      const ofJson = verb === "add-json" && /^(user|project|scope)$/.test(flag);
      if (flags[flag] === undefined || verb === "add" || ofJson) continue;
      throw new ConfigError(t("{flag} is not valid here", { flag: `--${flag}` }));
    }
    const usage = () =>
      new ConfigError(
        t("Usage: narnat mcp [list | get NAME | test [NAME] | add NAME -- PROGRAM ARGUMENTS… | add NAME --url URL | add-json NAME JSON | remove NAME | enable NAME | disable NAME | accept NAME | login NAME | logout NAME]"),
      );
    if (verb === "add" && name !== undefined) {
      const { addServer } = await import("./cli_edit.ts");
      return await addServer(environment, flags, name, more);
    }
    if (verb === "add-json" && name !== undefined && more.length === 1) {
      const { addJson } = await import("./cli_edit.ts");
      return await addJson(environment, flags, name, more[0]!);
    }
    if (more.length > 0) throw usage();
    if (verb === "get" && name !== undefined) return list(environment, name);
    if (verb === "list" && name === undefined) return list(environment);
    if (verb === "test") {
      const { tryServers } = await import("./cli_test.ts");
      return await tryServers(environment, name);
    }
    if (name === undefined) throw usage();
    if (verb === "remove" || verb === "enable" || verb === "disable") {
      const { changeServer } = await import("./cli_edit.ts");
      return await changeServer(environment, verb, name);
    }
    if (verb === "accept") {
      return (await import("./cli_test.ts")).acceptTools(environment, name);
    }
    if (verb === "login" || verb === "logout") {
      const { login, logout } = await import("./cli_login.ts");
      return await (verb === "login" ? login : logout)(environment, name);
    }
    throw usage();
  } finally {
    await environment.close();
  }
}

/** All of them, or one. Throws ConfigError where that is not there. */
function list(environment: Environment, only?: string): number {
  const { config: { t }, secrets } = environment;
  const print = (text: string) => put(secrets.redact(text));
  const { servers, hidden, files, warnings } = configuredServers(environment);
  for (const warning of warnings) complain(secrets.redact(`narnat: ${warning}`));
  if (only !== undefined) serverNamed(servers, only, t);
  if (servers.length === 0) {
    print(
      t("No MCP servers are configured; narnat mcp add NAME -- PROGRAM ARGUMENTS… or narnat mcp add NAME --url URL adds one") +
        "\n",
    );
  }
  const may = mayStart(environment);
  const asked = ({ name }: ServerConfig) => only === undefined || name === only;
  const counting = servers.filter(asked);
  const others = hidden.filter(asked);
  const rows = [...counting, ...others.filter((one) => !may(one))].map((one) => [
    one.name,
    stateOf(one, may(one), t),
    shownPath(one.file, environment),
    one.what,
  ]);
  print(table(rows).map((row) => row + "\n").join(""));
  const rank = (path: string) => files.findIndex((file) => file.path === path);
  for (const one of others) {
    const own = servers.find(({ name }) => name === one.name)!;
    const wins = may(own) && !may(one) && rank(one.file) < rank(own.file);
    const key = wins
      ? "Once {file} is trusted, its {name} takes the place of the one in {own}"
      : own.file === one.file
      ? "{file} names {name} more than once; the first counts"
      : "The {name} in {file} does not count: the one in {own} comes first";
    const paths = { own: shownPath(own.file, environment), file: shownPath(one.file, environment) };
    print(t(key, { name: one.name, ...paths }) + "\n");
  }
  for (const { fault } of counting) if (fault !== "") print(fault + "\n");
  return 0;
}

function stateOf({ enabled, fault }: ServerConfig, trusted: boolean, t: T): string {
  if (!enabled) return t("off");
  if (fault !== "") return t("faulty");
  return t(trusted ? "on" : "not trusted");
}
