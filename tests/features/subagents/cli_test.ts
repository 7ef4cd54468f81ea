import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../../support/bundled.ts";
import { runNarnat } from "../../support/narnat.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

Deno.test("narnat agents lists the kinds of agents and shows one, and tells what is wrong with a file", async () => {
  await withWorkspace({
    "w/.narnat/agents/critic.md":
      "---\ndescription: Finds faults\ntools: Read, Grep\n---\nBe strict.\n",
    "w/.claude/agents/open.md": "---\nname: open\n",
    "home/.narnat/agents/helper.md": "---\nmodel: small\n---\nHelp.\n",
  }, async (root) => {
    const run = (...args: string[]) =>
      runNarnat(BUNDLED, ["agents", ...args], { cwd: join(root, "w"), stdin: "" });
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^name +tools +model +description\ncritic +Read, Grep +the session's +Finds faults\n/,
    );
    assert.match(stdout, /\nhelper +all +small +Help\.\n$/);
    assert.match(stderr, /^narnat: .*open\.md/);
    assert.equal((await run("show", "Critic")).stdout, "Be strict.\n");
    for (const words of [["show", "critik"], ["show"], ["stop"]]) {
      const wrong = await run(...words);
      assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    }
    assert.match((await run("show", "critik")).stderr, /critic/);
  });
  await withWorkspace({ "w/.keep": "" }, async (root) => {
    const none = await runNarnat(BUNDLED, ["agents"], { cwd: join(root, "w"), stdin: "" });
    assert.match(none.stdout, /no kinds of agents/);
  });
});
