import assert from "node:assert/strict";
import { join } from "node:path";
import { back } from "../../src/commands/back.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/back goes to the last prompt, /back n to the nth last", async () => {
  const { controller, asked, session } = testController();
  for (const text of ["one", "two", "three"]) {
    session.append({ role: "user", text }, { asked: true });
  }
  await back.run("", controller);
  await back.run("3", controller);
  assert.deepEqual(asked, ["back 2", "back 0"]);
});

Deno.test("/back refuses a number it does not have, and lists the prompts with theirs", async () => {
  const { controller, asked, session } = testController();
  await assert.rejects(async () => await back.run("", controller), /Nothing has been asked/);
  for (const text of ["one", " two\nlines "]) {
    session.append({ role: "user", text }, { asked: true });
  }
  for (const wrong of ["0", "3", "x", "1.5"]) {
    await assert.rejects(
      async () => await back.run(wrong, controller),
      /from 1 to 2[\s\S]*\n {3}1 {2}two lines\n {3}2 {2}one$/,
    );
  }
  assert.deepEqual(asked, []);
});

Deno.test("going back forks: the new session ends before the prompt, the old one stays whole", async () => {
  await withWorkspace({}, async (root) => {
    const model = new ScriptedModel((request, i) =>
      i === 1
        ? { calls: [{ name: "Look" }] }
        : { text: `re: ${request.messages.findLast((m) => m.role === "user")!.text}` }
    );
    const look = tool("Look", () => ({
      ok: true,
      text: "seen",
      seen: [{ path: "/a", hash: "h" }],
      cwd: "/elsewhere",
    }));
    const t = new TestAgent({ model, dir: join(root, "sessions"), tools: [look] });
    for (const text of ["one", "two", "three"]) await t.say(text);
    const old = t.agent.controller.current();
    const before = [old.id, old.messages.length, old.usage] as const;
    await t.say("/back 2");
    const fork = t.agent.controller.current();
    assert.notEqual(fork.id, before[0]);
    assert.deepEqual(fork.messages.map((m) => m.text), ["one", "re: one"]);
    assert.deepEqual([fork.prompts, fork.turns, fork.cwd], [["one"], 1, "/nowhere"]);
    assert.deepEqual(fork.usage, before[2], "what was spent stays spent");
    assert.equal(t.of("turn_end").at(-1)!.prompt, "two");
    assert.match(t.of("notice").at(-1)!.text, new RegExp(before[0]));
    await t.say("two, better");
    assert.deepEqual(model.requests.at(-1)!.messages.map((m) => m.text), [
      "one",
      "re: one",
      "two, better",
    ]);
    const forkId = fork.id;
    await t.say(`/enter ${before[0]}`);
    assert.equal(t.agent.controller.current().messages.length, before[1]);
    assert.equal(t.agent.controller.current().cwd, "/elsewhere");
    await t.say("/back");
    assert.equal(t.agent.controller.current().seen.get("/a")?.hash, "h");
    assert.equal(t.agent.controller.current().prompts.length, 2);
    await t.say(`/enter ${forkId}`);
    assert.deepEqual(
      t.agent.controller.current().prompts,
      ["one", "two, better"],
      "and both are on disk",
    );
    await t.agent.close();
  });
});

Deno.test("going back to the first prompt leaves nothing before it, without a session on disk too", async () => {
  const model = new ScriptedModel(() => ({ text: "ok" }));
  const t = new TestAgent({ model });
  await t.say("only one");
  await t.say("/back");
  assert.deepEqual(t.messages, []);
  assert.equal(t.of("turn_end").at(-1)!.prompt, "only one");
});

Deno.test("/back offers the numbers of the prompts, the newest first, with what they said", async () => {
  const { controller, session } = testController();
  for (const text of ["one", "two\nlines"]) session.append({ role: "user", text }, { asked: true });
  assert.deepEqual(await back.complete!(controller), [
    { value: "1", help: "two lines" },
    { value: "2", help: "one" },
  ]);
});
