/** Wires the rooms: flags in, a ready agent out. */
import type { ModelClient } from "../types.ts";
import { createLog, hider, type Log, masker } from "../log.ts";
import { say } from "../text.ts";
import { commands } from "../commands/mod.ts";
import { createKeeper } from "../context/mod.ts";
import { type Agent, createAgent } from "../core/agent.ts";
import type { Answering } from "../core/consent.ts";
import { SessionStore } from "../core/session.ts";
import { describeModelError } from "../model/errors.ts";
import { imageTypes } from "../model/images.ts";
import { under } from "../under.ts";
import type { Choices, Ground } from "./ground.ts";
import { complain, env, granted, makeProjectDir } from "./host.ts";
import { modelFor, providerModels } from "./models.ts";
import { keepTheme } from "./theme.ts";
import { warming } from "./warming.ts";
import project from "../../deno.json" with { type: "json" };

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
  const model = await modelFor(config);
  let kept = choices.session;
  if (kept) {
    const why = makeProjectDir(workspace);
    if (why !== undefined) {
      tell(`narnat: ${say(config.lang, "cli.nothing_kept", { dir: workspace, why })}`);
      kept = false;
    }
  }
  const dir = under(workspace, ".narnat");
  const log = createLog({
    dir: kept ? under(dir, "logs") : undefined,
    now: () => new Date(),
    mask: masker(ground.secrets),
    level: env("NARNAT_LOG") === "debug" ? "DEBUG" : "INFO",
    onFailure: (why) => tell(`narnat: ${say(config.lang, "cli.no_log", { why })}`),
  });
  const outputDir = kept ? under(dir, "outputs") : under(tempDir(), `narnat-${Deno.pid}`);
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
      dir: kept ? under(dir, "sessions") : undefined,
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
    imageTypes: imageTypes(config.model, config),
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
      await ground.close();
      // Without a session nothing is kept, the full copies of long output neither.
      if (!kept && granted({ name: "write", path: outputDir })) {
        await Deno.remove(outputDir, { recursive: true }).catch(() => {});
      }
    },
  };
}

const tempDir = () => env("TMPDIR") ?? env("TEMP") ?? "/tmp";
