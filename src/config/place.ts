/** Where narnat works and what is set there: all that the first frame has to know. */
import { ConfigError } from "../base/errors.ts";
import { loadConfig, type LoadedConfig } from "./load.ts";
import { type EndpointSettings, isTrusted, type Trusted } from "./project.ts";
import { type Key, KEYS, type Settings } from "./keys.ts";
import { PROVIDERS } from "./registry.ts";
import { ownEnvironment } from "../base/program_path.ts";
import { sha256 } from "../base/hash.ts";
import type { T } from "../base/t.ts";
import { under } from "../base/path.ts";
import { env, granted, readText, userDir, wholeEnv, workspaceFrom } from "../base/host.ts";

export interface Place extends LoadedConfig {
  readonly workspace: string;
  /** The user's narnat folder. */
  readonly userDir: string | undefined;
  readonly userFile: string | undefined;
}

/** The name under which the model that a project's file names is trusted. */
export const SETTINGS = "settings";

/** What is trusted of it. */
export function trustedEndpoint(endpoint: EndpointSettings): Trusted {
  return { what: SETTINGS, hash: sha256(JSON.stringify(Object.entries(endpoint))) };
}

/** Reads the settings of a folder. Throws ConfigError. */
export function readPlace(
  cwd: string | undefined,
  flags: Settings,
  t: T,
  modelless = false,
  refused = false,
): Place {
  const workspace = workspaceFrom(cwd, t);
  const home = ownFolder(userDir(), workspace);
  const userFile = home && under(home, "narnat.json");
  const projectFile = under(workspace, ".narnat", "narnat.json");
  const closed = whyClosed(under(workspace, ".narnat"));
  const loaded = loadConfig({
    t,
    flags,
    env,
    userFile,
    projectFile,
    readTextFile(path) {
      if (closed !== undefined && path === projectFile) throw new Deno.errors.NotFound(path);
      return readText(path, t);
    },
    modelless,
    trust(endpoint) {
      if (refused) return "refused";
      const yes = home !== undefined && isTrusted(home, workspace, trustedEndpoint(endpoint));
      return yes ? "trusted" : "open";
    },
  });
  if (closed === undefined) return { ...loaded, workspace, userDir: home, userFile };
  const told = loaded.config.t(
    "The .narnat in {dir} is another user's ({why}): no settings, rules or sessions in it count; take it back with chown -R, or remove it",
    { dir: workspace, why: closed },
  );
  return { ...loaded, warnings: [...loaded.warnings, told], workspace, userDir: home, userFile };
}

/** Why nothing in a folder can be reached, as in one that root has made; undefined where it can. */
function whyClosed(dir: string): string | undefined {
  if (!granted({ name: "read", path: dir })) return undefined;
  try {
    Deno.lstatSync(under(dir, "."));
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return error.message;
  }
}

/** Whether the project would name the model that is asked, and nobody has been asked for it. */
export function wantsModel(
  { cwd, settings }: { readonly cwd: string | undefined; readonly settings: Settings },
  t: T,
): boolean {
  try {
    return (readPlace(cwd, settings, t, true).config.untrusted ?? []).length > 0;
  } catch (error) {
    // whoever reads it next tells
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** Variables of the providers that hold no key are needed by others too. */
const PROVIDER_KEY = /_(?:API_?KEYS?|AUTH_TOKEN|OAUTH_TOKEN)(?:_\w+)?$/i;

/** What the variables of providers and of the table of keys begin with. */
const BEGINNINGS = new Set([
  ...PROVIDERS.flatMap(({ env }) => env),
  ...Object.values<Key>(KEYS).flatMap(({ env }) => env?.split("_", 1) ?? []),
]);

/** The environment for child processes: everything but provider keys, `keys` among them whatever their name. */
export function childEnvironment(
  env: { readonly [name: string]: string },
  ...keys: readonly (string | undefined)[]
): { [name: string]: string } {
  const isKey = (name: string) =>
    PROVIDER_KEY.test(name) && BEGINNINGS.has(name.split("_", 1)[0]!.toUpperCase());
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !isKey(name) && !keys.includes(value)),
  );
}

/** What programs inherit that narnat starts for itself: no provider key, no program of the current folder. */
export function inherited(): { readonly clearEnv: true; env: { [name: string]: string } } {
  return { clearEnv: true, env: ownEnvironment(childEnvironment(wholeEnv()), Deno.cwd()) };
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
