/** Agents as narnat itself wires them, over a provider on a real socket, in a real folder. */
import { english } from "../../src/base/t.ts";
import { join } from "node:path";
import { agentScopes } from "../../src/features/subagents/scope.ts";
import type { Models } from "../../src/base/types.ts";
import { createModel } from "../../src/models/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { createJobs, type Jobs } from "../../src/shell/process/jobs.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { plan } from "../../src/features/plan/tool.ts";
import { spawnTool } from "../../src/features/subagents/spawn_tool.ts";
import { teamTool } from "../../src/features/subagents/team_tool.ts";
import type { AgentKind, Tool } from "../../src/base/types.ts";
import { configFor, hostWith } from "../models/setup.ts";
import { type FakeProvider, type Script, startFakeProvider } from "./fake_provider.ts";
import { promptOptions } from "./prompt_options.ts";
import { type Files, withWorkspace } from "./temp_workspace.ts";
import { TestAgent, type TestAgentOptions } from "./test_agent.ts";
import { secretsOf } from "./secrets.ts";

const ENTRY = new URL("../../main.ts", import.meta.url).href;

export interface Wired {
  readonly t: TestAgent;
  readonly root: string;
  readonly provider: FakeProvider;
  readonly jobs: Jobs;
}

export interface WiredOptions extends Partial<TestAgentOptions> {
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
        answering: more.answering ?? "deny",
        tools: () => tools,
        jobs: () => Promise.resolve(jobs),
        agents,
        model: () => t.agent.desk.model,
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
