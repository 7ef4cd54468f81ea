/** Takes the person and the machine out of a session that goes to somebody else. */
import { env, granted } from "../base/host.ts";
import { pathPattern, wordPattern } from "../base/strings.ts";
import { realOf } from "../base/path.ts";

/** Names that many machines and accounts have: they tell of nobody, and are ordinary words. */
const COMMON = /^(?:root|user|admin|administrator|ubuntu|debian|node|runner|home|test|localhost)$/i;

/** Replaces folders, the names of user and host, and keys. */
export function redactor(
  workspace: string,
  mask: (text: string) => string,
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
  return (text) => rules.reduce((rest, [find, by]) => rest.replace(find, by), mask(text));
}
