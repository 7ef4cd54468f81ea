import assert from "node:assert/strict";
import { join } from "node:path";
import { bash, keep, snapshot } from "../checkpoints.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";
import { runs, slow } from "../../../support/soak.ts";

const read = (root: string, path: string) => Deno.readTextFileSync(join(root, path));

Deno.test("what others have changed since stays, or is brought back by redo when it was overwritten", async () => {
  await withWorkspace({ a: "a", b: "b", c: "c" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a; echo 1 > b; echo 1 > c"));
    await bash(root, "echo other > a; rm b");
    const preview = kept.preview({ what: "undo" });
    assert.deepEqual(preview.rows.map(({ path }) => path), ["c"]);
    assert.deepEqual(preview.conflicts.map(({ path, does }) => [path, does]), [
      ["a", "change"],
      ["b", "create"],
    ]);
    kept.restore(preview.id, []);
    assert.deepEqual([read(root, "a"), read(root, "c")], ["other\n", "c"]);
    kept.take({ what: "redo" });
    assert.deepEqual([read(root, "a"), read(root, "c")], ["other\n", "1\n"]);
    kept.take({ what: "undo" }, ["a", "b"]);
    assert.deepEqual(["a", "b", "c"].map((path) => read(root, path)), ["a", "b", "c"]);
    kept.take({ what: "redo" });
    assert.deepEqual([read(root, "a"), read(root, "c")], ["other\n", "1\n"]);
    assert.throws(() => Deno.lstatSync(join(root, "b")), Deno.errors.NotFound);
    kept.close();
  });
});

Deno.test("a turn of which nothing could be taken back is not spent; the conflicts that stay are named", async () => {
  await withWorkspace({ a: "a", b: "b" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a; echo 1 > b"));
    await bash(root, "echo other > a; echo other > b");
    const none = kept.take({ what: "undo" });
    assert.deepEqual([none.paths, none.kept], [[], ["a", "b"]]);
    assert.throws(() => kept.preview({ what: "redo" }), { why: "redo" });
    const part = kept.take({ what: "undo" }, ["a"]);
    assert.deepEqual([part.paths, part.kept], [["a"], ["b"]]);
    assert.throws(() => kept.preview({ what: "undo" }), { why: "undo" });
    kept.take({ what: "redo" });
    assert.deepEqual(kept.take({ what: "undo" }, ["a", "b"]).kept, []);
    assert.deepEqual([read(root, "a"), read(root, "b")], ["a", "b"]);
    kept.close();
  });
});

Deno.test("a turn whose changes somebody has taken back is spent by its undo", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a"));
    Deno.writeTextFileSync(join(root, "a"), "a");
    assert.deepEqual(kept.take({ what: "undo" }).paths, []);
    assert.throws(() => kept.preview({ what: "undo" }), { why: "undo" });
    kept.close();
  });
});

Deno.test("a redo that was cut off is finished as one", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a"));
    kept.take({ what: "undo" });
    kept.take({ what: "redo" });
    kept.records.write({ ...kept.records.list().at(-1)!, pending: true });
    Deno.writeTextFileSync(join(root, "a"), "a");
    const { preview, paths } = kept.take({ what: "undo" });
    assert.deepEqual([preview.what, preview.rest, paths], ["redo", true, ["a"]]);
    assert.equal(read(root, "a"), "1\n");
    kept.close();
  });
});

Deno.test("of many paths of a turn the first are told, and how many there are besides", async () => {
  await withWorkspace({}, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "touch {1..250}"));
    const [turn] = kept.turns();
    assert.deepEqual([turn!.paths.length, turn!.more], [200, 50]);
    kept.close();
  });
});

Deno.test("what is too large to be kept first is never overwritten", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root, { fileBytes: 1000 });
    await kept.turn(() => bash(root, "echo 1 > a"));
    Deno.writeTextFileSync(join(root, "a"), "x".repeat(2000));
    const { preview, failed } = kept.take({ what: "undo" }, ["a"]);
    assert.deepEqual([preview.fixed, failed], [["a"], []]);
    assert.equal(read(root, "a").length, 2000);
    kept.close();
  });
});

Deno.test("what changes between the preview and the Yes is left alone", async () => {
  await withWorkspace({ a: "a", b: "b" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a; echo 1 > b"));
    const { id } = kept.preview({ what: "undo" });
    Deno.writeTextFileSync(join(root, "a"), "now");
    const { failed, paths } = kept.restore(id, []);
    assert.deepEqual([failed, paths], [[{ path: "a", why: "changed" }], ["b"]]);
    assert.equal(read(root, "a"), "now");
    assert.throws(() => kept.restore(id, []), { why: "stale" });
    kept.close();
  });
});

