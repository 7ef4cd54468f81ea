/** Real keys in a real terminal: typing and editing Chinese, resizing amid an answer, going back. */
import assert from "node:assert/strict";
import { inTerminal, slowInTerminal } from "../support/terminal.ts";

const READY = /❯ $/;

slowInTerminal(
  "Chinese and emoji are typed and edited, the cursor stands where the next one goes",
  {
    script: [{ text: "好。" }],
  },
  async ({ tmux, provider, start }) => {
    await start();
    await tmux.shows(READY);
    const cursor = () => tmux.ask("#{cursor_x}");
    await tmux.type("你好世界");
    await tmux.shows("❯ 你好世界");
    assert.equal(await cursor(), "10");
    await tmux.key("Left", "Left", "BSpace");
    await tmux.shows("❯ 你世界");
    assert.equal(await cursor(), "4");
    await tmux.type("👍🏽日本");
    await tmux.key("BSpace", "Home", "Delete");
    await tmux.type("我们");
    await tmux.shows(/❯ 我们👍🏽日世界 $/u);
    await tmux.key("End", "M-Enter");
    await tmux.type("第二行");
    await tmux.shows(/界\n {2}第二行 $/);
    assert.equal(await cursor(), "8");
    await tmux.key("Enter");
    await tmux.shows("好。");
    assert.equal(provider.requests[0]!.json.messages.at(-1).content, "我们👍🏽日世界\n第二行");
  },
);

slowInTerminal("a resize amid an answer loses and doubles nothing, in the shell's history too", {
  size: [100, 30],
  script: [{
    text: Array.from({ length: 120 }, (_, n) => `第 ${n} 段，有一些文字 and words.`).join("\n\n"),
    deltas: 300,
    delayMs: 5,
  }],
}, async ({ tmux, start }) => {
  await tmux.type("clear; seq -f 'shell line %g' 60\n");
  await tmux.shows("shell line 60\nSH>");
  await start();
  await tmux.shows(READY);
  await tmux.type("写\n");
  await tmux.shows("第 15 段");
  await tmux.resize(60, 20);
  await tmux.shows("第 45 段");
  await tmux.resize(120, 40);
  await tmux.shows("第 75 段");
  await tmux.resize(80, 24);
  const all = await tmux.shows(/第 119 段[^]*费用未知[^]*❯ $/);
  for (let n = 0; n < 120; n++) {
    assert.equal(all.split(`第 ${n} 段，`).length, 2, `paragraph ${n} once:\n${all}`);
  }
  for (let n = 1; n <= 60; n++) assert.ok(all.includes(`shell line ${n}\n`), `shell line ${n}`);
  await tmux.key("C-d");
  const left = await tmux.shows("RC=0");
  assert.ok(!/工作中|按 esc/.test(left), `no ghost of the live part is left:\n${left}`);
});

inTerminal("double ESC on an empty line offers the earlier prompts and goes back to one", {
  script: [{ text: "答一。" }, { text: "答二。" }, { text: "答三。" }],
}, async ({ tmux, provider, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("问一", /答一。[^]*❯ $/);
  await say("问二", /答二。[^]*❯ $/);
  await tmux.key("Escape");
  await tmux.shows(/再按.*esc|esc.*再/i);
  await tmux.key("Escape");
  await tmux.shows(/→ .*问二/);
  await tmux.key("Enter");
  await tmux.shows(/❯ 问二 $/);
  await tmux.type("，改\n");
  await tmux.shows("答三。");
  const { messages } = provider.requests[2]!.json;
  assert.deepEqual(
    messages.slice(1).map((message: { content: string }) => message.content),
    ["问一", "答一。", "问二，改"],
  );
});
