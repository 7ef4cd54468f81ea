/** One frozen Config from flags, environment, project file, user file and defaults, in this order. */
import { ConfigError } from "../base/config_error.ts";
import type { Lang, Permission, Theme } from "../base/types.ts";
import { type Hook, hookParts, type HookSettings, hooksOf } from "./hooks.ts";
import { EXTRA_TOOLS, extraToolParts, lineAfter, type Parts } from "./parts.ts";
import { checkSandbox, sandboxOf, type SandboxSettings, type SandboxValue } from "./sandbox.ts";
import {
  endpointOf,
  type EndpointSettings,
  type EndpointTrust,
  withoutEndpoint,
} from "./endpoint.ts";
import { DEFAULTS, tighten } from "./project.ts";
import { nearest } from "../base/nearest.ts";
import { langFrom, say } from "../base/text.ts";

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of what the provider has cached; as other input when left out. */
  readonly cached?: number;
}

/** A skill of a git repository (seed 001). */
export interface SkillItem {
  readonly name: string;
  /** The repository's address, as git takes it. */
  readonly repo: string;
  /** What names its file in the repository; all skills there are in it when left out. */
  readonly skill?: string;
  /** True when left out. */
  readonly enabled?: boolean;
}

export { EXTRA_TOOLS };

/** Everything that can be set; the README lists the file keys. */
export interface Config {
  readonly model: string;
  readonly apiKey: string | undefined;
  /** The file or the variable that it is from. */
  readonly keyFrom?: string | undefined;
  /** Endpoint without a trailing slash. */
  readonly baseUrl: string;
  readonly api: "auto" | "openai" | "anthropic";
  readonly lang: Lang;
  readonly permission: Permission;
  /** The terminal's colours; `auto` asks the environment. */
  readonly theme: Theme;
  /** A long turn's end is told by a notification or the bell. */
  readonly notify: boolean;
  readonly maxIterations: number;
  /** Largest answer asked for, in tokens; undefined leaves it to the provider (Messages needs one: 32000). */
  readonly maxOutputTokens: number | undefined;
  /** Tokens of the model's window; undefined leaves it to the model's name. */
  readonly contextWindow?: number | undefined;
  /** Whether the model takes images; undefined leaves it to the model's name. */
  readonly images?: boolean | undefined;
  /** Whether requests of the Messages protocol are marked with `cache_control`; yes when left out. */
  readonly promptCache?: boolean | undefined;
  /** Milliseconds without a byte before a stream counts as stalled. */
  readonly stallMs: number;
  readonly maxCost: number | undefined;
  /** How the user asked for it; undefined where only the project did. */
  readonly maxCostFrom?: string | undefined;
  readonly maxTotalTokens: number | undefined;
  /** Of a day, of all the user's narnats together. */
  readonly maxCostPerDay?: number | undefined;
  readonly maxTokensPerDay?: number | undefined;
  /** Model name → price; the user's own entries win over the built-in table. */
  readonly prices: { readonly [model: string]: Price };
  /** A SearXNG instance that WebSearch asks first. */
  readonly searxngUrl: string | undefined;
  /** Keys of the search engines that WebSearch asks before those that need none. */
  readonly searchKeys?: { readonly [engine in "brave" | "tavily" | "bocha"]: string | undefined };
  readonly appendSystemPrompt: string;
  /** Names of skills that are not to be used. */
  readonly disabledSkills?: readonly string[];
  /** The user's skills of git repositories. */
  readonly skills?: readonly SkillItem[];
  /** The project's, which count once the user trusts it. */
  readonly projectSkills?: readonly SkillItem[];
  /** Hours after which a session at the terminal begins with a Dream; 0 for never. */
  readonly dreamHours?: number;
  readonly extraTools?: readonly (typeof EXTRA_TOOLS)[number][];
  /** Whether secrets are hidden from the model and from what narnat writes; true when left out. */
  readonly redact?: boolean;
  /** Whether Glob and Grep leave out what `.ignore` and `.rgignore` name; yes when left out. */
  readonly ignoreFiles?: boolean;
  /** No tool uses a file outside of the workspace. */
  readonly workspaceOnly?: boolean;
  /** Bash runs in a sandbox of the system; it runs freely when left out. */
  readonly sandbox?: SandboxSettings | undefined;
  /** How many agents work at once. */
  readonly agentsAtOnce?: number;
  /** What turns change can be undone; yes when left out. */
  readonly checkpoints?: boolean;
  /** Megabytes of the largest file that is kept for it, and of all together. */
  readonly checkpointFileMb?: number;
  readonly checkpointTotalMb?: number;
  /** How long it can be. */
  readonly checkpointDays?: number;
  /** The user's, in their order. */
  readonly hooks?: readonly Hook[];
  /** The project's, which count once the user trusts them. */
  readonly projectHooks?: readonly Hook[];
  /** The model that the project's file names; it counts once the user trusts it. */
  readonly projectEndpoint?: EndpointSettings | undefined;
  /** Names of what of it would count, and does not for want of trust. */
  readonly untrusted?: readonly string[];
}

