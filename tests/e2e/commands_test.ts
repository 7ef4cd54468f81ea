/** Slash commands where they are used: at the screen, and by a script over stream-json. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slowInTerminal } from "../support/terminal.ts";
import { slow } from "../support/soak.ts";

const inEnglish = { LANG: "en_US.UTF-8" };

slowInTerminal(
  "going back by ESC ESC: the prompt is edited and sent again, the model sees what was before it",
  {
    env: inEnglish,
    script: (request) => ({ text: `re: ${request.json.messages.at(-1).content}` }),
  },
  async ({ tmux, start, say, provider }) => {
    await start();
    await tmux.shows("❯");
    await say("first 一", "re: first 一");
    await say("second 二", "re: second 二");
    await tmux.key("Escape");
    await tmux.shows("esc again");
    await tmux.key("Escape");
    await tmux.shows("→ second 二");
    await tmux.key("Enter");
    await tmux.shows(/Rewound to prompt 2/);
    await tmux.shows(/❯ second 二\s*$/);
    await tmux.type(" better\n");
    await tmux.shows("re: second 二 better");
    const { messages } = provider.requests.at(-1)!.json;
    assert.deepEqual(messages.slice(1).map((m: { content: string }) => m.content), [
      "first 一",
      "re: first 一",
      "second 二 better",
    ]);
    await say("/show", /\* {2}1 .* {2}2 {2}first 一[^]*\s2 .* {2}2 {2}first 一/);
    await tmux.key("C-d");
    await tmux.shows("RC=0");
  },
);

slowInTerminal(
  "/model lists the provider's models and takes one from the next turn on; /theme is kept",
  {
    env: inEnglish,
    models: ["fake", "fake-large", "text-embedding-9"],
    script: (request) => ({ text: `I am ${request.json.model}.` }),
  },
  async ({ tmux, start, say, home }) => {
    await start();
    await tmux.shows("❯");
    const list = await say("/model", /\* fake\n {2}fake-large\n {2}demo/);
    assert.ok(!list.includes("embedding"));
    await say("/model fake-larg", "near it: fake-large");
    await say("who", "I am fake.");
    await say("/model fake-large", "Model: fake-large from the next turn");
    await say("who now", "I am fake-large.");
    await say("/model demo", "Model: demo from the next turn");
    await say("hello", "built-in demo model");
    await say("/theme none", "none; kept");
    await say("/status", /permission: open[^]*version: narnat/);
    assert.equal(
      await Deno.readTextFile(join(home, ".narnat", "narnat.json")),
      '{\n  "theme": "none"\n}\n',
    );
    await tmux.key("C-d");
    await tmux.shows("RC=0");
  },
);

slowInTerminal(
  "a delete question shows what is at stake; No keeps it, /copy says which way it went",
  {
    env: inEnglish,
    files: { "build/a.o": "12345", "build/sub/b.o": "123" },
    script: (request) =>
      request.json.messages.at(-1).role === "tool"
        ? { text: "answered" }
        : { calls: [{ name: "Bash", input: { command: "rm -rf build" } }] },
  },
  async ({ tmux, start, say, project }) => {
    const git = new Deno.Command("git", { args: ["init", "-q"], cwd: project });
    assert.ok((await git.output()).success);
    await start();
    await tmux.shows("❯");
    const question = await say("go", "→ No");
    assert.ok(question.includes(`    ${project}/build\n`), question);
    assert.match(question, /holding 2 files in 2 folders, 8 B/);
    assert.match(question, /! not in git: none of these files/);
    await tmux.key("Escape");
    await tmux.shows("answered");
    assert.ok(Deno.statSync(join(project, "build")).isDirectory);
    await say("/copy", "Copied 8 B (by the terminal, OSC 52)");
    await tmux.key("C-d");
    await tmux.shows("RC=0");
  },
);

slowInTerminal(
  "first run in Chinese at 40×12: a wrong key goes back, the list comes from the provider, the file is private",
  {
    home: "empty",
    size: [40, 12],
    models: ["model-a", "模型-b"],
    script: (request) =>
      request.headers.authorization === "Bearer sk-right"
        ? { text: "ok" }
        : { fault: "status", status: 401, body: '{"error":{"message":"bad key"}}' },
  },
  async ({ tmux, start, home, provider }) => {
    await start();
    await tmux.shows("DeepSeek");
    await tmux.key("Up", "Up", "Enter");
    await tmux.shows("接口地址");
    await tmux.paste(provider.url + "\n");
    await tmux.key("Enter");
    await tmux.shows("粘贴 API 密钥");
    await tmux.paste("sk-wrong");
    await tmux.key("Enter");
    await tmux.shows("模型-b");
    await tmux.key("Enter");
    await tmux.shows("bad key");
    await tmux.paste('"sk-right"');
    await tmux.shows("8 个字符");
    await tmux.key("Enter");
    await tmux.shows("→ model-a");
    await tmux.key("Down", "Enter");
    const all = await tmux.shows(/已保存到[^]*\n❯/);
    assert.ok(!all.includes("sk-"), all);
    const path = join(home, ".narnat", "narnat.json");
    assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), {
      base_url: provider.url,
      model: "模型-b",
      api_key: "sk-right",
    });
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    await tmux.key("C-d");
    await tmux.shows("RC=0");
  },
);

slow(
  "over stream-json the commands answer as notices, a question brings its facts as data",
  async () => {
    await withWorkspace({ "project/build/a": "12345" }, async (root) => {
      const cwd = join(root, "project");
      const send = (text: string) => JSON.stringify({ type: "user", text }) + "\n";
      const { lines, code, stderr } = await runNarnat(BUNDLED, [
        "-p",
        "--model",
        "demo",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
      ], {
        cwd,
        stdin: ["/cost", "run rm -r build", "/copy", "/theme light", "/back"].map(send).join(""),
      });
      assert.equal(code, 0, stderr);
      const of = (type: string) => lines.filter((line) => line.type === type);
      const [ask] = of("ask");
      const { files, folders, bytes, more, outside } = ask.stakes;
      assert.deepEqual([files, folders, bytes, more, outside], [1, 1, 5, false, 0]);
      assert.match(stderr, /asks: .*rm -r build\n {2}holding 1 file in 1 folder, 5 B/);
      assert.match(of("notice")[0].text, /input tokens: 0/);
      assert.equal(typeof of("copy")[0].text, "string");
      assert.equal(of("theme")[0].theme, "light");
      assert.equal(of("turn_end").at(-1).prompt, "run rm -r build");
    });
  },
);
