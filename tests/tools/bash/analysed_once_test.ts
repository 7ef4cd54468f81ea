/** A command is read once on all its way: consent, what runs beside what, the gate, the evidence, a job's name. */
import assert from "node:assert/strict";
import { type Profiler, Session } from "node:inspector";
import { createSearcher } from "../../../src/search/mod.ts";
import { createJobs } from "../../../src/shell/process/jobs.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions } from "../../support/test_agent.ts";

/** How often functions were called while `work` went on, by their names. */
async function countCalls(work: () => Promise<void>): Promise<(name: string) => number> {
  const session = new Session();
  session.connect();
  const post = (method: string, params = {}) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(
        method,
        params,
        (error: Error | null, found?: object) => error ? reject(error) : resolve(found),
      )
    );
  try {
    await post("Profiler.enable");
    await post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await work();
    const { result } = await post(
      "Profiler.takePreciseCoverage",
    ) as Profiler.TakePreciseCoverageReturnType;
    const functions = result.filter(({ url }) => url.includes("/src/shell/policy/"))
      .flatMap((script) => script.functions);
    return (name) =>
      functions.filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  } finally {
    session.disconnect();
  }
}

const CASES: readonly {
  readonly title: string;
  readonly calls: readonly { readonly command: string; readonly run_in_background?: true }[];
  readonly options?: Partial<TestAgentOptions>;
}[] = [
  { title: "a run", calls: [{ command: "printf x; true" }] },
  { title: "calls side by side", calls: [{ command: "cat a" }, { command: "head -1 a | wc -l" }] },
  { title: "a job", calls: [{ command: "printf x; sleep .1", run_in_background: true }] },
  {
    title: "a delete that a flag allows",
    calls: [{ command: "rm a" }],
    options: { consentPolicy: "allow_delete" },
  },
  {
    title: "a delete that the tool asks about where all is asked about",
    calls: [{ command: "rm a" }],
    options: { permission: "ask" },
  },
];

for (const { title, calls, options } of CASES) {
  Deno.test(`a command is read once: ${title}`, async () => {
    await withWorkspace({ a: "one\n" }, async (workspace) => {
      const searcher = createSearcher();
      const jobs = createJobs({ guard: false });
      const t = new TestAgent({
        model: new ScriptedModel([
          { calls: calls.map((input) => ({ name: "Bash", input })) },
          { text: "done" },
        ]),
        workspace,
        env: Deno.env.toObject(),
        tools: builtinTools({ searcher, jobs: () => Promise.resolve(jobs) }),
        ...options,
      });
      const count = await countCalls(() => t.say("go"));
      await t.agent.close();
      await jobs.close();
      await searcher.close();
      assert.equal(t.of("tool_end").length, calls.length);
      assert.equal(count("readCommand"), calls.length);
      assert.ok(count("parseScript") >= calls.length);
      assert.ok(count("surelyReads") <= calls.length);
    });
  });
}
