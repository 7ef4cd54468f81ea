/** One frozen Config from flags, environment, project file, user file and defaults, in this order. */
import { ConfigError, errorMessage } from "../base/errors.ts";
import { type T, translator } from "../base/t.ts";
import { type Hook, hooksOf } from "./hooks.ts";
import {
  type Key,
  KEY_NAMES,
  type KeyName,
  KEYS,
  type Settings,
  type ValuesOf,
  valuesOf,
} from "./keys.ts";
import { providerAt, PROVIDERS } from "./registry.ts";
import { NOTHING, type Parsed, parseSettings, shownValue } from "./parse.ts";
import {
  endpointOf,
  type EndpointSettings,
  type EndpointTrust,
  narrow,
  withoutEndpoint,
} from "./project.ts";
import { sandboxOf, type SandboxSettings, type SkillItem } from "./check.ts";

/** Keys whose value takes another shape in a Config. */
type Reshaped = "model" | "lang" | "sandbox" | "hooks" | "rules" | "skills" | "mcpServers";

/** A rule of the settings, and what it is called: the place that it is from. */
export interface SettingsRule {
  readonly text: string;
  readonly name: string;
}

/** Everything that can be set: each key's value in camelCase, and what follows from several of them. */
export interface Config extends Omit<ValuesOf<"">, Reshaped | "disabledSkills"> {
  readonly limits: ValuesOf<"limits">;
  readonly model: string;
  /** The file or the variable that the key is from. */
  readonly keyFrom?: string | undefined;
  /** Endpoint without a trailing slash. */
  readonly baseUrl: string;
  readonly t: T;
  /** Milliseconds without a byte before a stream counts as stalled. */
  readonly stallMs: number;
  /** Milliseconds without a byte before a server counts as silent that has sent none. */
  readonly headerMs: number;
  /** How the user asked for `maxCost`; undefined where only the project did. */
  readonly maxCostFrom?: string | undefined;
  /** Keys of the search engines that WebSearch asks before those that need none. */
  readonly searchKeys?: { readonly [engine in "brave" | "tavily" | "bocha"]: string | undefined };
  readonly appendSystemPrompt: string;
  /** The rules of the settings, the user's own first. */
  readonly rules: readonly SettingsRule[];
  readonly disabledSkills?: readonly string[];
  /** The user's skills of git repositories. */
  readonly skills?: readonly SkillItem[];
  /** The project's, which count once the user trusts it. */
  readonly projectSkills?: readonly SkillItem[];
  /** Whether the settings name servers of tools. */
  readonly namesServers?: boolean;
  /** Bash runs in a sandbox of the system; it runs freely when left out. */
  readonly sandbox?: SandboxSettings | undefined;
  /** The user's, in their order. */
  readonly hooks?: readonly Hook[];
  /** The project's, which count once the user trusts them. */
  readonly projectHooks?: readonly Hook[];
  /** The model that the project's file names; it counts once the user trusts it. */
  readonly projectEndpoint?: EndpointSettings | undefined;
  /** Names of what of it would count, and does not for want of trust. */
  readonly untrusted?: readonly string[];
}

/** Where the settings come from. */
export interface ConfigSources {
  /** Speaks until the language that is set is known. */
  readonly t: T;
  readonly flags: Settings;
  readonly env: (name: string) => string | undefined;
  /** Path of the user's narnat.json; undefined when there is no home directory. */
  readonly userFile: string | undefined;
  readonly projectFile: string;
  readonly readTextFile: (path: string) => string;
  /** No model will be asked: a missing key or model is no fault. */
  readonly modelless?: boolean;
  /** Whether the project may name the model that is asked; it may when left out. */
  readonly trust?: (endpoint: EndpointSettings) => EndpointTrust;
}

export interface LoadedConfig {
  readonly config: Config;
  /** For the user, worded. */
  readonly warnings: readonly string[];
  /** False when no source named a model, a key or an endpoint: the demo model stands in. */
  readonly configured: boolean;
}

const OPENAI = PROVIDERS.find(({ id }) => id === "openai")!;

function readSettings(
  path: string | undefined,
  sources: ConfigSources,
  t: T,
  scope: "user" | "project",
): Parsed {
  if (path === undefined) return NOTHING;
  let source: string;
  try {
    source = sources.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return NOTHING;
    // Without read permission there is no file to obey; anything else must not pass in silence.
    if (error instanceof Deno.errors.NotCapable) return NOTHING;
    if ((error as { code?: string }).code === "ENOTDIR") return NOTHING;
    throw new ConfigError(
      t("Cannot read the configuration {file}: {why}", { file: path, why: errorMessage(error) }),
    );
  }
  return parseSettings(source, path, t, scope);
}

