/**
 * Reads which servers of tools are configured, and the trust that the project's need before they
 * start.
 */
import { errorMessage } from "../../base/errors.ts";
import { shownUrl } from "../../base/git_url.ts";
import { sha256 } from "../../base/hash.ts";
import { env, readText } from "../../base/host.ts";
import { isRecord } from "../../base/is_record.ts";
import { editDistance } from "../../base/nearest.ts";
import type { T } from "../../base/t.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import { stripJsonComments } from "../../config/json_text.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { isSecretName } from "../secrets/mod.ts";
import { untrustedRequests } from "../trust/mod.ts";
import { readEntry } from "./entry.ts";
import { serverFiles, type ServersPlace } from "./places.ts";
import type { ServerConfig } from "./types.ts";

const SERVERS = "mcpServers";
/** All that an entry is read for. */
const KEYS = [
  ...["name", "enabled", "disabled", "type", "transport", "command", "args", "env", "cwd"],
  ...["url", "httpUrl", "headers", "oauth", "timeout", "startupTimeout"],
  ...["tools", "enabledTools", "allowedTools", "includeTools", "disabledTools", "excludeTools"],
];

/** What is wrong with a file that has no `mcpServers` and means to name servers; undefined for nothing. */
function fileSlip(
  value: { readonly [key: string]: unknown },
  file: string,
  t: T,
): string | undefined {
  const slip = Object.keys(value).find((key) => key === "servers" || nearTo(key, [SERVERS]));
  if (slip !== undefined) {
    return t("{file}: {key} means nothing and is ignored; did you mean {near}?", {
      file,
      key: shown(slip),
      near: SERVERS,
    });
  }
  const flat = Object.entries(value).find(([, entry]) =>
    isRecord(entry) && ["command", "url"].some((key) => typeof entry[key] === "string")
  );
  return flat &&
    t('{file}: servers such as {name} belong into "mcpServers": {…}; none of them is started', {
      file,
      name: shown(flat[0]),
    });
}

/** Keys of an entry that mean nothing and are near to one that does; other agents' keys are let be. */
function entrySlips(name: string, entry: unknown, file: string, t: T): string[] {
  if (!isRecord(entry)) return [];
  return Object.keys(entry).filter((key) => !KEYS.includes(key)).flatMap((key) => {
    const near = nearTo(key, KEYS);
    if (near === undefined) return [];
    return [
      t("{file}: {key} means nothing and is ignored; did you mean {near}?", {
        file,
        key: shown(`${SERVERS}.${name}.${key}`),
        near,
      }),
    ];
  });
}

const shown = (key: string) => JSON.stringify(key.slice(0, 80)).slice(1, -1);

function nearTo(key: string, names: readonly string[]): string | undefined {
  const plain = key.replaceAll(/[-_ ]/g, "").toLowerCase();
  const limit = plain.length > 5 ? 2 : 1;
  return names.find((name) => editDistance(plain, name.toLowerCase(), limit) <= limit);
}

export interface ReadOptions {
  /** Real, absolute path. */
  readonly workspace: string;
  /** The user's narnat folder; undefined where there is none. */
  readonly userDir: string | undefined;
  readonly t: T;
  /** What `${NAME}` stands for in a file of this scope. */
  readonly env: (name: string, scope: ServerConfig["scope"]) => string | undefined;
  /** Whether a variable is there and a project's file may not have it. */
  readonly withheld?: (name: string) => boolean;
  /** Whether the user has trusted the file; all of them when left out. */
  readonly trusted?: (path: string) => boolean;
  /** Text of a file; throws. */
  readonly readText: (path: string) => string;
}

/** A file that names servers. */
export interface ServersFile extends Omit<ServersPlace, "settings"> {
  /** Of its content; of a narnat.json, of what it says of servers. */
  readonly hash: string;
}

export interface ConfiguredServers {
  /** In name order, one of each name. */
  readonly servers: readonly ServerConfig[];
  /** Those in whose place one of `servers` stands, in name order. */
  readonly hidden: readonly ServerConfig[];
  readonly files: readonly ServersFile[];
  /** What could not be read, in words for the user; what is wrong with one server stands with it. */
  readonly warnings: readonly string[];
}

/** Reads the servers of all files. Never throws: a faulty file or entry takes no other along. */
export function readServers(options: ReadOptions): ConfiguredServers {
  const { workspace, userDir, t, trusted = () => true } = options;
  const servers = new Map<string, ServerConfig>();
  const hidden: ServerConfig[] = [];
  const files: ServersFile[] = [];
  const warnings: string[] = [];
  for (const { path, scope, settings } of serverFiles(workspace, userDir)) {
    let text: string;
    try {
      text = options.readText(path);
    } catch (error) {
      const absent = error instanceof Deno.errors.NotFound ||
        error instanceof Deno.errors.NotADirectory;
      const why = errorMessage(error);
      // who loads the settings tells what is wrong with them
      if (!absent && !settings) {
        warnings.push(
          t("Cannot read {file}, so none of its MCP servers is started: {why}", {
            file: path,
            why,
          }),
        );
      }
      continue;
    }
    if (settings) {
      const said = settingsServers(text);
      if (said === undefined) continue;
      text = said;
    }
    const entries = entriesOf(text, path, t);
    if (typeof entries === "string") {
      warnings.push(entries);
      continue;
    }
    files.push({ path, scope, hash: hashOf(text) });
    const counts = (one: ServerConfig) => one.scope === "user" || trusted(one.file);
    for (const [name, entry] of entries) {
      warnings.push(...entrySlips(name, entry, path, t));
      const env = (variable: string) => options.env(variable, scope);
      const withheld = (variable: string) =>
        scope === "project" && (options.withheld?.(variable) ?? false);
      const server = readEntry(name, entry, { file: path, scope, workspace, t, env, withheld });
      const before = servers.get(name);
      const first = !before || !counts(before) && counts(server);
      if (first) servers.set(name, server);
      if (before) hidden.push(first ? before : server);
    }
  }
  const byName = (a: ServerConfig, b: ServerConfig) => a.name < b.name ? -1 : 1;
  return {
    servers: [...servers.values()].sort(byName),
    hidden: hidden.sort(byName),
    files,
    warnings,
  };
}

