/** Where narnat works: configuration, tools, what the prompt needs to know; no agent yet. */
import { ConfigError, errorMessage } from "../base/errors.ts";
import { sha256 } from "../base/hash.ts";
import { env, granted, grantedPermissions, wholeEnv } from "../base/host.ts";
import { nearest } from "../base/nearest.ts";
import { under } from "../base/path.ts";
import { ownEnvironment } from "../base/program_path.ts";
import type { T } from "../base/t.ts";
import type { Tool, Toolbox } from "../base/types.ts";
import type { Choices, Environment, TrustSource } from "../commands/environment.ts";
import { EXTRA_TOOLS } from "../config/check.ts";
import { childEnvironment, readPlace } from "../config/place.ts";
import type { Config } from "../config/load.ts";
import type { PromptOptions, PromptSources } from "../context/part.ts";
import { hasServers, SERVER_TOOL, serverFiles, tokensFile } from "../features/mcp/places.ts";
import { memoryParts } from "../features/memory/bootstrap.ts";
import { createSecrets } from "../features/secrets/mod.ts";
import { endpointRequests } from "../features/trust/mod.ts";
import { createGitSkills, skillItems } from "../features/skills/git_skills.ts";
import { sessionSkills } from "../features/skills/skill_parts.ts";
import { hasProjectSkills } from "../features/skills/skills.ts";
import type { Searcher, SearcherOptions } from "../search/mod.ts";
import { gitPlaces } from "../search/walk/git_settings.ts";
import type { Jobs } from "../shell/process/jobs.ts";
import { builtinTools, toolsFor } from "../tools/mod.ts";
import { createToolbox } from "../tools/toolbox.ts";
import { proxyFromEnv } from "../web/proxy.ts";
import { giveToOwner } from "./owner.ts";

/** Makes a Searcher that is loaded when something is first looked for. */
function lateSearcher(options: SearcherOptions): Searcher {
  let opened: Promise<Searcher> | undefined;
  let closed = false;
  const open = () =>
    opened ??= import("../search/mod.ts").then(({ createSearcher }) => {
      const searcher = createSearcher(options);
      if (closed) searcher.close();
      return searcher;
    });
  const beside = (use: (searcher: Searcher) => void) => void open().then(use).catch(() => {});
  return {
    glob: async (query, signal) => await (await open()).glob(query, signal),
    grep: async (query, signal) => await (await open()).grep(query, signal),
    async *walk(root, signal) {
      yield* (await open()).walk(root, signal);
    },
    start: () => beside((searcher) => searcher.start()),
    warm: (root) => beside((searcher) => searcher.warm(root)),
    close() {
      closed = true;
      void opened?.then((searcher) => searcher.close());
    },
  };
}

/** The environment, and what an agent works with besides. */
export interface AgentEnvironment extends Environment {
  readonly searcher: Searcher;
  readonly toolbox: Toolbox;
  /** The user has just said No to what it wants: nobody asks again by themselves. */
  readonly refused: boolean;
  /** What Bash has started. */
  readonly jobs: () => Promise<Jobs>;
}

