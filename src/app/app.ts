/** Wires the rooms: flags in, a ready agent out. */
import type {
  Checkpoints,
  Command,
  ContextManager,
  DaySpending,
  Memory,
  ModelClient,
  Models,
  ServerInfo,
  Usage,
} from "../base/types.ts";
import { createLog, type Log } from "../base/log.ts";
import { gitPlaces } from "../search/walk/git_settings.ts";
import type { Text } from "../base/t.ts";
import { createCheckpoints } from "../features/undo/mod.ts";
import { limitsOf } from "../features/undo/types.ts";
import { noCheckpoints } from "../agent/none.ts";
import { createHistory, type History } from "../session/history.ts";
import { createMemory } from "../features/memory/store.ts";
import type { GitSkills } from "../context/part.ts";
import { type ContextManagerOptions, createContextManager } from "../context/mod.ts";
import { previousContext } from "../session/task_notes.ts";
import { type Agent, createAgent } from "../agent/agent.ts";
import type { AgentOptions } from "../agent/agent_options.ts";
import type { ConsentPolicy } from "../agent/consent.ts";
import { type SessionFile, SessionStore } from "../session/store.ts";
import { describeModelError } from "../models/errors.ts";
import { imageTypes } from "../models/model_facts.ts";
import { answerLimit } from "../models/provider.ts";
import { redactedModel } from "../features/secrets/layer.ts";
import { under } from "../base/path.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";
import type { AgentEnvironment } from "./environment.ts";
import type { Choices } from "../commands/environment.ts";
import { createAgents } from "../features/subagents/pool.ts";
import type { AgentsParts } from "../features/subagents/team.ts";
import { openArchive } from "../features/history_search/mod.ts";
import { laneFeatures } from "./features.ts";
import { extend, type Extensions } from "./extensions.ts";
import type { slashCommands } from "./commands.ts";
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
  readonly consentPolicy: ConsentPolicy;
  /** Its lines may be slash lines; else there are no commands. */
  readonly commands: boolean;
  /** The user asks to leave. */
  onExit(): void;
  /** Complaints; on stderr when left out. */
  tell?(text: string): void;
}

/** Makes the agent. */
export async function assemble(
  environment: AgentEnvironment,
  choices: Choices,
  front: Front,
): Promise<Assembled> {
  const { workspace } = environment;
  const model = await modelFor(environment.config);
  const places = placesOf(environment, choices);
  // once more at the end, but that may not come
  await giveToOwner(workspace);
  const slash = front.commands ? (await import("./commands.ts")).slashCommands : undefined;
  return new Assembly(environment, choices, front, places, model, slash);
}

/** Where an agent keeps what it keeps. */
interface Places {
  readonly kept: boolean;
  /** Why nothing can be kept although it should be. */
  readonly refused: ReturnType<typeof makeProjectDir>;
  readonly dir: string;
  readonly outputDir: string;
  readonly memoryDir: string | undefined;
  readonly sessionsDir: string | undefined;
}

function placesOf({ config, workspace, prompt }: AgentEnvironment, { session }: Choices): Places {
  const refused = session ? makeProjectDir(workspace, config.t, prompt.userDir) : undefined;
  const kept = session && refused === undefined;
  const dir = under(workspace, ".narnat");
  return {
    kept,
    refused,
    dir,
    outputDir: kept ? under(dir, "outputs") : under(tempDir(), `narnat-${Deno.pid}`),
    memoryDir: kept ? under(dir, "memory") : undefined,
    sessionsDir: kept ? under(dir, "sessions") : undefined,
  };
}

