/** Wires the rooms: flags in, a ready agent out. */
import type {
  Checkpoints,
  Command,
  DaySpending,
  ModelClient,
  ServerInfo,
  Usage,
} from "../base/types.ts";
import { createLog, type Log } from "../base/log.ts";
import { gitPlaces } from "../search/walk/git_settings.ts";
import type { Text } from "../base/t.ts";
import { createCheckpoints } from "../features/undo/mod.ts";
import { limitsOf } from "../features/undo/types.ts";
import { noCheckpoints } from "../agent/none.ts";
import { createHistory } from "../session/history.ts";
import { createMemory } from "../features/memory/store.ts";
import type { GitSkills } from "../context/part.ts";
import { createKeeper, type KeeperOptions } from "../context/mod.ts";
import { previousContext } from "../session/task_notes.ts";
import { type Agent, createAgent } from "../agent/agent.ts";
import type { Answering } from "../agent/consent.ts";
import { SessionStore } from "../session/store.ts";
import { describeModelError } from "../models/errors.ts";
import { imageTypes } from "../models/model_facts.ts";
import { answerLimit } from "../models/provider.ts";
import { veiledModel } from "../features/secrets/layer.ts";
import { under } from "../base/path.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";
import type { Ground } from "./environment.ts";
import type { Choices } from "../commands/environment.ts";
import { createAgents } from "../features/subagents/pool.ts";
import type { AgentsParts } from "../features/subagents/team.ts";
import { openArchive } from "../features/history_search/mod.ts";
import { laneFeatures } from "./features.ts";
import { extend } from "./extensions.ts";
import { complain, env, granted, makeProjectDir } from "../base/host.ts";
import { modelFor, providerModels, warming } from "../models/catalog.ts";
import { giveToOwner } from "./owner.ts";
import { spareSession, tempDir } from "../features/sessions/spare.ts";
import project from "../../deno.json" with { type: "json" };

export interface Assembled {
  readonly agent: Agent;
  readonly log: Log;
  /** The slash commands there are at the moment. */
  readonly commands: () => readonly Command[];
  /** Begins to load and to connect what a session has besides, now that the session is shown. */
  begin(): void;
  /** Waits for what the first turn waits for; the tools and servers there are then. */
  outfit(signal: AbortSignal): Promise<{
    readonly tools: readonly string[];
    readonly servers: readonly ServerInfo[];
  }>;
  /** What the requests so far have cost, by the model that was asked. */
  usageByModel(): { readonly [model: string]: Usage };
  /** Starts a Dream in a moment, beside the turns, if it is time for one; called once the user has asked something. */
  dreamWhenDue(): ReturnType<typeof setTimeout> | undefined;
  close(): Promise<void>;
}

/** Who an agent is made for. */
export interface Front {
  /** A person, at whose pace all goes, or a script. */
  readonly kind: "terminal" | "script";
  /** Who answers its questions. */
  readonly answering: Answering;
  /** Its lines may be slash lines; else there are no commands. */
  readonly commands: boolean;
  /** The user asks to leave. */
  onExit(): void;
  /** Complaints; on stderr when left out. */
  tell?(text: string): void;
}

