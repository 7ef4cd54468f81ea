import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { status } from "../../src/commands/status.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/status says model, endpoint, permission, session, usage, folder and version", async () => {
  const { desk, session } = testDesk();
  const usage = { input: 12_000, output: 345, cached: 6_000, cost: 0.02 };
  session.append({ role: "user", text: "q" }, { asked: true });
  session.append({ role: "assistant", text: "a", calls: [], thinking: [] }, { usage });
  const text = await status.run("", { ...desk, model: "no-such-model" });
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
  const { desk, session } = testDesk([], chinese);
  const usage = { input: 20_000, output: 0, cached: 0, cost: null };
  session.append({ role: "assistant", text: "a", calls: [], thinking: [] }, { usage });
  assert.match(
    await status.run("", { ...desk, model: "gpt-4o" }),
    /上下文窗口：20,000 \/ 128,000 \(16%\)/,
  );
  assert.match(
    await status.run("", { ...desk, model: "gpt-4o", window: 32_768 }),
    /上下文窗口：20,000 \/ 32,768 \(61%\)/,
  );
  assert.match(await status.run("", { ...desk, endpoint: "" }), /端点：无（演示模型，不联网）/);
});

Deno.test("/status says that commands run in a sandbox, and whether it has a network", async () => {
  const { desk } = testDesk();
  const rows = async (sandbox: { network: boolean } | undefined) =>
    (await status.run("", { ...desk, sandbox })).split("\n").filter((row) => /sandbox/.test(row));
  assert.deepEqual(await rows(undefined), []);
  assert.deepEqual(await rows({ network: true }), ["sandbox: on"]);
  assert.deepEqual(await rows({ network: false }), ["sandbox: on, without network"]);
});