/** Settings by their file key, as one source gives them. */
export type Settings = {
  api_key?: string;
  base_url?: string;
  model?: string;
  api?: Config["api"];
  lang?: Lang;
  permission?: Permission;
  theme?: Theme;
  notify?: boolean;
  max_iterations?: number;
  max_output_tokens?: number;
  context_window?: number;
  images?: boolean;
  prompt_cache?: boolean;
  stall_seconds?: number;
  max_cost?: number;
  max_total_tokens?: number;
  max_cost_per_day?: number;
  max_tokens_per_day?: number;
  prices?: Record<string, Price>;
  searxng_url?: string;
  brave_api_key?: string;
  tavily_api_key?: string;
  bocha_api_key?: string;
  append_system_prompt?: string;
  disabled_skills?: string[];
  skills?: SkillItem[];
  dream_hours?: number;
  extra_tools?: (typeof EXTRA_TOOLS)[number][];
  agents_at_once?: number;
  checkpoints?: boolean;
  checkpoint_file_mb?: number;
  checkpoint_total_mb?: number;
  checkpoint_days?: number;
  redact?: boolean;
  ignore_files?: boolean;
  workspace_only?: boolean;
  sandbox?: SandboxValue;
  hooks?: HookSettings;
};

/** What was expected instead of the value; undefined where it is right. */
type Check = (value: unknown, lang: Lang) => string | undefined;

const text: Check = (v, lang) =>
  typeof v === "string" && v !== "" ? undefined : say(lang, "expect.text");
const oneOf = (...names: string[]): Check => (v) =>
  names.includes(v as string) ? undefined : names.map((n) => `"${n}"`).join(" | ");
const whole = (least: number): Check => (v, lang) =>
  Number.isInteger(v) && (v as number) >= least ? undefined : say(lang, "expect.whole", { least });
const amount: Check = (v, lang) =>
  typeof v === "number" && Number.isFinite(v) && v >= 0 ? undefined : say(lang, "expect.amount");
const names: Check = (v, lang) =>
  Array.isArray(v) && v.every((name) => text(name, lang) === undefined)
    ? undefined
    : say(lang, "expect.names");
const yesOrNo: Check = (v) => typeof v === "boolean" ? undefined : "true | false";
const url: Check = (v, lang) => {
  const parsed = typeof v === "string" ? URL.parse(v) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? undefined : say(lang, "expect.url");
};
const skillItems: Check = (v, lang) => {
  if (!Array.isArray(v)) return say(lang, "expect.skills");
  const wrong = v.findIndex((item) =>
    !(isRecord(item) && text(item["name"], lang) === undefined &&
      ONE_LINE.test(`${item["name"]}`) &&
      text(item["repo"], lang) === undefined &&
      (item["skill"] === undefined || typeof item["skill"] === "string") &&
      (item["enabled"] === undefined || typeof item["enabled"] === "boolean"))
  );
  if (wrong < 0) return undefined;
  return say(lang, "expect.skills") + say(lang, "expect.skills_at", { n: wrong + 1 });
};
const priceTable: Check = (v, lang) => {
  const good = isRecord(v) &&
    Object.values(v).every((price) =>
      isRecord(price) &&
      ["input", "output"].every((key) => amount(price[key], lang) === undefined) &&
      (price["cached"] === undefined || amount(price["cached"], lang) === undefined)
    );
  return good ? undefined : say(lang, "expect.prices");
};

