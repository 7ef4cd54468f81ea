/** Which of a session a kill may not take, and which no power cut may. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Tool } from "../../src/base/types.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

/** Tells how much of each file the disk has surely taken; calls are passed on. */
async function watchingSyncs(work: (synced: (path: string) => number) => Promise<void>) {
  const sizes = new Map<number, number>();
  const { syncDataSync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.syncDataSync = function () {
    syncDataSync.call(this);
    const { ino, size } = this.statSync();
    sizes.set(ino!, size);
  };
  try {
    await work((path) => sizes.get(Deno.statSync(path).ino!) ?? 0);
  } finally {
    Deno.FsFile.prototype.syncDataSync = syncDataSync;
  }
}

const lines = (path: string) =>
  Deno.readTextFileSync(path).trimEnd().split("\n").map((line) => JSON.parse(line));

/** An agent that reads twice, runs what only reads, changes, reads, and answers; `look` hears of each call. */
function working(dir: string, look: (call: string, path: string) => void) {
  const names = ["Look", "Look", "Peek", "Change", "Look"];
  const model = new ScriptedModel((request) => {
    const done = request.messages.filter(({ role }) => role === "tool").length;
    look("request", path());
    const name = names[done];
    return name === undefined ? { text: "done" } : { calls: [{ name, input: { n: done } }] };
  });
  const call = (name: string, more: Partial<Tool>) =>
    tool(name, ({ n }) => {
      look(`${name} ${n}`, path());
      return { ok: true, text: `result ${n}` };
    }, more);
  const tools = [
    call("Look", { readOnly: true }),
    call("Peek", { readOnly: false, onlyReads: () => Promise.resolve(true) }),
    call("Change", { readOnly: false, onlyReads: () => Promise.resolve(false) }),
  ];
  const t = new TestAgent({ model, dir, tools });
  const path = () => join(dir, `${t.agent.controller.current().id}.jsonl`);
  return { t, path };
}

Deno.test("all that was said and read is in the session's file before the next thing is done, where no kill takes it", async () => {
  await withWorkspace({}, async (dir) => {
    const seen: string[] = [];
    const { t } = working(dir, (call, path) => {
      const last = lines(path).findLast(({ type }) => type === "message").message;
      seen.push(`${call}: ${last.role} ${last.calls?.[0]?.name ?? last.text}`);
    });
    await t.say("go");
    assert.deepEqual(seen, [
      "request: user go",
      "Look 0: assistant Look",
      "request: tool result 0",
      "Look 1: assistant Look",
      "request: tool result 1",
      "Peek 2: assistant Peek",
      "request: tool result 2",
      "Change 3: assistant Change",
      "request: tool result 3",
      "Look 4: assistant Look",
      "request: tool result 4",
    ]);
    await t.agent.close();
  });
});

Deno.test("all of the session is synced before a change, with a person's line, and at the turn's end; not with each read", async () => {
  await withWorkspace({}, async (dir) => {
    await watchingSyncs(async (synced) => {
      const seen = new Map<string, boolean>();
      const { t, path } = working(dir, (call, path) => {
        if (!seen.has(call)) seen.set(call, synced(path) === Deno.statSync(path).size);
      });
      await t.say("go");
      assert.deepEqual(Object.fromEntries(seen), {
        "request": true,
        "Look 0": false,
        "Look 1": false,
        "Peek 2": false,
        "Change 3": true,
        "Look 4": false,
      });
      assert.equal(synced(path()), Deno.statSync(path()).size, "the turn is over");
      await t.agent.close();
    });
  });
});

Deno.test("all of the session is synced before a hook hears of a call", async () => {
  await withWorkspace({}, async (dir) => {
    await watchingSyncs(async (synced) => {
      const heard: boolean[] = [];
      const model = new ScriptedModel([{ calls: [{ name: "Look", input: {} }] }, { text: "done" }]);
      const t = new TestAgent({
        model,
        dir,
        tools: [tool("Look", () => ({ ok: true, text: "seen" }))],
        hooks: {
          has: (event) => event === "before_tool",
          run({ event }) {
            const path = join(dir, `${t.agent.controller.current().id}.jsonl`);
            if (event === "before_tool") heard.push(synced(path) === Deno.statSync(path).size);
            return Promise.resolve(undefined);
          },
        },
      });
      await t.say("go");
      assert.deepEqual(heard, [true]);
      await t.agent.close();
    });
  });
});

Deno.test("a session that is left is synced", async () => {
  await withWorkspace({}, async (dir) => {
    await watchingSyncs((synced) => {
      const session = sessionStore(dir).create();
      const path = join(dir, `${session.id}.jsonl`);
      session.append({ role: "user", text: "one" }, { asked: true });
      session.append({ role: "assistant", text: "two", calls: [], thinking: [] });
      assert.ok(synced(path) < Deno.statSync(path).size);
      session.close();
      assert.equal(synced(path), Deno.statSync(path).size);
      return Promise.resolve();
    });
  });
});
