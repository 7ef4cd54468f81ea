import assert from "node:assert/strict";
import { exit, stop } from "../../src/commands/stop.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { TestAgent, tool } from "../support/test_agent.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/stop typed while a turn runs stops it at once, and what waits behind it still runs", async () => {
  const begun = Promise.withResolvers<void>();
  const hang = tool("Hang", async (_input, { signal }) => {
    begun.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { ok: false, text: "stopped" };
  });
  const model = new ScriptedModel([{ calls: [{ name: "Hang" }] }, { text: "next" }]);
  const t = new TestAgent({ model, tools: [hang] });
  t.send("runs", { watched: true });
  await begun.promise;
  t.send("/stop", { watched: true });
  assert.deepEqual(t.of("notice").map((event) => event.joined), ["/stop"]);
  await t.until((event) => event.type === "turn_end");
  assert.equal(t.of("turn_end")[0]!.reason, "interrupted");
  await t.say("go on");
  assert.deepEqual(t.of("turn_end").map((event) => event.reason), ["interrupted", "done"]);
});

Deno.test("/stop where nothing runs says so", async () => {
  assert.equal(await stop.run("", testController().controller), "Nothing is running");
  const t = new TestAgent({ model: new ScriptedModel([]) });
  await t.say("/stop");
  assert.deepEqual(t.of("notice").map(({ text }) => text), ["Nothing is running"]);
});

Deno.test("/exit leaves without a word", async () => {
  const { controller, asked } = testController();
  assert.equal(await exit.run("", controller), "");
  assert.deepEqual(asked, ["exit"]);
});
