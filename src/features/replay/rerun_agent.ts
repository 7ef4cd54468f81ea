/** The agent of a rerun: nothing is kept, nobody is asked, and no other model answers. */
import { NO_CHECKPOINTS, NO_MEMORY } from "../../agent/none.ts";
import { createKeeper } from "../../context/mod.ts";
import type { AgentOptions } from "../../agent/agent_options.ts";
import { SessionStore } from "../../session/store.ts";
import { createLog } from "../../base/log.ts";
import { describeModelError } from "../../models/errors.ts";
import type { Servers, Toolbox } from "../../base/types.ts";
import { under } from "../../base/under.ts";
import { VERSION } from "../../commands/flags.ts";
import type { Environment, LaneParts } from "../../commands/environment.ts";

/** No consolidation changes what is asked: the recorded answers fit the recorded requests only. */
const ENDLESS = 1e12;

const NO_SERVERS: Servers = {
  list: () => [],
  listed: () => Promise.resolve(),
  stderr: () => "",
  reconnect: (name) => Promise.reject(new RangeError(name)),
  enable: (name) => Promise.reject(new RangeError(name)),
  describe: () => [],
  resources: () => [],
  read: (name) => Promise.reject(new RangeError(name)),
  prompts: () => [],
  ready: () => Promise.resolve(),
  prompt: (name) => Promise.reject(new RangeError(name)),
};

export function rerunAgent(
  ground: Environment,
  toolbox: Toolbox,
  model: AgentOptions["model"],
  lanes: LaneParts,
): AgentOptions {
  const { config, workspace } = ground;
  const { t } = config;
  return {
    model,
    modelName: "replay",
    models: {
      list: () => Promise.resolve([]),
      open: () => Promise.resolve({ client: model, imageTypes: [] }),
      hostOf: () => "",
    },
    memory: NO_MEMORY,
    checkpoints: NO_CHECKPOINTS,
    toolbox,
    keeper: (_session, name) =>
      createKeeper({
        ...ground.prompt,
        model: name,
        tools: toolbox.definitions,
        contextWindow: ENDLESS,
      }),
    commands: () => [],
    ...lanes,
    servers: NO_SERVERS,
    readOnly: () => false,
    store: new SessionStore({
      dir: undefined,
      workspace,
      t,
      now: () => new Date(),
      random: Math.random,
      hideIn: ground.secrets.hideIn,
    }),
    search: () => Promise.resolve({ hits: [], more: false }),
    limits: { iterations: Infinity, cost: undefined, tokens: undefined, toolMs: 660_000 },
    answering: "ask",
    permission: config.permission,
    t,
    version: VERSION,
    workspace,
    imageTypes: [],
    outputDir: under(workspace, ".narnat", "outputs"),
    env: ground.childEnv,
    log: createLog({ dir: undefined, now: () => new Date(), mask: ground.secrets.mask }),
    secrets: ground.secrets,
    describe: (error) => describeModelError(t, error, config.keyFrom),
    now: () => new Date(),
    monotonic: () => performance.now(),
    uuid: () => crypto.randomUUID(),
    theme: "none",
    keepTheme: () => Promise.resolve(undefined),
    onExit() {},
  };
}
