import assert from "node:assert/strict";
import { join } from "node:path";
import { suggestPaths } from "../../src/tools/files.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("a missing path brings up the ones that were meant", async () => {
  const files = { "src/utils/helper.ts": "", "README.md": "", "src/main.ts": "" };
  await withWorkspace(files, async (root) => {
    const suggest = (path: string) => suggestPaths(join(root, path), root);
    assert.deepEqual(await suggest("readme.md"), ["README.md"]);
    assert.deepEqual(await suggest("src/mian.ts"), ["src/main.ts"]);
    assert.deepEqual(await suggest("project/src/main.ts"), ["src/main.ts"]);
    assert.deepEqual(await suggest("lib/helper.ts"), ["src/utils/helper.ts"]);
    assert.deepEqual(await suggest("nothing/like/it.xyz"), []);
  });
});
