import assert from "node:assert/strict";
import { join } from "node:path";
import type { Ground } from "../../src/cli/ground.ts";
import type { Flags } from "../../src/cli/flags.ts";
import { resume } from "../../src/cli/run_session.ts";
import { SessionStore } from "../../src/core/session.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent } from "../support/test_agent.ts";

const ground = { config: { lang: "en" } } as unknown as Ground;

/** An agent beside another narnat that holds the newest of two sessions, or both. */
async function beside(
  both: boolean,
  run: (t: TestAgent, ids: { old: string; newest: string }) => Promise<void>,
): Promise<void> {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    let day = 1;
    const now = () => new Date(Date.UTC(2026, 0, day++));
    const store = new SessionStore({ dir, workspace: root, lang: "en", now, random: Math.random });
    const [old, newest] = [store.create(), store.create()];
    for (const session of [old, newest]) {
      session.append({ role: "user", text: "q" }, { asked: true });
    }
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
    const notes = await resume({ continue: true } as Flags, ground, t.agent);
    assert.equal(t.agent.desk.current().id, old);
    assert.ok(
      notes.length === 1 && notes[0]!.includes(old) && notes[0]!.includes(newest),
      notes[0],
    );
  });
});

Deno.test("--continue starts anew where every session is in use, and says so", async () => {
  await beside(true, async (t, { old, newest }) => {
    const notes = await resume({ continue: true } as Flags, ground, t.agent);
    assert.ok(![old, newest].includes(t.agent.desk.current().id));
    assert.match(notes[0]!, /starting a new one/);
  });
});

Deno.test("--continue of a script goes on with the newest session or not at all", async () => {
  await beside(false, async (t, { newest }) => {
    await assert.rejects(
      () => resume({ continue: true, print: true } as Flags, ground, t.agent),
      (error: Error) => error.message.includes(newest) && /another narnat/.test(error.message),
    );
  });
});
