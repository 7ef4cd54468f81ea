/** Where narnat works and what is set there: all that the first frame has to know. */
import { loadConfig, type LoadedConfig, type Settings } from "../config.ts";
import type { Lang } from "../types.ts";
import { under } from "../under.ts";
import { env, readText, userDir, workspaceFrom } from "./host.ts";

export interface Place extends LoadedConfig {
  readonly workspace: string;
  /** The user's narnat folder. */
  readonly userDir: string | undefined;
  readonly userFile: string | undefined;
}

/** Reads the settings of a folder. Throws ConfigError. */
export function readPlace(
  cwd: string | undefined,
  flags: Settings,
  lang: Lang,
  modelless = false,
): Place {
  const workspace = workspaceFrom(cwd, lang);
  const home = ownFolder(userDir(), workspace);
  const userFile = home && under(home, "narnat.json");
  const loaded = loadConfig({
    flags,
    env,
    userFile,
    projectFile: under(workspace, ".narnat", "narnat.json"),
    readTextFile: readText,
    modelless,
  });
  return { ...loaded, workspace, userDir: home, userFile };
}

/** The user's folder, by the workspace's name where they are at home and that has two: a link leads there. */
function ownFolder(dir: string | undefined, workspace: string): string | undefined {
  const here = under(workspace, ".narnat");
  try {
    return dir !== undefined && dir !== here && Deno.realPathSync(dir) === here ? here : dir;
  } catch {
    return dir; // it is not there yet
  }
}
