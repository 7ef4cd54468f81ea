/** A session whose window is too small for it: over real HTTP, with a provider that counts and refuses. */
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createModel, realHost } from "../../src/models/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import type { ContextManagerOptions } from "../../src/context/mod.ts";
import { configFor } from "../models/setup.ts";
import {
  type CapturedRequest,
  type FakeProvider,
  type Reply,
  startFakeProvider,
} from "../support/fake_provider.ts";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";
import { slow } from "../support/soak.ts";

const LIMIT = 8192;
const SUMMARY = "## Facts found out\n- the port is 4711";

/** What this provider counts for a request: its own way, not ours. */
const tokensOf = ({ body }: CapturedRequest) => Math.round(body.length / 3.9);

const isSummary = ({ json }: CapturedRequest) => {
  const { content } = json.messages.at(-1);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return text.includes("The window is nearly full");
};

const refusal = (message: string): Reply => ({
  fault: "status",
  status: 400,
  body: JSON.stringify({ error: { message, code: "context_length_exceeded" } }),
});

interface Stage {
  readonly root: string;
  readonly provider: FakeProvider;
  open(): Promise<TestAgent>;
}

async function withStage(
  reply: (request: CapturedRequest, index: number) => Reply,
  context: Partial<ContextManagerOptions>,
  protocol: "openai" | "anthropic",
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const files: Record<string, string> = {};
  for (let i = 0; i < 60; i++) {
    files[`src/f${i}.ts`] = `export const value${i} = ${i};\n`.repeat(20 + 13 * (i % 7));
  }
  await withWorkspace(files, async (root) => {
    const provider = await startFakeProvider(reply);
    const searcher = createSearcher({ entry: import.meta.resolve("../../main.ts") });
    const tools = builtinTools({ searcher });
    const dir = join(root, ".narnat");
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
    const baseUrl = protocol === "openai" ? provider.url : provider.anthropicUrl;
    const open = async () =>
      new TestAgent({
        model: await createModel(configFor(baseUrl), {
          ...realHost(),
          sleep: () => Promise.resolve(),
        }),
        modelName: "some-model",
        tools,
        dir: join(dir, "sessions"),
        workspace: root,
        context: { dir, tools, ...context },
      });
    try {
      await work({ root, provider, open });
      assert.deepEqual(provider.pairingErrors, []);
    } finally {
      searcher.close();
      await provider.close();
    }
  });
}

/** Reads a file for each question, then answers at some length. */
function work(
  request: CapturedRequest,
  usage: Partial<{ usage: { input: number; output: number } }>,
): Reply {
  if (isSummary(request)) return { text: SUMMARY, ...usage };
  const last = request.json.messages.at(-1);
  const text = JSON.stringify(last.content);
  const turn = Number(/question (\d+)/.exec(text)?.[1] ?? NaN);
  if (!Number.isNaN(turn) && !/tool_result/.test(text)) {
    return {
      text: "I look. ",
      calls: [{ name: "Read", input: { file_path: `src/f${turn}.ts` } }],
      ...usage,
    };
  }
  return { text: "It exports a value. ".repeat(12), ...usage };
}

for (const protocol of ["openai", "anthropic"] as const) {
  for (
    const [name, context, counts] of [
      ["that is configured", { contextWindow: LIMIT }, true],
      ["that the provider names in a refusal", {}, true],
      ["that is configured, from a provider that counts nothing", { contextWindow: LIMIT }, false],
    ] as const
  ) {
    slow(`sixty turns go through a window of 8k ${name}: ${protocol}`, async () => {
      const accepted: CapturedRequest[] = [];
      let refused = 0;
      const reply = (request: CapturedRequest): Reply => {
        const input = tokensOf(request);
        if (input > LIMIT) {
          refused++;
          return refusal(
            `This model's maximum context length is ${LIMIT} tokens. However, your messages resulted in ${input} tokens.`,
          );
        }
        accepted.push(request);
        return work(request, { usage: counts ? { input, output: 60 } : { input: 0, output: 0 } });
      };
      await withStage(reply, context, protocol, async ({ open, root }) => {
        let agent = await open();
        for (let turn = 0; turn < 60; turn++) {
          if (turn === 30) {
            const { id } = agent.agent.controller.current();
            await agent.agent.close();
            agent = await open();
            await agent.agent.resume(id);
          }
          await agent.say(`question ${turn}: what does it export?`);
          assert.equal(agent.of("turn_end").at(-1)!.reason, "done", `turn ${turn}`);
        }
        assert.deepEqual(agent.of("error"), []);
        const session = agent.agent.controller.current();
        assert.equal(session.turns, 60);
        assert.ok(session.messages.length >= 240);
        const expected = "contextWindow" in context ? 0 : 2;
        assert.ok(refused <= expected, `${refused} refusals`);
        const history = Deno.readTextFileSync(join(root, ".narnat/memory/history.jsonl"));
        assert.ok(history.includes("the port is 4711"));
        await agent.agent.close();
        const summaries = accepted.filter(isSummary).length;
        assert.ok(summaries > 3 && summaries < 30, `${summaries} summaries`);
      });
    });
  }
}