Deno.test("what comes between the preview and the Yes, or a link that leads elsewhere by then, is left alone", async () => {
  await withWorkspace({ a: "a", b: "b" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "rm a && ln -s b link"));
    const { id } = kept.preview({ what: "undo" });
    await bash(root, "echo now > a && ln -sfn elsewhere link");
    const { failed, paths } = kept.restore(id, []);
    assert.deepEqual(failed.map(({ path, why }) => [path, why]).sort(), [
      ["a", "changed"],
      ["link", "changed"],
    ]);
    assert.deepEqual([paths, read(root, "a")], [[], "now\n"]);
    assert.equal(Deno.readLinkSync(join(root, "link")), "elsewhere");
    kept.close();
  });
});

Deno.test("nothing is taken back while a turn may change something, though the preview came before it", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a"));
    const { id } = kept.preview({ what: "undo" });
    kept.begin("main 2", { session: "s", turn: 2, text: "" }, false);
    kept.start("main 2");
    assert.throws(() => kept.restore(id, []), { why: "busy" });
    assert.throws(() => kept.preview({ what: "undo" }), { why: "busy" });
    kept.end("main 2");
    assert.equal(read(root, "a"), "1\n");
    kept.close();
  });
});

slow(
  "while another narnat takes something back nothing is, and its undo is not taken for cut off",
  async () => {
    await withWorkspace({ a: "a" }, async (root) => {
      const kept = keep(root);
      await kept.turn(() => bash(root, "echo 1 > a"));
      const place = join(root, ".narnat/checkpoints/restoring");
      const other = await Deno.open(place, { write: true, create: true });
      await other.lock(true);
      const { id } = kept.preview({ what: "undo" });
      assert.throws(() => kept.restore(id, []), { why: "locked" });
      const [turn] = kept.records.list();
      kept.records.write({ ...turn!, id: "z", kind: "undo", of: [turn!.id], pending: true });
      assert.throws(() => kept.preview({ what: "undo" }), { why: "locked" });
      assert.equal(read(root, "a"), "1\n");
      other.close();
      assert.equal(kept.preview({ what: "undo" }).rest, true);
      kept.close();
    });
  },
);

Deno.test("a folder that holds others' files stays with them", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "mkdir new && echo x > new/x"));
    Deno.writeTextFileSync(join(root, "new/mine"), "mine");
    const { failed } = kept.take({ what: "undo" });
    assert.deepEqual(failed, [{ path: "new", why: "not_empty" }]);
    assert.deepEqual(Object.keys(snapshot(root)).sort(), ["a", "new", "new/mine"]);
    kept.close();
  });
});

Deno.test("nothing is written through a link that somebody has put on the way", async () => {
  await withWorkspace({ "in/d/a": "a", "out/a": "theirs" }, async (all) => {
    const root = join(all, "in");
    const kept = keep(root);
    await kept.turn(() => bash(root, "rm d/a"));
    await bash(root, "rmdir d && ln -s ../out d");
    const { failed } = kept.take({ what: "undo" }, ["d/a"]);
    assert.deepEqual(failed, [{ path: "d/a", why: "blocked" }]);
    assert.equal(read(all, "out/a"), "theirs");
    kept.close();
  });
});

Deno.test("a content that is spoilt or gone is not put in a file's place", async () => {
  await withWorkspace({ a: "aa", b: "bb" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a; echo 1 > b"));
    for (const { hash, size } of kept.objects.list()) {
      if (size !== 2 || kept.objects.get(hash)[0] !== 97) continue;
      const at = join(root, ".narnat/checkpoints/objects", hash.slice(0, 2), hash.slice(2));
      Deno.writeTextFileSync(at, "xx");
    }
    const { failed, paths } = kept.take({ what: "undo" });
    assert.deepEqual([failed, paths], [[{ path: "a", why: "gone" }], ["b"]]);
    assert.equal(read(root, "a"), "1\n");
    kept.close();
  });
});

