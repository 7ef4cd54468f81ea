import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { sha256 } from "../../../src/base/hash.ts";
import { bash, keep, snapshot } from "./checkpoints.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

for (
  const place of ["", "checkpoints", "checkpoints/objects", "checkpoints/turns", "checkpoints/runs"]
) {
  Deno.test(`a link that a project has put at .narnat/${place} leads to nothing that is not narnat's`, async () => {
    const files = {
      "in/a": "a",
      "theirs/docs/a.txt": "mine",
      "theirs/ab/note": "mine",
      "theirs/runs/one/x": "mine",
      "theirs/checkpoints/runs/one/x": "mine",
    };
    await withWorkspace(files, async (all) => {
      const root = join(all, "in");
      const at = join(root, ".narnat", place);
      Deno.mkdirSync(dirname(at), { recursive: true });
      Deno.symlinkSync(join(all, "theirs"), at.replace(/\/$/, ""));
      const theirs = snapshot(join(all, "theirs"));
      await assert.rejects(async () => await keep(root).turn(() => {}), /is no folder/);
      assert.deepEqual(snapshot(join(all, "theirs")), theirs);
    });
  });
}

Deno.test("links that a project has put among what is kept lead to nothing that is not narnat's", async () => {
  const files = { "in/a": "a", "theirs/note": "mine", "theirs/lock": "mine" };
  await withWorkspace(files, async (all) => {
    const [root, dir] = [join(all, "in"), join(all, "in/.narnat/checkpoints")];
    for (const name of ["objects", "runs", "turns"]) {
      Deno.mkdirSync(join(dir, name), { recursive: true });
    }
    const hash = sha256("a");
    for (const at of [`objects/${hash.slice(0, 2)}`, "objects/docs", "runs/one"]) {
      Deno.symlinkSync(join(all, "theirs"), join(dir, at));
    }
    for (const at of ["turns/zzz.json", "tidied"]) Deno.symlinkSync("/dev/zero", join(dir, at));
    Deno.mkdirSync(join(dir, "objects/ab"));
    Deno.writeTextFileSync(join(dir, "objects/ab/note"), "mine");
    const theirs = snapshot(join(all, "theirs"));
    const kept = keep(root);
    assert.deepEqual(await kept.turn(() => Deno.writeTextFileSync(join(root, "a"), "b")), []);
    assert.deepEqual(snapshot(join(all, "theirs")), theirs);
    assert.equal(Deno.readTextFileSync(join(dir, "objects/ab/note")), "mine");
    kept.close();
  });
});

Deno.test("a link in a kept content's place is no content", async () => {
  await withWorkspace({ "in/a": "a", "theirs": "a" }, async (all) => {
    const root = join(all, "in");
    const kept = keep(root);
    await kept.turn(() => Deno.writeTextFileSync(join(root, "a"), "b"));
    const hash = sha256("a");
    const at = join(root, ".narnat/checkpoints/objects", hash.slice(0, 2), hash.slice(2));
    Deno.removeSync(at);
    Deno.symlinkSync(join(all, "theirs"), at);
    kept.close();
    // what this narnat has read it still holds
    const later = keep(root);
    assert.deepEqual(later.take({ what: "undo" }).failed, [{ path: "a", why: "gone" }]);
    later.close();
  });
});

Deno.test("a tree that names what is outside of the workspace counts for nothing", async () => {
  await withWorkspace({ "in/a": "a", "secret": "mine" }, async (all) => {
    const root = join(all, "in");
    const kept = keep(root);
    await kept.turn(() => {});
    kept.close();
    const runs = join(root, ".narnat/checkpoints/runs");
    const [{ name }] = [...Deno.readDirSync(runs)] as [Deno.DirEntry];
    const tree = join(runs, name, "tree");
    const text = Deno.readTextFileSync(tree);
    Deno.writeTextFileSync(tree, text.replace("\0a\0", "\0../secret\0"));
    const later = keep(root);
    assert.deepEqual(await later.turn(() => bash(root, "echo x > a")), ["a"]);
    assert.equal(later.objects.has(sha256("mine")), false);
    later.close();
  });
});