/** Loads the configuration and makes the tools. Throws ConfigError. */
export function openEnvironment(
  choices: Choices,
  t: T,
  need: "model" | "no model" = "model",
): AgentEnvironment {
  const { config, configured, warnings, workspace, userDir, userFile } = readPlace(
    choices.cwd,
    choices.settings,
    t,
    need === "no model",
    choices.refused,
  );
  const notes = [...warnings];
  const { searxngUrl, searchKeys, ignoreFiles, limits } = config;
  const searcher = lateSearcher({ places: { ...gitPlaces(env), ignoreFiles } });
  const outputs = under(workspace, ".narnat", "outputs");
  const mayPrune = granted({ name: "read", path: outputs }) &&
    granted({ name: "write", path: outputs });
  const guard = granted({ name: "run", command: "sh" });
  const whole = wholeEnv();
  const keys = Object.entries({ api_key: config.apiKey, ...searchKeys })
    .flatMap(([name, value]) => value ? [{ name, value }] : []);
  const childEnv = childEnvironment(whole, ...keys.map(({ value }) => value));
  const ownEnv = ownEnvironment(childEnv, workspace);
  const secrets = createSecrets({
    off: config.redact === false,
    keys: [
      ...keys,
      ...Object.entries(whole).filter(([name]) => !(name in childEnv))
        .map(([name, value]) => ({ name, value })),
    ],
    env: whole,
    workspace,
    configs: [
      ...serverFiles(workspace, userDir).map(({ path }) => path),
      tokensFile(userDir),
    ].filter((path) => path !== undefined),
    mayRead: (path) => granted({ name: "read", path }),
  });
  let jobs: Promise<Jobs> | undefined;
  const openJobs = () =>
    jobs ??= Promise.all([
      import("../shell/process/jobs.ts"),
      import("../shell/process/open_sandbox.ts"),
    ]).then(async ([{ createJobs }, { openSandbox }]) =>
      createJobs({
        guard,
        redactor: secrets.bytes,
        mostMs: limits.bashSeconds * 1000,
        outputChars: limits.outputChars,
        sandbox: await openSandbox(config.sandbox, workspace, userDir, childEnv, choices.copy),
        ...mayPrune ? { outputs } : {},
      })
    );
  const all = builtinTools({
    searcher,
    jobs: openJobs,
    searxngUrl,
    searchKeys,
    proxy: proxyFromEnv(env),
    workspaceOnly: config.workspaceOnly,
    bashMs: limits.bashSeconds * 1000,
    readChars: limits.readChars,
  });
  const permitted = permittedTools(all, config, workspace, ownEnv, notes);
  const tools = choose(permitted, all, choices.tools, config.t);
  const trusted = new Map<string, string>();
  const toolbox = createToolbox(tools);
  return {
    config,
    configured,
    workspace,
    warnings: notes,
    userFile,
    searcher,
    tools,
    toolbox,
    chosen: choices.tools,
    extraTools: EXTRA_TOOLS.filter((name) => (choices.tools ?? config.extraTools)?.includes(name)),
    trusted,
    trustSources: TRUST_SOURCES,
    refused: choices.refused === true,
    jobs: openJobs,
    childEnv,
    ownEnv,
    secrets,
    prompt: promptOptions(config, workspace, userDir, trusted, childEnv, ownEnv, toolbox),
    async close() {
      searcher.close();
      await (await jobs)?.close();
      await giveToOwner(workspace);
    },
  };
}

/** The tools that may be offered here; `notes` hears of those that may not. */
function permittedTools(
  all: readonly Tool[],
  { t, workspaceOnly }: Config,
  workspace: string,
  ownEnv: Environment["ownEnv"],
  notes: string[],
): readonly Tool[] {
  const permitted = toolsFor(grantedPermissions(workspace), all);
  if (permitted.length < all.length) {
    const missing = all.filter((tool) => !permitted.includes(tool)).map((tool) => tool.name);
    notes.push(
      t("These tools are not offered, the process lacks the permissions: {names}", {
        names: missing.join(", "),
      }),
    );
  }
  const guard = granted({ name: "run", command: "sh" });
  const unbounded = workspaceOnly && guard ? whyUnbounded(ownEnv) : undefined;
  if (unbounded === undefined) return permitted;
  notes.push(
    t(
      "workspace_only: Bash is not offered, as there is no sandbox here to keep commands in the workspace ({why}); on Linux, install bubblewrap",
      { why: unbounded },
    ),
  );
  return permitted.filter(({ name }) => name !== "Bash");
}

