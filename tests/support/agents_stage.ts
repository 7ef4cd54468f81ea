/** A lane that has agents work for it, over a scripted model. */
import type { AgentKind, ModelRequest, Tool } from "../../src/base/types.ts";
import { sendTool, teamTool } from "../../src/features/subagents/team_tool.ts";
import { spawnTool } from "../../src/features/subagents/spawn_tool.ts";
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

/** Of a team; the last one reviews. */
export const MEMBERS = [
  { name: "ann", role: "backend" },
  { name: "bob", role: "frontend" },
  { name: "eve", role: "reviewer" },
];
export const team = (input: object): Step => ({ calls: [{ name: "Team", input }] });

/** Names of the tools that a request offers. */
export const toolsOf = (request: ModelRequest) => request.tools.map(({ name }) => name);

export const isMember = (request: ModelRequest) => toolsOf(request).includes("Send");

/** A lead that takes these steps one after the other, and members that answer by their conversations. */
export function teamStage(
  lead: readonly (Step | ((request: ModelRequest) => Step))[],
  member: (request: ModelRequest, texts: readonly string[]) => Step,
  more: Parameters<typeof agentsStage>[1] = {},
): AgentsStage {
  let at = 0;
  return agentsStage((request) => {
    if (isMember(request)) {
      return member(request, request.messages.filter((m) => m.role === "user").map((m) => m.text));
    }
    const step = lead[at++] ?? { text: "(end)" };
    return typeof step === "function" ? step(request) : step;
  }, more);
}

/** What the lead's calls gave. */
export const results = ({ t }: AgentsStage) =>
  t.messages.flatMap((m) => m.role === "tool" ? [{ ok: m.ok, text: m.text }] : []);