/** Read part by part. */
const PARTS: { readonly [key: string]: (value: unknown, lang: Lang) => Parts<unknown> } = {
  hooks: hookParts,
  extra_tools: extraToolParts,
};
const inParts: Check = () => undefined;

const CHECKS: { readonly [key in keyof Required<Settings>]: Check } = {
  api_key: text,
  base_url: url,
  model: text,
  api: oneOf("auto", "openai", "anthropic"),
  lang: oneOf("zh", "en"),
  permission: oneOf("open", "guarded", "ask"),
  theme: oneOf("auto", "light", "dark", "none"),
  notify: yesOrNo,
  max_iterations: whole(1),
  max_output_tokens: whole(1),
  context_window: whole(4096),
  images: yesOrNo,
  prompt_cache: yesOrNo,
  stall_seconds: whole(1),
  max_cost: amount,
  max_total_tokens: whole(1),
  max_cost_per_day: amount,
  max_tokens_per_day: whole(1),
  prices: priceTable,
  searxng_url: url,
  brave_api_key: text,
  tavily_api_key: text,
  bocha_api_key: text,
  append_system_prompt: text,
  disabled_skills: names,
  skills: skillItems,
  dream_hours: amount,
  extra_tools: inParts,
  agents_at_once: whole(1),
  checkpoints: yesOrNo,
  checkpoint_file_mb: whole(1),
  checkpoint_total_mb: whole(1),
  checkpoint_days: whole(1),
  redact: yesOrNo,
  ignore_files: yesOrNo,
  workspace_only: yesOrNo,
  sandbox: checkSandbox,
  hooks: inParts,
};

/** The keys a narnat.json may hold. */
const CONFIG_KEYS = Object.keys(CHECKS) as (keyof Settings)[];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Blanks out comments and trailing commas, keeping every position, so that JSON.parse's line numbers hold. */
export function stripJsonComments(source: string): string {
  const blank = (s: string) => s.replace(/[^\n]/g, " ");
  return source
    .replace(
      /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (part) => part[0] === '"' ? part : blank(part),
    )
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => part[0] === '"' ? part : " ");
}

/** `apiKey` and `api-key` mean `api_key`; a slip of the pen is near it. */
function nearestKey(key: string): string | undefined {
  const snake = key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").replaceAll("-", "_").toLowerCase();
  return nearest(snake, CONFIG_KEYS)[0];
}

/** Where JSON.parse stopped: it names the position, or quotes ten characters on either side of it. */
function positionOf(why: string, source: string): number {
  const named = /position (\d+)/.exec(why);
  if (named) return Number(named[1]);
  const quoted = /^Unexpected token '([^]+?)', (\.\.\.)?"([^]*)"(\.\.\.)? is not valid/u.exec(why);
  if (!quoted) return source.length;
  const [, token = "", before, text = "", after] = quoted;
  if (before) return source.indexOf(text) + 10;
  return after ? text.length - 10 : source.indexOf(token);
}

