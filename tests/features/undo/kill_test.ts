import assert from "node:assert/strict";
import { join } from "node:path";
import { bash, keep, snapshot } from "./checkpoints.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs, slow } from "../../support/soak.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b.sh": "#!/bin/sh\n",
  "src/c.txt": "c\n",
  "src/deep/d.txt": "d\n",
  "文件 名.txt": "中文\n",
};
const KILLS = runs(12);
/** A start of the child takes some 100 ms, a turn some 20. */
const LIFE_MS = 300;

slow("killed at any moment, all its turns can be undone to what was there at first", async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, `old ${i}`]));
  const script = join(import.meta.dirname!, "turn_killed.ts");
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await withWorkspace(files, async (root) => {
      const before = snapshot(root);
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", script, root],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      // every second one is killed in its turns, however long its start takes here
      const awaited = kill % 2 === 0 ? "begins" : "at work";
      for (let said = ""; !said.includes(awaited);) {
        const { value, done } = await reader.read();
        assert.ok(!done, "it ended by itself");
        said += value;
      }
      await new Promise((resolve) => setTimeout(resolve, LIFE_MS * kill / KILLS));
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const kept = keep(root);
      const turns = kept.turns();
      if (turns[0]?.interrupted) interrupted++;
      if (turns.length > 0) {
        const { failed, preview } = kept.take({ what: "undo", count: turns.length });
        assert.deepEqual([failed, preview.conflicts], [[], []]);
      }
      assert.deepEqual(snapshot(root), before);
      await kept.turn(() => Deno.writeTextFileSync(join(root, "f1"), "goes on"));
      assert.equal(kept.turns().filter(({ undone }) => !undone).length, 1);
      kept.close();
    });
  }
  assert.ok(interrupted > 0, "some kill came amid a turn");
});

Deno.test("killed while an agent of an earlier turn worked on, that turn keeps what it had changed", async () => {
  await withWorkspace(FILES, async (root) => {
    const before = snapshot(root);
    const killed = keep(root);
    const mark = (turn: number) => ({ session: "s", turn, text: `turn ${turn}` });
    killed.begin("main 1", mark(1), false);
    killed.start("main 1");
    killed.begin("sub:x 2", mark(1), true);
    killed.start("sub:x 2");
    await bash(root, "echo main > a.txt && echo main > src/c.txt");
    killed.look("main 1");
    killed.end("main 1");
    killed.begin("main 3", mark(2), false);
    await bash(root, "echo agent > b.sh && echo c > src/c.txt");
    killed.close();
    const kept = keep(root);
    assert.deepEqual(kept.turns().map(({ turn, paths }) => [turn, paths]), [
      [1, ["a.txt", "b.sh"]],
    ]);
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("a turn under way in another narnat is not taken for one that was killed", async () => {
  await withWorkspace(FILES, async (root) => {
    const one = keep(root);
    one.begin("main 1", { session: "s1", turn: 1, text: "go" }, false);
    one.start("main 1");
    await bash(root, "echo x > a.txt");
    const two = keep(root);
    assert.deepEqual(two.turns(), []);
    one.look("main 1");
    one.end("main 1");
    assert.deepEqual(two.turns().map(({ interrupted }) => interrupted), [false]);
    one.close();
    two.close();
  });
});

Deno.test("a turn in which narnat ended is closed by the next one that looks", async () => {
  await withWorkspace(FILES, async (root) => {
    const before = snapshot(root);
    const killed = keep(root);
    killed.begin("main 1", { session: "s", turn: 1, text: "go" }, false);
    killed.start("main 1");
    await bash(
      root,
      "echo x > a.txt && rm -r src && mkdir node_modules && echo y > node_modules/y",
    );
    // as the system does for who is killed
    killed.close();
    const kept = keep(root);
    const [turn] = kept.turns();
    assert.deepEqual([turn!.interrupted, turn!.text], [true, "go"]);
    kept.close();
    Deno.writeTextFileSync(join(root, "mine"), "mine");
    const later = keep(root);
    assert.deepEqual(later.turns(), [turn], "it is closed once");
    Deno.removeSync(join(root, "mine"));
    later.take({ what: "undo" });
    await bash(root, "rm -r node_modules");
    assert.deepEqual(snapshot(root), before);
    later.close();
  });
});

Deno.test("of a turn in which narnat was killed it is told too what is not covered, and what of it is gone", async () => {
  const files = { ...FILES, ".gitignore": "out/\n", "out/o": "o", "node_modules/y": "y" };
  await withWorkspace(files, async (root) => {
    const killed = keep(root);
    killed.begin("main 1", { session: "s", turn: 1, text: "go" }, false);
    killed.start("main 1");
    await bash(root, "echo x > a.txt && rm -r node_modules");
    killed.close();
    const kept = keep(root);
    assert.deepEqual(kept.preview({ what: "undo" }).uncovered, [
      { path: "node_modules", why: "rule", touched: true },
      { path: "out", why: "ignored" },
    ]);
    kept.close();
  });
});