/** The variables of the table that begin with `NARNAT`, or the same of another prefix. */
function fromEnvironment(
  prefix: "NARNAT" | "OPENAI",
  env: ConfigSources["env"],
  t: T,
): Settings {
  const settings: { [name in KeyName]?: string } = {};
  for (const name of KEY_NAMES) {
    const key: Key = KEYS[name];
    if (!key.env?.startsWith("NARNAT_")) continue;
    const variable = key.env.replace("NARNAT", prefix);
    const value = env(variable);
    if (!value) continue;
    const expected = key.check.expected(value, t);
    if (expected !== undefined) {
      const values = { name: variable, found: shownValue(value), expected };
      throw new ConfigError(
        t("The environment variable {name} is {found}, expected {expected}", values),
      );
    }
    settings[name] = value;
  }
  return settings as Settings;
}

/** `BRAVE_API_KEY` and its like; they only ever go to their own engine's host. */
function othersFrom(env: ConfigSources["env"]): Settings {
  const settings: { [name in KeyName]?: string } = {};
  for (const name of KEY_NAMES) {
    const { env: variable }: Key = KEYS[name];
    if (variable === undefined || variable.startsWith("NARNAT_")) continue;
    const value = env(variable)?.trim();
    if (value) settings[name] = value;
  }
  return settings as Settings;
}

/** Somebody who tried to configure a model must not be answered by the demo. */
function refuseHalfConfigured(
  env: ConfigSources["env"],
  warnings: readonly string[],
  t: T,
): void {
  const names = ["NARNAT_API_KEY", "NARNAT_BASE_URL", "NARNAT_MODEL"];
  const empty = names.find((name) => env(name) === "");
  if (empty !== undefined) {
    throw new ConfigError(
      t(
        "The environment variable {name} is empty (a secret that was not passed on?): give it a value or unset it; --model demo works without one",
        { name: empty },
      ),
    );
  }
  if (warnings.length > 0) {
    throw new ConfigError(
      [
        ...warnings,
        t("The configuration sets no model, key or endpoint; --model demo works without one"),
      ].join("\n"),
    );
  }
}

/** The settings of each source, by who has given them. */
interface Given {
  readonly flags: Settings;
  readonly narnat: Settings;
  readonly openai: Settings;
  readonly user: Settings;
  /** Without what does not count. */
  readonly project: Settings;
}

/** Merges all sources. Throws ConfigError naming what to mend. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { flags, env, modelless = false } = sources;
  let { t } = sources;
  const user = readSettings(sources.userFile, sources, t, "user");
  const project = sources.projectFile === sources.userFile
    ? NOTHING
    : readSettings(sources.projectFile, sources, t, "project");
  const lang = flags.lang ?? project.settings.lang ?? user.settings.lang ?? t.lang;
  if (lang !== t.lang) t = translator(lang);
  const narnat = fromEnvironment("NARNAT", env, t);
  checkAddress(flags, t);

  const endpoint = decideEndpoint(
    { flags, narnat, user: user.settings, project: project.settings },
    sources,
    t,
  );
  const given: Given = { flags, narnat, user: user.settings, ...endpoint };
  const warnings = [
    ...user.warnings,
    ...project.warnings,
    ...endpoint.warnings,
    ...endpoint.untold,
    ...narrow(given.project, given.user, {
      file: sources.projectFile,
      t,
      budget: (flags.max_cost ?? given.user.max_cost ?? given.user.max_cost_per_day) !== undefined,
    }),
  ];
  const merged: Settings = {
    ...given.user,
    ...given.project,
    ...given.openai,
    ...narnat,
    ...othersFrom(env),
    ...flags,
  };
  // a project's key is for the project's endpoint, not for the user's
  const addresses = [given.project, flags, narnat];
  if (endpoint.keyIsProjects && addresses.every((one) => one.base_url === undefined)) {
    delete merged.base_url;
  }
  const named = namedProvider(given, merged.base_url, env);
  if (named) Object.assign(merged, named.settings);
  const configured = merged.model !== undefined || merged.api_key !== undefined ||
    merged.base_url !== undefined;
  if (!configured && !modelless) refuseHalfConfigured(env, warnings, t);
  const asked = configured
    ? askedModel(merged, given, { t, modelless, userFile: sources.userFile }, [
      // what is missing may stand there under a misspelt name
      ...user.warnings,
      ...project.warnings,
      ...endpoint.untold,
    ])
    : { model: "demo", baseUrl: OPENAI.baseUrl! };
  return {
    configured,
    warnings: [...warnings, ...project.leftOut],
    config: Object.freeze({
      ...valuesOf(merged),
      ...asked,
      t,
      ...together(merged, given, sources),
      ...named?.settings.base_url === undefined ? {} : { keyFrom: named.keyFrom },
      projectEndpoint: endpoint.projectEndpoint,
      untrusted: endpoint.untrusted,
    }),
  };
}

function checkAddress({ base_url: asked }: Settings, t: T): void {
  const expected = asked === undefined ? undefined : KEYS.base_url.check.expected(asked, t);
  if (asked === undefined || expected === undefined) return;
  throw new ConfigError(
    t("--base-url is “{found}”, expected {expected}", { found: shownValue(asked), expected }),
  );
}

interface Endpoint extends Pick<Given, "openai" | "project"> {
  readonly keyIsProjects: boolean;
  readonly projectEndpoint: EndpointSettings | undefined;
  readonly untrusted: readonly string[];
  /** What the user is told of it. */
  readonly warnings: readonly string[];
  /** The same of what waits for their trust. */
  readonly untold: readonly string[];
}