/** What stands before the host of an address: a name, and often a token. */
const USER_IN_URL = /\/\/[^/\s"@]+@/g;
/** Long, and not made of words alone. */
const LIKE_A_KEY = /(?=[\w+/=.-]*\d)[\w+/=.-]{16,}/g;
/** Control characters would break what names a skill. */
const ONE_LINE = /^[^\p{Cc}]{1,80}$/u;

/** A value as a message may show it: people put keys where they do not belong. */
function shownValue(text: string): string {
  return text.replaceAll(USER_IN_URL, "//***@").replaceAll(LIKE_A_KEY, "***").slice(0, 80);
}

/** What a file came to. */
interface Parsed {
  readonly settings: Settings;
  /** Of keys that mean nothing. */
  readonly warnings: readonly string[];
  /** Of hooks and tools that are wrong in a project's file. */
  readonly leftOut: readonly string[];
}

const NOTHING: Parsed = { settings: {}, warnings: [], leftOut: [] };

/** Reads one narnat.json's text into settings; unknown keys become warnings, and a project's wrong hooks and tools are left out. */
export function parseSettings(
  source: string,
  file: string,
  lang: Lang,
  scope: "user" | "project" = "user",
): Parsed {
  const clean = stripJsonComments(source.replace(/^\ufeff/, ""));
  if (clean.trim() === "") return NOTHING;
  let value: unknown;
  try {
    value = JSON.parse(clean);
  } catch (error) {
    const why = (error as Error).message;
    const before = clean.slice(0, positionOf(why, clean));
    const line = before.split("\n").length;
    throw new ConfigError(
      say(lang, "config.bad_json", {
        file,
        line,
        column: before.length - before.lastIndexOf("\n"),
        // what stands around the place may be a key
        why: why.replace(/, (?:\.\.\.)?"[^]*$/, ""),
      }),
    );
  }
  if (!isRecord(value)) throw new ConfigError(say(lang, "config.not_object", { file }));
  const lineOf = (key: string) => {
    const at = clean.indexOf(JSON.stringify(key));
    return at < 0 ? 1 : clean.slice(0, at).split("\n").length;
  };
  const warnings: string[] = [];
  const leftOut: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    if (given === null) continue;
    if (!Object.hasOwn(CHECKS, key)) {
      const near = nearestKey(key);
      warnings.push(
        say(lang, near ? "config.unknown_key_near" : "config.unknown_key", {
          file,
          line: lineOf(key),
          key: shownValue(key),
          near: near ?? "",
        }),
      );
      continue;
    }
    const parts = Object.hasOwn(PARTS, key) ? PARTS[key]!(given, lang) : undefined;
    for (const { what, after } of parts?.faults ?? []) {
      const values = { file, line: lineAfter(clean, key, after), key, what };
      if (scope === "user") throw new ConfigError(say(lang, "config.bad_part", values));
      leftOut.push(say(lang, "config.left_out", values));
    }
    const expected = CHECKS[key as keyof Settings](given, lang);
    if (expected !== undefined) {
      const shown = key.endsWith("api_key") ? typeof given : shownValue(JSON.stringify(given));
      throw new ConfigError(
        say(lang, "config.bad_value", { file, line: lineOf(key), key, found: shown, expected }),
      );
    }
    // of which nothing is left says nothing
    if (parts && parts.faults.length > 0 && Object.keys(parts.good as object).length === 0) {
      continue;
    }
    settings[key] = parts ? parts.good : given;
  }
  return { settings: settings as Settings, warnings, leftOut };
}

/** Where the settings come from. */
export interface ConfigSources {
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

const OPENAI_URL = "https://api.openai.com/v1";
const OPENAI_MODEL = "gpt-4o-mini";

function readSettings(
  path: string | undefined,
  sources: ConfigSources,
  lang: Lang,
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
      say(lang, "config.unreadable", { file: path, why: (error as Error).message }),
    );
  }
  return parseSettings(source, path, lang, scope);
}

function fromEnvironment(
  prefix: "NARNAT" | "OPENAI",
  env: ConfigSources["env"],
  lang: Lang,
): Settings {
  const settings: Settings = {};
  const take = (key: "api_key" | "base_url" | "model") => {
    const name = `${prefix}_${key.toUpperCase()}`;
    const value = env(name);
    if (!value) return;
    const expected = CHECKS[key](value, lang);
    if (expected !== undefined) {
      throw new ConfigError(
        say(lang, "config.bad_env", { name, found: shownValue(value), expected }),
      );
    }
    settings[key] = value;
  };
  take("api_key");
  take("base_url");
  take("model");
  return settings;
}

