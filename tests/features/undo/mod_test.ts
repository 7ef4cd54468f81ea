import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createCheckpoints } from "../../../src/features/undo/mod.ts";
import { NO_CHECKPOINTS } from "../../../src/agent/none.ts";
import { NO_PLACES } from "../../../src/search/walk/git_settings.ts";
import type { Checkpoints } from "../../../src/base/types.ts";
import { bash, LIMITS } from "./checkpoints.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;

function checkpoints(root: string): Checkpoints {
  const dir = join(root, ".narnat/checkpoints");
  return createCheckpoints({
    dir,
    workspace: root,
    places: NO_PLACES,
    limits: LIMITS,
    t: english,
    entry,
  });
}

const signal = new AbortController().signal;
const quiet = { progress() {}, warn: (text: string) => assert.fail(text) };
const mark = (turn: number) => ({ session: "s", turn, text: `turn ${turn}` });

const MANY = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`many/${i}`, `${i}\n`]));

for (const [what, files] of [["a narnat itself", {}], ["a thread of its own", MANY]] as const) {
  slow(`${what} keeps what turns find, and takes them back`, async () => {
    await withWorkspace({ ...files, a: "a" }, async (root) => {
      const kept = checkpoints(root);
      const turn = kept.begin("main", mark(1));
      await turn.before(signal, quiet);
      Deno.writeTextFileSync(join(root, "a"), "new");
      assert.deepEqual(await turn.look(), ["a"]);
      turn.end();
      const preview = await kept.preview({ what: "undo", session: "s" });
      assert.deepEqual(preview.rows, [
        { path: "a", does: "change", from: 3, to: 1, added: 1, removed: 1 },
      ]);
      await kept.restore(preview.id, []);
      assert.equal(Deno.readTextFileSync(join(root, "a")), "a");
      await assert.rejects(kept.preview({ what: "undo" }), /Nothing to undo/);
      await kept.close();
    });
  });
}

Deno.test("what a person deletes between two commands is no command's loss, what a job does is told at the end", async () => {
  await withWorkspace({ mine: "mine", its: "its", a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    await turn.before(signal, quiet);
    // for so long nothing is looked at again before a command
    await new Promise((resolve) => setTimeout(resolve, 600));
    Deno.removeSync(join(root, "mine"));
    await turn.before(signal, quiet);
    const command = { command: "true", cwd: root, agreed: [] };
    assert.deepEqual(await turn.losses(command, 1), []);
    Deno.removeSync(join(root, "its"));
    assert.deepEqual((await turn.look()).toSorted(), ["its", "mine"]);
    const losses = await turn.losses();
    assert.deepEqual(losses.map(({ path }) => path), ["its"]);
    assert.deepEqual((await turn.bringBack(["its"])).paths, ["its"]);
    turn.end();
    await kept.close();
  });
});

Deno.test("what a job has taken away that ended between two turns is told in the next", async () => {
  await withWorkspace({ mine: "mine", its: "its", agreed: "agreed", a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    await turn.before(signal, quiet);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    turn.background({ command: "a job", cwd: root, agreed: [join(root, "agreed")] }, ended);
    await turn.look();
    turn.end();
    await bash(root, "rm its agreed");
    end();
    await ended;
    // told after it in the same order
    await kept.turns("s");
    Deno.removeSync(join(root, "mine"));
    const next = kept.begin("main", mark(2));
    const losses = await next.losses();
    assert.deepEqual(losses, [{ path: "its", how: "deleted", kept: true }]);
    assert.deepEqual((await next.bringBack(["its"])).paths, ["its"]);
    assert.equal(Deno.readTextFileSync(join(root, "its")), "its");
    assert.deepEqual(await next.losses(), []);
    next.end();
    await kept.close();
  });
});