/** Decides which settings of the model count, so that no key goes where only the project points. */
function decideEndpoint(
  { flags, narnat, user, project }: Omit<Given, "openai">,
  { env, projectFile: file, trust: ask }: ConfigSources,
  t: T,
): Endpoint {
  // OPENAI_* belongs to whatever else the user runs: it stands in only where no file brings its own
  // key, so that a key never reaches another provider's host.
  const openaiUnless = (fileHasKey: boolean) => fileHasKey ? {} : fromEnvironment("OPENAI", env, t);
  const userHasKey = user.api_key !== undefined;
  let openai = openaiUnless(userHasKey || project.api_key !== undefined);
  const warnings: string[] = [];
  const left = { ...project };
  const ownKey = flags.api_key ?? narnat.api_key ?? openai.api_key;
  let keyIsProjects = ownKey === undefined && left.api_key !== undefined;
  const wantsRedirect = left.base_url !== undefined && !keyIsProjects &&
    flags.base_url === undefined && narnat.base_url === undefined &&
    (ownKey ?? user.api_key) !== undefined && left.base_url !== user.base_url;
  if (wantsRedirect) {
    warnings.push(
      t(
        "{file} would send your key to {url}; its base_url is ignored. To use it, set base_url in your user file, or give the project file its own api_key",
        { file, url: left.base_url! },
      ),
    );
    delete left.base_url;
    delete left.api;
  }

  const projectEndpoint = endpointOf(project);
  const trust = projectEndpoint && ask ? ask(projectEndpoint) : "trusted";
  let untrusted: readonly string[] = [];
  if (trust !== "trusted") {
    untrusted = withoutEndpoint(left, [user, openai, narnat, flags]);
    openai = openaiUnless(userHasKey);
    keyIsProjects = false;
  }
  // the protocol alone would change how the user's own endpoint is spoken to
  if (projectEndpoint === undefined && left.api !== undefined) {
    if (flags.api === undefined && left.api !== (user.api ?? "auto")) {
      warnings.push(
        t(
          "api in {file} ignored: it counts only with a base_url, api_key or model of the project's own",
          { file },
        ),
      );
    }
    delete left.api;
  }
  const untold = untrusted.length === 0 || trust === "refused" ? [] : [
    t(
      "{keys} in {file} not trusted and not used: it decides who reads the session and who pays; narnat trust shows it, narnat trust add trusts it",
      { file, keys: untrusted.join(", ") },
    ),
  ];
  return { openai, project: left, keyIsProjects, projectEndpoint, untrusted, warnings, untold };
}

/** The model that is asked, and where. Throws ConfigError where one of them, or the key, is missing. */
function askedModel(
  merged: Settings,
  { openai }: Given,
  { t, modelless, userFile }: {
    readonly t: T;
    readonly modelless: boolean;
    readonly userFile: string | undefined;
  },
  untold: readonly string[],
): { model: string; baseUrl: string } {
  const baseUrl = (merged.base_url ?? OPENAI.baseUrl!).replace(/\/+$/, "");
  // the names of seed 003 bring its default along
  const isOpenai = openai.api_key !== undefined && openai.base_url !== undefined &&
    merged.api_key === openai.api_key && merged.base_url === openai.base_url;
  const model = merged.model ?? providerAt(baseUrl)?.defaultModel ??
    (isOpenai ? OPENAI.defaultModel : undefined) ??
    (modelless ? "demo" : undefined);
  if (model === undefined) {
    throw new ConfigError(
      [
        ...untold,
        t(
          'No model is set for {url}: set it with --model, NARNAT_MODEL or "model" in the configuration file',
          { url: baseUrl },
        ),
      ].join("\n"),
    );
  }
  const noKey = merged.api_key === undefined && baseUrl.startsWith("https:");
  if (model !== "demo" && !modelless && noKey) {
    const named = merged.base_url === undefined ? providerNamed(model) : undefined;
    const values = { host: new URL(named?.baseUrl ?? baseUrl).host, model };
    const found = named
      ? t(
        "No API key for {model} at {host}: set {name} in the environment; --model demo works without one",
        { ...values, name: `${named.env[0]}_API_KEY` },
      )
      : t(
        'No API key for {model} at {host}: set NARNAT_API_KEY in the environment or "api_key" in {file}; --model demo works without one',
        { ...values, file: userFile ?? "narnat.json" },
      );
    throw new ConfigError([...untold, found].join("\n"));
  }
  return { model, baseUrl };
}