/** Searches tell what the user works on: a project does not choose who is told. */
const SEARCH_KEYS = ["searxng_url", "brave_api_key", "tavily_api_key", "bocha_api_key"] as const;

/** `BRAVE_API_KEY` and its like; they only ever go to their own engine's host. */
function searchKeysFrom(env: ConfigSources["env"]): Settings {
  const settings: Settings = {};
  for (const key of SEARCH_KEYS.slice(1)) {
    const value = env(key.toUpperCase())?.trim();
    if (value) settings[key] = value;
  }
  return settings;
}

function defaultModel(baseUrl: string): string | undefined {
  const host = new URL(baseUrl).hostname;
  if (host === "api.openai.com") return OPENAI_MODEL;
  if (host.endsWith("deepseek.com")) return "deepseek-v4-pro";
  return undefined;
}

/** Somebody who tried to configure a model must not be answered by the demo. */
function refuseHalfConfigured(
  env: ConfigSources["env"],
  warnings: readonly string[],
  lang: Lang,
): void {
  const names = ["NARNAT_API_KEY", "NARNAT_BASE_URL", "NARNAT_MODEL"];
  const empty = names.find((name) => env(name) === "");
  if (empty !== undefined) throw new ConfigError(say(lang, "config.empty_env", { name: empty }));
  if (warnings.length > 0) {
    throw new ConfigError([...warnings, say(lang, "config.nothing_usable")].join("\n"));
  }
}

