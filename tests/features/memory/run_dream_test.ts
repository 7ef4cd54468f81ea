import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { laneFeatures } from "../../../src/app/features.ts";
import { createLog } from "../../../src/base/log.ts";
import { english } from "../../../src/base/t.ts";
import { dreamRule, runDream, scoped } from "../../../src/features/memory/run_dream.ts";
import { createSearcher, type Searcher } from "../../../src/search/mod.ts";
import { createHistory } from "../../../src/session/history.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { promptOptions } from "../../support/parts.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { runs } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent } from "../../support/test_agent.ts";
import { ToolRunner } from "../../support/tool_context.ts";

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
      log: createLog({ dir: undefined, now, redactAlways: (text) => text }),
      redactAlways: (text) => text,
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

const NAMES = ["Read", "Edit", "Write"];

/** Dream's tools over a folder of copies, with what a session remembers of the files. */
function dreamTools(folder: string, taken: readonly string[] = []) {
  const tools = builtinTools({ searcher: {} as Searcher }).filter(({ name }) =>
    NAMES.includes(name)
  );
  const toolbox = createToolbox(scoped(tools, dreamRule(folder, taken, english)));
  const runner = new ToolRunner(folder);
  return async (name: string, input: Record<string, unknown>) => {
    const call = toolbox.prepare(name, JSON.stringify(input), english);
    if (typeof call === "string") return { ok: false, text: call };
    const result = await call.tool.run(call.input, runner.context());
    for (const file of result.seen ?? []) runner.seen.set(file.path, file);
    return result;
  };
}

const LAID = {
  "dream/memory/MEMORY.md": "- a\n",
  "dream/memory/other.md": "other",
  "dream/skills/x": "a file",
  "outside.md": "outside",
  "MEMORY.md": "the real one",
};

Deno.test("the memory files are read and edited, new files and skills written", () =>
  withWorkspace(LAID, async (root) => {
    const folder = join(root, "dream");
    const call = dreamTools(folder);
    const file_path = "memory/MEMORY.md";
    assert.match((await call("Read", { file_path })).text, /1 \| - a/);
    assert.ok((await call("Edit", { file_path, old_string: "- a", new_string: "- b" })).ok);
    assert.ok(
      (await call("Write", { file_path: join(folder, "memory/USER.md"), content: "u" })).ok,
    );
    const skill = "skills/to-release/SKILL.md";
    assert.ok((await call("write_file", { path: skill, content: "s" })).ok);
    assert.ok((await call("Edit", { file_path: skill, old_string: "s", new_string: "t" })).ok);
    assert.equal(Deno.readTextFileSync(join(folder, skill)), "t");
    assert.equal(Deno.readTextFileSync(join(folder, file_path)), "- b\n");
  }));

Deno.test("a file that is not there is not to be looked for with a tool that is not there", () =>
  withWorkspace({ "dream/x": "" }, async (root) => {
    const { text } = await dreamTools(join(root, "dream"))("Read", { file_path: "memory/USER.md" });
    assert.match(text, /USER\.md/);
    assert.doesNotMatch(text, /Glob/);
  }));

Deno.test("what has content is edited, not replaced; an existing skill is left alone", () =>
  withWorkspace(LAID, async (root) => {
    const call = dreamTools(join(root, "dream"), ["there"]);
    const file_path = "memory/MEMORY.md";
    await call("Read", { file_path });
    assert.match((await call("Write", { file_path, content: "all new" })).text, /Edit/);
    const write = { file_path: "skills/there/SKILL.md", content: "x" };
    assert.match((await call("Write", write)).text, /exists and is not replaced/);
    assert.equal(Deno.readTextFileSync(join(root, "dream", file_path)), "- a\n");
  }));

Deno.test("no way of naming a file leads out of the scope", () =>
  withWorkspace(LAID, async (root) => {
    const folder = join(root, "dream");
    Deno.symlinkSync(root, join(folder, "skills", "link"));
    Deno.symlinkSync(join(root, "outside.md"), join(folder, "memory", "SOUL.md"));
    Deno.symlinkSync(join(root, "not-yet.md"), join(folder, "memory", "USER.md"));
    const call = dreamTools(folder);
    const before = snapshot(root);
    const escapes = [
      "../outside.md",
      "memory/../../outside.md",
      join(root, "outside.md"),
      join(root, "MEMORY.md"),
      "memory/SOUL.md",
      "memory/USER.md",
      "skills/link/outside.md",
      "skills/link/SKILL.md",
      "memory/other.md",
      "memory",
      ".",
      "",
      "/",
      "/etc/passwd",
      "~/x",
      "skills/x/SKILL.md",
      "skills/SKILL.md",
      "skills/a/b/SKILL.md",
      "skills/A/SKILL.md",
      "skills/a/run.sh",
      "memory/MEMORY.md\0",
      "memory/MEMORY.md/x",
      `${folder}/../outside.md`,
      `${folder}x/MEMORY.md`,
    ];
    const part = fc.constantFrom(
      "..",
      ".",
      "memory",
      "skills",
      "link",
      "SOUL.md",
      "outside.md",
      "a",
      "",
    );
    const path = fc.oneof(
      fc.constantFrom(...escapes),
      fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/")),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), path, async (name, file_path) => {
        const input = { file_path, content: "evil", old_string: "outside", new_string: "evil" };
        const fields = name === "Read"
          ? ["file_path"]
          : name === "Write"
          ? ["file_path", "content"]
          : ["file_path", "old_string", "new_string"];
        const given = Object.fromEntries(
          Object.entries(input).filter(([key]) => fields.includes(key)),
        );
        const result = await call(name, given);
        assert.equal(result.ok, false, file_path);
        assert.doesNotMatch(result.text, /^1 \|/m);
        assert.deepEqual(snapshot(root), before, file_path);
      }),
      { numRuns: runs(400) },
    );
  }));

/** Every file below a folder with its text, links as what they name. */
function snapshot(dir: string): string[] {
  return [...Deno.readDirSync(dir)].sort((a, b) => a.name < b.name ? -1 : 1).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isSymlink) return [`${path} -> ${Deno.readLinkSync(path)}`];
    return entry.isDirectory
      ? [path, ...snapshot(path)]
      : [`${path}: ${Deno.readTextFileSync(path)}`];
  });
}
