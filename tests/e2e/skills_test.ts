/** Skills and rules in the built program, on a real terminal, over a real provider. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";

const available = await Tmux.available();
if (!available) console.error("SKIPPED: tmux is missing, skills are not tested on a terminal");

/** Front matter that takes the YAML reader. */
const SKILL = `---
name: review
description: >
  Reviews
  a change
metadata:
  nanobot:
    requires: {bins: [sh]}
---
Look at it twice.
`;

const files = { ".narnat/skills/review/SKILL.md": SKILL, ".narnat/rules/a.md": "Answer briefly" };

slow({
  name:
    "a skill is completed, loaded and followed; a changed rule is told, to the model too; a new start shows neither",
  ignore: !available,
  fn: () =>
    onStage({
      files,
      script: (_request, index) =>
        index === 0
          ? { calls: [{ name: "Glob", input: { pattern: "*" } }] }
          : { text: `answer ${index}` },
    }, async ({ tmux, start, say, project, provider }) => {
      await start("--lang en");
      await tmux.shows("❯");
      await tmux.type("please $rev");
      await tmux.shows("Reviews a change");
      await tmux.key("Tab");
      await tmux.type("this");
      await tmux.shows("❯ please $review this");
      await tmux.key("Enter");
      const first = await tmux.shows("answer 1");
      assert.match(first, /Loaded the skill review/);
      assert.doesNotMatch(first, /Look at it twice/);
      const { body } = provider.requests[0]!;
      assert.match(body, /- review: Reviews a change/);
      assert.match(body, /规则 1: Answer briefly/);
      assert.match(body, /\[narnat\] Skill review [^"]*\\nLook at it twice\./);

      await Deno.writeTextFile(join(project, ".narnat/rules/b.md"), "Answer in verse");
      const second = await say("/skill review again", "answer 2");
      assert.match(second, /Changed: \.narnat\/rules\/b\.md \(new\)\. This counts/);
      assert.match(await say("/skill", "narnat skills shows all"), /\$review +Reviews a change/);
      assert.match(await say("/skill reviw x", "Did you mean"), /There is no skill reviw/);
      await tmux.type("/exit\n");
      await tmux.shows("RC=0");

      await tmux.type("clear\n");
      await start("-c --lang en");
      const again = await tmux.shows("answer 2");
      assert.match(again, /\/skill review again/);
      assert.doesNotMatch(again, /Look at it twice/);
      await say("go on", "answer 3");
      const goneOn = provider.requests.at(-1)!.body;
      assert.doesNotMatch(goneOn, /Answer in verse/);
      assert.match(goneOn, /have changed: \.narnat\/rules\/b\.md \(new\)/);
      await tmux.type("/exit\n");
      await tmux.shows("RC=0");
    }),
});
