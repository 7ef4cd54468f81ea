/** Where narnat works: configuration, tools, what the prompt needs to know; no agent yet. */
import type { Tool, Toolbox } from "../types.ts";
import { childEnvironment, type Config, ConfigError, type Settings } from "../config.ts";
import { nearest } from "../nearest.ts";
import { say } from "../text.ts";
import type { PromptOptions } from "../context/mod.ts";
import { builtinTools, createToolbox, toolsFor } from "../tools/mod.ts";
import { proxyFromEnv } from "../web/proxy.ts";
import { gitPlaces } from "../search/git_settings.ts";
import { createSearcher, type Searcher } from "../search/mod.ts";
import { under } from "../under.ts";
import type { Jobs } from "../shell/jobs.ts";
import { env, granted, grantedPermissions, wholeEnv } from "./host.ts";
import { readPlace } from "./settings.ts";

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
  readonly tools: readonly Tool[];
  readonly toolbox: Toolbox;
  readonly userFile: string | undefined;
  readonly childEnv: { [name: string]: string };
  /** What no log, result or screen may show. */
  readonly secrets: readonly string[];
  /** Ends the search workers, and last whatever Bash has started. */
  close(): Promise<void>;
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
  const outputs = under(workspace, ".narnat", "outputs");
  const mayPrune = granted({ name: "read", path: outputs }) &&
    granted({ name: "write", path: outputs });
  const guard = granted({ name: "run", command: "sh" });
  let jobs: Promise<Jobs> | undefined;
  const openJobs = () =>
    jobs ??= import("../shell/jobs.ts").then(({ createJobs }) =>
      createJobs({ guard, ...mayPrune ? { outputs } : {} })
    );
  const all = builtinTools({
    searcher,
    jobs: openJobs,
    searxngUrl,
    searchKeys,
    proxy: proxyFromEnv(env),
  });
  const permitted = toolsFor(grantedPermissions(workspace), all);
  if (permitted.length < all.length) {
    const missing = all.filter((tool) => !permitted.includes(tool)).map((tool) => tool.name);
    notes.push(say(config.lang, "cli.tools_missing", { names: missing.join(", ") }));
  }
  const tools = choose(permitted, all, choices.tools, config.lang);
  const toolbox = createToolbox(tools);
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
    tools,
    toolbox,
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
      disabledSkills: config.disabledSkills ?? [],
      env: childEnv,
      tools: toolbox.definitions,
    },
    async close() {
      searcher.close();
      await (await jobs)?.close();
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
