/**
 * `narnat mcp add|remove|enable|disable`: changes which servers a file names, and leaves what else
 * stands in it as it is.
 */
import { ConfigError } from "../../../base/errors.ts";
import { whyOf } from "../../../base/file_why.ts";
import { demand, makeProjectDir, put } from "../../../base/host.ts";
import { isRecord } from "../../../base/is_record.ts";
import type { Json } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import type { Environment } from "../../../commands/environment.ts";
import type { Flags } from "../../../commands/flags.ts";
import {
  changeFile,
  stripJsonComments,
  valueText,
  withKey,
  withoutKey,
} from "../../../config/json_text.ts";
import { demandPerson } from "../../../shell/process/stop_tree.ts";
import { trustRequests, untrustedRequests } from "../../trust/mod.ts";
import { configuredServers, fileRequests, mayStart } from "../config.ts";
import type { ServerConfig } from "../types.ts";
import { serverNamed, shownPath } from "./cli_named.ts";

/** The key of the servers; a narnat.json may spell it in snake_case. */
const serversKey = (text: string) =>
  valueText(text, "mcp_servers") === undefined ? "mcpServers" : "mcp_servers";
const serversIn = (text: string) => valueText(text, serversKey(text));

type Entry = { readonly [key: string]: Json };

/** The names of the servers in a text. Throws as `withServer` does. */
export function serverNames(text: string): readonly string[] {
  const list = listIn(text);
  if (list) return list.flatMap((one) => isRecord(one) ? [String(one["name"])] : []);
  const value: unknown = JSON.parse(stripJsonComments(serversIn(text) ?? "{}"));
  return isRecord(value) ? Object.keys(value) : [];
}

/** The text with a server more, or another one of this name. Throws SyntaxError when it is no JSON object. */
export function withServer(text: string, name: string, entry: Entry): string {
  const list = listIn(text);
  if (list) {
    return withList(text, [...list.filter((one) => !isNamed(one, name)), { name, ...entry }]);
  }
  const value = JSON.stringify(entry, null, 2).replaceAll("\n", "\n    ");
  const inner = serversIn(text);
  const named = JSON.stringify(name);
  const servers = inner === undefined || inner === "null" || inner.replace(/\s/g, "") === "{}"
    ? `{\n    ${named}: ${value}\n  }`
    : withKey(inner, name, value);
  return withKey(text, serversKey(text), servers);
}

/** The text without a server; the same where it names none of that name. Throws as `withServer` does. */
export function withoutServer(text: string, name: string): string {
  const list = listIn(text);
  if (list) return withList(text, list.filter((one) => !isNamed(one, name)));
  const inner = serversIn(text);
  return inner === undefined ? text : withKey(text, serversKey(text), withoutKey(inner, name));
}

/** The text with a server on or off. Throws as `withServer` does. */
export function withServerOn(text: string, name: string, on: boolean): string {
  const list = listIn(text);
  if (list) {
    const changed = list.map((one) =>
      isNamed(one, name) ? JSON.parse(switched(JSON.stringify(one), on)) : one
    );
    return withList(text, changed);
  }
  const inner = serversIn(text) ?? "{}";
  const entry = valueText(inner, name) ?? "{}";
  return withKey(text, serversKey(text), withKey(inner, name, switched(entry, on)));
}

/** Sets whichever of `enabled` and `disabled` it has; to be off without either takes one. */
function switched(entry: string, on: boolean): string {
  const enabled = valueText(entry, "enabled") !== undefined;
  const disabled = valueText(entry, "disabled") !== undefined;
  let text = entry;
  if (enabled) text = withKey(text, "enabled", String(on));
  if (disabled || !on && !enabled) text = withKey(text, "disabled", String(!on));
  return text;
}

const isNamed = (entry: unknown, name: string) => isRecord(entry) && entry["name"] === name;

function listIn(text: string): readonly Json[] | undefined {
  const inner = serversIn(text);
  if (inner === undefined || !inner.startsWith("[")) return undefined;
  return JSON.parse(stripJsonComments(inner));
}

