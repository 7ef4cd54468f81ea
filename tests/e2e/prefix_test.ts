/** The bytes of each request begin the next one, over a long session with everything that happens in one. */
import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { imageTypes } from "../../src/models/model_facts.ts";
import { createModel, realHost } from "../../src/models/mod.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { type FakeProvider, type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { imageBytes, IMAGES } from "../fixtures/images.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";
import { slow } from "../support/soak.ts";

interface Endpoint {
  readonly name: string;
  readonly model: string;
  baseUrl(provider: FakeProvider): string;
}

const ANTHROPIC = "https://api.anthropic.com";
const ENDPOINTS: readonly Endpoint[] = [
  { name: "chat completions, DeepSeek", model: "deepseek-v4-pro", baseUrl: (p) => p.url },
  { name: "chat completions, unknown", model: "some-model", baseUrl: (p) => p.url },
  { name: "chat completions, images", model: "gpt-x-vision", baseUrl: (p) => p.url },
  { name: "Messages, DeepSeek", model: "deepseek-v4-pro", baseUrl: (p) => p.anthropicUrl },
  { name: "Messages, Anthropic", model: "claude-x", baseUrl: () => ANTHROPIC },
];

const FILES = {
  "a.txt": "needle one\nneedle two\n",
  "b.ts": "export const b = 1; // 中文 needle 🧵\n",
  "picture.png": imageBytes("png"),
  "legacy.txt": new Uint8Array([0xd6, 0xd0, 0xce, 0xc4, 10]),
};

const READ_A = { name: "Read", input: { file_path: "a.txt" } };
const READ_IMAGE = { name: "Read", input: { file_path: "picture.png" } };
/** Arguments as models garble them; all must go back as they came or as something the server takes. */
const ODD_INPUTS = [
  `{"file_path": `,
  `{"file_path": "a.txt"`,
  `not json at all`,
  `[1, 2]`,
  `"a.txt"`,
  `{"b": 1.0, "10": 1, "2": 2, "__proto__": {"x": 1}, "file_path": "a.txt"}`,
  `{"file_path": "half a pair \\ud83d"}`,
  ``,
  `{"limit": 12345678901234567890, "file_path": "a.txt"}`,
];

/** Thinking in the wire's own shape, other words each time. */
const thought = (n: number) => ({ thinking: `思考 ${n}: "where"?\n`, signature: `sig-${n}==` });

/** What the model answers to its n-th answered request. */
function replyTo(n: number): Reply {
  switch (n) {
    case 0:
      return {
        ...thought(n),
        text: "I look.\n",
        calls: [
          { name: "Glob", input: { pattern: "*" } },
          { name: "Grep", input: { pattern: "needle" } },
          READ_A,
        ],
      };
    case 1:
      return {
        ...thought(n),
        calls: [{ name: "Read", input: { file_path: "none.txt" } }, READ_IMAGE, READ_A],
      };
    case 2:
      return { redacted: "opaque==", calls: [{ name: "Lookup", input: {} }] };
    case 3:
      return { fault: "status", status: 503 };
    case 4:
      return {
        text: "Slow one. ",
        calls: [{ name: "Bash", input: { command: "sleep 0.3; printf 'x\\377\\n'; exit 3" } }],
      };
    case 5:
      return {
        ...thought(n),
        calls: [{ name: "Edit", input: { file_path: "a.txt", old_string: "no", new_string: "x" } }],
      };
    case 6:
      return { ...thought(n), text: "First answer.\n\n" };
    case 16:
      return { ...thought(n), text: "  ", calls: [READ_A] };
    case 17:
      return { fault: "cut", text: "void", calls: [READ_A] };
    case 18:
      return { text: "Second answer with ]}]} in it", calls: [] };
    case 19:
      return { fault: "stall", ...thought(n), text: "half", calls: [READ_A] };
    case 20:
      return { fault: "stall_before_headers" };
    case 21:
      return { calls: [READ_IMAGE, { name: "Bash", input: { command: "sleep 30" } }, READ_A] };
    case 22:
      return { fault: "status", status: 400, body: `{"error":{"message":"no"}}` };
    case 27:
      return { ...thought(n), text: "Third answer." };
    case 29:
      return { calls: [READ_A, READ_IMAGE] };
    case 30:
      return { text: "Out of calls." };
    case 31:
      return { text: "Last answer." };
    default: {
      const input = ODD_INPUTS[n - 7];
      return n < 16 && input !== undefined
        ? { ...thought(n), calls: [{ name: "Read", input }] }
        : { ...thought(n), calls: [{ name: "Read", input: { file_path: "b.ts", limit: n } }] };
    }
  }
}

