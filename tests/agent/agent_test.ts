import assert from "node:assert/strict";
import { join } from "node:path";
import { ScriptedModel } from "../support/scripted_model.ts";
import { TestAgent } from "../support/test_agent.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const echo = () =>
  new ScriptedModel((request) => ({ text: `re: ${request.messages.at(-1)!.text}` }));

Deno.test("events are stamped with the session and its turn", async () => {
  const t = new TestAgent({ model: echo() });
  await t.say("one");
  await t.say("two");
  const id = t.agent.controller.current().id;
  assert.ok(t.events.every((event) => event.session === id));
  assert.deepEqual(t.of("turn_start").map((e) => e.turn), [1, 2]);
  assert.ok(t.events.every((event) => !Number.isNaN(Date.parse(event.time))));
});

Deno.test("turns 50 and 100 bring the seed's notices", async () => {
  const t = new TestAgent({ model: echo() });
  for (let i = 0; i < 101; i++) t.send("q");
  await t.agent.idle();
  assert.deepEqual(t.of("notice").map((e) => e.turn), [50, 100]);
});

Deno.test("slash lines run their command and never reach the model", async () => {
  const model = echo();
  const t = new TestAgent({ model });
  await t.say("/help");
  assert.equal(model.requests.length, 0);
  assert.match(t.of("notice")[0]!.text, /\/save/);
  assert.equal(t.of("turn_end")[0]!.reason, "command");
  await t.say("/hlep");
  assert.match(t.of("notice").at(-1)!.text, /did you mean \/help/);
  await t.say("/usr/bin/env is missing");
  assert.equal(model.requests.length, 1);
});

Deno.test("save, show, enter, delete and clear work on real files", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    const t = new TestAgent({ model: echo(), dir, consentPolicy: "allow_delete" });
    const last = () => t.of("notice").at(-1)!;
    await t.say("/save early");
    assert.match(last().text, /empty/);
    await t.say("the first question");
    const first = t.agent.controller.current().id;
    await t.say("/save work");
    await t.say("/clear");
    assert.match(last().text, new RegExp(first));
    assert.notEqual(t.agent.controller.current().id, first);
    await t.say("another");
    await t.say("/save work");
    assert.match(last().text, /already/);
    await t.say("/show");
    assert.match(last().text, /\[work\] the first question/);
    await t.say("/enter work");
    assert.equal(t.agent.controller.current().id, first);
    assert.deepEqual(t.messages.map((m) => m.text), [
      "the first question",
      "re: the first question",
    ]);
    await t.say("/delete work");
    assert.match(last().text, /in use/);
    await t.say("/delete 1");
    assert.match(last().text, /Deleted/);
    await t.say("/show");
    assert.equal(last().text.split("\n").length, 1);
    await t.say("/enter nothing-like-this");
    assert.match(last().text, /Cannot find/);
    await t.agent.close();
  });
});

Deno.test("/delete asks first; No, and nobody there, delete nothing", async () => {
  for (const consentPolicy of ["ask", "deny", "allow_delete"] as const) {
    await withWorkspace({}, async (dir) => {
      const t: TestAgent = new TestAgent({ model: echo(), dir, consentPolicy });
      await t.say("the first question");
      await t.say("/clear");
      t.send("/delete 1");
      const ask = await t.until((event) => event.type === "ask");
      assert.ok(ask.type === "ask");
      assert.match(ask.question, /the first question, 1 turn\)\?/);
      t.agent.bus.send({ type: "answer", lane: "main", id: ask.id, value: false });
      await t.agent.idle();
      const left = (await t.agent.controller.list()).length;
      assert.equal(left, consentPolicy === "allow_delete" ? 0 : 1, consentPolicy);
      await t.agent.close();
    });
  }
});

Deno.test("a stop answers the question of /delete with No", async () => {
  await withWorkspace({}, async (dir) => {
    const t: TestAgent = new TestAgent({ model: echo(), dir, consentPolicy: "ask" });
    await t.say("the first question");
    await t.say("/clear");
    t.send("/delete 1");
    await t.until((event) => event.type === "ask");
    t.stop();
    await t.agent.idle();
    assert.equal((await t.agent.controller.list()).length, 1);
    await t.agent.close();
  });
});

Deno.test("/exit asks the host to leave", async () => {
  const t = new TestAgent({ model: echo() });
  await t.say("/exit");
  assert.ok(t.exited);
});

Deno.test("resume goes on where a killed session stopped", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    const before = new TestAgent({ model: echo(), dir });
    await before.say("one");
    const id = before.agent.controller.current().id;
    await before.agent.close();
    const model = echo();
    const after = new TestAgent({ model, dir });
    assert.deepEqual(await after.agent.resume(id), { bad: 0, notes: [] });
    await after.say("two");
    assert.deepEqual(model.requests[0]!.messages.map((m) => m.text), ["one", "re: one", "two"]);
    assert.equal(after.of("turn_start")[0]!.turn, 2);
    await after.agent.close();
  });
});

Deno.test("a stop ends all that waits for the user, not only what came last", async () => {
  const t = new TestAgent({ model: new ScriptedModel([]), consentPolicy: "ask" });
  const asks = ["one", "two"].map((question) =>
    t.agent.controller.ask({ kind: "input", question })
  );
  t.stop();
  const late = new Promise((resolve) => setTimeout(resolve, 1000, "nobody answered"));
  assert.deepEqual(await Promise.race([Promise.all(asks), late]), [false, false]);
});