function withList(text: string, list: readonly Json[]): string {
  const rows = list.map((one) => `\n    ${JSON.stringify(one)}`).join(",");
  return withKey(text, serversKey(text), rows === "" ? "[]" : `[${rows}\n  ]`);
}

const NAME = /^[\p{L}\p{N}_.-]{1,64}$/u;
const print = (text: string) => put(text + "\n");

/** Adds a server to a file. Throws ConfigError. */
export async function addServer(
  environment: Environment,
  given: Flags,
  name: string,
  words: readonly string[],
): Promise<number> {
  return await addEntry(environment, given, name, entryFrom(given, words, environment));
}

/** Adds a server that is given as its entry. Throws ConfigError. */
export async function addJson(
  environment: Environment,
  given: Flags,
  name: string,
  json: string,
): Promise<number> {
  const entry = jsonOf(json);
  if (!isRecord(entry)) {
    const example = '{"command":"npx","args":["-y","x"]}';
    throw new ConfigError(
      environment.config.t("The server must be JSON, an object such as {example}", { example }),
    );
  }
  return await addEntry(environment, given, name, entry as { readonly [key: string]: Json });
}

async function addEntry(
  environment: Environment,
  given: Flags,
  name: string,
  entry: { readonly [key: string]: Json },
): Promise<number> {
  const { t } = environment.config;
  if (given.scope === "local") {
    throw new ConfigError(
      t("There is no --scope local; take --user (into ~/.narnat/mcp.json) or --project (into .narnat/mcp.json)"),
    );
  }
  const flags = given.scope === undefined ? given : { ...given, [given.scope]: true };
  if (!NAME.test(name)) {
    throw new ConfigError(
      t(
        "A server cannot be named {name}: letters of any script, digits, _, - and ., no spaces, at most 64 of them",
        { name },
      ),
    );
  }
  // what stands in the user's own file is started without a question
  if (flags.user) demandPerson("narnat mcp add --user", t);
  if (flags.user && flags.project) throw new ConfigError(t("Choose one of --user and --project"));
  const file = fileFor(flags, environment);
  untrustedRequests(environment, fileRequests(environment));
  let trusted = false;
  if (!flags.user) makeProjectDir(environment.workspace, t, environment.prompt.userDir);
  change(environment, file, (text) => {
    const names = serverNames(text);
    if (names.includes(name)) {
      throw new ConfigError(
        t("{file} names {name} already; narnat mcp remove {name} first, or take another name", {
          name,
          file: shownPath(file, environment),
        }),
      );
    }
    // who adds to what they have trusted, or to nothing, has seen all of it
    trusted = names.length === 0 || environment.trusted.has(shownPath(file, environment));
    return withServer(text, name, entry);
  });
  await goOnTrusting(environment, file, trusted);
  const { servers, hidden } = configuredServers(environment);
  const added = hidden.find((one) => one.name === name && one.file === file) ??
    serverNamed(servers, name, t);
  const first = serverNamed(servers, name, t);
  environment.secrets.refresh();
  const what = environment.secrets.redact(added.what);
  print(t("Added {name}: {what} ({file})", { name, what, file: shownPath(file, environment) }));
  if (/[^\p{ASCII}]/u.test(name)) {
    print(
      t("Names of tools have letters, digits, _ and - only, so this server's get a code in its place; a name in such letters reads better"),
    );
  }
  if (first.file !== file && mayStart(environment)(added)) {
    print(
      t("{name} of {file} comes first, so what was added does not count", {
        name,
        file: shownPath(first.file, environment),
      }),
    );
  } else if (added.fault !== "") print(added.fault);
  const values = ["headers", "env"].flatMap((key) => Object.values(entry[key] ?? {}));
  if (values.some((value) => !String(value).includes("${"))) {
    print(t("The values stand in the file as they are; ${NAME} takes one from the environment"));
  }
  if (mayStart(environment)(added)) print(t("narnat mcp test {name} tests it", { name }));
  else tellTrust(environment, added);
  return 0;
}

const CHANGED = {
  remove: "Removed {name} from {file}",
  enable: "{name} is on ({file})",
  disable: "{name} is off ({file})",
} as const;