/** What a narnat.json says of servers, as the text of an mcp.json; undefined for nothing. */
function settingsServers(source: string): string | undefined {
  try {
    const value: unknown = JSON.parse(stripJsonComments(source.replace(/^\ufeff/, "")) || "{}");
    const named = isRecord(value) ? value["mcp_servers"] ?? value["mcpServers"] : undefined;
    return isRecord(named) || Array.isArray(named)
      ? JSON.stringify({ mcpServers: named })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Hash of a file's content, as trust in it is kept. */
export const hashOf = (text: string): string => sha256(text);

/** The entries by their names: from an object, or from a list whose items name themselves. */
function entriesOf(
  source: string,
  file: string,
  t: T,
): readonly (readonly [name: string, entry: unknown])[] | string {
  const text = stripJsonComments(source.replace(/^\ufeff/, ""));
  if (text.trim() === "") return [];
  const fault = jsonFault(text);
  if (fault) {
    const cut = fault.near === "``";
    return t(
      cut
        ? "{file}:{line}:{column}: the JSON is cut off, the file ends too early; none of its MCP servers is started"
        : "{file}:{line}:{column}: not JSON at {near}; none of its MCP servers is started",
      { file, ...fault },
    );
  }
  const value: unknown = JSON.parse(text);
  const named = isRecord(value) ? value["mcpServers"] : undefined;
  if (isRecord(value) && (named === undefined || named === null)) {
    return fileSlip(value, file, t) ?? [];
  }
  const nameOr = (name: unknown, at: number) =>
    typeof name === "string" && name.trim() !== "" ? name : `#${at + 1}`;
  if (Array.isArray(named)) {
    return named.map((entry, at) => [nameOr(isRecord(entry) && entry["name"], at), entry]);
  }
  if (!isRecord(named)) {
    return t(
      "{file}: mcpServers must be an object (name → server) or a list; none of them is started",
      { file },
    );
  }
  return Object.entries(named).map(([name, entry], at) => [nameOr(name, at), entry]);
}

/** The servers that are configured, with their variables put in; what is not trusted hides none of the others. */
export function configuredServers(environment: Environment): ConfiguredServers {
  const { childEnv } = environment;
  untrustedRequests(environment, fileRequests(environment));
  // what a project's file names may not be given the provider's key
  return readServers({
    ...placeOf(environment),
    trusted: (path) => environment.trusted.has(relative(path, environment)),
    env: (name, scope) => scope === "user" ? env(name) : childEnv[name],
    withheld: (name) => childEnv[name] === undefined && env(name) !== undefined,
  });
}

/** Whether a server may start; one with a fault starts nothing, and says so without any trust. */
export function mayStart(environment: Environment): (config: ServerConfig) => boolean {
  return ({ scope, file, fault }) =>
    scope === "user" || fault !== "" || environment.trusted.has(relative(file, environment));
}

const placeOf = ({ workspace, prompt: { userDir }, config: { t } }: Environment) => ({
  workspace,
  userDir,
  t,
  readText: (path: string) => readText(path, t),
});

/** As people name it. */
const relative = (file: string, { workspace }: Environment) =>
  file.startsWith(workspace) ? file.slice(workspace.length).replace(/^[/\\]/, "") : file;

/** The project's files that name servers. */
export function fileRequests(environment: Environment): TrustRequest[] {
  // a variable stands for itself, as far as it has a value: it may be a secret
  const shown = (name: string) => environment.childEnv[name] && `\${${name}}`;
  const { servers, hidden, files } = readServers({ ...placeOf(environment), env: shown });
  const all = [...servers, ...hidden];
  return files.filter(({ scope }) => scope === "project").map(({ path, hash }) => {
    const own = all.filter(({ file, enabled, what }) =>
      file === path && enabled && what.trim() !== ""
    );
    return {
      what: relative(path, environment),
      hash,
      rows: own.map((one) => serverRow(one, environment)),
    };
  });
}

function serverRow({ name, what, reach }: ServerConfig, environment: Environment): string {
  const { workspace, config: { t } } = environment;
  if (reach === undefined) return `${name}: ${what} (${t("faulty")})`;
  if (reach.type !== "stdio") {
    const headers = Object.entries(reach.headers).map(([key, value]) =>
      ` [${key}: ${hinted(value)}]`
    );
    return `${name}: ${reach.url}${headers.join("")}`;
  }
  const set = Object.entries(reach.env).map(([key, value]) =>
    `${key}=${isSecretName(key) && !GIT_KEY.test(key) ? hinted(value) : quoted(shownUrl(value))}`
  );
  const words = [...set, quoted(reach.command), ...reach.args.map(quoted)];
  return `${name}: ${words.join(" ")}${reach.cwd === workspace ? "" : ` (${reach.cwd})`}`;
}

/** Which variables go into a value; the rest of it may be a secret. */
const hinted = (value: string) => value.match(/\$\{\w+\}/g)?.join("") ?? "…";

/** Names a setting of git's, and settings of git's name programs. */
const GIT_KEY = /^GIT_CONFIG_KEY_\d+$/i;

const quoted = (word: string) => /^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word);