for (const protocol of ["openai", "anthropic"] as const) {
  slow(
    `only a change of the view that the user sees breaks the prefix, and the summary's request does not: ${protocol}`,
    async () => {
      const answered: CapturedRequest[] = [];
      const reply = (request: CapturedRequest): Reply => {
        answered.push(request);
        return work(request, { usage: { input: tokensOf(request), output: 60 } });
      };
      await withStage(reply, { contextWindow: 16_384 }, protocol, async ({ open }) => {
        const agent = await open();
        const starts: number[] = [];
        agent.agent.bus.subscribe((event) => {
          if (event.type !== "notice" || !/pointer|summary|summing/.test(event.text)) return;
          if (!event.text.includes("summing")) starts.push(answered.length);
        });
        for (let turn = 0; turn < 40; turn++) await agent.say(`question ${turn}`);
        assert.ok(starts.length >= 2, String(starts));
        let from = 0;
        for (const start of [...starts, answered.length]) {
          const run = answered.slice(from, start);
          const summary = run.findIndex(isSummary);
          if (summary >= 0) {
            // a beginning of what was sent before, and one message more
            const asked = run[summary]!.json.messages;
            const sent = run[summary - 1]!.json.messages;
            const plain = (messages: unknown) =>
              JSON.stringify(messages).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, "");
            assert.ok(asked.length > 2);
            const shared = protocol === "openai" ? asked.length - 1 : asked.length - 2;
            assert.equal(plain(asked.slice(0, shared)), plain(sent.slice(0, shared)));
            run.splice(summary, 1);
          }
          assertPrefixes(run);
          from = start;
        }
        assert.ok(answered.some(isSummary));
        await agent.agent.close();
      });
    },
  );
}

Deno.test("what was just read reaches the model whole in a small window; what cannot is cut, and told", async () => {
  const read: string[] = [];
  const reply = (request: CapturedRequest): Reply => {
    const last = request.json.messages.at(-1);
    if (last.role === "tool") read.push(last.content);
    return work(request, { usage: { input: tokensOf(request), output: 60 } });
  };
  await withStage(reply, { contextWindow: LIMIT }, "openai", async ({ root, open }) => {
    const file = (lines: number) =>
      Array.from({ length: lines }, (_, i) => `export const line${i + 1} = ${i};\n`).join("");
    Deno.writeTextFileSync(join(root, "src/f180.ts"), file(180));
    Deno.writeTextFileSync(join(root, "src/f1500.ts"), file(1500));
    const agent = await open();
    const cut = () => agent.of("notice").filter(({ text }) => text.includes("only its beginning"));
    for (const turn of [1, 2, 3, 4, 180]) await agent.say(`question ${turn}`);
    const whole = read.at(-1)!;
    assert.ok(whole.includes("line1 ") && whole.includes("line180 "), whole.slice(-300));
    assert.ok(agent.of("notice").some(({ text }) => /pointer|summary/.test(text)));
    assert.deepEqual(cut(), []);
    await agent.say("question 1500");
    const part = read.at(-1)!;
    const [, shown] = /only the beginning, (\d+) of \d+ lines/.exec(part)!;
    assert.match(cut()[0]!.text, new RegExp(`first ${shown} of \\d+ lines`));
    assert.equal(cut()[0]!.level, "warn");
    await agent.agent.close();
  });
});