/** Changes a server where its file names it. Throws ConfigError. */
export async function changeServer(
  environment: Environment,
  verb: "remove" | "enable" | "disable",
  name: string,
): Promise<number> {
  const { t } = environment.config;
  const server = serverNamed(configuredServers(environment).servers, name, t);
  const { file } = server;
  const trusted = mayStart(environment)(server);
  change(
    environment,
    file,
    (text) =>
      verb === "remove" ? withoutServer(text, name) : withServerOn(text, name, verb === "enable"),
  );
  await goOnTrusting(environment, file, trusted);
  print(t(CHANGED[verb], { name, file: shownPath(file, environment) }));
  if (verb === "enable") tellTrust(environment, server);
  return 0;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tellTrust(environment: Environment, server: ServerConfig): void {
  if (mayStart(environment)(server)) return;
  print(
    environment.config.t(
      "{file} is not trusted yet: the next start asks, or narnat trust add trusts it",
      { file: shownPath(server.file, environment) },
    ),
  );
}

/** The change was the user's own: what was trusted before stays so. */
async function goOnTrusting(
  environment: Environment,
  file: string,
  trusted: boolean,
): Promise<void> {
  const what = shownPath(file, environment);
  environment.trusted.delete(what);
  const wants = fileRequests(environment).filter((want) => want.what === what);
  if (trusted && wants.length > 0) await trustRequests(environment, wants);
}

function change(environment: Environment, file: string, edit: (text: string) => string): void {
  try {
    demand("write", file);
    changeFile(file, edit);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { t } = environment.config;
    const why = error instanceof SyntaxError ? error.message : whyOf(t, error);
    throw new ConfigError(
      t("Cannot change {file}: {why}", { file: shownPath(file, environment), why }),
    );
  }
}

function fileFor(
  { user }: Flags,
  { workspace, prompt: { userDir }, config: { t } }: Environment,
) {
  if (!user) return under(workspace, ".narnat", "mcp.json");
  if (userDir === undefined) {
    throw new ConfigError(t("There is no home folder for --user to write to"));
  }
  return under(userDir, "mcp.json");
}

function entryFrom(
  flags: Flags,
  words: readonly string[],
  { config: { t } }: Environment,
): { readonly [key: string]: Json } {
  const single = words.length === 1 && /^https?:\/\//.test(words[0]!) ? words[0] : undefined;
  const url = flags.url ?? single;
  const [command, ...args] = url === single && single !== undefined ? [] : words;
  if ((url === undefined) === (command === undefined)) {
    throw new ConfigError(t("Give either a program or --url, not both and not neither"));
  }
  const { transport = "" } = flags;
  if (transport !== "" && (transport === "stdio") !== (url === undefined)) {
    throw new ConfigError(
      t(
        "--transport {transport} does not fit what was given: stdio takes a program, http and sse an address (--url)",
        { transport },
      ),
    );
  }
  const pairs = (flag: "header" | "env", mark: string) =>
    Object.fromEntries((flags[flag] ?? []).map((text) => {
      const at = text.indexOf(mark);
      const expected = flag === "header" ? "NAME:VALUE" : "NAME=VALUE";
      const values = { flag: `--${flag}`, found: text.slice(0, 20), expected };
      if (at < 1) throw new ConfigError(t("{flag} {found}: expected {expected}", values));
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }));
  const misplaced = url === undefined ? flags.header && "--header" : flags.env && "--env";
  if (misplaced) throw new ConfigError(t("{flag} is not valid here", { flag: misplaced }));
  if (url === undefined) {
    return {
      command: command!,
      ...args.length > 0 ? { args } : {},
      ...flags.env ? { env: pairs("env", "=") } : {},
    };
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "") && !url.includes("${")) {
    throw new ConfigError(
      t("--url {found}: expected an address that begins with http:// or https://", { found: url }),
    );
  }
  return {
    ...transport === "sse" ? { type: transport } : {},
    url,
    ...flags.header ? { headers: pairs("header", ":") } : {},
  };
}
