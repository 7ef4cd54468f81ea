/**
 * Where `replay` and `sessions export` find a session (among the stored ones, or in a file), and
 * what takes the person and the machine out of one that goes to somebody else.
 */
import { ConfigError } from "../base/errors.ts";
import { demand, env, granted } from "../base/host.ts";
import { realOf, under } from "../base/path.ts";
import { pathPattern, wordPattern } from "../base/strings.ts";
import type { T } from "../base/t.ts";
import type { Json } from "../base/types.ts";
import { allOf, type Entry, readEntries } from "./entries.ts";
import { SessionStore } from "./store.ts";

/** A session's entries, with what an exported one says of itself. */
export interface SessionSource {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Lines that could not be read. */
  readonly bad: number;
  /** Folder that it worked in. */
  readonly workspace: string;
  /** The first line of an exported session. */
  readonly report: { readonly [key: string]: Json } | undefined;
}

export function storeIn(workspace: string, t: T): SessionStore {
  return new SessionStore({
    dir: under(workspace, ".narnat", "sessions"),
    workspace,
    t,
    now: () => new Date(),
    random: Math.random,
  });
}

/** Finds a session as `find` of the store does, or takes the file of that path. Throws ConfigError. */
export function sessionSource(which: string, workspace: string, t: T): SessionSource {
  const path = which.endsWith(".jsonl") ? which : undefined;
  const info = path === undefined ? storeIn(workspace, t).find(which) : undefined;
  if (path === undefined && !info) {
    throw new ConfigError(
      t("Cannot find the session {which}: /show or narnat sessions lists what there is", { which }),
    );
  }
  const file = path ?? under(workspace, ".narnat", "sessions", `${info!.id}.jsonl`);
  let bytes: Uint8Array;
  try {
    demand("read", file);
    bytes = Deno.readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      t("Cannot read the session file {path}: {why}", {
        path: file,
        why: (error as Error).message,
      }),
    );
  }
  const report = reportIn(bytes);
  const lines = readEntries(bytes);
  const { bad } = lines;
  const all = allOf(lines);
  const begin = all.find((entry) => entry.type === "session");
  if (!begin) {
    throw new ConfigError(
      t("{path} is no session file of narnat's: the beginning of a session is not in it", {
        path: file,
      }),
    );
  }
  return {
    id: info?.id ?? begin.id,
    entries: all,
    bad: bad - (report ? 1 : 0),
    workspace: begin.workspace,
    report,
  };
}

function reportIn(bytes: Uint8Array): SessionSource["report"] {
  const end = bytes.indexOf(10);
  try {
    const first = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    return first?.type === "report" ? first : undefined;
  } catch {
    return undefined;
  }
}

/** Names that many machines and accounts have: they tell of nobody, and are ordinary words. */
const COMMON = /^(?:root|user|admin|administrator|ubuntu|debian|node|runner|home|test|localhost)$/i;

/** Replaces folders, the names of user and host, and keys. */
export function redactor(
  workspace: string,
  redactAlways: (text: string) => string,
): (text: string) => string {
  const home = env("HOME") || env("USERPROFILE") || "";
  const users = [env("USER"), env("LOGNAME"), env("USERNAME"), /[^/\\]+$/.exec(home)?.[0]];
  const host = granted({ name: "sys", kind: "hostname" }) ? Deno.hostname() : "";
  const rules: (readonly [RegExp, string])[] = [];
  for (const path of [workspace, realOf(home), home].filter((path) => path.length > 1)) {
    const stand = path === workspace ? "/workspace" : "/home/user";
    rules.push([pathPattern(path), stand], [pathPattern(encodeURIComponent(path)), stand]);
  }
  for (const [names, stand] of [[users, "user"], [[host, host.split(".")[0]], "host"]] as const) {
    for (const name of new Set(names)) {
      if (name && name.length > 1 && !COMMON.test(name)) rules.push([wordPattern(name), stand]);
    }
  }
  return (text) => rules.reduce((rest, [find, by]) => rest.replace(find, by), redactAlways(text));
}