Deno.test("refused once, room is made and the question is answered", async () => {
  let refusals = 0;
  const reply = (request: CapturedRequest, index: number): Reply => {
    if (index === 12) {
      refusals++;
      return refusal("Your input exceeds the context window of this model.");
    }
    return work(request, { usage: { input: tokensOf(request), output: 60 } });
  };
  await withStage(reply, {}, "openai", async ({ open }) => {
    const agent = await open();
    for (let turn = 0; turn < 8; turn++) await agent.say(`question ${turn}`);
    assert.equal(refusals, 1);
    assert.deepEqual(agent.of("turn_end").map(({ reason }) => reason), Array(8).fill("done"));
    assert.ok(agent.of("notice").some(({ text }) => /pointer|summary/.test(text)));
    await agent.agent.close();
  });
});

Deno.test("refused always, the turn ends with the history cleared, and the session goes on", async () => {
  let full = false;
  const reply = (request: CapturedRequest): Reply =>
    full
      ? refusal("Your input exceeds the context window of this model.")
      : work(request, { usage: { input: tokensOf(request), output: 60 } });
  await withStage(reply, { t: chinese }, "openai", async ({ open, provider }) => {
    let agent = await open();
    for (let turn = 0; turn < 6; turn++) await agent.say(`question ${turn}`);
    full = true;
    const before = provider.requests.length;
    await agent.say("question 6");
    assert.ok(provider.requests.length - before < 12, "it gives up soon");
    const error = agent.of("error").at(-1)!;
    assert.deepEqual([error.kind, error.text], ["overflow", "对话历史已被清理，请重新描述需求"]);
    const end = agent.of("turn_end").at(-1)!;
    assert.deepEqual([end.reason, end.prompt], ["error", "question 6"]);
    const { id, messages } = agent.agent.controller.current();
    assert.equal(messages.length, 24, "what is stored stays");
    await agent.agent.close();

    full = false;
    agent = await open();
    await agent.agent.resume(id);
    await agent.say("question 7");
    assert.equal(agent.of("turn_end").at(-1)!.reason, "done");
    const last = provider.requests.at(-1)!.json.messages;
    assert.deepEqual(last.map(({ role }: { role: string }) => role), [
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    await agent.agent.close();
  });
});

slow("stopped while it sums up, nothing has changed and the line comes back", async () => {
  const reply = (request: CapturedRequest): Reply =>
    isSummary(request)
      ? { fault: "stall_before_headers" }
      : work(request, { usage: { input: tokensOf(request), output: 60 } });
  await withStage(reply, { contextWindow: 16_384 }, "openai", async ({ open }) => {
    const agent = await open();
    let stopped = "";
    agent.agent.bus.subscribe((event) => {
      if (event.type !== "notice" || !event.text.includes("summing up")) return;
      setTimeout(() => agent.stop(), 50);
    });
    for (let turn = 0; turn < 60 && stopped === ""; turn++) {
      const session = agent.agent.controller.current();
      const before = session.view.slice();
      const wide = "why? ".repeat(300);
      await agent.say(`question ${turn} ${wide}`);
      const end = agent.of("turn_end").at(-1)!;
      if (end.reason !== "interrupted") continue;
      stopped = end.prompt ?? "none";
      assert.ok(before.length > 0);
      assert.deepEqual(session.view.slice(0, before.length), before);
    }
    assert.match(stopped, /^question \d+|none/);
    assert.equal(agent.of("notice").filter(({ text }) => /became/.test(text)).length <= 1, true);
    await agent.agent.close();
  });
});

slow("what a refusal told of the window is known after the handover too", async () => {
  const reply = (_: CapturedRequest, index: number): Reply =>
    index === 1 ? refusal("This model's maximum context length is 16384 tokens.") : { text: "ok" };
  await withWorkspace({}, async (cwd) => {
    const provider = await startFakeProvider(reply);
    const env = {
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: provider.url,
      NARNAT_MODEL: "who-knows",
    };
    const stdin = ["one", "two", "/compact", "/status"]
      .map((text) => JSON.stringify({ type: "user", text }) + "\n").join("");
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    const { lines } = await runNarnat(BUNDLED, args, { cwd, env, stdin });
    await provider.close();
    assert.ok(lines.some(({ type, ok }) => type === "compress_end" && ok));
    const status = lines.findLast(({ type }) => type === "notice").text;
    assert.match(status, /context window: [\d,]+ \/ 16,384 /);
  });
});