/** The provider that `provider/model` names. */
const providerNamed = (name: string | undefined) =>
  PROVIDERS.find(({ id, baseUrl }) => baseUrl !== undefined && name?.startsWith(`${id}/`));

/**
 * The settings for `provider/model`, as the user names it, where the provider's key is in the
 * environment; undefined where the name goes to the configured address as it stands: one that was
 * given with it or above it, one that serves many vendors' models, and one that is not known.
 */
function namedProvider(
  { flags, narnat, openai, project, user }: Given,
  baseUrl: string | undefined,
  env: ConfigSources["env"],
): { settings: Settings; keyFrom: string | undefined } | undefined {
  const order = [flags, narnat, openai, project, user];
  const at = order.findIndex(({ model }) => model !== undefined);
  const provider = providerNamed(order[at]?.model);
  const model = order[at]?.model?.slice(provider ? provider.id.length + 1 : 0);
  if (!provider?.baseUrl || !model || order[at] === project) return undefined;
  if (order.slice(0, at + 1).some(({ base_url }) => base_url !== undefined)) return undefined;
  const before = baseUrl === undefined ? OPENAI : providerAt(baseUrl);
  if (!before || before.resells) return undefined;
  if (before === provider && baseUrl !== undefined) {
    return { settings: { model }, keyFrom: undefined };
  }
  const keyFrom = provider.env.map((word) => `${word}_API_KEY`).find((name) => env(name)?.trim());
  if (keyFrom === undefined && !provider.open) return undefined;
  const api_key = keyFrom && env(keyFrom)!.trim();
  const { baseUrl: base_url } = provider;
  return { settings: { model, base_url, api_key, api: flags.api ?? "auto" }, keyFrom };
}

/** A long input is read before its answer begins. */
const USUAL_HEADER_SECONDS = 300;

/** What follows from more than one source, or from more than one key. */
function together(merged: Settings, given: Given, { userFile, projectFile }: ConfigSources) {
  const { flags, user, project } = given;
  const keyPlaces: [string | undefined, Settings][] = [
    [undefined, flags],
    ["NARNAT_API_KEY", given.narnat],
    ["OPENAI_API_KEY", given.openai],
    [projectFile, project],
    [userFile, user],
  ];
  const rules = ({ rules = [] }: Settings, file: string) =>
    rules.map((text, at) => ({ text, name: `${file} rules[${at}]` }));
  return {
    keyFrom: keyPlaces.find(([, { api_key }]) => api_key !== undefined)?.[0],
    stallMs: (merged.stall_seconds ?? KEYS.stall_seconds.default) * 1000,
    headerMs: (merged.stall_seconds ?? USUAL_HEADER_SECONDS) * 1000,
    maxCostFrom: flags.max_cost !== undefined
      ? "--max-cost"
      : user.max_cost !== undefined
      ? `max_cost (${userFile})`
      : undefined,
    searchKeys: {
      brave: merged.brave_api_key,
      tavily: merged.tavily_api_key,
      bocha: merged.bocha_api_key,
    },
    // a project adds to its user's words, and takes none away
    appendSystemPrompt: flags.append_system_prompt ??
      [user, project].flatMap((one) => one.append_system_prompt ?? []).join("\n\n"),
    rules: [
      ...rules(user, "~/.narnat/narnat.json"),
      ...rules(project, ".narnat/narnat.json"),
    ],
    // a project may take more away, never give back
    disabledSkills: [...user.disabled_skills ?? [], ...project.disabled_skills ?? []],
    skills: user.skills ?? [],
    projectSkills: project.skills ?? [],
    namesServers: user.mcp_servers !== undefined || project.mcp_servers !== undefined,
    sandbox: sandboxOf(
      user.sandbox,
      project.sandbox,
      merged.workspace_only && (flags.workspace_only || user.workspace_only ? "own" : "theirs"),
    ),
    hooks: hooksOf(user.hooks),
    projectHooks: hooksOf(project.hooks),
  };
}
