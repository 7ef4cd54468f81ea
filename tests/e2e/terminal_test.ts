// deno-lint-ignore-file no-control-regex -- the tests look for control characters
/** What a person sees and does: narnat in tmux, a fake provider over HTTP, a clean home. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import type { Reply } from "../support/fake_provider.ts";
import { runNarnat } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { ptyAvailable } from "../support/pty.ts";
import { inTerminal, onPty, slowInTerminal, type Stage } from "../support/terminal.ts";
import { slow } from "../support/soak.ts";

const READY = /❯ $/;
/** Within this the prompt is back after ESC; what is measured is a tenth of it. */
// the answers that it cuts would never end
const ESC_MS = 10_000;

/** Presses ESC and waits until the prompt is there again, with what is `left` in it; returns milliseconds. */
async function escape({ tmux }: Stage, interrupted: number, left = ""): Promise<number> {
  const began = performance.now();
  await tmux.key("Escape");
  await tmux.shows(new RegExp(`(?:\\n已中断\\n[^]*){${interrupted}}❯ ${left}$`));
  return performance.now() - began;
}

/** Whether a process with this word in its command line is left, waiting a moment for its end. */
async function isRunning(word: string): Promise<boolean> {
  const gone = async () =>
    !(await new Deno.Command("pgrep", { args: ["-f", word] }).output()).success;
  return !await eventually(gone, 20_000);
}

const todos = (first: string, second: string) => [
  { content: "找到函数", activeForm: "正在找函数", status: first },
  { content: "修好它", activeForm: "正在修", status: second },
];

// ---------------------------------------------------------------- the first run

slowInTerminal(
  "the first run sets up another endpoint: a wrong key goes back to the key, the right one is kept",
  {
    home: "empty",
    script: ({ headers }) =>
      headers.authorization === "Bearer sk-right-key-0001"
        ? { text: "你好，我在。" }
        : { fault: "status", status: 401, body: '{"error":{"message":"no such key"}}' },
  },
  async ({ tmux, provider, home, start, say }) => {
    await start();
    const first = await tmux.shows("先试用离线演示模型");
    assert.match(first, /欢迎使用 narnat/);
    await tmux.key("Up", "Up");
    await tmux.shows("→ 其他兼容接口");
    await tmux.key("Enter");
    await tmux.shows("接口地址");
    await tmux.type(provider.url + "\n");
    await tmux.shows("不需要则直接按 enter");
    await tmux.paste("sk-wrong-key-0000\n");
    await tmux.shows("已输入 17 个字符");
    await tmux.key("Enter");
    await tmux.shows("模型名称");
    await tmux.type("some-model\n");
    const failed = await tmux.shows(
      /测试失败：[^]*401 no such key[^]*请重新粘贴密钥[^]*粘贴 API 密钥/,
    );
    assert.ok(!/narnat\.json|NARNAT_API_KEY/.test(failed), failed);
    // Back to the address and forth again: what it begins with is whole and mended from its end.
    await tmux.key("Escape");
    await tmux.shows(new RegExp(`❯ ${provider.url} $`));
    await tmux.type("http://127.0.0.1:1/v1\n");
    await tmux.shows(/地址无效：http[^]*应是一个以/);
    await tmux.key("C-u");
    await tmux.type(provider.url + "\n");
    await tmux.shows(/不需要则直接按 enter（不会显示）\n❯ $/);
    await tmux.type("sk-right-key-0001\n");
    await tmux.shows("❯ some-model");
    await tmux.key("Enter");
    await tmux.shows(/some-model 可用\n已保存到 .*narnat\.json/);
    const welcome = await tmux.shows(/narnat 0\.1\.0 · some-model\n\S*\/w\n.*\/help/);
    assert.ok(!/sk-(?:wrong|right)/.test(welcome), "the keys are nowhere on the screen");

    const file = join(home, ".narnat", "narnat.json");
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(file)), {
      base_url: provider.url,
      model: "some-model",
      api_key: "sk-right-key-0001",
    });
    await say("在吗", "你好，我在。");
    await say("/exit", "RC=0");
    await tmux.type("clear\n");
    await start();
    assert.ok(!(await tmux.shows(READY)).includes("欢迎"), "once is enough");
    await tmux.key("C-d");
    assert.ok(!/sk-(?:wrong|right)/.test(await tmux.shows("RC=0")));
  },
);