/** Makes the agent. */
export async function assemble(
  ground: Ground,
  choices: Choices,
  front: Front,
): Promise<Assembled> {
  const { config, workspace } = ground;
  const { answering, onExit } = front;
  const tell = (text: string) => (front.tell ?? complain)(ground.secrets.hide(text));
  const model = await modelFor(config);
  const refused = choices.session
    ? makeProjectDir(workspace, config.t, ground.prompt.userDir)
    : undefined;
  const kept = choices.session && refused === undefined;
  // once more at the end, but that may not come
  await giveToOwner(workspace);
  if (refused) {
    const { why, disk } = refused;
    const what = disk
      ? "Cannot write .narnat in {dir} ({why}); the session goes on in memory and is put into the temporary folder at its end; the log, and what /undo needs, are not kept"
      : "Cannot write .narnat in {dir} ({why}); session and log are not kept this time";
    tell(`narnat: ${config.t(what, { dir: workspace, why })}`);
  }
  const dir = under(workspace, ".narnat");
  const { secrets } = ground;
  const mask = secrets.mask;
  const log = createLog({
    dir: kept ? under(dir, "logs") : undefined,
    now: () => new Date(),
    mask,
    level: env("NARNAT_LOG") === "debug" ? "DEBUG" : "INFO",
    onFailure: (why) => tell(`narnat: ${config.t("Cannot write the log: {why}", { why })}`),
  });
  const outputDir = kept ? under(dir, "outputs") : under(tempDir(), `narnat-${Deno.pid}`);
  const firstSent = Promise.withResolvers<void>();
  const warmed = (client: ModelClient) =>
    warming(
      veiledModel(client, secrets),
      ground.tools,
      () => ground.searcher.warm(workspace),
      firstSent.resolve,
    );
  let archive: ReturnType<typeof openArchive> | undefined;
  const models = providerModels(config, async (one) => warmed(await modelFor(one)));
  const memoryDir = kept ? under(dir, "memory") : undefined;
  const history = createHistory(memoryDir, () => new Date(), mask);
  const repo = async () => {
    const { openRepo } = await import("../features/memory/memory_repo.ts");
    return await openRepo({ narnatDir: dir, t: config.t, env: ground.ownEnv });
  };
  const memory = createMemory({
    dir: memoryDir,
    history,
    t: config.t,
    mask,
    log,
    repo,
    async dream(signal) {
      if (!kept) {
        throw new Error(
          config.t(
            "There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)",
          ),
        );
      }
      const { runDream } = await import("../features/memory/run_dream.ts");
      return await runDream({
        agent,
        narnatDir: dir,
        history,
        t: config.t,
        log,
        mask,
        now: () => new Date(),
        repo,
        tools: ground.tools,
        prompt: ground.prompt,
        openModel: (name) => models.open(name),
        features: laneFeatures({}),
      }, signal);
    },
  });
  const person = front.kind === "terminal";
  const tellPerson = (text: string) =>
    person ? agent.desk.beside(() => Promise.resolve(text)) : tell(`narnat: ${text}`);
  let probing: Promise<void> | undefined;
  const tellSandboxFault = async () => {
    const { sandbox } = await ground.jobs();
    const { sandboxFault } = await import("../shell/process/open_sandbox.ts");
    const why = await sandboxFault(sandbox, config.t);
    if (why !== undefined) {
      tellPerson(
        config.t(
          'Commands are to run in a sandbox ("sandbox"), but {why}. Until then Bash runs none',
          { why },
        ),
      );
    }
  };
  const extensions = extend({
    ground,
    version: project.version,
    log,
    kept,
    waitMs: person ? PERSON_WAITS_MS : SCRIPT_WAITS_MS,
    // a person types first, and meanwhile they are connected to
    first: person ? undefined : firstSent.promise,
    agents: () => agent.agents,
    watched: person,
    // a script may not know the question, and would wait for ever
    ask: person && answering === "ask"
      ? (question, signal) => agent.desk.ask(question, signal)
      : undefined,
    tell: tellPerson,
  });
  const context: Omit<KeeperOptions, "model"> = {
    ...ground.prompt,
    log,
    ...ground.prompt.gitSkills
      ? { gitSkills: onceTrusted(ground.prompt.gitSkills, extensions.settled) }
      : {},
    contextWindow: config.contextWindow,
    mostTurns: config.limits.turns,
    maxOutputTokens: answerLimit(config),
  };
  let scoping: Promise<AgentsParts["scope"]> | undefined;
  const scopes = () =>
    scoping ??= import("../features/subagents/scope.ts").then(({ agentScopes }) =>
      agentScopes({
        t: config.t,
        workspace,
        sessionsDir: kept ? under(dir, "sessions") : undefined,
        answering,
        tools: extensions.tools,
        jobs: ground.jobs,
        agents: () => agent.agents,
        model: () => agent.desk.model,
        models,
        prompt: context,
        now: () => new Date(),
        secrets,
      })
    );
  const commands = front.commands
    ? (await import("./commands.ts")).slashCommands(ground, extensions, tellPerson)
    : () => [];
  const checkpoints = checkpointsOf(ground, kept);
  const learnt = new Map<string, number>();
  const byModel = new Map<string, Usage>();
  const spending = spendingOf(ground);
  const store = new SessionStore({
    dir: kept ? under(dir, "sessions") : undefined,
    workspace,
    t: config.t,
    now: () => new Date(),
    random: Math.random,
    hideIn: secrets.hideIn,
    spare: spareSession,
    lastWords: (text) => tell(`narnat: ${text}`),
  });
  const agent: Agent = createAgent({
    model: warmed(model),
    modelName: config.model,
    models,
    memory,
    toolbox: extensions.toolbox,
    keeper: (session, model) =>
      createKeeper({
        ...context,
        get tools() {
          return extensions.toolbox.definitions;
        },
        model,
        summary: session.carried?.summary ?? "",
        loadedSkills: session.carried?.skills ?? [],
        prompts: {
          kept: () => session.keptPrompts,
          keep: (prompt) => session.keepPrompt(prompt),
          hide: secrets.hide,
        },
        dir: kept ? dir : undefined,
        history,
        learnt,
        // what became of this session stands in it already
        previous: () => previousContext(history, [session.id, session.carried?.parent ?? ""]),
      }),
    commands,
    checkpoints,
    features: laneFeatures({ hooks: extensions.hooks, planFirst: choices.planFirst }),
    servers: extensions.servers,
    agentPool: (host) =>
      createAgents({
        ...host,
        most: config.agentsAtOnce ?? 4,
        scope: async (...task) => ({
          ...await (await scopes())(...task),
          features: laneFeatures({ hooks: extensions.callHooks }),
        }),
      }),
    readOnly: () => false,
    store,
    search: (words, tell) =>
      (archive ??= openArchive(workspace, config.t, kept)).search(words, tell),
    limits: {
      iterations: config.maxIterations,
      cost: config.maxCost,
      tokens: config.maxTotalTokens,
      day: { cost: config.maxCostPerDay, tokens: config.maxTokensPerDay },
      toolMs: 660_000,
    },
    spending: {
      today: spending.today,
      add(usage, name) {
        byModel.set(name, addUsage(byModel.get(name) ?? NO_USAGE, usage));
        return spending.add(usage, name);
      },
    },
    priceOf: async (model, tokens) => {
      if (model === "demo") return 0;
      const { costOf, priceOf } = await import("../models/model_facts.ts");
      return costOf(tokens, priceOf(model, config.prices, config.baseUrl, new Date()));
    },
    answering,
    permission: config.permission,
    sandbox: config.sandbox,
    t: config.t,
    version: project.version,
    workspace,
    imageTypes: imageTypes(config.model, config),
    outputDir,
    trash: kept
      ? {
        dir: under(dir, "trash"),
        keep: async (...deletes) =>
          await (await import("../features/trash/bash.ts")).keepDeleted(...deletes),
      }
      : undefined,
    env: ground.childEnv,
    log,
    secrets,
    describe: (error) => describeModelError(config.t, error, config.keyFrom),
    now: () => new Date(),
    monotonic: () => performance.now(),
    uuid: () => crypto.randomUUID(),
    theme: config.theme,
    keepTheme: async (theme) => {
      const { keepTheme } = await import("../terminal/panels/save_theme.ts");
      return keepTheme(ground.userFile, theme, config.t);
    },
    onExit,
  });
  return {
    agent,
    log,
    commands,
    begin() {
      secrets.refresh();
      extensions.begin();
      // what only the project wants is tried by the first command: opening it starts nothing
      if (config.sandbox?.own && !config.workspaceOnly) probing = tellSandboxFault();
    },
    async outfit(signal) {
      await extensions.gather(signal);
      return {
        tools: extensions.toolbox.definitions.map(({ name }) => name),
        servers: extensions.servers.list(),
      };
    },
    usageByModel: () => Object.fromEntries(byModel),
    dreamWhenDue() {
      const { dreamHours: hours = 0, model } = config;
      if (memoryDir === undefined || hours === 0 || model === "demo") return undefined;
      return setTimeout(async () => {
        const { isDue } = await import("../features/memory/dream_mark.ts");
        if (!isDue(memoryDir, history, hours, new Date())) return;
        if (memory.dreaming) return;
        const begin = config.t(
          "Updating the memory in the background (Dream, dream_hours: {hours}; /dream stop)",
          { hours },
        );
        agent.desk.beside((signal) => memory.dream(signal), begin);
      }, DREAM_AFTER_MS);
    },
    async close() {
      await probing;
      await agent.close();
      if (refused?.disk) store.spare(refused.why);
      await checkpoints.close();
      await extensions.close();
      archive?.close();
      await ground.close();
      // Without a session nothing is kept, the full copies of long output neither.
      if (!kept && granted({ name: "write", path: outputDir })) {
        await Deno.remove(outputDir, { recursive: true }).catch(() => {});
      }
    },
  };
}

