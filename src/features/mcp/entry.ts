/** Reads one server's entry of a configuration. */
import { isRecord } from "../../base/is_record.ts";
import { isAbsolute, resolve } from "../../base/path.ts";
import { sha256 } from "../../base/hash.ts";
import type { T, Text } from "../../base/t.ts";
import type { Json } from "../../base/types.ts";
import type { Reach, ServerConfig } from "./types.ts";

const PLACE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * `text` with `${NAME}` and `${NAME:-default}` filled in; `missing` is told the name of each that
 * has neither value nor default. An empty value counts as none where there is a default.
 */
function expand(
  text: string,
  env: (name: string) => string | undefined,
  missing: (name: string) => void,
): string {
  return text.replace(PLACE, (whole, name: string, otherwise: string | undefined) => {
    const value = env(name);
    if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
    if (otherwise !== undefined) return otherwise;
    missing(name);
    return whole;
  });
}

/** Milliseconds of a call without a sign of progress. */
const CALL_MS = 60_000;
/** Milliseconds until `initialize` is answered. */
const START_MS = 10_000;
/** Whoever writes less means seconds. */
const LEAST_MS = 1000;
const MOST_MS = 24 * 3600_000;

/** What a server's type may be called. */
const KINDS: { readonly [name: string]: Reach["type"] } = {
  stdio: "stdio",
  local: "stdio",
  sse: "sse",
  http: "http",
  streamablehttp: "http",
  remote: "http",
};

export interface EntryPlace {
  readonly file: string;
  readonly scope: ServerConfig["scope"];
  readonly workspace: string;
  readonly t: T;
  readonly env: (name: string) => string | undefined;
  /** Whether a variable is there, but not for this file. */
  readonly withheld: (name: string) => boolean;
}

/** Reads an entry; what is wrong with it becomes its `fault`, never an error. */
export function readEntry(name: string, given: unknown, place: EntryPlace): ServerConfig {
  const { file, scope } = place;
  const entry = new Entry(name, given, place);
  const enabled = entry.flag("enabled") !== false && entry.flag("disabled") !== true;
  const reach = entry.reach();
  const tools = entry.texts("tools", "enabledTools", "allowedTools", "includeTools");
  const withoutTools = entry.texts("disabledTools", "excludeTools");
  const timeoutMs = entry.ms(CALL_MS, "timeout");
  const startMs = entry.ms(START_MS, "startupTimeout");
  const all = tools?.includes("*") ?? false;
  return {
    name,
    file,
    scope,
    enabled,
    what: entry.what(reach),
    reach: entry.fault === "" ? reach : undefined,
    fault: entry.fault,
    ...tools && !all ? { tools } : {},
    ...withoutTools ? { withoutTools } : {},
    timeoutMs,
    startMs,
    hash: sha256(JSON.stringify([name, reach ?? null])),
  };
}

/** One entry, and the first thing that is wrong with it. */
class Entry {
  readonly #name: string;
  readonly #place: EntryPlace;
  readonly #given: { readonly [key: string]: unknown };
  fault = "";

  constructor(name: string, given: unknown, place: EntryPlace) {
    this.#name = name;
    this.#place = place;
    const good = isRecord(given);
    this.#given = good ? given as { [key: string]: unknown } : {};
    if (!good) this.#expected("", "an object", given);
    else if (/^#\d+$/.test(name)) {
      this.#expected("name", "a text that is not empty", this.#given["name"]);
    }
  }

  /** As the file says it, variables and all: what it starts, or the address. */
  what(reach: Reach | undefined): string {
    const { command, args, url, httpUrl } = this.#given;
    const starts = reach ? reach.type === "stdio" : (command ?? undefined) !== undefined;
    const parts = starts ? [command, args].flat() : [url ?? httpUrl];
    return parts.filter((part) => typeof part === "string" || typeof part === "number").join(" ");
  }

