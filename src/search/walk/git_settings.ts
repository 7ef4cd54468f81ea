import type { IgnoreRules } from "./ignore_rules.ts";
import type { KnownFiles } from "./known_files.ts";
import { folderOf, pathIn } from "./path_text.ts";

/** As in git. */
const INCLUDES_AT_MOST = 10;

/** Where the settings of git that hold beyond one repository lie. */
export interface GitPlaces {
  /** Configuration files, the one that wins last. */
  readonly configs: readonly string[];
  /** For `~/` in a setting. */
  readonly home: string | undefined;
  /** The excludes file when no setting names one. */
  readonly excludes: string | undefined;
  /** Whether ripgrep's `.ignore` and `.rgignore` count beside git's rules; yes when left out. */
  readonly ignoreFiles?: boolean;
}

/** No settings beyond a repository's own. */
export const NO_PLACES: GitPlaces = { configs: [], home: undefined, excludes: undefined };

/** Finds the places as git does, from the environment. */
export function gitPlaces(env: (name: string) => string | undefined): GitPlaces {
  const home = env("HOME") ?? env("USERPROFILE");
  const xdg = env("XDG_CONFIG_HOME") || (home && pathIn(home, ".config"));
  const system = env("GIT_CONFIG_NOSYSTEM") ? [] : [env("GIT_CONFIG_SYSTEM") ?? "/etc/gitconfig"];
  const only = env("GIT_CONFIG_GLOBAL");
  const global = only === undefined
    ? [xdg && pathIn(xdg, "git/config"), home && pathIn(home, ".gitconfig")]
    : [only];
  return {
    configs: [...system, ...global].filter((path): path is string => Boolean(path)),
    home,
    excludes: xdg && pathIn(xdg, "git/ignore"),
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
  for (const path of [...places.configs, pathIn(git, "config")]) {
    const core = coreSettings(path, places.home, files);
    const ignoreCase = core.get("ignorecase");
    if (ignoreCase !== undefined) fold = /^(?:true|yes|on|[1-9]\d*)$/i.test(ignoreCase);
    const named = core.get("excludesfile");
    if (named !== undefined) excludes = named && pathFrom(named, top, places.home);
  }
  return {
    fold,
    exclude: files.rules(pathIn(git, "info/exclude"), fold),
    everywhere: excludes ? files.rules(excludes, fold) : undefined,
  };
}

/** The folder that holds `config` and `info/exclude`: also for a worktree or submodule, where `.git` is a file. */
function gitFolder(top: string, files: KnownFiles): string {
  const git = pathIn(top, ".git");
  const pointed = files.text(git)?.match(/^gitdir: (.+)$/m)?.[1];
  if (pointed === undefined) return git;
  const folder = pathIn(top, pointed);
  const common = files.text(pathIn(folder, "commondir"))?.trim();
  return common === undefined ? folder : pathIn(folder, common);
}

function pathFrom(setting: string, top: string, home: string | undefined): string | undefined {
  if (!setting.startsWith("~/")) return pathIn(top, setting);
  return home === undefined ? undefined : pathIn(home, setting.slice(2));
}

/** The last value of each setting under `[core]`, names in small letters; files that are included too. */
function coreSettings(
  path: string,
  home: string | undefined,
  files: KnownFiles,
  settings: Map<string, string> = new Map(),
  chain: readonly string[] = [path],
): ReadonlyMap<string, string> {
  for (const [section, name, value] of settingsIn(files.text(path) ?? "")) {
    if (section === "core") settings.set(name, value);
    const included = section === "include" && name === "path" && chain.length <= INCLUDES_AT_MOST
      ? pathFrom(value, folderOf(path), home)
      : undefined;
    if (included !== undefined && !chain.includes(included)) {
      coreSettings(included, home, files, settings, [...chain, included]);
    }
  }
  return settings;
}

/** Section, name and value of each setting in their order; sections with a name of their own left out. */
function settingsIn(config: string): [string, string, string][] {
  const settings: [string, string, string][] = [];
  let inside = "";
  for (const given of config.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    let line = given.trim();
    const section = /^\[([^\]]*)\]/.exec(line);
    if (section) {
      inside = section[1]!.trim().toLowerCase();
      line = line.slice(section[0].length).trim();
    }
    const setting = /^([a-zA-Z][-a-zA-Z0-9]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (setting) settings.push([inside, setting[1]!.toLowerCase(), valueOf(setting[2])]);
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
