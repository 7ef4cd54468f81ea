/**
 * Dream's wiring: its requests go to a lane that is there for it alone, with three tools kept to
 * its files.
 */
import type { Agent } from "../../agent/agent.ts";
import type { AgentOptions, LaneScope } from "../../agent/agent_options.ts";
import { NO_CHECKPOINTS, NO_MEMORY } from "../../agent/none.ts";
import { addUsage, NO_USAGE } from "../../base/figures.ts";
import { whyOf } from "../../base/file_why.ts";
import { under } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type { ContextManager, OpenModel, Tool, TurnEndReason, Usage } from "../../base/types.ts";
import { createContextManager } from "../../context/mod.ts";
import type { PromptOptions } from "../../context/part.ts";
import { realTarget, resolvePath } from "../../files/paths.ts";
import { MEMORY_FILES } from "../../session/memory_files.ts";
import { SessionStore } from "../../session/store.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { dream, type DreamAnswer, type DreamOptions, type DreamWork } from "./dream.ts";

interface OwnLaneAnswer {
  readonly reason: TurnEndReason;
  /** What was said last. */
  readonly text: string;
  readonly usage: Usage;
  /** Why it failed, in words for the user; empty when it did not. */
  readonly why: string;
}

/** Asks `text` in a lane `key` with a scope of its own, and drops the lane. */
export async function askInOwnLane(
  agent: Agent,
  key: string,
  scope: LaneScope,
  text: string,
  signal: AbortSignal,
): Promise<OwnLaneAnswer> {
  signal.throwIfAborted();
  agent.open(key, scope);
  let usage = NO_USAGE;
  let said = "";
  let why = "";
  /** What is warned of behind it is no reason for the turn's end. */
  let evidence = false;
  let unsubscribe = () => {};
  const stop = () => agent.bus.send({ type: "stop", lane: key });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const reason = await new Promise<TurnEndReason>((resolve) => {
      unsubscribe = agent.bus.subscribe((event) => {
        if (event.type === "text") said += event.delta;
        else if (event.type === "tool_start") said = "";
        else if (event.type === "notice" && event.retryMs !== undefined) said = "";
        else if (event.type === "evidence") evidence = true;
        else if (event.type === "notice" && event.level === "warn" && !evidence) why = event.text;
        else if (event.type === "usage") usage = addUsage(usage, event);
        else if (event.type === "error") why = event.text;
        else if (event.type === "turn_end") resolve(event.reason);
      }, key);
      // `typed`: nothing in it names a file to attach
      agent.bus.send({ type: "line", lane: key, text, typed: "" });
    });
    return { reason, text: said, usage, why: reason === "done" ? "" : why };
  } finally {
    signal.removeEventListener("abort", stop);
    unsubscribe();
    agent.drop(key);
  }
}

/** Why a tool may not be used on a file, given by its path relative to the workspace; undefined when it may. */
type FileRule = (
  tool: string,
  path: string,
) => Promise<string | undefined> | string | undefined;

/** The same file tools, which refuse every file outside the workspace and those that `rule` refuses, by whatever way they are named. */
export function scoped(tools: readonly Tool[], rule: FileRule): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    async run(input, context) {
      const { workspace, t } = context;
      const given = String(input["file_path"] ?? "");
      const refuse = (why: string) => ({
        ok: false,
        text: t("Error: {tool} may not be used on {path}: {why}", {
          tool: tool.name,
          path: given,
          why,
        }),
      });
      let real: string;
      try {
        real = await realTarget(resolvePath(given, workspace, context.env["HOME"]));
      } catch (error) {
        return refuse(whyOf(t, error));
      }
      const home = await Deno.realPath(workspace);
      if (!real.startsWith(`${home}/`) && !real.startsWith(`${home}\\`)) {
        return refuse(t("it lies outside of your folder"));
      }
      const why = await rule(tool.name, real.slice(home.length + 1).replaceAll("\\", "/"));
      if (why !== undefined) return refuse(why);
      const result = await tool.run(input, context);
      // there is no Glob beside them
      return {
        ...result,
        text: result.text.replace(
          t("Nothing nearby has a similar name; look for it with Glob."),
          "",
        ).trimEnd(),
      };
    },
  }));
}

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
  const name = agent.controller.model;
  if (name === "demo") {
    throw new Error(t("Dream needs a real model; the demo cannot. Take another one with /model"));
  }
  const model = await o.openModel(name);
  const ask = async (work: DreamWork, stop: AbortSignal): Promise<DreamAnswer> => {
    const scope = scopeOf(work, name, model, o);
    return await askInOwnLane(agent, "dream", scope, work.text, stop);
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
    contextManager: () => fixedContextManager(createContextManager(o.prompt), work.system),
    commands: () => [],
    checkpoints: NO_CHECKPOINTS,
    features: o.features,
    memory: NO_MEMORY,
    consentPolicy: "deny",
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

/** A context manager whose prompt is this text and nothing else. */
const fixedContextManager = (contextManager: ContextManager, system: string): ContextManager => ({
  ...contextManager,
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