  reach(): Reach | undefined {
    const { workspace } = this.#place;
    const kind = this.#kind();
    if (kind === undefined) return undefined;
    if (kind !== "stdio") {
      const url = this.#text("url") ?? this.#text("httpUrl") ?? "";
      if (this.fault === "" && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
        this.#expected("url", "a URL that begins with http:// or https://", url);
      }
      const oauth = this.#given["oauth"];
      return {
        type: kind,
        url,
        headers: this.#textsByName("headers"),
        ...oauth === undefined || oauth === null ? {} : { oauth: this.#filledIn(oauth as Json) },
      };
    }
    const [given = "", ...more] = this.#command();
    const first = this.#atHome(given);
    const cwd = resolve(workspace, this.#atHome(this.#text("cwd") ?? "."));
    const relative = /[/\\]/.test(first) && !isAbsolute(first);
    return {
      type: "stdio",
      command: relative ? resolve(cwd, first) : first,
      args: [...more, ...this.texts("args")?.map((text) => this.#filled(text, "args")) ?? []],
      env: this.#textsByName("env"),
      cwd,
    };
  }

  flag(key: string): boolean | undefined {
    const value = this.#given[key];
    if (value === undefined || value === null || typeof value === "boolean") {
      return value ?? undefined;
    }
    this.#fault(key, "true | false", value);
    return undefined;
  }

  /** The first of these keys that is there. */
  texts(...keys: readonly string[]): readonly string[] | undefined {
    const key = keys.find((each) => (this.#given[each] ?? undefined) !== undefined);
    if (key === undefined) return undefined;
    const value = this.#given[key];
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
    if (Array.isArray(value) && value.every((each) => /^(string|number)$/.test(typeof each))) {
      return value.map(String);
    }
    this.#expected(key, "a list of texts", value);
    return undefined;
  }

  ms(otherwise: number, key: string): number {
    const value = this.#given[key];
    if (value === undefined || value === null) return otherwise;
    if (typeof value === "number" && value >= LEAST_MS && value <= MOST_MS) return value;
    this.#expected(key, "milliseconds (at least 1000; 60 seconds are 60000)", value);
    return otherwise;
  }

  #kind(): Reach["type"] | undefined {
    const given = this.#given["type"] ?? this.#given["transport"];
    const command = (this.#given["command"] ?? undefined) !== undefined;
    const url = (this.#given["url"] ?? this.#given["httpUrl"] ?? undefined) !== undefined;
    if (given === undefined || given === null) {
      if (command !== url) return command ? "stdio" : "http";
      if (this.fault === "") {
        const { t, file } = this.#place;
        const why = command
          ? '{file}: {key} has both a command and a url; leave one out, or say with "type": "stdio" | "http" which counts'
          : "{file}: {key} needs a command (the program to start) or a url (the server's address)";
        this.fault = t(why, { file, key: this.#key("") });
      }
      return undefined;
    }
    const name = (typeof given === "string" ? given : "").toLowerCase().replaceAll(/[-_ ]/g, "");
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined) {
      const other = kind === "stdio" ? url && !command : command && !url;
      if (other && this.fault === "") {
        const { t, file } = this.#place;
        const text = kind === "stdio"
          ? '{file}: {key} is of type {type}, a program to start, but has a url and no command; leave the type out or make it "http", or give a command'
          : '{file}: {key} is of type {type}, a server with an address, but has a command and no url; leave the type out or make it "stdio", or give a url';
        this.fault = t(text, { file, key: this.#key(""), type: name });
      }
      return kind;
    }
    this.#fault("type", '"stdio" | "http" | "sse"', given);
    return undefined;
  }

  #command(): readonly string[] {
    const value = this.#given["command"];
    const list = typeof value === "string" ? [value] : value;
    if (
      Array.isArray(list) && list.every((each) => typeof each === "string") &&
      (list[0] ?? "").trim() !== ""
    ) return list.map((text) => this.#filled(text, "command"));
    this.#expected("command", "a text that is not empty", value);
    return [];
  }

  #atHome(path: string): string {
    const { env } = this.#place;
    const home = /^~[/\\]/.test(path) ? env("HOME") || env("USERPROFILE") : "";
    return home ? home + path.slice(1) : path;
  }

  #text(key: string): string | undefined {
    const value = this.#given[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return this.#filled(value, key);
    this.#expected(key, "a text that is not empty", value);
    return undefined;
  }

  #textsByName(key: string): { readonly [name: string]: string } {
    const value = this.#given[key];
    if (value === undefined || value === null) return {};
    if (typeof value !== "object" || Array.isArray(value)) {
      this.#expected(key, "an object (name → text)", value);
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, text]) => {
        if (/^(string|number|boolean)$/.test(typeof text)) {
          return [[name, this.#filled(String(text), `${key}.${name}`)]];
        }
        if (text !== null) this.#expected(`${key}.${name}`, "a text that is not empty", text);
        return [];
      }),
    );
  }

  #filledIn(oauth: Json): Json {
    if (!isRecord(oauth)) return oauth;
    return Object.fromEntries(
      Object.entries(oauth).map(([name, value]) => [
        name,
        typeof value === "string" ? this.#filled(value, `oauth.${name}`) : value,
      ]),
    );
  }

  #filled(text: string, key: string): string {
    const { t, file, env, withheld } = this.#place;
    return expand(text, env, (name) => {
      if (this.fault === "") {
        const why = withheld(name)
          ? "{file}: {key} uses {name}, a provider's key that no project's file may have; use another variable, or put the server into ~/.narnat/mcp.json"
          : "{file}: {key} uses the environment variable {name}, which is not set; set it, or write ${{name}:-default}";
        this.fault = t(why, { file, key: this.#key(key), name });
      }
    });
  }

  #key(key: string): string {
    return `mcpServers.${this.#name}${key === "" ? "" : `.${key}`}`;
  }

  #expected(key: string, expected: Text, found: unknown): void {
    this.#fault(key, this.#place.t(expected), found);
  }

  #fault(key: string, expected: string, found: unknown): void {
    if (this.fault !== "") return;
    const { t, file } = this.#place;
    // A value may hold a key: of a text only its kind is told.
    const shown = typeof found === "string" && found !== "" && key !== "type"
      ? t("a text")
      : (JSON.stringify(found) ?? "undefined").slice(0, 60);
    this.fault = t("{file}: {key} must be {expected}, found {found}", {
      file,
      key: this.#key(key),
      expected,
      found: shown,
    });
  }
}
