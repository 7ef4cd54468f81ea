import { PROMPT_SOURCES } from "../../src/app/environment.ts";
import { english } from "../../src/base/t.ts";
import { join } from "node:path";
import type {
  AgentEvent,
  Checkpoints,
  Hooks,
  Memory,
  ModelClient,
  Permission,
  Secrets,
  Servers,
  SessionController,
  Tool,
  Toolbox,
  ToolContext,
  ToolInput,
  ToolResult,
} from "../../src/base/types.ts";
import { NO_CHECKPOINTS, NO_MEMORY } from "../../src/agent/none.ts";
import { type Agent, createAgent } from "../../src/agent/agent.ts";
import type { AgentOptions } from "../../src/agent/agent_options.ts";
import type { ConsentPolicy } from "../../src/agent/consent.ts";
import type { TurnLimits } from "../../src/agent/budget.ts";
import { SessionStore } from "../../src/session/store.ts";
import { commands } from "../../src/app/commands.ts";
import { type ContextManagerOptions, createContextManager } from "../../src/context/mod.ts";
import { createLog } from "../../src/base/log.ts";
import { NO_SERVERS } from "./test_controller.ts";
import { secretsOf } from "./parts.ts";
import { createAgents } from "../../src/features/subagents/pool.ts";
import type { AgentsParts } from "../../src/features/subagents/team.ts";
import { laneFeatures } from "../../src/app/features.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";

/** Makes a tool from a function. */
export function tool(
  name: string,
  run: (input: ToolInput, context: ToolContext) => Promise<ToolResult> | ToolResult,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: name,
    input: { type: "object", properties: {}, additionalProperties: true },
    readOnly: true,
    needs: [],
    run: async (input, context) => await run(input, context),
    ...more,
  };
}

export interface TestAgentOptions {
  readonly model: ModelClient;
  readonly modelName?: string;
  readonly tools?: readonly Tool[];
  /** In the place of one of `tools`. */
  readonly toolbox?: Toolbox;
  readonly dir?: string;
  /** The project's narnat folder, where one is kept. */
  readonly narnatDir?: string;
  readonly memory?: Memory;
  readonly limits?: Partial<TurnLimits>;
  readonly spending?: AgentOptions["spending"];
  readonly priceOf?: AgentOptions["priceOf"];
  readonly consentPolicy?: ConsentPolicy;
  readonly permission?: Permission;
  readonly search?: SessionController["search"];
  readonly hooks?: Hooks;
  readonly servers?: Servers;
  readonly checkpoints?: Checkpoints;
  readonly monotonic?: () => number;
  readonly agentScope?: AgentsParts["scope"];
  readonly mostAgents?: number;
  readonly planFirst?: boolean;
  readonly commands?: AgentOptions["commands"];
  readonly workspace?: string;
  readonly imageTypes?: readonly string[];
  /** Those that know one key, `sk-hidden-key1`, when left out. */
  readonly secrets?: Secrets;
  readonly env?: { readonly [name: string]: string };
  /** What the context manager is made of, where it differs. */
  readonly context?: Partial<ContextManagerOptions>;
}

/** A real agent over a scripted model, with the events it emits. */
export class TestAgent {
  readonly agent: Agent;
  readonly events: AgentEvent[] = [];
  exited = false;

  constructor(o: TestAgentOptions) {
    const workspace = o.workspace ?? "/nowhere";
    const modelName = o.modelName ?? "scripted";
    const secrets = o.secrets ?? secretsOf({ api_key: "sk-hidden-key1" });
    this.agent = createAgent({
      model: o.model,
      modelName,
      models: {
        list: () => Promise.resolve([modelName, "other", "demo"]),
        open: () => Promise.resolve({ client: o.model, imageTypes: [] }),
        hostOf: (name) => name === "demo" ? "" : "llm.example",
      },
      toolbox: o.toolbox ?? createToolbox(o.tools ?? []),
      contextManager: (session, model) =>
        createContextManager({
          model,
          workspace,
          userDir: undefined,
          t: english,
          platform: "test",
          shell: "bash",
          now: () => new Date(0),
          append: "",
          sources: PROMPT_SOURCES,
          tools: o.tools ?? [],
          summary: session.carried?.summary ?? "",
          loadedSkills: session.carried?.skills ?? [],
          dir: o.narnatDir,
          ...o.context,
        }),
      commands: o.commands ?? (() => commands),
      features: laneFeatures({
        ...o.hooks ? { hooks: o.hooks } : {},
        planFirst: o.planFirst ?? false,
      }),
      servers: o.servers ?? NO_SERVERS,
      checkpoints: o.checkpoints ?? NO_CHECKPOINTS,
      agentPool: (host) =>
        createAgents({
          ...host,
          most: o.mostAgents ?? 4,
          scope: o.agentScope ?? (() => Promise.resolve({})),
        }),
      readOnly: () => false,
      memory: o.memory ?? NO_MEMORY,
      search: o.search ?? (() => Promise.resolve({ hits: [], more: false })),
      store: new SessionStore({
        dir: o.dir,
        workspace,
        t: english,
        now: () => new Date(),
        random: Math.random,
        redactIn: secrets.redactIn,
      }),
      limits: { iterations: 200, cost: undefined, tokens: undefined, toolMs: 60_000, ...o.limits },
      ...o.spending ? { spending: o.spending } : {},
      ...o.priceOf ? { priceOf: o.priceOf } : {},
      consentPolicy: o.consentPolicy ?? "deny",
      permission: o.permission ?? "open",
      t: english,
      version: "0.0.0",
      workspace,
      imageTypes: o.imageTypes ?? [],
      outputDir: join(workspace, "outputs"),
      env: o.env ?? {},
      log: createLog({ dir: undefined, now: () => new Date(), redactAlways: (text) => text }),
      secrets,
      describe: (error) => error.message,
      now: () => new Date(),
      monotonic: o.monotonic ?? (() => performance.now()),
      uuid: () => crypto.randomUUID(),
      theme: "auto",
      keepTheme: () => Promise.resolve(undefined),
      onExit: () => this.exited = true,
    });
    this.agent.bus.subscribe((event) => this.events.push(event));
  }

  /** Sends a line and waits until nothing is left to do. */
  async say(text: string): Promise<void> {
    this.send(text);
    await this.agent.idle();
  }

  send(text: string, more: { watched?: true } = {}): void {
    this.agent.bus.send({ type: "line", lane: "main", text, ...more });
  }

  stop(): void {
    this.agent.bus.send({ type: "stop", lane: "main" });
  }

  of<V extends AgentEvent["type"]>(type: V): Extract<AgentEvent, { type: V }>[] {
    return this.events.filter((event) => event.type === type) as Extract<AgentEvent, { type: V }>[];
  }

  /** Resolves with the first event, past or future, that passes. */
  until(test: (event: AgentEvent) => boolean): Promise<AgentEvent> {
    const past = this.events.find(test);
    if (past) return Promise.resolve(past);
    return new Promise((resolve) => {
      const stop = this.agent.bus.subscribe((event) => {
        if (!test(event)) return;
        stop();
        resolve(event);
      });
    });
  }

  get messages() {
    return this.agent.controller.current().messages;
  }
}
