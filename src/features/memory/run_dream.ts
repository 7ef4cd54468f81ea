/** Dream's wiring: its requests go to a lane of their own, with three tools kept to its files. */
import type { Keeper, OpenModel, Tool } from "../../base/types.ts";
import { NO_CHECKPOINTS, NO_MEMORY } from "../../agent/none.ts";
import { dream, type DreamAnswer, type DreamOptions, type DreamWork } from "./dream.ts";
import { MEMORY_FILES } from "../../session/memory_files.ts";
import { createKeeper } from "../../context/mod.ts";
import type { PromptOptions } from "../../context/part.ts";
import type { Agent } from "../../agent/agent.ts";
import type { AgentOptions, LaneScope } from "../../agent/agent_options.ts";
import { askApart } from "../../agent/apart.ts";
import { SessionStore } from "../../session/store.ts";
import type { T } from "../../base/t.ts";
import { createToolbox } from "../../tools/mod.ts";
import { type FileRule, scoped } from "../../tools/scoped.ts";
import { under } from "../../base/under.ts";

export interface DreamWiring extends Omit<DreamOptions, "ask"> {
  /** Of the lane that it works in. */
  readonly features: AgentOptions["features"];
  readonly agent: Agent;
  /** Those of the session. */
  readonly tools: readonly Tool[];
  readonly prompt: PromptOptions;
  openModel(name: string): Promise<OpenModel>;
}

const TOOLS = ["Read", "Edit", "Write"];
/** Model calls of the second phase; the files are three, and skills few. */
const ITERATIONS = 20;

/** Runs Dream with the model of the conversation. Throws with the reason. */
export async function runDream(o: DreamWiring, signal: AbortSignal): Promise<string> {
  const { agent, t } = o;
  const name = agent.desk.model;
  if (name === "demo") {
    throw new Error(t("Dream needs a real model; the demo cannot. Take another one with /model"));
  }
  const model = await o.openModel(name);
  const ask = async (work: DreamWork, stop: AbortSignal): Promise<DreamAnswer> => {
    const scope = scopeOf(work, name, model, o);
    return await askApart(agent, "dream", scope, work.text, stop);
  };
  return await dream({ ...o, ask }, signal);
}

function scopeOf(work: DreamWork, modelName: string, model: OpenModel, o: DreamWiring): LaneScope {
  const { folder } = work;
  const tools = folder === undefined ? [] : scoped(
    o.tools.filter(({ name }) => TOOLS.includes(name)),
    dreamRule(folder, work.taken, o.t),
  );
  return {
    model: model.client,
    modelName,
    imageTypes: [],
    toolbox: createToolbox(tools),
    keeper: () => fixedKeeper(createKeeper(o.prompt), work.system),
    commands: () => [],
    checkpoints: NO_CHECKPOINTS,
    features: o.features,
    memory: NO_MEMORY,
    answering: "deny",
    permission: "open",
    ...folder === undefined ? {} : { workspace: folder, outputDir: under(folder, "outputs") },
    store: new SessionStore({
      dir: undefined,
      workspace: folder ?? o.narnatDir,
      t: o.t,
      now: o.now,
      random: Math.random,
    }),
    // the session pays for it, whose budget holds
    limits: { iterations: ITERATIONS, toolMs: 60_000, cost: undefined, tokens: undefined },
  };
}

/** A keeper whose prompt is this text and nothing else. */
const fixedKeeper = (keeper: Keeper, system: string): Keeper => ({
  ...keeper,
  ready: () => Promise.resolve(),
  system: () => system,
  beforeTurn: () => [],
  beforeCall: ({ session }) => Promise.resolve(session.view),
  onOverflow: (_host, error) => Promise.resolve(error.message),
  afterCalls: () => undefined,
  estimate: () => 0,
  mostTurns: Infinity,
  skills: [],
  withheld: () => Promise.resolve([]),
});

/** What Dream may do to which file. */
export function dreamRule(folder: string, taken: readonly string[], t: T): FileRule {
  const memory = MEMORY_FILES.map((name) => `memory/${name}`);
  return async (tool, path) => {
    const skill = /^skills\/([a-z0-9]+(?:-[a-z0-9]+)*)\/SKILL\.md$/.exec(path)?.[1];
    if (skill === undefined && !memory.includes(path)) {
      return t(
        "only memory/USER.md, memory/SOUL.md, memory/MEMORY.md and a new skills/<name>/SKILL.md are yours",
      );
    }
    if (tool === "Read") return undefined;
    const there = await Deno.stat(under(folder, path)).then(({ size }) => size > 0, () => false);
    if (skill === undefined) {
      return tool === "Write" && there
        ? t("it has content; change what must change with Edit")
        : undefined;
    }
    // what it has just written itself it may still mend
    if (taken.includes(skill)) return t("a skill of this name exists and is not replaced");
    return tool === "Write" && there
      ? t("it has content; change what must change with Edit")
      : undefined;
  };
}
