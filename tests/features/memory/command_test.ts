import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { memory } from "../../../src/features/memory/command.ts";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/memory shows the files and where they are, and opens one in the editor", () =>
  withWorkspace({ "memory/MEMORY.md": "- port 8430\n", "memory/USER.md": " \n" }, async (root) => {
    const { desk, asked } = testDesk();
    const dir = join(root, "memory");
    const here = { ...desk, memory: { ...NO_MEMORY, dir } };
    const shown = await memory.run("", here);
    assert.match(shown, /USER\.md\n\(none yet\)[^]*MEMORY\.md\n- port 8430/);
    assert.ok(shown.includes(dir));
    for (const args of ["edit", "edit user", "edit SOUL.md"]) {
      assert.equal(await memory.run(args, here), "");
    }
    assert.deepEqual(
      asked,
      ["MEMORY", "USER", "SOUL"].map((name) => `edit ${join(dir, `${name}.md`)}`),
    );
    assert.throws(() => memory.run("edit ../x", here), /no memory file \.\.\/x/);
    assert.throws(() => memory.run("show", here), /show/);
    assert.equal((await memory.complete!(here))[0]?.value, "edit MEMORY.md");
  }));

Deno.test("/memory says so where nothing is kept", () => {
  assert.throws(() => memory.run("", testDesk([], chinese).desk), /没有记忆/);
});
