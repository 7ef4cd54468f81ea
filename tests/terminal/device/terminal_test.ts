import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { slow } from "../../support/soak.ts";
import { Tmux } from "../../support/tmux.ts";

const DRIVER = fileURLToPath(new URL("../driver.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));
const RUN = `deno run --no-prompt --allow-env --no-check -c '${CONFIG}' '${DRIVER}'`;

const available = await Tmux.available();
if (!available) {
  console.error("SKIPPED: tmux is missing, the terminal's end-to-end tests do not run");
}

/** Plays in a shell in tmux; afterwards the shell must be usable again. */
function inTmux(name: string, play: (tmux: Tmux) => Promise<void>, test = Deno.test): void {
  test({
    name,
    ignore: !available,
    async fn() {
      const tmux = await Tmux.open(80, 24);
      try {
        await tmux.type("echo before-it\n");
        await play(tmux);
      } finally {
        await tmux.close();
      }
    },
  });
}

/** The terminal is as before: cooked, echoing, cursor shown, no paste mode, and says the exit code. */
async function assertRestored(tmux: Tmux, code: number, tag = "RC"): Promise<void> {
  const all = await tmux.shows(new RegExp(`^${tag}=${code}$`, "m"));
  assert.ok(all.includes("before-it"), "the scrollback is whole");
  await tmux.type(
    "stty -a | tr ' ;' '\\n\\n' | grep -xE 'isig|icanon|echo' | tr '\\n' ' '; echo .\n",
  );
  await tmux.shows("isig icanon echo .");
  assert.equal(await tmux.ask("#{cursor_flag}"), "1");
  await tmux.paste("echo pas''ted");
  await tmux.key("Enter");
  await tmux.shows(/^pasted$/m);
}

const start = async (tmux: Tmux) => {
  await tmux.type(`${RUN}; echo RC=$?\n`);
  await tmux.shows("narnat 0.1.0");
  await tmux.shows("❯");
};

inTmux(
  "Chinese is typed and edited, a paste of 15 lines is one message, Ctrl-D leaves",
  async (tmux) => {
    await start(tmux);
    await tmux.type("你好世界");
    await tmux.key("Left", "Left", "BSpace");
    await tmux.shows("❯ 你世界");
    assert.equal(await tmux.ask("#{cursor_x}"), "4");
    await tmux.key("M-Enter");
    await tmux.type("二");
    await tmux.key("Enter");
    await tmux.shows('got "你\\n二世界"');
    const lines = Array.from({ length: 15 }, (_, i) => `l${i}\t中`).join("\n");
    await tmux.paste(lines);
    await tmux.shows("[粘贴 #1 +15 行]");
    await tmux.key("Enter");
    const all = await tmux.shows("l13\\tl14".slice(0, 3));
    assert.ok(all.includes("l0"));
    await tmux.shows('\\nl14\\t中"');
    await tmux.key("C-d");
    await assertRestored(tmux, 0);
  },
  slow,
);

inTmux("ESC stops a streaming turn, a resize midway loses and doubles nothing", async (tmux) => {
  await start(tmux);
  await tmux.type("tall\n");
  await tmux.shows("段落 5 ");
  await tmux.resize(40, 12);
  await tmux.shows("段落 20 ");
  await tmux.resize(100, 30);
  const all = await tmux.shows("费用未知");
  assert.ok(all.includes("before-it"));
  for (let i = 0; i < 40; i++) {
    assert.equal(all.split(`段落 ${i} of text.`).length, 2, `paragraph ${i} once:\n${all}`);
  }
  await tmux.type("long\n");
  await tmux.shows("段落 45 ");
  await tmux.key("Escape");
  const stopped = await tmux.shows("已中断");
  assert.ok(!stopped.includes("段落 399 "));
  await tmux.key("C-c");
  await tmux.shows("再按一次 ctrl-c 退出");
  await tmux.key("C-c");
  await assertRestored(tmux, 0);
}, slow);

inTmux(
  "a delete question: Enter is No, choosing Yes is Yes, the command shows its tricks",
  async (tmux) => {
    await start(tmux);
    await tmux.type("ask\n");
    const shown = await tmux.shows("→ 否");
    assert.ok(shown.includes("trash ␛[8mbuild") && shown.includes("/space/build"));
    await tmux.key("Enter");
    await tmux.shows("answer was false");
    await tmux.type("ask\n");
    await tmux.shows(/→ 否[\s\S]*answer was false[\s\S]*→ 否/);
    await tmux.key("Down", "Enter");
    await tmux.shows("answer was true");
    await tmux.key("C-d");
    await assertRestored(tmux, 0);
  },
);

inTmux("a throw, a rejection and an exit restore the terminal", async (tmux) => {
  for (const [line, code] of [["throw", 1], ["reject", 1], ["exit", 7]] as const) {
    await tmux.type(`${RUN}; echo ${line}=$?\n`);
    await tmux.shows(/❯ $/);
    await tmux.type(`${line}\n`);
    await assertRestored(tmux, code, line);
  }
}, slow);

inTmux(
  "SIGTERM, SIGHUP and SIGINT restore the terminal and have their exit codes",
  async (tmux) => {
    for (const [signal, code] of [["TERM", 143], ["HUP", 129], ["INT", 130]] as const) {
      await tmux.type("clear; echo before-it\n");
      await tmux.type(`${RUN}; echo RC=$?\n`);
      await tmux.shows(/❯ $/);
      await tmux.type("long\n");
      await tmux.shows("段落 3 ");
      const pid = await tmux.ask("#{pane_pid}");
      const { stdout } = await new Deno.Command("pgrep", { args: ["-P", pid] }).output();
      Deno.kill(Number(new TextDecoder().decode(stdout).trim()), `SIG${signal}`);
      await assertRestored(tmux, code);
    }
  },
  slow,
);

inTmux("the first-run set-up works with real keys and never shows the key", async (tmux) => {
  await tmux.type(`${RUN} setup\n`);
  await tmux.shows("先试用离线演示模型");
  await tmux.key("Enter");
  await tmux.shows("粘贴 DeepSeek 的 API 密钥");
  await tmux.paste("sk-secret-secret");
  await tmux.shows("已输入 16 个字符");
  await tmux.key("Enter");
  await tmux.shows("deepseek-chat");
  await tmux.key("Enter");
  const all = await tmux.shows("SETUP saved");
  assert.ok(all.includes("已保存到 narnat.json") && !all.includes("secret"));
}, slow);

Deno.test("in a pipe the session runs line by line, without an escape sequence", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-env", "--no-check", "-c", CONFIG, DRIVER],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("你好\nask\n"));
  await writer.close();
  const { code, stdout } = await child.output();
  const out = new TextDecoder().decode(stdout);
  assert.equal(code, 0);
  assert.ok(out.includes('❯ 你好\ngot "你好"\n') && out.endsWith("费用未知 · 1.2 s\n"), out);
  assert.ok(out.includes("answer was false"), "a pipe is nobody who could answer");
  assert.ok(!out.includes("\x1b"));
});