for (const endpoint of ENDPOINTS) {
  slow(`each request's bytes begin the next one's: ${endpoint.name}`, async () => {
    await withWorkspace(FILES, async (root) => {
      // What was answered by nothing is taken back.
      const unanswered = new Set<number>([20]);
      const provider = await startFakeProvider((_request, index) => {
        const reply = replyTo(index);
        if ("fault" in reply && reply.fault === "status" && reply.status === 400) {
          unanswered.add(index);
        }
        return reply;
      });
      const types = imageTypes(endpoint.model, { baseUrl: endpoint.baseUrl(provider) });
      const searcher = createSearcher({ entry: import.meta.resolve("../../main.ts") });
      const tools = builtinTools({ searcher });
      const open = async (iterations = 200) =>
        new TestAgent({
          model: await createModel({
            apiKey: "sk-of-the-prefix-test",
            baseUrl: endpoint.baseUrl(provider),
            api: endpoint.baseUrl(provider) === ANTHROPIC ? "anthropic" : "auto",
            t: english,
            maxOutputTokens: undefined,
            stallMs: 60_000,
            headerMs: 300_000,
            prices: {},
          }, {
            ...realHost(),
            sleep: () => Promise.resolve(),
            fetch: (url, init) =>
              fetch(String(url).replace(ANTHROPIC, provider.anthropicUrl), init),
          }),
          modelName: endpoint.model,
          tools,
          dir: join(root, ".narnat/sessions"),
          workspace: root,
          imageTypes: types,
          limits: { iterations },
        });
      const asked = async (n: number) => {
        while (provider.requests.length < n) await new Promise((r) => setTimeout(r, 5));
      };
      try {
        let agent = await open();
        Deno.mkdirSync(join(root, ".narnat/sessions"), { recursive: true });
        agent.send("start");
        await agent.until((e) => e.type === "tool_start" && e.name === "Bash");
        agent.send("also this, 也看这个");
        await agent.agent.idle();
        assert.equal(agent.of("notice").filter((e) => e.joined !== undefined).length, 1);
        await agent.say("second");

        agent.send("third, stopped while it answers");
        await agent.until((e) => e.type === "text" && e.delta === "f");
        agent.stop();
        await agent.agent.idle();
        agent.send("fourth, stopped before anything came");
        await asked(21);
        agent.stop();
        await agent.agent.idle();
        const fourth = agent.of("turn_end").at(-1)!.prompt;
        assert.equal(fourth, "fourth, stopped before anything came");
        agent.send("fifth, stopped in a tool");
        await agent.until((e) => e.type === "tool_start" && e.name === "Bash" && e.turn > 4);
        agent.stop();
        await agent.agent.idle();
        await agent.say("sixth, refused and taken back");
        assert.equal(agent.of("turn_end").at(-1)!.prompt, "sixth, refused and taken back");
        const ends = agent.of("turn_end").map((e) => e.reason);
        assert.deepEqual(ends, [
          "done",
          "done",
          "interrupted",
          "interrupted",
          "interrupted",
          "error",
        ]);

        const id = agent.agent.controller.current().id;
        await agent.agent.close();
        agent = await open();
        await agent.agent.resume(id);
        await agent.say("after the resume");
        await agent.agent.close();
        agent = await open(2);
        await agent.agent.resume(id);
        await agent.say("to the limit");
        assert.equal(agent.of("turn_end").at(-1)!.reason, "max_iterations");
        await agent.say("and on");
        assert.equal(agent.of("turn_end").at(-1)!.reason, "done");
        await agent.agent.close();

        assert.equal(provider.requests.length, 32);
        assert.equal(unanswered.size, 2);
        assertPrefixes(provider.requests.filter((_, i) => !unanswered.has(i)));
        assert.deepEqual(provider.pairingErrors, []);
        const images = provider.requests.at(-1)!.body.split(IMAGES.png).length - 1;
        assert.equal(images, types.length > 0 ? 3 : 0);
        const thoughts = provider.requests.at(-1)!.body.match(/思考 \d+/g) ?? [];
        const returned = /deepseek|claude/.test(endpoint.model);
        assert.equal(thoughts.length > 10, returned, "thinking goes back");
      } finally {
        searcher.close();
        await provider.close();
      }
    });
  });
}
