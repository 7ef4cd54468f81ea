/** What a person types, in a real terminal: history, completion, attaching, shell lines, queue, editor. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { stage } from "../support/stage.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { inTerminal, slowInTerminal } from "../support/terminal.ts";

/** The prompt with what stands in it, at the end of the screen but for the status line. */
const prompt = (text = "") => new RegExp(`❯ ${text} *(?:\\n.*)?$`);
const READY = prompt();

inTerminal("an @file is completed, attached, and its content reaches the model", {
  files: { "src/parser.ts": "export const one = 1;\n", "文档/a b.md": "zh\n" },
  script: [{ text: "看到了" }, { text: "也看到了" }],
}, async ({ tmux, provider, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.type("解释 @pars");
  await tmux.shows("src/parser.ts");
  await tmux.key("Tab");
  await tmux.shows("❯ 解释 @src/parser.ts");
  await tmux.key("Enter");
  const shown = await tmux.shows("看到了");
  assert.match(shown, /Read src\/parser\.ts/);
  const body = provider.requests[0]!.body;
  assert.ok(body.includes("1 | export const one = 1;"), body);
  await tmux.type("@a b");
  await tmux.key("C-u");
  await tmux.type("@md");
  await tmux.shows("文档/a b.md");
  await tmux.key("Enter");
  await tmux.shows('❯ @"文档/a b.md"');
  await tmux.key("Enter");
  await tmux.shows("也看到了");
  assert.ok(provider.requests[1]!.body.includes("1 | zh"));
  await tmux.key("C-d");
});

slowInTerminal("a shell line shows its output live, ESC stops it, the model sees it next", {
  script: [{ text: "知道了" }],
}, async ({ tmux, provider, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("!echo hello-$((40+2)); sleep 60", "hello-42");
  await tmux.key("Escape");
  await tmux.shows(/已中断[^]*❯ *(?:\n.*)?$/);
  await say("!printf 'a\\nb\\n'", /\n {2}a\n {2}b\n[^]*❯ *(?:\n.*)?$/);
  await say("什么结果", "知道了");
  const body = provider.requests[0]!.body;
  assert.ok(body.includes("hello-42") && body.includes("$ printf"), body);
  await tmux.key("C-d");
});

slowInTerminal("a queued line is taken back with Up, changed, and sent", {
  script: [{ text: "等一下", fault: "stall" }, { text: "第二个回答" }],
}, async ({ tmux, provider, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("第一个", "等一下");
  await say("排队的问题", "排队中: 排队的问题");
  await tmux.key("Up");
  await tmux.shows(prompt("排队的问题"));
  assert.ok(!(await tmux.text()).includes("排队中"));
  await tmux.key("BSpace", "BSpace");
  await say("事情", "排队中: 排队的事情");
  await tmux.key("Escape");
  await tmux.shows(/已中断[^]*❯ 排队的事情/);
  assert.equal(provider.requests.length, 1);
  await tmux.key("Enter");
  await tmux.shows("第二个回答");
  const body = provider.requests[1]!.body;
  assert.ok(body.includes("排队的事情") && !body.includes("排队的问题"), body);
  await tmux.key("C-d");
});

slowInTerminal(
  "lines come back in the next session, by prefix and by Ctrl-R; private ones and keys do not",
  {
    script: Array.from({ length: 5 }, () => ({ text: "好的。" })),
  },
  async ({ tmux, home, start, say }) => {
    await start();
    await tmux.shows(READY);
    await say("密钥 sk-the-key-of-the-test", /好的。[^]*❯ *(?:\n.*)?$/);
    await say("看看 README", /(?:好的。[^]*){2}❯ *(?:\n.*)?$/);
    await say("修好测试", /(?:好的。[^]*){3}❯ *(?:\n.*)?$/);
    await say(" 私密的话", /(?:好的。[^]*){4}❯ *(?:\n.*)?$/);
    await tmux.key("C-d");
    await tmux.shows("RC=0");
    const path = join(home, ".narnat", "history.jsonl");
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.match(
      await Deno.readTextFile(path),
      /^\{"text":"密钥 «secret:\w+(?::[0-9a-f]{6})?»"\}\n/,
    );
    await tmux.type("clear\n");
    await start();
    await tmux.shows(READY);
    await tmux.key("Up");
    await tmux.shows(prompt("修好测试"));
    await tmux.key("C-u");
    await tmux.type("看");
    await tmux.key("Up");
    await tmux.shows(prompt("看看 README"));
    await tmux.key("C-u", "C-r");
    await tmux.type("测试");
    await tmux.shows(/❯ 修好测试\n搜索历史/);
    await tmux.key("Enter");
    await tmux.shows(prompt("修好测试"));
    await tmux.key("Enter");
    await tmux.shows(/好的。[^]*❯ *(?:\n.*)?$/);
    await tmux.key("C-d");
  },
);

inTerminal("Ctrl-G hands the terminal to the editor and takes it back, also during a turn", {
  script: [{ text: "开始", fault: "stall" }, { text: "收到" }],
  files: {
    "ed":
      '#!/bin/sh\necho EDITOR-HAS-IT\nread -r line\nprintf "%s and %s" "$(cat "$1")" "$line" > "$1"\n',
  },
  env: { EDITOR: "sh ./ed" },
}, async ({ tmux, provider, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("第一个", "开始");
  await tmux.type("草稿");
  await tmux.key("C-g");
  await tmux.shows("EDITOR-HAS-IT");
  await tmux.type("typed in the editor\n");
  await tmux.shows(prompt("草稿 and typed in the editor"));
  await tmux.key("Escape");
  await tmux.shows("已中断");
  await tmux.key("Enter");
  await tmux.shows("收到");
  assert.ok(provider.requests[1]!.body.includes("草稿 and typed in the editor"));
  await tmux.key("C-d");
});

slowInTerminal("an editor that is not there is named, the text stays", {
  env: { EDITOR: "no-such-editor" },
}, async ({ tmux, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.type("草稿");
  await tmux.key("C-g");
  await tmux.shows(/无法打开编辑器：找不到 no-such-editor[^]*❯ 草稿/);
  await tmux.key("C-c", "C-d");
});

slowInTerminal("Ctrl-C in the editor is the editor's; narnat and the text stay", {
  files: { "ed": "trap 'exit 5' INT\necho EDITOR-HAS-IT\nsleep 60\n" },
  env: { EDITOR: "sh ./ed" },
}, async ({ tmux, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.type("草稿");
  await tmux.key("C-g");
  await tmux.shows("EDITOR-HAS-IT");
  await tmux.key("C-c");
  await tmux.shows(/未正常结束（退出码 5）[^]*❯ 草稿/);
  await tmux.key("C-c", "C-d");
  await tmux.shows("RC=0");
});

slowInTerminal("20,000 lines are pasted as one and sent to the byte", {
  script: [{ text: "好长" }],
}, async ({ tmux, provider, start }) => {
  await start();
  await tmux.shows(READY);
  const text = Array.from({ length: 20_000 }, (_, i) => `\t第 ${i} 行`).join("\n");
  await tmux.paste(text);
  await tmux.shows("[粘贴 #1 +20000 行]");
  await tmux.key("Enter");
  await tmux.shows("好长");
  const { messages } = JSON.parse(provider.requests[0]!.body);
  assert.equal(messages.at(-1).content, text);
  await tmux.key("C-d");
});

slowInTerminal("with --no-session no line is kept, and the earlier ones are there", {
  script: Array.from({ length: 2 }, () => ({ text: "好的。" })),
}, async ({ tmux, home, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("留下的", /好的。[^]*❯ *(?:\n.*)?$/);
  await tmux.key("C-d");
  await tmux.shows("RC=0");
  const path = join(home, ".narnat", "history.jsonl");
  const before = await Deno.readTextFile(path);
  await tmux.type("clear\n");
  await start("--no-session");
  await tmux.shows(READY);
  await say("不留的", /好的。[^]*❯ *(?:\n.*)?$/);
  await tmux.key("Up", "Up");
  await tmux.shows(prompt("留下的"));
  await tmux.key("C-c", "C-d");
  await tmux.shows("RC=0");
  assert.equal(await Deno.readTextFile(path), before);
});

Deno.test("-p attaches what its words name, and nothing that is only piped in", async () => {
  await stage([{ text: "ok" }], async ({ narnat, provider }) => {
    const stdin = "from a log: @b.ts";
    const { code, stdout } = await narnat(["-p", "explain @a.ts"], { stdin });
    assert.deepEqual([code, stdout], [0, "ok\n"]);
    const contents = provider.requests[0]!.json.messages.map((one: { content: string }) =>
      one.content
    );
    assert.deepEqual(contents[1], "explain @a.ts\n\nfrom a log: @b.ts");
    assert.match(contents[2], /^\[narnat\] .*a\.ts.*\n1 \| aaa/);
    assert.equal(contents.length, 3);
  }, { "w/a.ts": "aaa\n", "w/b.ts": "bbb\n" });
});

Deno.test("-p runs a shell line and prints what it says", async () => {
  await withWorkspace({ "p/a.txt": "content\n" }, async (root) => {
    const { code, stdout } = await runNarnat(BUNDLED, ["-p", "!cat a.txt", "--model", "demo"], {
      cwd: join(root, "p"),
      stdin: "",
    });
    assert.equal(code, 0);
    assert.match(stdout, /^content\n/);
  });
});