slow("a folder that outgrows its narnat's thread amid a turn is kept on by another", async () => {
  await withWorkspace({ mine: "mine", its: "its", a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    await turn.before(signal, quiet);
    const agent = kept.begin("sub:1", mark(1));
    await agent.before(signal, quiet);
    Deno.writeTextFileSync(join(root, "a"), "new");
    agent.changed(["a"]);
    const job = { command: "a job", cwd: root, agreed: [join(root, "its")] };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    turn.background(job, ended);
    await bash(root, "rm mine its; mkdir many; cd many; seq 1200 | split -l 1 -a 4");
    const command = { command: "make", cwd: root, agreed: [] };
    const losses = await turn.losses(command, 1);
    end();
    assert.deepEqual(losses, [{ path: "mine", how: "deleted", kept: true }]);
    assert.deepEqual((await turn.bringBack(["mine"])).paths, ["mine"]);
    agent.end();
    assert.equal((await turn.look()).length, 1201);
    turn.end();
    const other = checkpoints(root);
    const again = other.begin("main", mark(1));
    await again.before(signal, quiet);
    again.end();
    await other.close();
    const preview = await kept.preview({ what: "undo", session: "s" });
    assert.equal(preview.rows.length, 1203);
    const { failed } = await kept.restore(preview.id, []);
    assert.deepEqual(failed, []);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), [
      ".narnat",
      "a",
      "its",
      "mine",
    ]);
    assert.equal(Deno.readTextFileSync(join(root, "a")), "a");
    await kept.close();
  });
});

Deno.test("of what a turn has changed its files and links are told, no folders", async () => {
  await withWorkspace({ "old/a": "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    await turn.before(signal, quiet);
    await bash(root, "rm -r old; mkdir empty new; touch new/b; ln -s new link; mkdir -m 700 bare");
    assert.deepEqual([...await turn.look()].sort(), ["link", "new/b", "old/a"]);
    turn.end();
    await kept.close();
  });
});

Deno.test("a turn that only reads starts nothing and keeps nothing", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.deepEqual(await turn.look(), []);
    turn.end();
    assert.deepEqual(await kept.turns("s"), []);
    await assert.rejects(kept.preview({ what: "undo" }), /Nothing to undo/);
    await kept.close();
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["a"]);
  });
});

Deno.test("where nothing can be kept the work goes on, and why is told once", async () => {
  await withWorkspace({ ".narnat": "a file", a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const told: string[] = [];
    for (const n of [1, 2]) {
      const turn = kept.begin("main", mark(n));
      await turn.before(signal, { progress() {}, warn: (text) => told.push(text) });
      assert.deepEqual(await turn.look(), []);
      turn.end();
    }
    assert.equal(told.length, 1);
    assert.match(told[0]!, /cannot be taken back with \/undo: .*\.narnat/);
    await assert.rejects(kept.preview({ what: "undo" }), /Nothing to undo/);
    await kept.close();
  });
});

Deno.test("who is stopped does not wait for the first look", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = checkpoints(root);
    const turn = kept.begin("main", mark(1));
    const stop = new AbortController();
    const waiting = turn.before(stop.signal, quiet);
    stop.abort();
    await waiting;
    assert.deepEqual(await turn.look(), []);
    turn.end();
    await kept.close();
  });
});

Deno.test("calls that may change something wait for what is there to be kept, and others do not", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const happened: string[] = [];
    const noted: Checkpoints = {
      ...NO_CHECKPOINTS,
      begin: (lane, { turn, text, prompt }) => {
        happened.push(`begin ${lane} ${turn} ${prompt} ${text}`);
        return {
          ...NO_CHECKPOINTS.begin("main", { session: "s", turn, text }),
          before: () => Promise.resolve(void happened.push("before")),
          look: () => Promise.resolve(happened.push("look")).then(() => []),
          end: () => void happened.push("end"),
        };
      },
    };
    const called = (name: string, more = {}) =>
      tool(name, () => {
        happened.push(name);
        return { ok: true, text: "ok" };
      }, more);
    const model = new ScriptedModel((_request, i) =>
      i === 0
        ? {
          calls: ["Look", "Note", "Peek", "Change", "Change"].map((name) => ({ name, input: {} })),
        }
        : { text: "done" }
    );
    const t = new TestAgent({
      model,
      workspace: root,
      checkpoints: noted,
      tools: [
        called("Look", { needs: ["read"] }),
        called("Note", { readOnly: false }),
        called("Peek", {
          readOnly: false,
          needs: ["run"],
          onlyReads: () => Promise.resolve(true),
        }),
        called("Change", { readOnly: false, needs: ["write"] }),
      ],
    });
    await t.say("first line\nsecond");
    assert.deepEqual(happened, [
      "begin main 1 0 first line",
      "Look",
      "Note",
      "Peek",
      "before",
      "Change",
      "before",
      "Change",
      "look",
      "end",
    ]);
    await t.agent.close();
  });
});