inTerminal("the demo model needs nothing", {
  home: "empty",
  files: { "a.txt": "TODO: one\n" },
}, async ({ tmux, home, start, say }) => {
  await start();
  await tmux.shows("先试用离线演示模型");
  await tmux.key("Up", "Enter");
  await tmux.shows(/narnat [\d.]+ · demo[^]*❯ $/);
  await say("find TODO", /● Grep TODO.*1 个文件中 1 处匹配[^]*a\.txt[^]*❯ $/);
  await tmux.key("C-c", "C-c");
  await tmux.shows("RC=0");
  await assert.rejects(Deno.stat(join(home, ".narnat", "narnat.json")), Deno.errors.NotFound);
});

// ---------------------------------------------------------------- a turn

const TURN: readonly Reply[] = [
  {
    text: "我先找。",
    calls: [
      { name: "TodoWrite", input: { todos: todos("in_progress", "pending") } },
      { name: "Grep", input: { pattern: "sum = 1", path: "." } },
    ],
  },
  { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
  {
    calls: [{
      name: "Edit",
      input: { file_path: "src/a.ts", old_string: "let sum = 1", new_string: "let sum = 0" },
    }],
  },
  {
    calls: [{
      name: "Bash",
      input: { command: "for i in 1 2 3 4; do echo 第 $i 个; sleep 0.15; done; exit 3" },
    }],
  },
  { calls: [{ name: "TodoWrite", input: { todos: todos("completed", "completed") } }] },
  {
    text:
      "## 结果\n\n**“初值”**错了：\n\n- 改了 `src/a.ts`\n\n| 文件 | 行 |\n|---|---|\n| a.ts | 1 |\n",
    chunk: "awkward",
    usage: { input: 1200, output: 34, cached: 1000 },
  },
];

const SUM = { "src/a.ts": "let sum = 1;\nexport const 总数 = sum;\n" };

for (const size of [[80, 24], [40, 12]] as const) {
  slowInTerminal(
    `a turn reads well on ${size.join("x")}: tools, diff, todos, Chinese markdown, usage`,
    { script: TURN, files: SUM, size },
    async ({ tmux, provider, project, start, say }) => {
      await start();
      await tmux.shows(READY);
      await tmux.type("修好它\n");
      // Twelve rows have room for the todo being done only.
      await tmux.shows(size[1] === 12 ? /▸ 正在找函数 · 0\/2/ : /▸ 正在找函数\n {2}○ 修好它/);
      await tmux.shows(/○ Bash[^\n]*\n {2}第 1 个\n {2}第 2 个\n/);
      const all = await tmux.shows(/费用未\n?知[^\n]*\n\n❯ $/);
      for (
        const shown of [
          /❯ 修好它\n\n我先找。\n\n● Grep .*1 个文件中 1 处匹配(?: · ctrl-o)?\n● Read src\/a\.ts · 2 行 · ctrl-o\n/,
          /● Edit src\/a\.ts \+1 −1\n {2}1 - let sum = 1;\n {2}1 \+ let sum = 0;\n/,
          /✗ Bash .*… · \d\.\d s · 退出码 3(?: · ctrl-o)?\n {2}第 1 个\n {2}第 2 个\n {2}第 3 个\n {2}第 4 个\n/,
          /\n结果\n\n\u200b?“初值”\u200b?错了：\n\n- 改了 src\/a\.ts\n\n┌[^]*│ a\.ts +│ 1 +│\n/,
          /\n {2}✓ 找到函数\n {2}✓ 修好它\n\n输入 1\.3k · 输出 59 · 缓存 1\.0k \(80%\) ·\s费用未知 · \d\.\d s\n/,
        ]
      ) assert.match(all, shown);
      assert.ok(!/工作中|▸/.test(all), `no ghost of the live part is left:\n${all}`);
      assert.equal(
        await Deno.readTextFile(join(project, "src/a.ts")),
        SUM["src/a.ts"].replace("1", "0"),
      );
      assert.deepEqual(provider.pairingErrors, []);
      await say("/exit", "RC=0");
    },
  );
}

inTerminal("a delete asks: Enter keeps the file, Yes removes it", {
  files: { "notes.txt": "x\n", "中文 名.txt": "y\n" },
  script: [
    { calls: [{ name: "Bash", input: { command: "rm notes.txt" } }] },
    { text: "没有删。" },
    { calls: [{ name: "Bash", input: { command: "rm '中文 名.txt'" } }] },
    { text: "删了。" },
  ],
}, async ({ tmux, project, start, say }) => {
  await start();
  await tmux.shows(READY);
  const asked = await say("删除 notes.txt", "→ 否");
  assert.match(
    asked,
    /\? .*删除.*\n {2}rm notes\.txt\n {2}涉及：\n {4}\S*\/notes\.txt\n {2}共 1 个文件，2 B\n\n→ 否\n {2}是，仅此一次\n/,
  );
  await tmux.key("Enter");
  await tmux.shows("没有删。");
  await Deno.stat(join(project, "notes.txt"));
  await say("再删另一个", /→ 否\n[^]*→ 否\n/);
  await tmux.key("Down");
  await tmux.shows("→ 是，仅此一次");
  await tmux.key("Enter");
  await tmux.shows("删了。");
  await assert.rejects(Deno.stat(join(project, "中文 名.txt")), Deno.errors.NotFound);
});

for (const [lang, size] of [["zh", [80, 24]], ["en", [40, 12]]] as const) {
  const zh = lang === "zh";
  const play = zh ? inTerminal : slowInTerminal;
  play(`y and n answer, and half a line is kept, on ${size.join("x")} in ${lang}`, {
    size,
    env: { LANG: zh ? "zh_CN.UTF-8" : "en_US.UTF-8" },
    files: { "a.txt": "x\n" },
    script: [
      { calls: [{ name: "Bash", input: { command: "sleep 1" } }] },
      { calls: [{ name: "Bash", input: { command: "rm a.txt" } }] },
      { calls: [{ name: "Bash", input: { command: "rm a.txt" } }] },
      { text: "OVER" },
    ],
  }, async ({ tmux, project, start }) => {
    await start();
    await tmux.shows(READY);
    await tmux.type("go\n");
    await tmux.shows("○ Bash sleep");
    await tmux.type("half a");
    const hint = zh ? "↑↓ enter · y 是 / n 否 · esc = 否" : "↑↓ enter · y/n · esc no";
    const asked = await tmux.shows(hint);
    const choices = zh ? "→ 否\n  是，仅此一次" : "→ No\n  Yes, this once";
    assert.ok(asked.slice(0, asked.lastIndexOf(" · ")).includes(`\n${choices}\n↑↓ enter`), asked);
    assert.ok(!asked.includes("half a"), asked);
    await tmux.type("n");
    await tmux.shows(zh ? /\n {2}→ 否\n[^]*\n→ 否\n/ : /\n {2}→ No\n[^]*\n→ No\n/);
    await Deno.stat(join(project, "a.txt"));
    await new Promise((resolve) => setTimeout(resolve, 600));
    await tmux.type("y\n");
    const all = await tmux.shows(/OVER[^]*❯ half a $/);
    assert.ok(!all.includes(hint), all);
    await assert.rejects(Deno.stat(join(project, "a.txt")), Deno.errors.NotFound);
    await tmux.type(" line\n");
    await tmux.shows("❯ half a line");
  });
}

slowInTerminal("under --permission ask each call is asked for by its line", {
  files: { "a.txt": "x\n" },
  script: [
    { calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
    {
      calls: [{
        name: "Edit",
        input: { file_path: "a.txt", old_string: "x", new_string: "y" },
      }],
    },
    { calls: [{ name: "Bash", input: { command: "cat a.txt &&\n  echo 完" } }] },
    { text: "好了。" },
  ],
}, async ({ tmux, project, start, say }) => {
  await start("--permission ask");
  await tmux.shows(READY);
  await say(
    "改",
    /\? 允许执行 Edit 吗？\n {2}Edit a\.txt\n {4}− x\n {4}\+ y\n\n→ 否\n/,
  );
  await tmux.type("y");
  await tmux.shows(/\? 允许执行 Bash 吗？\n {2}Bash cat a\.txt &&\n {4}echo 完\n\n→ 否\n/);
  await tmux.key("Escape");
  const all = await tmux.shows(/已拒绝，未执行[^]*好了。[^]*❯ $/);
  assert.ok(!all.includes("{"), all);
  assert.equal(await Deno.readTextFile(join(project, "a.txt")), "y\n");
});

// ---------------------------------------------------------------- stopping

const FLOOD = `flood-${crypto.randomUUID()}`;

slowInTerminal("ESC gives the prompt back at once, whatever runs, and leaves nothing running", {
  script: [
    { text: "一段很长的回答。".repeat(40), delayMs: 700 },
    { calls: [{ name: "Bash", input: { command: `trap '' TERM; yes ${FLOOD}` } }] },
    { fault: "stall_before_headers" },
    { text: "继续。" },
  ],
}, async (stage) => {
  const { tmux, provider, start, say } = stage;
  await start();
  await tmux.shows(READY);
  await say("写长文", "一段很长的回答。一段很长的回答。");
  const text = await escape(stage, 1);
  await say("刷屏", `  ${FLOOD}`);
  const flood = await escape(stage, 2);
  assert.equal(await isRunning(FLOOD), false);
  await say("没有回音", "没有回音");
  while (provider.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const stall = await escape(stage, 3, "没有回音 ");
  await tmux.key("C-c");
  console.log(`ESC to prompt: ${[text, flood, stall].map(Math.round).join(", ")} ms`);
  assert.ok(Math.max(text, flood, stall) < ESC_MS, `${text} ${flood} ${stall} ms`);
  await say("还在吗", "继续。");
  assert.deepEqual(provider.pairingErrors, []);
});

slowInTerminal(
  "SIGTERM amid a flood: the terminal is as before, the code is 143, nothing runs on",
  {
    script: [{ calls: [{ name: "Bash", input: { command: `trap '' TERM; yes ${FLOOD}-2` } }] }],
  },
  async ({ tmux, start, say, pid }) => {
    const settings = async () => {
      await tmux.type("clear; stty -a; echo DO''NE\n");
      const all = await tmux.shows(/^DONE$/m);
      return all.slice(all.indexOf("speed"), all.indexOf("DONE"));
    };
    const before = await settings();
    await start();
    await tmux.shows(READY);
    await say("刷屏", `  ${FLOOD}-2`);
    Deno.kill(await pid(), "SIGTERM");
    await tmux.shows(/^RC=143$/m);
    assert.equal(await tmux.ask("#{cursor_flag}"), "1");
    assert.equal(await settings(), before);
    assert.equal(await isRunning(`${FLOOD}-2`), false);
  },
);

inTerminal("a line typed during a turn is queued, shown, and joins at the next model call", {
  script: [
    { calls: [{ name: "Bash", input: { command: "sleep 1; echo slept" } }] },
    { text: "两件事都好了。" },
  ],
}, async ({ tmux, provider, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.type("先做这个\n");
  await tmux.shows("○ Bash sleep 1");
  await tmux.type("顺便做那个\n");
  await tmux.shows("排队中: 顺便做那个");
  const all = await tmux.shows(/❯ 顺便做那个\n\n两件事都好了。[^]*❯ $/);
  assert.ok(!all.includes("排队中"));
  const { messages } = provider.requests[1]!.json;
  assert.deepEqual(messages.at(-1), { role: "user", content: "顺便做那个" });
  assert.equal(provider.requests.length, 2);
});

// ---------------------------------------------------------------- trouble

slowInTerminal("a provider that asks to wait is waited for, with a countdown", {
  script: [
    { fault: "status", status: 429, headers: { "retry-after": "2" }, body: "{}" },
    { fault: "status", status: 429, headers: { "retry-after": "2" }, body: "{}" },
    { text: "轮到我了。" },
  ],
}, async ({ tmux, provider, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("你好", "2 秒后重试");
  await tmux.shows("1 秒后重试");
  const waited = await tmux.shows(/429 \{\}，接着第 3 次尝试[^]*[12] 秒后重试/);
  assert.equal(waited.split("429").length, 2, waited);
  const all = await tmux.shows(/轮到我了。[^]*❯ $/);
  assert.ok(!all.includes("秒后重试"));
  const [first, second, third] = provider.requests.map(({ time }) => time);
  assert.ok(second! - first! >= 1900 && third! - second! >= 1900);
});

slowInTerminal("a provider's refusal is told, and the prompt is given back to be mended", {
  script: [
    { fault: "status", status: 400, body: '{"error":{"message":"unknown field"}}' },
    { text: "这次好了。" },
  ],
}, async ({ tmux, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.type("第一问\n");
  await tmux.shows(/✗ .*400 unknown field[^]*已放回输入行[^]*❯ 第一问 $/);
  await tmux.type("，改过\n");
  const all = await tmux.shows("这次好了。");
  assert.match(all, /❯ 第一问，改过\n\n这次好了。/);
});

slowInTerminal("what is wrong with the configuration is told above the screen, not across it", {
  files: { ".narnat/narnat.json": '{\n  "modle": "x"\n}\n' },
  script: [{ text: "好。" }],
}, async ({ tmux, start, say }) => {
  await start();
  const all = await tmux.shows(READY);
  assert.match(all, /^narnat: .*narnat\.json.*modle[^]*model[^]*\nnarnat 0\.1\.0 · fake\n/m);
  await say("你好", /❯ 你好\n\n好。\n/);
});

slowInTerminal("a log that cannot be written is told when the screen has gone", {
  files: { ".narnat/logs": "a file where a folder should be\n" },
  script: [{ text: "好。" }],
}, async ({ tmux, start, say }) => {
  await start();
  await tmux.shows(READY);
  assert.ok(!(await say("你好", /❯ 你好\n\n好。\n[^]*❯ $/)).includes("无法写日志"));
  await say("/exit", /narnat: 无法写日志[^]*RC=0/);
});

// ---------------------------------------------------------------- commands and sessions

slowInTerminal("slash commands: help, save, show, clear, exit, completion, a mistyped one", {
  script: [{ text: "答一。" }, { text: "答二。" }],
}, async ({ tmux, start, say }) => {
  await start();
  await tmux.shows(READY);
  const help = await say("/help", "/exit");
  for (const name of ["/help", "/save", "/show", "/enter", "/delete", "/clear"]) {
    assert.ok(help.includes(`\n${name} `), name);
  }
  await say("/shwo", "没有 /shwo 这个命令；是否想用 /show？");
  await say("问一", "答一。");
  await tmux.type("/sa");
  await tmux.shows("→ /save [名称]");
  await tmux.key("Tab");
  await say("我的对话", "已保存为“我的对话”");
  await say("/show", /\* +1 .* 1 {2}\[我的对话\] 问一/);
  await say("/clear", "已开始新会话");
  await say("问二", "答二。");
  const entered = await say("/enter 我的对话", /已进入[^]*❯ $/);
  assert.match(entered, /第 1 轮继续，最后的问答：\n❯ 问一\n {2}答一。\n/);
  await say("/exit", "RC=0");
});

slowInTerminal("narnat -c takes the last session up and tells what was said last", {
  script: [{ text: "记住了：42。" }, { text: "是 42。" }],
}, async ({ tmux, provider, start, say }) => {
  await start("记住 42");
  await tmux.shows(/记住了：42。[^]*❯ $/);
  await tmux.key("C-d");
  await tmux.shows("RC=0");
  await tmux.type("clear\n");
  await start("-c");
  await tmux.shows(/最后的问答：\n❯ 记住 42\n {2}记住了：42。\n\n❯ $/);
  await say("多少？", "是 42。");
  const { messages } = provider.requests[1]!.json;
  assert.deepEqual(messages.slice(1).map((m: { content: string }) => m.content), [
    "记住 42",
    "记住了：42。",
    "多少？",
  ]);
});

// ---------------------------------------------------------------- without a screen

slowInTerminal("a dumb terminal gets plain lines, a question, and an end", {
  env: { TERM: "dumb" },
  files: { "notes.txt": "x\n" },
  script: [{ calls: [{ name: "Bash", input: { command: "rm notes.txt" } }] }, { text: "没有删。" }],
}, async ({ tmux, project, start, say }) => {
  await start();
  await tmux.shows(/narnat 0\.1\.0 · fake\n.*\/w\n.*\/help.*\n❯ $/);
  await say("删掉", "执行吗？[y/N]");
  await say("", /→ 否\n[^]*没有删。[^]*❯ $/);
  await Deno.stat(join(project, "notes.txt"));
  await say("/exit", "RC=0");
});

slowInTerminal(
  "a dumb terminal with nothing configured is told what to set, and gets no drawn set-up",
  {
    home: "empty",
    env: { TERM: "dumb" },
  },
  async ({ tmux, start }) => {
    await start();
    const all = await tmux.shows("RC=2");
    assert.ok(all.includes("尚未配置模型") && !all.includes("欢迎"), all);
  },
);

slow("with --plain the session in a pipe is plain text and ends with its input", async () => {
  await withWorkspace({ "w/a.txt": "one\nTODO: two\n" }, async (root) => {
    const done = await runNarnat(BUNDLED, ["--model", "demo", "--plain"], {
      cwd: join(root, "w"),
      stdin: "find TODO\n",
    });
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^narnat 0\.1\.0 · demo\n.*\n❯ find TODO\nI'll search/);
    assert.match(done.stdout, /\n● Grep TODO\n[^]*a\.txt:2/);
    assert.ok(!done.stdout.includes("\x1b"));
    assert.equal(done.stderr, "");
  });
});

slow({
  name: "an answer under -p steers no terminal, and is whole in a pipe",
  ignore: !await ptyAvailable(),
  fn: () =>
    onPty(
      { script: () => ({ text: "before\x1b]0;title\x07\x1b[2J\x9b31mafter" }) },
      async (pty) => {
        const at = pty.written.length;
        await pty.type("../narnat -p x; ../narnat -p x | od -c | tr -d ' \\n'; echo EN''D\r");
        await pty.shows(/END\r\n/, at);
        const out = pty.written.slice(at);
        assert.ok(out.includes("beforeafter\r\n"), out);
        assert.match(out, /before033]0;title\\a\d*033\[2J302233/);
        // Deno's own progress before narnat begins.
        assert.ok(!/[\x1b\x9b]/.test(out.replace(/\x1b\[(?:0G|2K|J)/g, "")), out);
      },
    ),
});
