/** Wires the rooms: flags in, a ready agent out. */
import type { ModelClient } from "../types.ts";
import { createLog, hider, type Log, masker } from "../log.ts";
import { say } from "../text.ts";
import { commands } from "../commands/mod.ts";
import { createHistory } from "../context/history.ts";
import { createMemory } from "../context/memory.ts";
import { createKeeper } from "../context/mod.ts";
import { previousContext } from "../context/task_notes.ts";
import { type Agent, createAgent } from "../core/agent.ts";
import type { Answering } from "../core/consent.ts";
import { SessionStore } from "../core/session.ts";
import { describeModelError } from "../model/errors.ts";
import { imageTypes } from "../model/images.ts";
import { answerLimit } from "../model/providers.ts";
import { under } from "../under.ts";
import type { Choices, Ground } from "./ground.ts";
import { openArchive } from "./archive.ts";
import { complain, env, granted, makeProjectDir } from "./host.ts";
import { modelFor, providerModels } from "./models.ts";
import { keepTheme } from "./theme.ts";
import { warming } from "./warming.ts";
import project from "../../deno.json" with { type: "json" };

export interface Assembled {
  readonly agent: Agent;
  readonly log: Log;
  /** Starts a Dream in a moment, beside the turns, if it is time for one. */
  dreamWhenDue(): ReturnType<typeof setTimeout> | undefined;
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
  const mask = masker(ground.secrets);
  const log = createLog({
    dir: kept ? under(dir, "logs") : undefined,
    now: () => new Date(),
    mask,
    level: env("NARNAT_LOG") === "debug" ? "DEBUG" : "INFO",
    onFailure: (why) => tell(`narnat: ${say(config.lang, "cli.no_log", { why })}`),
  });
  const outputDir = kept ? under(dir, "outputs") : under(tempDir(), `narnat-${Deno.pid}`);
  const warmed = (client: ModelClient) =>
    warming(client, ground.tools, () => ground.searcher.warm(workspace));
  let archive: ReturnType<typeof openArchive> | undefined;
  const models = providerModels(config, async (one) => warmed(await modelFor(one)));
  const memoryDir = kept ? under(dir, "memory") : undefined;
  const history = createHistory(memoryDir, () => new Date(), mask);
  const repo = async () => {
    const { openRepo } = await import("../context/memory_repo.ts");
    return await openRepo({ narnatDir: dir, lang: config.lang, env: ground.childEnv });
  };
  const memory = createMemory({
    dir: memoryDir,
    history,
    lang: config.lang,
    mask,
    log,
    repo,
    async dream(signal) {
      if (!kept) throw new Error(say(config.lang, "memory.none"));
      const { runDream } = await import("./dream.ts");
      return await runDream({
        agent,
        narnatDir: dir,
        history,
        lang: config.lang,
        log,
        mask,
        now: () => new Date(),
        repo,
        tools: ground.tools,
        prompt: ground.prompt,
        limits: { cost: config.maxCost, tokens: config.maxTotalTokens },
        openModel: (name) => models.open(name),
      }, signal);
    },
  });
  const learnt = new Map<string, number>();
  const agent: Agent = createAgent({
    model: warmed(model),
    modelName: config.model,
    models,
    memory,
    toolbox: ground.toolbox,
    keeper: (session, model) =>
      createKeeper({
        ...ground.prompt,
        model,
        summary: session.carried?.summary ?? "",
        loadedSkills: session.carried?.skills ?? [],
        dir: kept ? dir : undefined,
        history,
        contextWindow: config.contextWindow,
        learnt,
        maxOutputTokens: answerLimit(config),
        // what became of this session stands in it already
        previous: () => previousContext(history, [session.id, session.carried?.parent ?? ""]),
      }),
    commands,
    store: new SessionStore({
      dir: kept ? under(dir, "sessions") : undefined,
      workspace,
      lang: config.lang,
      now: () => new Date(),
      random: Math.random,
    }),
    search: (words, tell) =>
      (archive ??= openArchive(workspace, config.lang, kept)).search(words, tell),
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
    describe: (error) => describeModelError(config.lang, error, config.keyFrom),
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
    dreamWhenDue() {
      const { dreamHours: hours = 0, model } = config;
      if (memoryDir === undefined || hours === 0 || model === "demo") return undefined;
      return setTimeout(async () => {
        const { isDue } = await import("../context/dream_mark.ts");
        if (!isDue(memoryDir, history, hours, new Date())) return;
        if (memory.dreaming) return;
        const begin = say(config.lang, "dream.due", { hours });
        agent.desk.beside((signal) => memory.dream(signal), begin);
      }, DREAM_AFTER_MS);
    },
    async close() {
      await agent.close();
      archive?.close();
      await ground.close();
      // Without a session nothing is kept, the full copies of long output neither.
      if (!kept && granted({ name: "write", path: outputDir })) {
        await Deno.remove(outputDir, { recursive: true }).catch(() => {});
      }
    },
  };
}

/** The first picture and the first key come before it. */
const DREAM_AFTER_MS = 3000;

const tempDir = () => env("TMPDIR") ?? env("TEMP") ?? "/tmp";