Deno.test("a content that was cut short is kept anew", async () => {
  await withWorkspace({ a: "aa" }, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    const { hash } = [...kept.objects.list()][0]!;
    const at = join(root, ".narnat/checkpoints/objects", hash.slice(0, 2), hash.slice(2));
    Deno.truncateSync(at);
    await kept.turn(() => bash(root, "cp a b"));
    assert.equal(new TextDecoder().decode(kept.objects.get(hash)), "aa");
    kept.close();
  });
});

Deno.test("a record that leads out of the workspace, or into git's or narnat's own, counts for nothing", async () => {
  await withWorkspace({ "in/a": "a", "out": "mine" }, async (all) => {
    const root = join(all, "in");
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a"));
    const [record] = kept.records.list();
    const [change] = record!.changes;
    const file = join(root, ".narnat/checkpoints/turns/zzzzzzzzz-00000.json");
    for (
      const path of [
        "../out",
        "/etc/x",
        "a/../../out",
        ".git/hooks/x",
        "",
        "x/.narnat/checkpoints/y",
      ]
    ) {
      const changes = [{ ...change, path, after: null }];
      Deno.writeTextFileSync(file, JSON.stringify({ ...record, id: "zzzzzzzzz-00000", changes }));
      assert.equal(kept.records.list().length, 1, path);
    }
    const odd = [
      { turn: "\u001b[2J" },
      { uncovered: [{ path: "x", why: "?" }] },
      { uncovered: [null] },
      { of: "x" },
      { trashed: "x" },
      { id: "../../mine" },
    ];
    for (const more of odd) {
      const text = JSON.stringify({ ...record, id: "zzzzzzzzz-00000", ...more });
      Deno.writeTextFileSync(file, text);
      assert.equal(kept.records.list().length, 1, text);
    }
    kept.close();
  });
});

Deno.test("what was changed since an undo was cut off stays when it is finished, unless it is asked for", async () => {
  for (const overwrite of [[], ["b"]]) {
    await withWorkspace({ a: "a", b: "b", c: "c" }, async (root) => {
      const kept = keep(root);
      await kept.turn(() => bash(root, "echo 1 > a; echo 1 > b; echo 1 > c"));
      kept.take({ what: "undo" });
      kept.records.write({ ...kept.records.list().at(-1)!, pending: true });
      await bash(root, "echo 1 > a; echo mine > b");
      const preview = kept.preview({ what: "undo" });
      assert.equal(preview.rest, true);
      assert.deepEqual(preview.rows.map(({ path }) => path), ["a"]);
      assert.deepEqual(preview.conflicts.map(({ path }) => path), ["b"]);
      kept.restore(preview.id, overwrite);
      const b = overwrite.length > 0 ? "b" : "mine\n";
      assert.deepEqual(["a", "b", "c"].map((path) => read(root, path)), ["a", b, "c"]);
      kept.take({ what: "redo" });
      const all = ["a", "b", "c"].map((path) => read(root, path));
      assert.deepEqual(all, ["1\n", "mine\n", "1\n"]);
      kept.close();
    });
  }
});

slow("killed at any moment of an undo, it is finished by the next one", async () => {
  const count = 120;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`d${i % 7}/f${i}`, `content ${i}\n`]),
  );
  const script = join(import.meta.dirname!, "restore_killed.ts");
  let cut = 0;
  for (let round = 0; round < runs(12); round++) {
    await withWorkspace(files, async (root) => {
      const before = snapshot(root);
      const kept = keep(root);
      await kept.turn(() =>
        bash(root, "for f in d*/f*; do echo new > $f; done; rm -r d3; mkdir e")
      );
      const after = snapshot(root);
      kept.close();
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", script, root],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, (round % 12) * 2));
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const next = keep(root);
      const middle = snapshot(root);
      for (const [path, what] of Object.entries(middle)) {
        if (path.endsWith(".tmp")) continue;
        assert.ok([before[path], after[path]].includes(what) || what.startsWith("folder"), path);
      }
      const pending = next.records.list().some((record) => record.pending);
      if (pending) cut++;
      if (pending) {
        const mark = { session: "s", turn: 9, text: "" };
        assert.equal(next.begin("main 9", mark, false), true, "it is told");
        next.end("main 9");
        const { preview } = next.take({ what: "undo" });
        assert.equal(preview.rest, true);
      } else if (next.turns()[0]!.undone === false) next.take({ what: "undo" });
      assert.deepEqual(snapshot(root), before);
      next.take({ what: "redo" });
      assert.deepEqual(snapshot(root), after);
      next.close();
    });
  }
  assert.ok(cut > 0, "some kill came amid the undo");
});
