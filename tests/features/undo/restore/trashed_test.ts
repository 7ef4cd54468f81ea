import assert from "node:assert/strict";
import { join } from "node:path";
import { isInTrash } from "../../../../src/features/undo/restore/trashed.ts";
import { keepInTrash } from "../../../../src/features/trash/bash.ts";
import { bash, keep, type Kept, snapshot } from "../checkpoints.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";

const FILES = {
  ".gitignore": "tmp/\n",
  "node_modules/x/index.js": "x",
  "build/a": "a",
  "build/tmp/b": "b",
  "c": "c",
};

/** Deletes as Bash does: what the command names is put in the trash first. */
async function deleted(
  root: string,
  kept: Kept,
  paths: string[],
  first = ":",
  more = "",
  session = "s",
): Promise<string[]> {
  return await kept.turn(async () => {
    await bash(root, first);
    const mark = { session, turn: 1, command: `rm -r ${paths.join(" ")}` };
    const absolute = paths.map((path) => join(root, path));
    const signal = new AbortController().signal;
    const trash = await keepInTrash(join(root, ".narnat/trash"), absolute, mark, signal);
    await bash(root, `${mark.command}${more}`);
    await trash?.settle();
  });
}

Deno.test("what is not covered and was deleted comes back from the trash", async () => {
  await withWorkspace(FILES, async (root) => {
    await bash(root, "git init -q");
    const kept = keep(root);
    await kept.turn(() => {});
    const before = snapshot(root);
    assert.deepEqual(await deleted(root, kept, ["build", "c"]), ["build", "build/a", "c"]);
    const { preview, failed } = kept.take({ what: "undo" });
    assert.deepEqual(preview.rows.map(({ path }) => path), ["build", "build/a", "c", "build/tmp"]);
    assert.deepEqual([failed, preview.uncovered.filter(({ touched }) => touched)], [[], []]);
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("a turn that deleted nothing but what is not covered can be undone too", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo before > c"));
    const before = snapshot(root);
    await deleted(root, kept, ["node_modules"]);
    assert.deepEqual(kept.turns().map(({ paths }) => paths), [["node_modules"], ["c"]]);
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before);
    assert.deepEqual(kept.turns().map(({ undone }) => undone), [true, false]);
    kept.close();
  });
});

Deno.test("what a turn made and deleted itself stays deleted, and what was made anew stays", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    const made = "mkdir made && echo m > made/m";
    const paths = await deleted(root, kept, ["made", "node_modules"], made, " && echo n > c");
    assert.deepEqual(paths, ["c"]);
    await bash(root, "mkdir -p node_modules/x && echo new > node_modules/x/index.js");
    const { failed } = kept.take({ what: "undo" });
    assert.deepEqual(failed, [{ path: "node_modules/x/index.js", why: "changed" }]);
    assert.equal(Deno.readTextFileSync(join(root, "node_modules/x/index.js")), "new\n");
    assert.equal(Deno.readTextFileSync(join(root, "c")), "c");
    kept.close();
  });
});

Deno.test("what an agent has deleted in the turn, in a session of its own, comes back too", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    const before = snapshot(root);
    await deleted(root, kept, ["node_modules", "c"], ":", "", "of the agent");
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("what was deleted before the turn is not brought back by its undo", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    await deleted(root, kept, ["node_modules"]);
    await bash(root, "mkdir node_modules && echo new > node_modules/new");
    await kept.turn(() => bash(root, "echo x > c; find node_modules -delete"));
    kept.take({ what: "undo" });
    assert.equal(Deno.readTextFileSync(join(root, "c")), "c");
    assert.ok(!("node_modules" in snapshot(root)));
    kept.close();
  });
});

Deno.test("a repository that was deleted comes back with its history, also without a commit", async () => {
  await withWorkspace({ "c": "c" }, async (root) => {
    const commit = "cd one && git init -q && echo 1 > f && git add f && git commit -qm first";
    await bash(root, `mkdir one two && git init -q two && (${commit})`);
    const kept = keep(root);
    await kept.turn(() => {});
    await deleted(root, kept, ["one", "two"]);
    const { preview, failed } = kept.take({ what: "undo" });
    assert.ok(preview.rows.some(({ path }) => path === "one/.git"));
    assert.deepEqual(failed, []);
    await bash(root, "cd one && git log --oneline | grep first && git diff --quiet");
    assert.ok(Deno.statSync(join(root, "two/.git/HEAD")).isFile);
    kept.close();
  });
});