/** What every prompt made here knows. */
function promptOptions(
  config: Config,
  workspace: string,
  userDir: string | undefined,
  trusted: Environment["trusted"],
  env: Environment["childEnv"],
  ownEnv: Environment["ownEnv"],
  { definitions }: Toolbox,
): PromptOptions {
  const now = () => new Date();
  return {
    model: config.model,
    workspace,
    userDir,
    t: config.t,
    platform: `${Deno.build.os} ${Deno.build.arch}`,
    shell: Deno.build.os === "windows" ? "powershell" : "bash",
    now,
    append: config.appendSystemPrompt,
    sources: PROMPT_SOURCES,
    disabledSkills: config.disabledSkills ?? [],
    rules: config.rules,
    trustsAlways: (path, said) => trusted.has(path) && trusted.get(path) === sha256(said()),
    skillsRead: new Map(),
    gitSkills: createGitSkills({
      userDir,
      t: config.t,
      env: ownEnv,
      now,
      items: () => skillItems(config, () => trusted.has("skills")),
    }),
    env,
    tools: definitions,
  };
}

/** What features add to every prompt. */
export const PROMPT_SOURCES: PromptSources = { memory: memoryParts, skills: sessionSkills };

/** In the order in which the user is asked. */
const TRUST_SOURCES: readonly TrustSource[] = [
  {
    mayRequest: ({ config }) => config.projectEndpoint !== undefined,
    requests: (here) => Promise.resolve(endpointRequests(here)),
  },
  {
    mayRequest: hasServers,
    requests: async (here) => (await import("../features/mcp/config.ts")).fileRequests(here),
  },
  {
    mayRequest: ({ config: { projectHooks = [] } }) => projectHooks.length > 0,
    requests: async (here) => (await import("../features/hooks/trust.ts")).hookRequests(here),
  },
  {
    mayRequest: ({ config: { projectSkills = [] }, prompt }) =>
      projectSkills.length > 0 || hasProjectSkills(prompt),
    requests: async (here) => (await import("../features/skills/trust.ts")).skillRequests(here),
  },
];

/** Why no sandbox can keep commands in the workspace here; undefined where one can. */
function whyUnbounded(env: { readonly [name: string]: string }): string | undefined {
  if (Deno.build.os !== "linux") return Deno.build.os;
  const args = ["--unshare-user", "--ro-bind", "/", "/", "true"];
  try {
    const script = 'PATH=$0 exec bwrap "$@"';
    const { code, stderr } = new Deno.Command("/bin/sh", {
      args: ["-c", script, env["PATH"] ?? "", ...args],
      clearEnv: true,
      env,
    }).outputSync();
    return code === 0 ? undefined : new TextDecoder().decode(stderr).trim() || `exit ${code}`;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Where no source names a model, key or endpoint: what to set. */
export function notConfigured(
  { config, userFile }: Pick<AgentEnvironment, "config" | "userFile">,
): string {
  return config.t(
    'No model is configured: set NARNAT_API_KEY (and NARNAT_BASE_URL, NARNAT_MODEL) in the environment or "api_key", "base_url" and "model" in {file}, or run narnat in a terminal to be asked; --model demo works offline',
    { file: userFile ?? "narnat.json" },
  );
}

function choose(
  permitted: readonly Tool[],
  all: readonly Tool[],
  names: readonly string[] | undefined,
  t: T,
): readonly Tool[] {
  if (names === undefined) return permitted;
  const known = [...all.map((tool) => tool.name), ...EXTRA_TOOLS];
  for (const name of names) {
    // which tools servers have is not known yet
    if (known.includes(name) || SERVER_TOOL.test(name)) continue;
    const near = nearest(name, known)[0];
    throw new ConfigError(
      t(
        near
          ? "There is no tool {name}; did you mean {near}? There are {known}"
          : "There is no tool {name}; there are {known}",
        {
          name,
          near: near ?? "",
          known: known.join(", "),
        },
      ),
    );
  }
  return permitted.filter((tool) => names.includes(tool.name));
}
