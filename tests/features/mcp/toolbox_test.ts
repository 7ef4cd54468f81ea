/** The tools of servers behind the built-in ones. */
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { createNames } from "../../../src/features/mcp/names.ts";
import type { OfferedTool } from "../../../src/features/mcp/types.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import { liveToolbox } from "../../../src/features/mcp/late.ts";
import { mcpTool } from "../../../src/features/mcp/tools.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { fakeConfig, stageAll, TestCaller, toolboxOf } from "./stage.ts";
import { eventually } from "../../support/processes.ts";
import { runs } from "../../support/soak.ts";

const { signal } = new AbortController();
const builtins = builtinTools({ searcher: createSearcher({ entry: "" }) });

Deno.test("tools known from before are the very same once their server is ready", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const configs = [fakeConfig("s", { initializeMs: 200 })];
    {
      await using servers = stageAll(configs, { cacheDir });
      await servers.settled(signal);
    }
    await using servers = stageAll(configs, { cacheDir });
    const box = toolboxOf(builtins, servers);
    await servers.known(signal);
    await box.refresh(signal);
    assert.equal(servers.list()[0]?.state, "connecting", "nothing waits for what is known");
    const before = box.definitions;
    assert.ok(before.length > builtins.length);
    await servers.settled(signal);
    assert.deepEqual(await box.refresh(signal), []);
    assert.equal(box.definitions, before);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("a server that says its list changed joins with it at the next border", async () => {
  await using servers = stageAll([fakeConfig("s")]);
  await servers.settled(signal);
  const box = toolboxOf(builtins, servers);
  await box.refresh(signal);
  const before = box.definitions;
  const grow = servers.tools().find(({ tool }) => tool.name === "grow")!;
  await grow.call({}, new TestCaller());
  assert.ok(await eventually(() => servers.tools().some(({ name }) => name === "mcp_s_grown")));
  assert.equal(box.definitions, before);
  assert.match((await box.refresh(signal)).join(), /mcp_s_grown/);
  assert.deepEqual(box.definitions.slice(0, before.length), before);
  assert.equal(box.definitions.at(-1)?.name, "mcp_s_grown");
});

Deno.test("Feature: agent-system-optimization, Property 4: MCP 工具合并完整性", async () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/);
  const servers = fc.dictionary(word, fc.uniqueArray(word, { maxLength: 8 }), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.subarray(builtins), servers, async (fixed, tools) => {
      const { nameOf } = createNames(fixed.map(({ name }) => name));
      const offered = Object.entries(tools).flatMap(([server, names]) =>
        names.map((name): OfferedTool => ({
          name: nameOf(server, name),
          server,
          tool: { name, title: "", description: "", input: { type: "object" }, readOnly: false },
          needs: "run",
          call: () => Promise.reject(new Error("not called")),
        }))
      );
      const supply = { tools: [...fixed, ...offered.map(mcpTool)], texts: [] };
      const box = liveToolbox(fixed, () => Promise.resolve(supply), chinese);
      await box.refresh(signal);
      const names = box.definitions.map(({ name }) => name);
      assert.equal(names.length, fixed.length + offered.length);
      assert.equal(new Set(names).size, names.length);
      assert.deepEqual(names.slice(0, fixed.length), fixed.map(({ name }) => name));
      for (const [at, { server, name }] of offered.entries()) {
        assert.ok(name.startsWith(`mcp_${server}_`));
        const call = box.prepare(name, "{}", chinese);
        assert.ok(typeof call !== "string");
        assert.equal(call.tool.name, names[fixed.length + at]);
      }
    }),
    { numRuns: runs(200) },
  );
});
