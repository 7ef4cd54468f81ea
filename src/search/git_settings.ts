import { join, resolve } from "node:path";
import type { IgnoreRules } from "./ignore_rules.ts";
import type { KnownFiles } from "./known_files.ts";

/** Where the settings of git that hold beyond one repository lie. */
export interface GitPlaces {
  /** Configuration files, the one that wins last. */
  readonly configs: readonly string[];
  /** For `~/` in a setting. */
  readonly home: string | undefined;
  /** The excludes file when no setting names one. */
  readonly excludes: string | undefined;
}

/** No settings beyond a repository's own. */
export const NO_PLACES: GitPlaces = { configs: [], home: undefined, excludes: undefined };

/** Finds the places as git does, from the environment. */
export function gitPlaces(env: (name: string) => string | undefined): GitPlaces {
  const home = env("HOME") ?? env("USERPROFILE");
  const xdg = env("XDG_CONFIG_HOME") || (home && join(home, ".config"));
  const system = env("GIT_CONFIG_NOSYSTEM") ? [] : [env("GIT_CONFIG_SYSTEM") ?? "/etc/gitconfig"];
  const only = env("GIT_CONFIG_GLOBAL");
  const global = only === undefined
    ? [xdg && join(xdg, "git/config"), home && join(home, ".gitconfig")]
    : [only];
  return {
    configs: [...system, ...global].filter((path): path is string => Boolean(path)),
    home,
    excludes: xdg && join(xdg, "git/ignore"),
  };
}

/** What a repository's settings say about ignoring. */
export interface RepositoryRules {
  readonly fold: boolean;
  readonly exclude: IgnoreRules | undefined;
  readonly everywhere: IgnoreRules | undefined;
}

/** Reads the rules of the repository whose top folder is `top`, `.git` being a folder or a file. */
export function repositoryRules(
  top: string,
  places: GitPlaces,
  files: KnownFiles,
): RepositoryRules {
  const git = gitFolder(top, files);
  let fold = false;
  let excludes = places.excludes;
  for (const path of [...places.configs, join(git, "config")]) {
    const core = coreSettings(files.text(path) ?? "");
    const ignoreCase = core.get("ignorecase");
    if (ignoreCase !== undefined) fold = /^(?:true|yes|on|[1-9]\d*)$/i.test(ignoreCase);
    const named = core.get("excludesfile");
    if (named !== undefined) excludes = pathFrom(named, top, places.home);
  }
  return {
    fold,
    exclude: files.rules(join(git, "info/exclude"), fold),
    everywhere: excludes === undefined ? undefined : files.rules(excludes, fold),
  };
}

/** The folder that holds `config` and `info/exclude`: also for a worktree or submodule, where `.git` is a file. */
function gitFolder(top: string, files: KnownFiles): string {
  const git = join(top, ".git");
  const pointed = files.text(git)?.match(/^gitdir: (.+)$/m)?.[1];
  if (pointed === undefined) return git;
  const folder = resolve(top, pointed);
  const common = files.text(join(folder, "commondir"))?.trim();
  return common === undefined ? folder : resolve(folder, common);
}

function pathFrom(setting: string, top: string, home: string | undefined): string | undefined {
  if (setting === "") return undefined;
  if (!setting.startsWith("~/")) return resolve(top, setting);
  return home === undefined ? undefined : join(home, setting.slice(2));
}

/** The last value of each setting under `[core]`, names in small letters. */
function coreSettings(config: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let inCore = false;
  for (const given of config.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    let line = given.trim();
    const section = /^\[([^\]]*)\]/.exec(line);
    if (section) {
      inCore = section[1]!.trim().toLowerCase() === "core";
      line = line.slice(section[0].length).trim();
    }
    const setting = inCore ? /^([a-zA-Z][-a-zA-Z0-9]*)\s*(?:=\s*(.*))?$/.exec(line) : null;
    if (setting) settings.set(setting[1]!.toLowerCase(), valueOf(setting[2]));
  }
  return settings;
}

/** Undoes quotes and escapes and drops a comment; a setting without `=` is true. */
function valueOf(given: string | undefined): string {
  if (given === undefined) return "true";
  let value = "";
  let kept = 0;
  let quoted = false;
  for (let at = 0; at < given.length; at++) {
    const char = given[at]!;
    if (char === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (char === "\\") {
      const next = given[++at] ?? "";
      value += { n: "\n", t: "\t", b: "\b" }[next] ?? next;
      kept = value.length;
    } else if (!quoted && (char === "#" || char === ";")) {
      break;
    } else {
      value += char;
      if (quoted || !/\s/.test(char)) kept = value.length;
    }
  }
  return value.slice(0, kept);
}
