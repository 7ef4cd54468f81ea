/** Wires the rooms: flags in, a ready agent out. */
import { join } from "node:path";
import type { ModelClient, Tool, Toolbox } from "../types.ts";
import { childEnvironment, type Config, ConfigError, type Settings } from "../config.ts";
import { nearest } from "../nearest.ts";
import { createLog, hider, type Log, masker } from "../log.ts";
import { say } from "../text.ts";
import { createKeeper, type PromptOptions } from "../context/mod.ts";
import type { Agent } from "../core/agent.ts";
import type { Answering } from "../core/consent.ts";
import { builtinTools, createToolbox, toolsFor } from "../tools/mod.ts";
import { proxyFromEnv } from "../web/proxy.ts";
import { gitPlaces } from "../search/git_settings.ts";
import { createSearcher, type Searcher } from "../search/mod.ts";
import { createJobs, type Jobs } from "../shell/jobs.ts";
import { complain, env, granted, grantedPermissions, makeProjectDir, wholeEnv } from "./host.ts";
import { providerModels } from "./models.ts";
import { readPlace } from "./settings.ts";
import { keepTheme } from "./theme.ts";
import { warming } from "./warming.ts";
import project from "../../deno.json" with { type: "json" };

/** What the command line decided. */
export interface Choices {
  readonly settings: Settings;
  readonly cwd: string | undefined;
  readonly tools: readonly string[] | undefined;
  readonly session: boolean;
}

/** Configuration and the rooms that need no agent. */
export interface Ground {
  readonly config: Config;
  readonly configured: boolean;
  readonly workspace: string;
  readonly warnings: readonly string[];
  readonly prompt: PromptOptions;
  readonly searcher: Searcher;
  /** What Bash has started; closed last, whatever still runs ends then. */
  readonly jobs: Jobs;
  readonly tools: readonly Tool[];
  readonly toolbox: Toolbox;
  readonly userFile: string | undefined;
  readonly childEnv: { [name: string]: string };
  /** What no log, result or screen may show. */
  readonly secrets: readonly string[];
}

/** Loads the configuration and makes the tools. Throws ConfigError. */
export function layGround(
  choices: Choices,
  lang: Config["lang"],
  need: "model" | "no model" = "model",
): Ground {
  const { config, configured, warnings, workspace, userDir, userFile } = readPlace(
    choices.cwd,
    choices.settings,
    lang,
    need === "no model",
  );
  const notes = [...warnings];
  const searcher = createSearcher({ places: gitPlaces(env) });
  const { searxngUrl, searchKeys } = config;
  const outputs = join(workspace, ".narnat", "outputs");
  const mayPrune = granted({ name: "read", path: outputs }) &&
    granted({ name: "write", path: outputs });
  const guard = granted({ name: "run", command: "sh" });
  const jobs = createJobs({ guard, ...mayPrune ? { outputs } : {} });
  const all = builtinTools({ searcher, jobs, searxngUrl, searchKeys, proxy: proxyFromEnv(env) });
  const permitted = toolsFor(grantedPermissions(workspace), all);
  if (permitted.length < all.length) {
    const missing = all.filter((tool) => !permitted.includes(tool)).map((tool) => tool.name);
    notes.push(say(config.lang, "cli.tools_missing", { names: missing.join(", ") }));
  }
  const tools = choose(permitted, all, choices.tools, config.lang);
  const whole = wholeEnv();
  const childEnv = childEnvironment(whole, config.apiKey);
  const withheld = Object.keys(whole).filter((name) => !(name in childEnv));
  return {
    config,
    configured,
    workspace,
    warnings: notes,
    userFile,
    searcher,
    jobs,
    tools,
    toolbox: createToolbox(tools),
    childEnv,
    secrets: [
      config.apiKey,
      ...Object.values<string | undefined>(searchKeys ?? {}),
      ...withheld.map((name) => whole[name]),
    ]
      .map((secret) => secret ?? ""),
    prompt: {
      model: config.model,
      workspace,
      userDir,
      lang: config.lang,
      platform: `${Deno.build.os} ${Deno.build.arch}`,
      shell: Deno.build.os === "windows" ? "powershell" : "bash",
      now: () => new Date(),
      append: config.appendSystemPrompt,
    },
  };
}

