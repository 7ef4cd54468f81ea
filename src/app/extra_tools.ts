/** The tools that are there only when they are asked for. */
import { findAgentKinds } from "../features/subagents/agent_kinds.ts";
import { plan } from "../features/plan/tool.ts";
import { spawnTool } from "../features/subagents/spawn_tool.ts";
import { teamTool } from "../features/subagents/team_tool.ts";
import type { Agents, Tool } from "../base/types.ts";
import type { AgentEnvironment } from "./environment.ts";

export interface ExtraTools {
  /** In the order the model sees them. */
  readonly extra: readonly Tool[];
  /** What is wrong with files of agent kinds, for the user. */
  readonly texts: readonly string[];
}

/** Makes those that are on. */
export async function extraTools(
  environment: AgentEnvironment,
  agents: () => Agents,
): Promise<ExtraTools> {
  const { extraTools: on, prompt } = environment;
  const leads = on.includes("Spawn") || on.includes("Team");
  const { kinds, problems } = leads ? await findAgentKinds(prompt) : { kinds: [], problems: [] };
  const all: readonly Tool[] = [plan, spawnTool({ agents, kinds }), teamTool({ agents, kinds })];
  return { extra: all.filter(({ name }) => on.some((one) => one === name)), texts: problems };
}
