/** Agents at work: over a scripted model, and as narnat itself wires them, over a provider on a real socket. */
import { join } from "node:path";
import { english } from "../../../src/base/t.ts";
import type { AgentKind, ModelRequest, Models, Tool } from "../../../src/base/types.ts";
import { plan } from "../../../src/features/plan/tool.ts";
import { agentScopes } from "../../../src/features/subagents/scope.ts";
import { spawnTool } from "../../../src/features/subagents/spawn_tool.ts";
import { sendTool, teamTool } from "../../../src/features/subagents/team_tool.ts";
import { createModel } from "../../../src/models/mod.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import { createJobs, type Jobs } from "../../../src/shell/process/jobs.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { configFor, hostWith } from "../../models/setup.ts";
import { type FakeProvider, type Script, startFakeProvider } from "../../support/fake_provider.ts";
import { promptOptions, secretsOf, sessionStore } from "../../support/parts.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions } from "../../support/test_agent.ts";

interface AgentsStage {
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

const ENTRY = new URL("../../../main.ts", import.meta.url).href;

interface Wired {
  readonly t: TestAgent;
  readonly root: string;
  readonly provider: FakeProvider;
  readonly jobs: Jobs;
}

interface WiredOptions extends Partial<TestAgentOptions> {
  readonly kinds?: readonly AgentKind[];
  readonly files?: Files;
  /** What the provider lists. */
  readonly models?: readonly string[] | Models["list"];
}

/** The first line of a conversation, as the wire has it. */
// deno-lint-ignore no-explicit-any -- tests read into the wire form freely
export const askedOf = (json: any): string => String(json.messages[1]?.content ?? "");

/** How many answers of the model a conversation holds. */
// deno-lint-ignore no-explicit-any -- tests read into the wire form freely
export const answersIn = (json: any): number =>
  json.messages.filter(({ role }: { role: string }) => role === "assistant").length;

/** Hands a wired agent to `use`, and closes it. */
export async function withAgents(
  script: Script,
  use: (wired: Wired) => Promise<void>,
  { kinds = [], files = {}, models: listed, ...more }: WiredOptions = {},
): Promise<void> {
  await withWorkspace(files, async (root) => {
    const provider = await startFakeProvider(script);
    const jobs = createJobs();
    const searcher = createSearcher({ entry: ENTRY, workers: 1 });
    const config = configFor(provider.url);
    const client = await createModel(config, hostWith());
    const env = { PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8", HOME: root };
    const agents = () => t.agent.agents;
    const plain = builtinTools({ searcher, jobs: () => Promise.resolve(jobs) });
    const tools: readonly Tool[] = [
      ...plain,
      plan,
      spawnTool({ agents, kinds }),
      teamTool({ agents, kinds }),
    ];
    const t: TestAgent = new TestAgent({
      model: client,
      modelName: "test-model",
      tools,
      workspace: root,
      dir: join(root, ".narnat/sessions"),
      env,
      agentScope: agentScopes({
        t: english,
        workspace: root,
        sessionsDir: join(root, ".narnat/sessions"),
        consentPolicy: more.consentPolicy ?? "deny",
        tools: () => tools,
        jobs: () => Promise.resolve(jobs),
        agents,
        model: () => t.agent.controller.model,
        models: {
          list: typeof listed === "function"
            ? listed
            : () => listed ? Promise.resolve(listed) : Promise.reject(new Error("no list")),
          open: async () => ({
            client: await createModel(config, hostWith()),
            imageTypes: [],
          }),
          hostOf: () => "",
        },
        prompt: promptOptions(root, { env }),
        now: () => new Date(),
        secrets: secretsOf({}),
      }),
      ...more,
    });
    try {
      await use({ t, root, provider, jobs });
    } finally {
      await t.agent.close();
      await jobs.close();
      searcher.close();
      await provider.close();
    }
  });
}