/** Kept for the user, whichever project it is spent on. */
function spendingOf({ prompt: { userDir } }: Ground): DaySpending {
  let opening: Promise<DaySpending> | undefined;
  const open = () =>
    opening ??= import("../agent/day_ledger.ts").then(({ daySpending }) => {
      const path = userDir === undefined ? undefined : under(userDir, "spent");
      const may = path !== undefined &&
        (["read", "write"] as const).every((name) => granted({ name, path }));
      return daySpending({ dir: may ? path : undefined, now: () => new Date() });
    });
  return {
    add: async (...request) => await (await open()).add(...request),
    today: async () => await (await open()).today(),
  };
}

/** None of a folder that holds half the machine. */
function checkpointsOf({ config, workspace }: Ground, kept: boolean): Checkpoints {
  const { t } = config;
  const off = (text: Text, warns?: "warns") =>
    noCheckpoints(
      t("What is changed here cannot be taken back with /undo: {why}", { why: t(text) }),
      warns,
    );
  const may = (["read", "write"] as const).every((name) => granted({ name, path: workspace }));
  if (!kept || !may || config.checkpoints === false) {
    return off("it is off (checkpoints: false, or --no-session)");
  }
  const home = env("HOME") || env("USERPROFILE");
  if (/^(?:[a-z]:)?[\\/]$/i.test(workspace) || home !== undefined && isSame(workspace, home)) {
    return off(
      "the workspace is the home or the root folder, which is too large to keep; run narnat in a project's folder",
      "warns",
    );
  }
  const dir = under(workspace, ".narnat", "checkpoints");
  return createCheckpoints({
    dir,
    workspace,
    t,
    places: gitPlaces(env),
    limits: limitsOf(config),
  });
}

function isSame(workspace: string, home: string): boolean {
  try {
    return granted({ name: "read", path: home }) && Deno.realPathSync(home) === workspace;
  } catch {
    return false;
  }
}

/** The first picture and the first key come before it. */
const DREAM_AFTER_MS = 3000;

/** How long the first request waits for servers whose tools nobody knows yet, in milliseconds. */
const PERSON_WAITS_MS = 2000;
const SCRIPT_WAITS_MS = 10_000;

/** The same, which are not fetched before it is clear whether they may be. */
function onceTrusted(
  skills: GitSkills,
  settled: (signal: AbortSignal) => Promise<void>,
): GitSkills {
  return {
    items: skills.items,
    async fetch(host) {
      await settled(host.signal);
      return await skills.fetch(host);
    },
  };
}
