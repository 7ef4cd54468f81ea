import assert from "node:assert/strict";
import { join } from "node:path";
import { scratchCopy } from "../../../src/features/replay/workspace_copy.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

Deno.test("a scratch copy has files with mode and time, links and empty folders, and none of narnat's own data", async () => {
  const files = {
    "src/a.ts": "a",
    "run.sh": "echo",
    ".git/HEAD": "ref",
    ".narnat/narnat.json": "{}",
    ".narnat/rules/x.md": "rule",
    ".narnat/sessions/s.jsonl": "secret",
    ".narnat/logs/l.log": "log",
    ".narnat/outputs/o.txt": "output",
    ".narnat/checkpoints/c": "checkpoint",
    ".narnat/trash/t": "trash",
    ".narnat/memory/USER.md": "memory",
    "sessions/mine.txt": "mine",
  };
  await withWorkspace(files, async (root) => {
    Deno.chmodSync(join(root, "run.sh"), 0o755);
    Deno.symlinkSync("src/a.ts", join(root, "link"));
    Deno.symlinkSync("nowhere", join(root, "broken"));
    Deno.symlinkSync(join(root, "src"), join(root, "whole"));
    Deno.symlinkSync(`${root}/../else`, join(root, "out"));
    Deno.mkdirSync(join(root, "empty"));
    const before = new Date("2020-01-02T03:04:05Z");
    Deno.utimeSync(join(root, "src/a.ts"), before, before);
    const { path, remove } = await scratchCopy(root);
    try {
      const there = (name: string) => Deno.lstatSync(join(path, name));
      assert.equal(Deno.readTextFileSync(join(path, "src/a.ts")), "a");
      assert.equal(there("src/a.ts").mtime?.getTime(), before.getTime());
      assert.equal(there("run.sh").mode! & 0o777, 0o755);
      assert.equal(Deno.readLinkSync(join(path, "link")), "src/a.ts");
      assert.equal(Deno.readLinkSync(join(path, "broken")), "nowhere");
      assert.equal(Deno.readLinkSync(join(path, "whole")), join(path, "src"));
      assert.equal(Deno.readLinkSync(join(path, "out")), `${root}/../else`);
      for (const name of ["empty", ".git/HEAD", ".narnat/rules/x.md", "sessions/mine.txt"]) {
        there(name);
      }
      const own = [...Deno.readDirSync(join(path, ".narnat"))].map(({ name }) => name).sort();
      assert.deepEqual(own, ["narnat.json", "rules"]);
      Deno.writeTextFileSync(join(path, "src/a.ts"), "changed");
      assert.equal(Deno.readTextFileSync(join(root, "src/a.ts")), "a");
    } finally {
      remove();
    }
    assert.throws(() => Deno.statSync(join(path, "..")), Deno.errors.NotFound);
  });
});
