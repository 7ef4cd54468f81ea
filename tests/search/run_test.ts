import assert from "node:assert/strict";
import { NO_PLACES } from "../../src/search/walk/git_settings.ts";
import { FileLists } from "../../src/search/run.ts";
import { newWalkReport } from "../../src/search/walk/walk.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("a search enters only folders in which its globs can match", async () => {
  const files = { "a": "", "src/b": "", "src/deep/c": "", "src/deep/er/d": "", "lib/e": "" };
  await withWorkspace(files, (root) => {
    const listed = (patterns: readonly string[]) => {
      const query = { root, patterns, hidden: false, limit: 9, deadlineMs: 9000 };
      const lists = new FileLists(NO_PLACES);
      const blocks = [...lists.blocks({ kind: "glob", query }, newWalkReport(), () => false)];
      return blocks.flatMap((block) => block.split("\0")).sort().join(" ");
    };
    const all = "a lib/e src/b src/deep/c src/deep/er/d";
    assert.equal(listed(["./*"]), "a");
    assert.equal(listed(["/a"]), "a");
    assert.equal(listed(["src/*"]), "a src/b");
    assert.equal(listed(["*/*"]), "a lib/e src/b");
    assert.equal(listed(["src/{b,deep/*}"]), "a src/b src/deep/c src/deep/er/d");
    assert.equal(listed(["src/**"]), "a src/b src/deep/c src/deep/er/d");
    assert.equal(listed(["src/"]), "a src/b src/deep/c src/deep/er/d");
    assert.equal(listed(["*"]), all);
    assert.equal(listed(["./*", "lib/*"]), "a lib/e");
    assert.equal(listed(["./*", "!a"]), "a");
    assert.equal(listed(["!a"]), all);
  });
});
