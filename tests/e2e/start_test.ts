/** The start on a real terminal: what is typed meanwhile, what was there before. */
import assert from "node:assert/strict";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";

const available = await Tmux.available();
if (!available) console.error("SKIPPED: tmux is missing, no start is tested on a terminal");

slow({
  name: "keys typed while narnat starts are in the prompt, and nothing is drawn twice",
  ignore: !available,
  fn: () =>
    onStage({}, async ({ tmux, start }) => {
      await tmux.type("echo earlier\n");
      await start();
      await tmux.type("先打的 words");
      const all = await tmux.shows(/❯ 先打的 words $/);
      assert.match(all, /^earlier$/m);
      for (const once of ["narnat 0.1.0", "/help", "❯"]) {
        assert.equal(all.split(once).length, 2, `${once}:\n${all}`);
      }
      await tmux.key("C-c", "C-c", "C-c");
      await tmux.shows("RC=0");
    }),
});

slow({
  name: "the prompt stands and takes keys before anything is asked of the network",
  ignore: !available,
  async fn() {
    const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const callers: Deno.Conn[] = [];
    const listening = (async () => {
      for await (const caller of silent) callers.push(caller);
    })();
    const { port } = silent.addr as Deno.NetAddr;
    try {
      const env = { NARNAT_BASE_URL: `http://127.0.0.1:${port}/v1` };
      await onStage({ env }, async ({ tmux, start }) => {
        await start();
        await tmux.shows(/❯ $/);
        await tmux.type("第一行");
        await tmux.shows("❯ 第一行");
        assert.equal(callers.length, 0);
        await tmux.key("Enter");
        while (callers.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      });
    } finally {
      silent.close();
      for (const caller of callers) caller.close();
      await listening;
    }
  },
});

slow({
  name: "Ctrl-D typed ahead leaves at once, and no answer of the terminal reaches the shell",
  ignore: !available,
  fn: () =>
    onStage({}, async ({ tmux, start }) => {
      for (let n = 0; n < 3; n++) {
        await tmux.type("clear\n");
        await start();
        await tmux.shows("❯");
        await tmux.key("C-d");
        await tmux.shows(/RC=0\nSH> $/);
        await tmux.type("echo do''ne\n");
        const all = await tmux.shows(/^done$/m);
        assert.ok(!/\dc/.test(all.slice(all.indexOf("RC=0"))), all);
      }
    }),
});
