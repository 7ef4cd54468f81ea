import { english } from "../../../src/base/t.ts";
import { laneFeatures } from "../../../src/app/features.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { runDream } from "../../../src/features/memory/run_dream.ts";
import { createHistory } from "../../../src/session/history.ts";
import { createLog } from "../../../src/base/log.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import { promptOptions } from "../../support/parts.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent } from "../../support/test_agent.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

Deno.test("a Dream is paid for by the session, and what ended it is said", () =>
  withWorkspace({}, async (root) => {
    const now = () => new Date("2026-11-20T08:00:00Z");
    const narnatDir = join(root, ".narnat");
    const history = createHistory(join(narnatDir, "memory"), now);
    history.append("the port is 8430", "s");
    const usage = { input: 900, output: 50, cached: 0, cost: 0 };
    const model = new ScriptedModel((_, index) =>
      index === 0
        ? { text: "[MEMORY] the port is 8430", usage }
        : { calls: [{ name: "Read", input: { file_path: "memory/MEMORY.md" } }], usage }
    );
    const { agent } = new TestAgent({ model, limits: { tokens: 2000 } });
    const dreaming = runDream({
      agent,
      narnatDir,
      history,
      t: english,
      log: createLog({ dir: undefined, now, mask: (text) => text }),
      mask: (text) => text,
      now,
      repo: () => Promise.resolve(undefined),
      tools: builtinTools({ searcher: createSearcher(), searxngUrl: undefined }),
      prompt: promptOptions(root),
      openModel: () => Promise.resolve({ client: model, imageTypes: [] }),
      features: laneFeatures({}),
    }, new AbortController().signal);
    await assert.rejects(dreaming, /token budget is used up: 2850 of 2000/);
    assert.equal(model.requests.length, 3);
    await agent.close();
  }));
