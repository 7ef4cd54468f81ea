/** Forty facts in a long session: what the host keeps itself survives a summary that forgets half. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createSearcher } from "../../src/search/mod.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import type { ModelRequest } from "../../src/base/types.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";

const needle = (n: number) => `needle-${String(n).padStart(2, "0")}`;
const needles = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => needle(from + i));

/** Kept by the host, whatever a summary says. */
const RULES = needles(1, 4);
const FILES = needles(5, 16);
const TODOS = needles(17, 20);
const LAST = needle(21);
/** Said only: ports, preferences, failing tests. */
const SAID = needles(22, 40);

const said = [
  (n: string) => `the server listens on port 47${n.slice(-2)} (${n})`,
  (n: string) => `please never use tabs in ${n}`,
  (n: string) => `the test "${n} rejects an empty name" fails`,
];

const known = (request: ModelRequest) => {
  const all = request.system + JSON.stringify(request.messages);
  return new Set(all.match(/needle-\d\d/g) ?? []);
};

/** Every second of the needles it is shown. */
function forgetful({ messages }: ModelRequest): Step {
  const shown = [...new Set(JSON.stringify(messages).match(/needle-\d\d/g) ?? [])].sort();
  const kept = shown.filter((one) => SAID.includes(one)).filter((_, at) => at % 2 === 0);
  return {
    text: `## Facts found out\n${kept.map((one) => `- something about ${one}`).join("\n")}`,
  };
}

function script(request: ModelRequest): Step {
  const last = request.messages.at(-1)!;
  if (request.toolChoice === "unwanted") return forgetful(request);
  if (last.role === "tool") return { text: "Done. " + "So it stands now. ".repeat(30) };
  const file = /write (needle-\d\d)/.exec(last.text)?.[1];
  if (file !== undefined) {
    const input = { file_path: `src/${file}.ts`, content: "export const a = 1;\n".repeat(40) };
    return { calls: [{ name: "Write", input }] };
  }
  if (last.text.includes("plan")) {
    const todos = [
      { content: "long done", activeForm: "doing", status: "completed" },
      ...TODOS.map((one, at) => ({
        content: `care for ${one}`,
        activeForm: `caring for ${one}`,
        status: at === 0 ? "in_progress" : "pending",
      })),
    ];
    return { calls: [{ name: "TodoWrite", input: { todos } }] };
  }
  return { text: "Understood. " + "I keep that in mind. ".repeat(30) };
}

async function withLongSession(
  contextWindow: number,
  work: (agent: TestAgent, model: ScriptedModel) => Promise<void>,
): Promise<void> {
  const rules = Object.fromEntries(
    RULES.map((one) => [`.narnat/rules/${one}.md`, `Always honour ${one}.`]),
  );
  await withWorkspace(rules, async (root) => {
    const searcher = createSearcher({ entry: import.meta.resolve("../../main.ts") });
    const tools = builtinTools({ searcher });
    const model = new ScriptedModel(script);
    const dir = join(root, ".narnat");
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
    const agent = new TestAgent({
      model,
      tools,
      workspace: root,
      dir: join(dir, "sessions"),
      context: { dir, contextWindow, tools },
    });
    try {
      await agent.say("plan the work");
      for (const one of FILES) await agent.say(`write ${one} as discussed`);
      for (const [at, one] of SAID.entries()) await agent.say(said[at % 3]!(one));
      await work(agent, model);
      await agent.agent.close();
    } finally {
      searcher.close();
    }
  });
}

const PINNED = [...RULES, ...FILES, ...TODOS, LAST];

Deno.test("after consolidations with a forgetful summary all that is pinned is there, and what it kept", async () => {
  await withLongSession(12_000, async (agent, model) => {
    for (let i = 0; i < 25; i++) await agent.say(`go on with part ${i}`);
    await agent.say(`now finish ${LAST}, please`);
    const summaries = model.requests.filter(({ toolChoice }) => toolChoice === "unwanted");
    assert.ok(summaries.length >= 3, `${summaries.length} consolidations`);
    const request = model.requests.at(-1)!;
    const there = known(request);
    assert.deepEqual(PINNED.filter((one) => !there.has(one)), []);
    const dropped = SAID.filter((one) => !there.has(one));
    assert.ok(dropped.length >= SAID.length / 2, "this summariser does forget");
    const state = JSON.stringify(request.messages[0]);
    for (const one of FILES) assert.ok(state.includes(`src/${one}.ts`), one);
    assert.ok(!state.includes("long done"), "what is done is no open todo");
    // and all of it stands in the stored session
    const stored = JSON.stringify(agent.messages);
    assert.deepEqual([...SAID, ...FILES].filter((one) => !stored.includes(one)), []);
  });
});

Deno.test("after a handover with a forgetful summary all that is pinned is there, and what it kept", async () => {
  await withLongSession(400_000, async (agent, model) => {
    await agent.say(`now finish ${LAST}, please`);
    const before = agent.agent.controller.current().id;
    await agent.say("/compact");
    assert.notEqual(agent.agent.controller.current().id, before);
    await agent.say("go on");
    const there = known(model.requests.at(-1)!);
    assert.deepEqual(PINNED.filter((one) => !there.has(one)), []);
    const kept = SAID.filter((_, at) => at % 2 === 0);
    assert.deepEqual(kept.filter((one) => !there.has(one)), []);
    assert.equal(model.requests.at(-1)!.messages.length, 1);
  });
});
