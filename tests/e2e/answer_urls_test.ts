/** Addresses in what the model says: they are shown, and nobody goes there. */
import assert from "node:assert/strict";
import { SOURCE } from "../support/narnat.ts";
import { stage } from "../support/stage.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { withSite } from "../web/local_site.ts";
import { slow } from "../support/soak.ts";

/** An answer that has every form of address which somebody's renderer fetches. */
const answer = (base: string) =>
  [
    `![x](${base}/image?d=secret)`,
    `<img src="${base}/img"> <link rel="prefetch" href="${base}/link">`,
    `[a link](${base}/a) <${base}/auto> ${base}/bare`,
    `![ref][r]\n\n[r]: ${base}/ref`,
    "| a |\n|---|\n| ![t](" + base + "/table) |",
    "end of it",
  ].join("\n\n");

slow(
  "addresses in an answer are fetched by nobody, under -p",
  () =>
    withSite(
      () => new Response("x"),
      ({ base, hits }) =>
        stage(() => ({ text: answer(base) }), async ({ narnat }) => {
          const ran = await narnat(["-p", "go"], { program: SOURCE });
          assert.match(ran.stdout, /end of it/);
          assert.deepEqual(hits, []);
        }),
    ),
);

slow({
  name: "addresses in an answer are fetched by nobody, on the screen",
  ignore: !await Tmux.available(),
  fn: () =>
    withSite(
      () => new Response("x"),
      (site) =>
        onStage({ script: () => ({ text: answer(site.base) }) }, async ({ tmux, start, say }) => {
          await start();
          await tmux.shows("fake");
          await say("go", "end of it");
          await tmux.key("C-d");
          await tmux.shows("RC=0");
          assert.deepEqual(site.hits, []);
        }),
    ),
});
