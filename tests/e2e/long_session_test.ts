/** What 200 steps cost on the wire, with everything on that adds to what the model sees. */
import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createModel, realHost } from "../../src/models/mod.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { type CapturedRequest, type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { createPromptCache } from "../models/prompt_cache.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";
import { slow } from "../support/soak.ts";

const STEPS = 200;
const ANTHROPIC = "https://api.anthropic.com";
const MOST_FIXED = 10_240;
const MOST_STEP = 900;

const bytes = (text: string) => new TextEncoder().encode(text).length;

const CONTEXT_FILES = {
  "AGENTS.md": "# Project\nRun `deno task test`.\n",
  ".narnat/rules/style.md": "先读后改。",
  ".narnat/rules/tests.md": "每次修改都要运行测试。",
  ".narnat/narnat.md": "The server's port is 8080.",
  ".narnat/memory/MEMORY.md": "- the user prefers Chinese\n",
  ".narnat/memory/USER.md": "- 用户叫小林\n",
  ".narnat/skills/release/SKILL.md":
    "---\nname: release\ndescription: how to release\n---\nTag it.\n",
  ".narnat/skills/review/SKILL.md":
    "---\nname: review\ndescription: how to review\nalways: true\n---\nRead all of it.\n",
};

const read = (n: number) => ({ name: "Read", input: { file_path: `src/part${n}.ts` } });

/** Two turns of a hundred steps; now and then thirty calls at once, a failure, a list of todos. */
function replyTo(n: number, root: string): Reply {
  if (n === STEPS / 2) {
    // what changes on disk meanwhile is the next session's
    Deno.writeTextFileSync(join(root, ".narnat/rules/tests.md"), "不用运行测试。");
    Deno.writeTextFileSync(join(root, ".narnat/memory/MEMORY.md"), "- nothing any more\n");
    Deno.removeSync(join(root, "AGENTS.md"));
    return { text: "Half of it is done. 做完一半了。" };
  }
  if (n === STEPS + 1) return { text: "All done." };
  const thinking = { thinking: `where is part ${n}? 找`, signature: `sig-${n}` };
  if (n % 20 === 7) {
    return { ...thinking, calls: Array.from({ length: 30 }, (_, i) => read(n + i)) };
  }
  if (n % 20 === 13) return { calls: [{ name: "Read", input: { file_path: `none${n}` } }] };
  if (n % 20 === 17) {
    const todo = { content: `part ${n}`, activeForm: "doing", status: "in_progress" };
    return { calls: [{ name: "TodoWrite", input: { todos: [todo] } }] };
  }
  return { ...thinking, text: `Part ${n}. `, calls: [read(n)] };
}

interface Run {
  readonly requests: readonly CapturedRequest[];
  readonly agent: TestAgent;
  readonly pairingErrors: readonly string[];
}

/** Plays `lines` to an agent with the nine tools; the provider counts what its cache holds. */
async function play(
  protocol: "openai" | "anthropic",
  files: { readonly [path: string]: string },
  lines: readonly string[],
  replies: (n: number, root: string) => Reply,
  use: (run: Run) => void,
): Promise<void> {
  const parts = Object.fromEntries(
    Array.from({ length: STEPS + 40 }, (_, n) => [`src/part${n}.ts`, `// part ${n}\nexport {};\n`]),
  );
  await withWorkspace({ ...parts, ...files }, async (root) => {
    const cache = createPromptCache();
    const provider = await startFakeProvider((request, index) => {
      const counted = protocol === "anthropic" ? cache.count(request.json) : {
        input: Math.round(bytes(request.body) / 4),
      };
      return { ...replies(index, root), usage: { ...counted, output: 40 } } as Reply;
    });
    const searcher = createSearcher({ entry: import.meta.resolve("../../main.ts") });
    const baseUrl = protocol === "openai" ? provider.url : ANTHROPIC;
    const agent = new TestAgent({
      model: await createModel({
        apiKey: "sk-of-the-long-test",
        baseUrl,
        api: protocol,
        t: english,
        stallMs: 60_000,
        headerMs: 300_000,
        maxOutputTokens: undefined,
        prices: {},
      }, {
        ...realHost(),
        fetch: (url, init) => fetch(String(url).replace(ANTHROPIC, provider.anthropicUrl), init),
      }),
      modelName: "claude-x",
      tools: builtinTools({ searcher }),
      dir: join(root, ".narnat/sessions"),
      narnatDir: join(root, ".narnat"),
      workspace: root,
    });
    try {
      for (const line of lines) await agent.say(line);
      use({ requests: provider.requests, agent, pairingErrors: provider.pairingErrors });
    } finally {
      await agent.agent.close();
      searcher.close();
      await provider.close();
    }
  });
}

for (const protocol of ["openai", "anthropic"] as const) {
  slow(
    `200 steps with rules, skills, memory and reminders only ever add to the request: ${protocol}`,
    async () => {
      const lines = ["read all parts", "go on with $release"];
      await play(protocol, CONTEXT_FILES, lines, replyTo, ({ requests, agent, pairingErrors }) => {
        assert.equal(requests.length, STEPS + 2);
        assert.deepEqual(agent.of("turn_end").map(({ reason }) => reason), ["done", "done"]);
        assertPrefixes(requests);
        assert.deepEqual(pairingErrors, []);
        const last = requests.at(-1)!.body;
        const told = agent.of("notice").map(({ text }) => text);
        assert.ok(told.some((text) => text.startsWith("Changed: .narnat/rules/")), told.join("\n"));
        for (const text of ["规则 1: ", "小林", "how to release", "Read all of it.", "Tag it."]) {
          assert.ok(last.includes(text), text);
        }
        const reminders = last.split("规则 2: ").length - 2;
        assert.ok(reminders >= 10, `${reminders} reminders`);

        if (protocol === "openai") return;
        // what the provider said it had found in its cache
        const usage = agent.of("usage");
        usage.forEach(({ input, cached }, n) => {
          const before = usage[n - 1]?.input ?? 0;
          assert.equal(input - cached, input - before, `request ${n} finds ${cached} of ${before}`);
        });
        const { input, cached } = agent.agent.controller.current().usage;
        assert.ok(cached / input > 0.97, `${cached} of ${input} cached`);
      });
    },
  );

  slow(
    `a request begins with no more than 10 KB and grows by no more than 900 bytes a step: ${protocol}`,
    async () => {
      const steps = STEPS / 4;
      const replies = (n: number): Reply => n === steps ? { text: "done" } : { calls: [read(n)] };
      await play(protocol, {}, ["read the files"], replies, ({ requests }) => {
        const sizes = requests.map(({ body }) => bytes(body));
        assert.equal(sizes.length, steps + 1);
        assert.ok(sizes[0]! <= MOST_FIXED, `the first request has ${sizes[0]} bytes`);
        const step = (sizes.at(-1)! - sizes[0]!) / steps;
        assert.ok(step <= MOST_STEP, `${step} bytes a step`);
      });
    },
  );
}