/** Merges all sources. Throws ConfigError naming what to mend. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { flags, env } = sources;
  let lang = flags.lang ?? langFrom(env);
  const user = readSettings(sources.userFile, sources, lang, "user");
  const project = sources.projectFile === sources.userFile
    ? NOTHING
    : readSettings(sources.projectFile, sources, lang, "project");
  lang = flags.lang ?? project.settings.lang ?? user.settings.lang ?? lang;
  const warnings = [...user.warnings, ...project.warnings];
  const narnat = fromEnvironment("NARNAT", env, lang);
  const asked = flags.base_url;
  const expected = asked === undefined ? undefined : url(asked, lang);
  if (asked !== undefined && expected !== undefined) {
    const found = shownValue(asked);
    throw new ConfigError(say(lang, "config.bad_base_url", { found, expected }));
  }

  // OPENAI_* belongs to whatever else the user runs: it stands in only where no file brings its own
  // key, so that a key never reaches another provider's host.
  const openaiUnless = (fileHasKey: boolean) =>
    fileHasKey ? {} : fromEnvironment("OPENAI", env, lang);
  const userHasKey = user.settings.api_key !== undefined;
  let openai = openaiUnless(userHasKey || project.settings.api_key !== undefined);

  const projectSettings = { ...project.settings };
  const ownKey = flags.api_key ?? narnat.api_key ?? openai.api_key;
  let keyIsProjects = ownKey === undefined && projectSettings.api_key !== undefined;
  const wantsRedirect = projectSettings.base_url !== undefined && !keyIsProjects &&
    flags.base_url === undefined && narnat.base_url === undefined &&
    (ownKey ?? user.settings.api_key) !== undefined &&
    projectSettings.base_url !== user.settings.base_url;
  if (wantsRedirect) {
    warnings.push(
      say(lang, "config.redirect_refused", {
        file: sources.projectFile,
        url: projectSettings.base_url!,
      }),
    );
    delete projectSettings.base_url;
    delete projectSettings.api;
  }

  const projectEndpoint = endpointOf(project.settings);
  const trust = projectEndpoint && sources.trust ? sources.trust(projectEndpoint) : "trusted";
  let untrusted: readonly string[] = [];
  if (trust !== "trusted") {
    untrusted = withoutEndpoint(projectSettings, [user.settings, openai, narnat, flags]);
    openai = openaiUnless(userHasKey);
    keyIsProjects = false;
  }
  const untold = untrusted.length === 0 || trust === "refused" ? [] : [
    say(lang, "config.untrusted", { file: sources.projectFile, keys: untrusted.join(", ") }),
  ];
  warnings.push(...untold);

  const refused = SEARCH_KEYS.filter((key) => projectSettings[key] !== undefined);
  for (const key of refused) delete projectSettings[key];
  if (refused.length > 0) {
    const values = { file: sources.projectFile, keys: refused.join(", ") };
    warnings.push(say(lang, "config.search_refused", values));
  }

  if (projectSettings.redact === false) {
    delete projectSettings.redact;
    warnings.push(say(lang, "config.redact_refused", { file: sources.projectFile }));
  }
  // who names the price decides how far the user's budget goes
  const budget = flags.max_cost ?? user.settings.max_cost ?? user.settings.max_cost_per_day;
  if (budget !== undefined && projectSettings.prices !== undefined) {
    delete projectSettings.prices;
    warnings.push(say(lang, "config.prices_refused", { file: sources.projectFile }));
  }

  // the protocol alone would change how the user's own endpoint is spoken to
  if (projectEndpoint === undefined && projectSettings.api !== undefined) {
    if (flags.api === undefined && projectSettings.api !== (user.settings.api ?? "auto")) {
      warnings.push(say(lang, "config.api_refused", { file: sources.projectFile }));
    }
    delete projectSettings.api;
  }

  const loose = tighten(projectSettings, user.settings);
  if (loose.length > 0) {
    const values = { file: sources.projectFile, keys: loose.join(", ") };
    warnings.push(say(lang, "config.loose_refused", values));
  }

  const merged: Settings = {
    ...user.settings,
    ...projectSettings,
    ...openai,
    ...narnat,
    ...searchKeysFrom(env),
    ...flags,
  };
  // A project's key is for the project's endpoint, not for the user's.
  if (
    keyIsProjects && projectSettings.base_url === undefined && flags.base_url === undefined &&
    narnat.base_url === undefined
  ) {
    delete merged.base_url;
  }
  const keyPlaces: [string | undefined, Settings][] = [
    [undefined, flags],
    ["NARNAT_API_KEY", narnat],
    ["OPENAI_API_KEY", openai],
    [sources.projectFile, projectSettings],
    [sources.userFile, user.settings],
  ];
  const configured = merged.model !== undefined || merged.api_key !== undefined ||
    merged.base_url !== undefined;
  if (!configured && !sources.modelless) refuseHalfConfigured(env, warnings, lang);
  const baseUrl = (merged.base_url ?? OPENAI_URL).replace(/\/+$/, "");
  // the names of seed 003 bring its default along
  const isOpenai = openai.api_key !== undefined && openai.base_url !== undefined &&
    merged.api_key === openai.api_key && merged.base_url === openai.base_url;
  const model = configured
    ? merged.model ?? defaultModel(baseUrl) ?? (isOpenai ? OPENAI_MODEL : undefined) ??
      (sources.modelless ? "demo" : undefined)
    : "demo";
  if (model === undefined) {
    throw new ConfigError([...untold, say(lang, "config.no_model", { url: baseUrl })].join("\n"));
  }
  if (
    model !== "demo" && !sources.modelless && merged.api_key === undefined &&
    baseUrl.startsWith("https:")
  ) {
    const values = {
      host: new URL(baseUrl).host,
      model,
      file: sources.userFile ?? "narnat.json",
    };
    throw new ConfigError([...untold, say(lang, "config.no_key", values)].join("\n"));
  }
  return {
    configured,
    warnings: [...warnings, ...project.leftOut],
    config: Object.freeze({
      model,
      apiKey: merged.api_key,
      keyFrom: keyPlaces.find(([, { api_key }]) => api_key !== undefined)?.[0],
      baseUrl,
      api: merged.api ?? "auto",
      lang,
      permission: merged.permission ?? "open",
      theme: merged.theme ?? "auto",
      notify: merged.notify ?? true,
      maxIterations: merged.max_iterations ?? DEFAULTS.max_iterations,
      maxOutputTokens: merged.max_output_tokens,
      contextWindow: merged.context_window,
      images: merged.images,
      promptCache: merged.prompt_cache,
      stallMs: (merged.stall_seconds ?? DEFAULTS.stall_seconds) * 1000,
      maxCost: merged.max_cost,
      maxCostFrom: flags.max_cost !== undefined
        ? "--max-cost"
        : user.settings.max_cost !== undefined
        ? `max_cost (${sources.userFile})`
        : undefined,
      maxTotalTokens: merged.max_total_tokens,
      maxCostPerDay: merged.max_cost_per_day,
      maxTokensPerDay: merged.max_tokens_per_day,
      prices: merged.prices ?? {},
      searxngUrl: merged.searxng_url,
      searchKeys: {
        brave: merged.brave_api_key,
        tavily: merged.tavily_api_key,
        bocha: merged.bocha_api_key,
      },
      // a project adds to its user's words, and takes none away
      appendSystemPrompt: flags.append_system_prompt ??
        [user.settings, projectSettings].flatMap((one) => one.append_system_prompt ?? [])
          .join("\n\n"),
      dreamHours: merged.dream_hours ?? DEFAULTS.dream_hours,
      extraTools: merged.extra_tools ?? [],
      agentsAtOnce: merged.agents_at_once ?? 4,
      checkpoints: merged.checkpoints ?? true,
      checkpointFileMb: merged.checkpoint_file_mb ?? DEFAULTS.checkpoint_file_mb,
      checkpointTotalMb: merged.checkpoint_total_mb ?? DEFAULTS.checkpoint_total_mb,
      checkpointDays: merged.checkpoint_days ?? DEFAULTS.checkpoint_days,
      redact: merged.redact ?? true,
      ignoreFiles: merged.ignore_files ?? true,
      workspaceOnly: merged.workspace_only ?? false,
      sandbox: sandboxOf(
        user.settings.sandbox,
        projectSettings.sandbox,
        merged.workspace_only &&
          (flags.workspace_only || user.settings.workspace_only ? "own" : "theirs"),
      ),
      hooks: hooksOf(user.settings.hooks),
      projectHooks: hooksOf(projectSettings.hooks),
      projectEndpoint,
      untrusted,
      skills: user.settings.skills ?? [],
      projectSkills: projectSettings.skills ?? [],
      // a project may take more away, never give back
      disabledSkills: [
        ...user.settings.disabled_skills ?? [],
        ...projectSettings.disabled_skills ?? [],
      ],
    }),
  };
}

const PROVIDER_KEY = /_(?:API_?KEYS?|AUTH_TOKEN|OAUTH_TOKEN)(?:_\w+)?$/i;
const PROVIDERS =
  /^(?:NARNAT|OPENAI|ANTHROPIC|CLAUDE|PERPLEXITY|CEREBRAS|NVIDIA|REPLICATE|STEPFUN|HUNYUAN|BAICHUAN|DEEPSEEK|DASHSCOPE|QWEN|ZHIPU|ZHIPUAI|BIGMODEL|MOONSHOT|KIMI|GEMINI|GOOGLE|OPENROUTER|MISTRAL|GROQ|XAI|AZURE|SILICONFLOW|VOLCENGINE|ARK|MINIMAX|TOGETHER|FIREWORKS|COHERE|OLLAMA|BRAVE|TAVILY|BOCHA)_/i;

/** The environment for child processes: everything but provider keys, `keys` among them whatever their name. */
export function childEnvironment(
  env: { readonly [name: string]: string },
  ...keys: readonly (string | undefined)[]
): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) =>
      !(PROVIDER_KEY.test(name) && PROVIDERS.test(name)) &&
      !keys.includes(value)
    ),
  );
}
