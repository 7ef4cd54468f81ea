/** A lane that has agents work for it, over a scripted model. */
import type { AgentKind, ModelRequest, Tool } from "../../src/types.ts";
import { sendTool, teamTool } from "../../src/tools/team.ts";
import { spawnTool } from "../../src/tools/spawn.ts";
import { createToolbox } from "../../src/tools/mod.ts";
import { sessionStore } from "./session_store.ts";
import { ScriptedModel, type Step } from "./scripted_model.ts";
import { TestAgent, type TestAgentOptions } from "./test_agent.ts";

export interface AgentsStage {
  readonly t: TestAgent;
  readonly model: ScriptedModel;
  /** How many scopes were opened and ended. */
  readonly scopes: { opened: number; ended: number };
}

/** The text of the line that a request's conversation began with. */
export const firstLine = (request: ModelRequest): string => request.messages[0]?.text ?? "";

/** What was said or told last in a request. */
export const lastText = (request: ModelRequest): string => request.messages.at(-1)?.text ?? "";

/** An agent with Spawn and Team whose agents have `tools`; `script` answers for all lanes. */
export function agentsStage(
  script: (request: ModelRequest, index: number) => Step,
  more: Partial<TestAgentOptions> & { kinds?: readonly AgentKind[] } = {},
): AgentsStage {
  const model = new ScriptedModel(script);
  const { tools = [], kinds = [], ...rest } = more;
  const agents = () => t.agent.agents;
  const scopes = { opened: 0, ended: 0 };
  const t: TestAgent = new TestAgent({
    model,
    tools: [...tools, spawnTool({ agents, kinds }), teamTool({ agents, kinds })],
    agentScope(_task, key, parent) {
      scopes.opened++;
      const send: Tool[] = key.startsWith("team:")
        ? [sendTool({ agents, name: key.slice("team:".length), lead: parent })]
        : [];
      return Promise.resolve({
        toolbox: createToolbox([...tools, ...send]),
        store: sessionStore(undefined),
        end: () => Promise.resolve(void scopes.ended++),
      });
    },
    ...rest,
  });
  return { t, model, scopes };
}