Deno.test("a repository that a turn made or deleted by other means is named as not covered", async () => {
  await withWorkspace({ "c": "c" }, async (root) => {
    await bash(root, "git init -q old");
    const kept = keep(root);
    await kept.turn(() => bash(root, "git init -q new"));
    const touched = () =>
      kept.preview({ what: "undo" }).uncovered.filter((one) => one.touched)
        .map(({ path, why }) => [path, why]);
    assert.deepEqual(touched(), [["new/.git", "git"]]);
    const { preview, failed } = kept.take({ what: "undo" });
    assert.deepEqual([preview.rows, failed], [[], []], "the folder is not said to go");
    assert.ok("new" in snapshot(root));
    await kept.turn(() => bash(root, "find old -delete; echo n > c"));
    assert.deepEqual(touched(), [["old/.git", "git"]]);
    kept.close();
  });
});

Deno.test("what the trash could not keep is not promised, and is named when it is not back", async () => {
  const files = { ".gitignore": "tmp/\n", "pk/a": "a", "tmp/b": "b" };
  await withWorkspace(files, async (root) => {
    await bash(root, "mkfifo pk/pipe tmp/pipe");
    const kept = keep(root);
    await kept.turn(() => {});
    await deleted(root, kept, ["pk", "tmp"]);
    const { preview, failed } = kept.take({ what: "undo" });
    assert.deepEqual(preview.rows.map(({ path }) => path), ["pk", "pk/a", "tmp"]);
    assert.deepEqual(preview.uncovered[0], { path: "pk/pipe", why: "special", touched: true });
    assert.deepEqual(failed, [{ path: "tmp/pipe", why: "unkept" }]);
    kept.close();
  });
});

Deno.test("what a redo does not delete again is named, and the next undo finds it in its place", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    const before = snapshot(root);
    await deleted(root, kept, ["node_modules", "c"]);
    kept.take({ what: "undo" });
    const { preview } = kept.take({ what: "redo" });
    assert.deepEqual(preview.rows.map(({ path }) => path), ["c"]);
    assert.ok(preview.uncovered.some(({ path, touched }) => path === "node_modules" && touched));
    const again = kept.take({ what: "undo" });
    assert.deepEqual([again.failed, again.preview.rows.map(({ path }) => path)], [[], ["c"]]);
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("what was thrown out of the trash since is not promised", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    await deleted(root, kept, ["node_modules", "c"]);
    Deno.removeSync(join(root, ".narnat/trash"), { recursive: true });
    const { preview, failed } = kept.take({ what: "undo" });
    assert.deepEqual(preview.rows.map(({ path }) => path), ["c"]);
    assert.deepEqual(preview.uncovered[0], { path: "node_modules", why: "rule", touched: true });
    assert.deepEqual(failed, [{ path: "node_modules", why: "gone" }]);
    kept.close();
  });
});

Deno.test("what a killed turn deleted comes back from the trash too", async () => {
  await withWorkspace(FILES, async (root) => {
    const killed = keep(root);
    await killed.turn(() => {});
    const before = snapshot(root);
    killed.begin("main 9", { session: "s", turn: 9, text: "go" }, false);
    killed.start("main 9");
    const mark = { session: "s", turn: 9, command: "rm -r node_modules" };
    const paths = [join(root, "node_modules")];
    await keepInTrash(join(root, ".narnat/trash"), paths, mark, new AbortController().signal);
    await bash(root, mark.command);
    killed.close();
    const kept = keep(root);
    assert.deepEqual(kept.take({ what: "undo" }).paths, ["node_modules"]);
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("of what lies in the trash nothing is taken for a file of another folder", async () => {
  await withWorkspace({ "dir/f": "x", "xyz/f": "y" }, async (root) => {
    const mark = { session: "s", turn: 1, command: "rm -r dir" };
    const trash = join(root, ".narnat/trash");
    const { signal } = new AbortController();
    const { record: { id } } = (await keepInTrash(trash, [join(root, "dir")], mark, signal))!;
    assert.equal(isInTrash(root, { id, path: "dir/f" }), true);
    assert.equal(isInTrash(root, { id, path: "xyz/f" }), false);
  });
});
