/** The wiring of agents that work for others: what their lanes have otherwise. */
import type { AgentScope } from "../../agent/agent_options.ts";
import type { ConsentPolicy } from "../../agent/consent.ts";
import { NO_MEMORY } from "../../agent/none.ts";
import type { T } from "../../base/t.ts";
import type {
  AgentKind,
  Agents,
  AgentTask,
  Models,
  OpenModel,
  Secrets,
  Tool,
} from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { type ContextManagerOptions, createContextManager } from "../../context/mod.ts";
import subagent from "../../context/prompts/subagent.md" with { type: "text" };
import { SessionStore } from "../../session/store.ts";
import type { Jobs } from "../../shell/process/jobs.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { bashOver } from "../../tools/mod.ts";
import type { AgentsParts } from "./team.ts";
import { sendTool } from "./team_tool.ts";

/** `more` comes last: what its kind and its place in a team make of it. */
function subagentPrompt(kind: AgentKind | undefined, more: string): string {
  return [subagent.trim(), kind?.prompt ?? "", more].filter((part) => part !== "").join("\n\n");
}

export interface AgentWiring {
  readonly t: T;
  readonly workspace: string;
  /** Folder of the session files; undefined where none are kept. */
  readonly sessionsDir: string | undefined;
  /** Who answers the questions of those they work for. */
  readonly consentPolicy: ConsentPolicy;
  /** Those of the session at the moment. */
  tools(): readonly Tool[];
  jobs(): Promise<Jobs>;
  agents(): Agents;
  /** Name of the session's model at the moment. */
  model(): string;
  readonly models: Models;
  readonly prompt: Omit<ContextManagerOptions, "model" | "tools" | "dir" | "history">;
  readonly now: () => Date;
  readonly secrets: Secrets;
}

/** Tools that make or lead agents, or talk to the user: none of an agent's. */
const LEADING = ["Spawn", "Team", "Plan"];
const TEAM = "team:";

/** Sessions of earlier agents that are kept: no list shows them, and nobody else would remove them. */
const MOST_SESSIONS = 300;

/** Removes the oldest sessions in a folder; their names begin with their times. Never throws. */
function keepLast(dir: string): void {
  try {
    const names = [...Deno.readDirSync(dir)].map(({ name }) => name)
      .filter((name) => /^\d{8}-\d{6}-\w+\.jsonl$/.test(name)).sort();
    for (const name of names.slice(0, -MOST_SESSIONS)) Deno.removeSync(under(dir, name));
  } catch { /* there is none yet, or another narnat was faster */ }
}

/** Makes the scope of each agent. */
export function agentScopes(o: AgentWiring): AgentsParts["scope"] {
  const { t, workspace, now } = o;
  const dir = o.sessionsDir && under(o.sessionsDir, "sub");
  if (dir !== undefined) keepLast(dir);
  const { redactIn: redactIn } = o.secrets;
  const store = new SessionStore({ dir, workspace, t, now, random: Math.random, redactIn });
  /** What the provider lists, once it has told. */
  let known: readonly string[] | undefined;
  const list = async (signal: AbortSignal) => known ??= await o.models.list(signal);
  return async (task, key, parent, signal): Promise<AgentScope> => {
    const { kind } = task;
    const notices: string[] = [];
    const names = () => list(signal).catch(() => []);
    const modelName = await modelOf(kind, o, names, notices);
    signal.throwIfAborted();
    const model = await o.models.open(modelName);
    let opening: Promise<Jobs> | undefined;
    const jobs = () => opening ??= o.jobs().then((all) => all.apart());
    const tools = [
      ...allowed(o.tools(), kind, t, notices).map((tool) =>
        tool.name === "Bash" ? { ...bashOver(jobs), input: tool.input } : tool
      ),
      ...memberTools(key, parent, o.agents),
    ];
    return {
      ...scopeOf(task, key, tools, model, modelName, o),
      store,
      notices,
      end: async () => await (await opening)?.close(),
    };
  };
}

function scopeOf(
  task: AgentTask,
  key: string,
  tools: readonly Tool[],
  { client, imageTypes }: OpenModel,
  modelName: string,
  o: AgentWiring,
): AgentScope {
  // what a member is there for holds for every text that it is sent
  const more = key.startsWith(TEAM) ? task.text : "";
  const append = [o.prompt.append, subagentPrompt(task.kind, more)]
    .filter((part) => part !== "").join("\n\n");
  const toolbox = createToolbox(tools);
  return {
    model: client,
    modelName,
    imageTypes,
    toolbox,
    contextManager: (_session, model) =>
      createContextManager({ ...o.prompt, model, append, tools: toolbox.definitions }),
    commands: () => [],
    memory: NO_MEMORY,
    // nobody is asked; what the user has allowed beforehand is allowed here too
    consentPolicy: o.consentPolicy === "ask" ? "deny" : o.consentPolicy,
  };
}

function memberTools(key: string, lead: string, agents: () => Agents): Tool[] {
  return key.startsWith(TEAM) ? [sendTool({ agents, name: key.slice(TEAM.length), lead })] : [];
}

/** The tools that one of the kind has. */
function allowed(
  all: readonly Tool[],
  kind: AgentKind | undefined,
  t: T,
  notices: string[],
): readonly Tool[] {
  const offered = all.filter(({ name }) => !LEADING.includes(name));
  if (!kind?.tools) return offered;
  const named = (name: string) => {
    const wanted = plain(name);
    return all.filter((tool) => [tool.name, ...tool.aliases ?? []].map(plain).includes(wanted));
  };
  const unknown = kind.tools.filter((name) => named(name).length === 0);
  if (unknown.length > 0) {
    const values = { name: kind.name, tools: unknown.join(", ") };
    notices.push(t("the agent type {name}: there is no tool {tools}", values));
  }
  const wanted = new Set(kind.tools.flatMap(named));
  return offered.filter((tool) => wanted.has(tool));
}

/** Others write `mcp__server__tool`, and `read_file` is `readFile` somewhere. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]+/g, "");

/** The kind's model where the provider has it, the session's otherwise. */
async function modelOf(
  kind: AgentKind | undefined,
  { t, model }: AgentWiring,
  list: () => Promise<readonly string[]>,
  notices: string[],
): Promise<string> {
  const [wanted, used] = [kind?.model, model()];
  if (kind === undefined || wanted === undefined || wanted === used) return used;
  if ((await list()).includes(wanted)) return wanted;
  notices.push(
    t("the agent type {name}: there is no model {model}, so {used} is used", {
      name: kind.name,
      model: wanted,
      used,
    }),
  );
  return used;
}
