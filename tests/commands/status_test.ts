import assert from "node:assert/strict";
import { english, type T } from "../../src/base/t.ts";
import type { BudgetState } from "../../src/base/types.ts";
import { cost, status } from "../../src/commands/status.ts";
import { chinese } from "../support/chinese.ts";
import { NO_BUDGET, testController } from "../support/test_controller.ts";

Deno.test("/status says model, endpoint, permission, session, usage, folder and version", async () => {
  const { controller, session } = testController();
  const usage = { input: 12_000, output: 345, cached: 6_000, cost: 0.02 };
  session.append({ role: "user", text: "q" }, { asked: true });
  session.append({ role: "assistant", text: "a", calls: [], thinking: [] }, { usage });
  const text = await status.run("", { ...controller, model: "no-such-model" });
  assert.equal(
    text,
    [
      "model: no-such-model",
      "endpoint: llm.example",
      "permission: open (only deletes are asked about)",
      `session: ${session.id}`,
      "turns: 1",
      "tokens: 12,000 in (50% cached), 345 out",
      "context window: 12,345 / 128,000 (10%) (window unknown, assuming 128,000; set context_window)",
      "cost: $0.0200",
      "folder: /w",
      "version: narnat 1.2.3",
    ].join("\n"),
  );
});

Deno.test("/status says how full a known window is, and that the demo asks nobody", async () => {
  const { controller, session } = testController([], chinese);
  const usage = { input: 20_000, output: 0, cached: 0, cost: null };
  session.append({ role: "assistant", text: "a", calls: [], thinking: [] }, { usage });
  assert.match(
    await status.run("", { ...controller, model: "gpt-4o" }),
    /上下文窗口：20,000 \/ 128,000 \(16%\)/,
  );
  assert.match(
    await status.run("", { ...controller, model: "gpt-4o", window: 32_768 }),
    /上下文窗口：20,000 \/ 32,768 \(61%\)/,
  );
  assert.match(
    await status.run("", { ...controller, endpoint: "" }),
    /端点：无（演示模型，不联网）/,
  );
});

Deno.test("/status says that commands run in a sandbox, and whether it has a network", async () => {
  const { controller } = testController();
  const rows = async (sandbox: { network: boolean } | undefined) =>
    (await status.run("", { ...controller, sandbox })).split("\n").filter((row) =>
      /sandbox/.test(row)
    );
  assert.deepEqual(await rows(undefined), []);
  assert.deepEqual(await rows({ network: true }), ["sandbox: on"]);
  assert.deepEqual(await rows({ network: false }), ["sandbox: on, without network"]);
});

Deno.test("/cost says input, cached share, output and cost of the session", async () => {
  const { controller, session } = testController();
  session.spend({ input: 1_234_567, output: 8_900, cached: 987_654, cost: 0.4321 });
  const text = await cost.run("", controller);
  assert.deepEqual(text.split("\n").slice(0, 3), [
    "input tokens: 1,234,567 (80% cached)",
    "output tokens: 8,900",
    "cost: $0.4321",
  ]);
});

Deno.test("/cost says what Dreams and summaries for the memory have cost, in both languages", async () => {
  const backgroundUsage = { input: 1100, output: 20, cached: 0, cost: 0.01 };
  for (
    const [t, line] of [[english, /^background .*: 1\.1k tokens, \$0\.01/m], [
      chinese,
      /记忆整理.*：1\.1k/,
    ]] as const
  ) {
    const { controller } = testController([], t);
    assert.match(await cost.run("", { ...controller, backgroundUsage }), line);
    assert.doesNotMatch(await cost.run("", controller), line);
  }
});

Deno.test("/cost says what fills the window, in columns, in both languages", async () => {
  const rows = async (t: T) =>
    (await cost.run("", testController([], t).controller)).split("\n").slice(4);
  assert.deepEqual(await rows(english), [
    "next request: ~2,400 tokens",
    "  prompt: base             1,200  50%",
    "  tool definitions           900  38%",
    "  Read, calls and results    300  13%",
  ]);
  assert.deepEqual(await rows(chinese), [
    "下一次请求约 2,400 token，其中：",
    "  提示词 基本说明    1,200  50%",
    "  工具定义             900  38%",
    "  Read 的调用和结果    300  13%",
  ]);
});

Deno.test("/cost says when the price is not known, in both languages", async () => {
  for (
    const [t, word] of [[english, /cost: unknown \(.*prices/], [chinese, /费用：未知/]] as const
  ) {
    const { controller, session } = testController([], t);
    session.spend({ input: 10, output: 5, cached: 0, cost: null });
    const text = await cost.run("", controller);
    assert.match(text, word);
  }
});

Deno.test("before anything is used there is no price, known or not", async () => {
  assert.match(await cost.run("", testController().controller), /^cost: none$/m);
  assert.match(await cost.run("", testController([], chinese).controller), /^费用：无$/m);
});

Deno.test("/cost says what the day has cost, and the limits, in both languages", async () => {
  const budget: BudgetState = {
    ...NO_BUDGET,
    today: {
      usage: { input: 40_000, output: 2000, cached: 0, cost: 1.25 },
      unpriced: true,
      alone: false,
    },
    session: { tokens: 200_000 },
    day: { cost: 5, tokens: 1_000_000 },
  };
  const lines = async (t: T) => {
    const { controller } = testController([], t);
    const text = await cost.run("", { ...controller, budget: () => Promise.resolve(budget) });
    return text.split("\n").slice(3, 5);
  };
  assert.deepEqual(await lines(english), [
    "today (all narnats): 42.0k tokens, $1.25 (excludes requests with unknown pricing)",
    "limits: session 200,000 tokens · day $5 · day 1,000,000 tokens",
  ]);
  assert.match(
    (await lines(chinese)).join("\n"),
    /^今天（所有 narnat）：.*\n上限：本会话 200,000 token · /,
  );
});
