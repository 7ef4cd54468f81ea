import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentEnvironment } from "../../src/app/environment.ts";
import type { Flags } from "../../src/commands/flags.ts";
import { resume } from "../../src/cli/run_session.ts";
import { type SessionFile, SessionStore } from "../../src/session/store.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";

const environment = { config: { t: english }, workspace: "/w" } as unknown as AgentEnvironment;

/** An agent beside another narnat that holds the newest of two sessions, or both. */
async function beside(
  both: boolean,
  run: (t: TestAgent, ids: { old: string; newest: string }) => Promise<void>,
  before: (old: SessionFile, newest: SessionFile) => void = () => {},
): Promise<void> {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    let day = 1;
    const now = () => new Date(Date.UTC(2026, 0, day++));
    const store = new SessionStore({ dir, workspace: root, t: english, now, random: Math.random });
    const [old, newest] = [store.create(), store.create()];
    for (const session of [old, newest]) {
      session.append({ role: "user", text: "q" }, { asked: true });
    }
    before(old, newest);
    if (!both) old.close();
    const t = new TestAgent({ model: new ScriptedModel([]), dir });
    await run(t, { old: old.id, newest: newest.id });
    await t.agent.close();
    old.close();
    newest.close();
  });
}

Deno.test("--continue beside another narnat takes the newest session that is free, and says so", async () => {
  await beside(false, async (t, { old, newest }) => {
    const notes = await resume({ continue: true } as Flags, environment, t.agent);
    assert.equal(t.agent.controller.current().id, old);
    assert.ok(
      notes.length === 1 && notes[0]!.includes(old) && notes[0]!.includes(newest),
      notes[0],
    );
  });
});

Deno.test("--continue starts anew where every session is in use, and says so", async () => {
  await beside(true, async (t, { old, newest }) => {
    const notes = await resume({ continue: true } as Flags, environment, t.agent);
    assert.ok(![old, newest].includes(t.agent.controller.current().id));
    assert.match(notes[0]!, /starting a new one/);
  });
});

Deno.test("--continue of a script goes on with the newest session or not at all", async () => {
  await beside(false, async (t, { newest }) => {
    await assert.rejects(
      () => resume({ continue: true, print: true } as Flags, environment, t.agent),
      (error: Error) => error.message.includes(newest) && /another narnat/.test(error.message),
    );
  });
});

Deno.test("--continue beside another narnat passes by a session that goes on in the busy one", async () => {
  await beside(false, async (t, { old, newest }) => {
    const notes = await resume({ continue: true } as Flags, environment, t.agent);
    assert.ok(![old, newest].includes(t.agent.controller.current().id));
    assert.match(notes[0]!, /starting a new one/);
  }, (oldSession, newest) => oldSession.handOver(newest.id));
});

Deno.test("a script is told of a line that a handover had held; on the screen it comes into the line", async () => {
  await beside(false, async (t, { old }) => {
    const flags = { resume: old, print: true } as Flags;
    assert.deepEqual(await resume(flags, environment, t.agent), [
      "A line was cut off by a compression and never asked: what I typed",
    ]);
    await t.agent.controller.fresh();
    assert.deepEqual(await resume({ resume: old } as Flags, environment, t.agent), []);
  }, (oldSession) => oldSession.hold({ text: "what I typed" }));
});

Deno.test("--continue goes on with the session that was left, though more was said in another since", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    const model = () => new ScriptedModel(() => ({ text: "yes" }));
    const first = new TestAgent({ model: model(), dir });
    await first.say("one");
    const left = first.agent.controller.current().id;
    await first.say("/clear");
    await first.say("two");
    await first.say("/enter 2");
    assert.deepEqual((await first.agent.controller.list()).map(({ title }) => title), [
      "two",
      "one",
    ]);
    await first.agent.close();
    for (const print of [true, false]) {
      const again = new TestAgent({ model: model(), dir });
      // a program that another test is starting may hold what was closed for a moment
      const isHeld = async () => (await again.agent.controller.list()).some(({ busy }) => busy);
      while (await isHeld()) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(
        await resume({ continue: true, print } as Flags, environment, again.agent),
        [],
      );
      assert.equal(again.agent.controller.current().id, left);
      await again.agent.close();
    }
  });
});