function choose(
  permitted: readonly Tool[],
  all: readonly Tool[],
  names: readonly string[] | undefined,
  lang: Config["lang"],
): readonly Tool[] {
  if (names === undefined) return permitted;
  const known = all.map((tool) => tool.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known)[0];
    throw new ConfigError(
      say(lang, near ? "cli.unknown_tool_near" : "cli.unknown_tool", {
        name,
        near: near ?? "",
        known: known.join(", "),
      }),
    );
  }
  return permitted.filter((tool) => names.includes(tool.name));
}

/** The model client of a configuration, loaded when it is first asked. */
export async function modelFor(config: Config): Promise<ModelClient> {
  if (config.model === "demo") return (await import("../model/demo.ts")).demoModel();
  const { createModel, realHost } = await import("../model/mod.ts");
  return createModel(config, realHost());
}

export interface Assembled {
  readonly agent: Agent;
  readonly log: Log;
  close(): Promise<void>;
}

/** Makes the agent. `onExit` is called when the user asks to leave; complaints go to `tell`. */
export async function assemble(
  ground: Ground,
  choices: Choices,
  answering: Answering,
  onExit: () => void,
  tell: (text: string) => void = complain,
): Promise<Assembled> {
  const { config, workspace } = ground;
  const [{ createAgent }, { SessionStore }, { commands }, { describeModelError }, model, images] =
    await Promise.all([
      import("../core/agent.ts"),
      import("../core/session.ts"),
      import("../commands/mod.ts"),
      import("../model/errors.ts"),
      modelFor(config),
      import("../model/images.ts"),
    ]);
  let kept = choices.session;
  if (kept) {
    const why = makeProjectDir(workspace);
    if (why !== undefined) {
      tell(`narnat: ${say(config.lang, "cli.nothing_kept", { dir: workspace, why })}`);
      kept = false;
    }
  }
  const dir = join(workspace, ".narnat");
  const log = createLog({
    dir: kept ? join(dir, "logs") : undefined,
    now: () => new Date(),
    mask: masker(ground.secrets),
    level: env("NARNAT_LOG") === "debug" ? "DEBUG" : "INFO",
    onFailure: (why) => tell(`narnat: ${say(config.lang, "cli.no_log", { why })}`),
  });
  const outputDir = kept ? join(dir, "outputs") : join(tempDir(), `narnat-${Deno.pid}`);
  const warmed = (client: ModelClient) =>
    warming(client, ground.tools, () => ground.searcher.warm(workspace));
  const agent = createAgent({
    model: warmed(model),
    modelName: config.model,
    models: providerModels(config, async (one) => warmed(await modelFor(one))),
    toolbox: ground.toolbox,
    keeper: (_session, name) => createKeeper({ ...ground.prompt, model: name }),
    commands,
    store: new SessionStore({
      dir: kept ? join(dir, "sessions") : undefined,
      workspace,
      lang: config.lang,
      now: () => new Date(),
      random: Math.random,
    }),
    limits: {
      iterations: config.maxIterations,
      cost: config.maxCost,
      tokens: config.maxTotalTokens,
      toolMs: 660_000,
    },
    answering,
    permission: config.permission,
    lang: config.lang,
    version: project.version,
    workspace,
    imageTypes: images.imageTypes(config.model, config),
    outputDir,
    env: ground.childEnv,
    log,
    hide: hider(ground.secrets),
    describe: (error) => describeModelError(config.lang, error),
    now: () => new Date(),
    monotonic: () => performance.now(),
    uuid: () => crypto.randomUUID(),
    theme: config.theme,
    keepTheme: (theme) => keepTheme(ground.userFile, theme, config.lang),
    onExit,
  });
  return {
    agent,
    log,
    async close() {
      await agent.close();
      ground.searcher.close();
      await ground.jobs.close();
      // Without a session nothing is kept, the full copies of long output neither.
      if (!kept && granted({ name: "write", path: outputDir })) {
        await Deno.remove(outputDir, { recursive: true }).catch(() => {});
      }
    },
  };
}

const tempDir = () => env("TMPDIR") ?? env("TEMP") ?? "/tmp";