class Assembly implements Assembled {
  readonly agent: Agent;
  readonly log: Log;
  readonly commands: () => readonly Command[];
  readonly #ground: AgentEnvironment;
  readonly #front: Front;
  readonly #places: Places;
  readonly #models: Models;
  readonly #history: History;
  readonly #memory: Memory;
  readonly #extensions: Extensions;
  readonly #context: Omit<ContextManagerOptions, "model">;
  readonly #checkpoints: Checkpoints;
  readonly #store: SessionStore;
  readonly #firstSent = Promise.withResolvers<void>();
  /** Windows that refusals have told, by model. */
  readonly #learnt = new Map<string, number>();
  readonly #byModel = new Map<string, Usage>();
  #archive: ReturnType<typeof openArchive> | undefined;
  #scopes: Promise<AgentsParts["scope"]> | undefined;
  #probing: Promise<void> | undefined;

  constructor(
    environment: AgentEnvironment,
    choices: Choices,
    front: Front,
    places: Places,
    model: ModelClient,
    slash: typeof slashCommands | undefined,
  ) {
    const { config, secrets, workspace } = environment;
    const { t } = config;
    this.#ground = environment;
    this.#front = front;
    this.#places = places;
    if (places.refused) {
      const { why, disk } = places.refused;
      const what = disk
        ? "Cannot write .narnat in {dir} ({why}); the session goes on in memory and is put into the temporary folder at its end; the log, and what /undo needs, are not kept"
        : "Cannot write .narnat in {dir} ({why}); session and log are not kept this time";
      this.#complain(t(what, { dir: workspace, why }));
    }
    this.log = createLog({
      dir: places.kept ? under(places.dir, "logs") : undefined,
      now: () => new Date(),
      redactAlways: secrets.redactAlways,
      level: env("NARNAT_LOG") === "debug" ? "DEBUG" : "INFO",
      onFailure: (why) => this.#complain(t("Cannot write the log: {why}", { why })),
    });
    this.#models = providerModels(config, async (one) => this.#warmed(await modelFor(one)));
    this.#history = createHistory(places.memoryDir, () => new Date(), secrets.redactAlways);
    this.#memory = this.#createMemory();
    this.#extensions = this.#extend();
    const { gitSkills } = environment.prompt;
    this.#context = {
      ...environment.prompt,
      log: this.log,
      ...gitSkills ? { gitSkills: onceTrusted(gitSkills, this.#extensions.settled) } : {},
      contextWindow: config.contextWindow,
      mostTurns: config.limits.turns,
      maxOutputTokens: answerLimit(config),
    };
    this.commands = slash?.(environment, this.#extensions, (text) => this.#tell(text)) ??
      (() => []);
    this.#checkpoints = checkpointsOf(environment, places.kept);
    this.#store = new SessionStore({
      dir: places.sessionsDir,
      workspace,
      t,
      now: () => new Date(),
      random: Math.random,
      redactIn: secrets.redactIn,
      spare: spareSession,
      lastWords: (text) => this.#complain(text),
    });
    this.agent = createAgent(this.#agentOptions(choices, model));
  }

  begin(): void {
    const { config, secrets } = this.#ground;
    secrets.refresh();
    this.#extensions.begin();
    // what only the project wants is tried by the first command: opening it starts nothing
    if (config.sandbox?.own && !config.workspaceOnly) this.#probing = this.#tellSandboxFault();
  }

  async outfit(signal: AbortSignal) {
    await this.#extensions.gather(signal);
    return {
      tools: this.#extensions.toolbox.definitions.map(({ name }) => name),
      servers: this.#extensions.servers.list(),
    };
  }

  usageByModel() {
    return Object.fromEntries(this.#byModel);
  }

  dreamWhenDue() {
    const { memoryDir } = this.#places;
    const { dreamHours: hours = 0, model, t } = this.#ground.config;
    if (memoryDir === undefined || hours === 0 || model === "demo") return undefined;
    return setTimeout(async () => {
      const { isDue } = await import("../features/memory/dream_mark.ts");
      if (!isDue(memoryDir, this.#history, hours, new Date()) || this.#memory.dreaming) return;
      const begin = t(
        "Updating the memory in the background (Dream, dream_hours: {hours}; /dream stop)",
        { hours },
      );
      this.agent.controller.background((signal) => this.#memory.dream(signal), begin);
    }, DREAM_AFTER_MS);
  }

  async close(): Promise<void> {
    const { kept, refused, outputDir } = this.#places;
    await this.#probing;
    await this.agent.close();
    if (refused?.disk) this.#store.spare(refused.why);
    await this.#checkpoints.close();
    await this.#extensions.close();
    this.#archive?.close();
    await this.#ground.close();
    // Without a session nothing is kept, the full copies of long output neither.
    if (!kept && granted({ name: "write", path: outputDir })) {
      await Deno.remove(outputDir, { recursive: true }).catch(() => {});
    }
  }

  /** Says on stderr, or wherever the front has complaints. */
  #complain(text: string): void {
    (this.#front.tell ?? complain)(this.#ground.secrets.redact(`narnat: ${text}`));
  }

  /** Tells a person among what else is shown; a script by a complaint. */
  #tell(text: string): void {
    if (this.#front.kind === "terminal") {
      this.agent.controller.background(() => Promise.resolve(text));
    } else this.#complain(text);
  }

  #warmed(client: ModelClient): ModelClient {
    const { secrets, tools, searcher, workspace } = this.#ground;
    return warming(
      redactedModel(client, secrets),
      tools,
      () => searcher.warm(workspace),
      this.#firstSent.resolve,
    );
  }

  #createMemory(): Memory {
    const { config: { t }, secrets: { redactAlways: redactAlways }, ownEnv, tools, prompt } =
      this.#ground;
    const { kept, dir: narnatDir, memoryDir } = this.#places;
    const { log } = this;
    const history = this.#history;
    const repo = async () => {
      const { openRepo } = await import("../features/memory/memory_repo.ts");
      return await openRepo({ narnatDir, t, env: ownEnv });
    };
    const dream = async (signal: AbortSignal) => {
      if (!kept) {
        throw new Error(
          t("There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)"),
        );
      }
      const { runDream } = await import("../features/memory/run_dream.ts");
      return await runDream({
        agent: this.agent,
        narnatDir,
        history,
        t,
        log,
        redactAlways,
        now: () => new Date(),
        repo,
        tools,
        prompt,
        openModel: (name) => this.#models.open(name),
        features: laneFeatures({}),
      }, signal);
    };
    return createMemory({ dir: memoryDir, history, t, redactAlways, log, repo, dream });
  }

  #extend(): Extensions {
    const { kind, consentPolicy } = this.#front;
    const person = kind === "terminal";
    return extend({
      environment: this.#ground,
      version: project.version,
      log: this.log,
      kept: this.#places.kept,
      waitMs: person ? PERSON_WAITS_MS : SCRIPT_WAITS_MS,
      // a person types first, and meanwhile they are connected to
      first: person ? undefined : this.#firstSent.promise,
      agents: () => this.agent.agents,
      watched: person,
      // a script may not know the question, and would wait for ever
      ask: person && consentPolicy === "ask"
        ? (question, signal) => this.agent.controller.ask(question, signal)
        : undefined,
      tell: (text) => this.#tell(text),
    });
  }

  async #tellSandboxFault(): Promise<void> {
    const { t } = this.#ground.config;
    const { sandbox } = await this.#ground.jobs();
    const { sandboxFault } = await import("../shell/process/open_sandbox.ts");
    const why = await sandboxFault(sandbox, t);
    if (why === undefined) return;
    this.#tell(
      t('Commands are to run in a sandbox ("sandbox"), but {why}. Until then Bash runs none', {
        why,
      }),
    );
  }

  /** What the lanes of subagents may do. */
  #agentScopes(): Promise<AgentsParts["scope"]> {
    const { config: { t }, workspace, jobs, secrets } = this.#ground;
    return this.#scopes ??= import("../features/subagents/scope.ts").then(({ agentScopes }) =>
      agentScopes({
        t,
        workspace,
        sessionsDir: this.#places.sessionsDir,
        consentPolicy: this.#front.consentPolicy,
        tools: this.#extensions.tools,
        jobs,
        agents: () => this.agent.agents,
        model: () => this.agent.controller.model,
        models: this.#models,
        prompt: this.#context,
        now: () => new Date(),
        secrets,
      })
    );
  }

  #contextManager(session: SessionFile, model: string): ContextManager {
    const { toolbox } = this.#extensions;
    const { kept, dir } = this.#places;
    const history = this.#history;
    return createContextManager({
      ...this.#context,
      get tools() {
        return toolbox.definitions;
      },
      model,
      summary: session.carried?.summary ?? "",
      loadedSkills: session.carried?.skills ?? [],
      prompts: {
        kept: () => session.keptPrompts,
        keep: (prompt) => session.keepPrompt(prompt),
        redact: this.#ground.secrets.redact,
      },
      dir: kept ? dir : undefined,
      history,
      learnt: this.#learnt,
      // what became of this session stands in it already
      previous: () => previousContext(history, [session.id, session.carried?.parent ?? ""]),
    });
  }

  #agentOptions({ planFirst }: Choices, model: ModelClient): AgentOptions {
    const { config, workspace, childEnv, secrets, userFile } = this.#ground;
    const { toolbox, servers, hooks, callHooks } = this.#extensions;
    const { kept, dir, outputDir } = this.#places;
    const spending = spendingOf(this.#ground);
    return {
      model: this.#warmed(model),
      modelName: config.model,
      models: this.#models,
      memory: this.#memory,
      toolbox,
      contextManager: (session, name) => this.#contextManager(session, name),
      commands: this.commands,
      checkpoints: this.#checkpoints,
      features: laneFeatures({ hooks, planFirst }),
      servers,
      agentPool: (host) =>
        createAgents({
          ...host,
          most: config.agentsAtOnce ?? 4,
          scope: async (...task) => ({
            ...await (await this.#agentScopes())(...task),
            features: laneFeatures({ hooks: callHooks }),
          }),
        }),
      readOnly: () => false,
      store: this.#store,
      search: (words, tell) =>
        (this.#archive ??= openArchive(workspace, config.t, kept)).search(words, tell),
      limits: {
        iterations: config.maxIterations,
        cost: config.maxCost,
        tokens: config.maxTotalTokens,
        day: { cost: config.maxCostPerDay, tokens: config.maxTokensPerDay },
        toolMs: 660_000,
      },
      spending: {
        today: spending.today,
        add: (usage, name) => {
          this.#byModel.set(name, addUsage(this.#byModel.get(name) ?? NO_USAGE, usage));
          return spending.add(usage, name);
        },
      },
      priceOf: async (name, tokens) => {
        if (name === "demo") return 0;
        const { costOf, priceOf } = await import("../models/model_facts.ts");
        return costOf(tokens, priceOf(name, config.prices, config.baseUrl, new Date()));
      },
      consentPolicy: this.#front.consentPolicy,
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
      env: childEnv,
      log: this.log,
      secrets,
      describe: (error) => describeModelError(config.t, error, config.keyFrom),
      now: () => new Date(),
      monotonic: () => performance.now(),
      uuid: () => crypto.randomUUID(),
      theme: config.theme,
      keepTheme: async (theme) => {
        const { keepTheme } = await import("../terminal/panels/save_theme.ts");
        return keepTheme(userFile, theme, config.t);
      },
      onExit: () => this.#front.onExit(),
    };
  }
}

/** Kept for the user, whichever project it is spent on. */
function spendingOf({ prompt: { userDir } }: AgentEnvironment): DaySpending {
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
function checkpointsOf({ config, workspace }: AgentEnvironment, kept: boolean): Checkpoints {
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
