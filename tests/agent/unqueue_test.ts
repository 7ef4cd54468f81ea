import assert from "node:assert/strict";
import { ScriptedModel } from "../support/scripted_model.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

Deno.test("a waiting line is taken back, the newest of two equal ones, and never runs", async () => {
  const model = new ScriptedModel(() => ({ text: "ok" }));
  const t = new TestAgent({ model });
  const take = (text: string) => t.agent.bus.send({ type: "unqueue", lane: "main", text });
  t.send("first");
  for (const line of ["a", "b", "a"]) t.send(line);
  take("a");
  take("nothing like it");
  await t.agent.idle();
  assert.deepEqual(t.of("unqueued").map((e) => e.text), ["a"]);
  assert.deepEqual(t.of("turn_start").map((e) => e.text), ["first", "a", "b"]);
});

Deno.test("a line that has joined or is running cannot be taken back", async () => {
  const step = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  const model = new ScriptedModel([
    { calls: [{ name: "Look" }] },
    { calls: [{ name: "Look" }] },
    { text: "done" },
  ]);
  let calls = 0;
  const look = tool("Look", async () => {
    if (++calls === 2) {
      looked.resolve();
      await step.promise;
    } else t.send("joins");
    return { ok: true, text: String(calls) };
  });
  const t: TestAgent = new TestAgent({ model, tools: [look] });
  t.send("runs");
  await looked.promise;
  for (const text of ["runs", "joins"]) {
    t.agent.bus.send({ type: "unqueue", lane: "main", text });
  }
  step.resolve();
  await t.agent.idle();
  assert.deepEqual(t.of("unqueued"), []);
  assert.ok(t.messages.some((one) => one.text === "joins"));
});

Deno.test("what changes nothing is answered beside a running turn where a person waits, without an end of its own; a script's line keeps its place", async () => {
  const step = Promise.withResolvers<void>();
  const looking = Promise.withResolvers<void>();
  const model = new ScriptedModel([{ calls: [{ name: "Look" }] }, { text: "done" }, {
    text: "ok",
  }]);
  const look = tool("Look", async () => {
    looking.resolve();
    await step.promise;
    return { ok: true, text: "seen" };
  });
  const t = new TestAgent({ model, tools: [look] });
  t.send("runs");
  await looking.promise;
  t.send("/status");
  t.send("/cost", { watched: true });
  t.send("/copy", { watched: true });
  t.send("/clear");
  await t.until((event) => event.type === "notice" && event.text.includes("no answer to copy"));
  await t.until((event) => event.type === "notice" && /^cost: /m.test(event.text));
  const notices = t.of("notice");
  assert.deepEqual(notices.flatMap((event) => event.joined ?? []), ["/cost", "/copy"]);
  assert.deepEqual(t.of("turn_end"), []);
  assert.deepEqual(t.of("notice").map((event) => event.turn), t.of("notice").map(() => 1));
  step.resolve();
  await t.agent.idle();
  assert.deepEqual(t.of("turn_end").map((event) => event.reason), ["done", "command", "command"]);
  assert.ok(!model.requests[1]!.messages.some((one) => one.text.includes("/cost")));
  await t.say("/cost");
  assert.equal(t.of("turn_end").at(-1)!.reason, "command", "idle, it is a line like any other");
  assert.equal(t.of("turn_end").length, 4);
});
