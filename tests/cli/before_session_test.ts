import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";

slow("-r without a session lists them where nobody can choose, and ends with 2", async () => {
  await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
    const run = (...args: string[]) =>
      runNarnat(BUNDLED, ["--model", "demo", ...args], { cwd: join(dir, "w"), stdin: "" });
    const empty = await run("-r");
    assert.deepEqual([empty.code, empty.stdout], [2, ""]);
    assert.match(empty.stderr, /narnat -r takes its number[^]*No stored sessions yet\n$/);
    for (const line of ["the first question", "the second question"]) {
      assert.equal((await run("-p", line)).code, 0);
    }
    for (const args of [["-r"], ["--resume"], ["-p", "go on", "-r"], ["-r", "-p", "go on"]]) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(
        stderr,
        /^narnat: Resume which session\? .*\n +1 {2}\d{8}-\S+ {2}\d{4}-.*the second question\n +2 {2}.*the first question\n$/,
      );
    }
    const listed = await run("-p", "-r", "2", "and now?");
    assert.equal(listed.code, 0, listed.stderr);
  });
});

slow({
  name: "-r without a session has one chosen on the terminal; ESC leaves",
  ignore: !await Tmux.available(),
  async fn() {
    const script = () => ({ text: "all right" });
    await onStage({ script, env: { LANG: "en", LC_ALL: "" } }, async ({ tmux, start, say }) => {
      await start("-r");
      await tmux.shows(/no session to [^]*❯ $/);
      await say("mend the cart", /all right[^]*❯ $/);
      await tmux.key("C-d");
      await tmux.shows("RC=0");
      await tmux.type("clear\n");
      await start("-r");
      await tmux.shows(/Resume which session\?[^]*→ +1 .*mend the cart\n +Start a new session/);
      await tmux.key("Escape");
      await tmux.shows("RC=0");
      await tmux.type("clear\n");
      await start("-r");
      await tmux.shows("Start a new session");
      await tmux.key("Enter");
      await tmux.shows(/turn 1[^]*mend the cart[^]*all right[^]*❯ $/);
      await tmux.key("C-d");
      await tmux.shows("RC=0");
      await tmux.type("clear\n");
      await start("-r");
      await tmux.shows("Start a new session");
      await tmux.type("zzz\n");
      const fresh = await tmux.shows(/❯ $/);
      assert.doesNotMatch(fresh, /all right/);
    });
  },
});
