/** Ctrl-Z, `fg` and stop signals, as a shell with job control sees them. */
import assert from "node:assert/strict";
import { BUNDLED } from "../support/bundled.ts";
import { Pty, ptyAvailable } from "../support/pty.ts";
import { cleanEnv } from "../support/narnat.ts";
import { inTerminal, slowInTerminal } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const READY = /❯ $/;
const SHELL = /SH> $/;
const SLOW = { text: "一段很长的回答。".repeat(40), delayMs: 700 };

const pty = await ptyAvailable();
if (!pty) console.error("SKIPPED: python3 is missing, no group that nobody waits for is tested");

/** What `stty -a` says, taken by the shell in the terminal. */
async function settings(tmux: Tmux): Promise<string> {
  const done = crypto.randomUUID();
  await tmux.type(`clear; stty -a; echo ${done}\n`);
  const all = await tmux.shows(new RegExp(`^${done}\\n`, "m"));
  return all.slice(all.lastIndexOf("speed"), all.lastIndexOf(done));
}

/**
 * Waits until narnat has read what the terminal answered it at its start, for nothing can be done
 * about an answer that comes to a stopped process: it has read what came before a later key.
 */
async function heard(tmux: Tmux): Promise<void> {
  await tmux.shows(READY);
  await tmux.type("x");
  await tmux.shows(/❯ x $/);
  await tmux.key("BSpace");
  await tmux.shows(READY);
}

slowInTerminal("Ctrl-Z gives the shell its terminal, fg brings the prompt and its text back", {
  script: [{ text: "好的。" }],
}, async ({ tmux, start }) => {
  const before = await settings(tmux);
  await start();
  await tmux.shows(READY);
  await tmux.type("写了一");
  await tmux.shows("❯ 写了一");
  await tmux.key("C-z");
  const stopped = await tmux.shows(/Stopped[^]*SH> $/);
  assert.ok(!stopped.includes("写了一"), stopped);
  assert.equal(await tmux.ask("#{cursor_flag}"), "1");
  await tmux.paste("echo pas''ted");
  await tmux.key("Enter");
  await tmux.shows(/^pasted$/m);
  assert.equal(await settings(tmux), before);
  await tmux.type("fg\n");
  await tmux.shows(/❯ 写了一 $/);
  await tmux.type("半\n");
  const all = await tmux.shows(/❯ 写了一半\n\n好的。\n[^]*❯ $/);
  assert.equal(all.split("写了一").length, 2, all);
  await tmux.key("C-z");
  await tmux.shows(SHELL);
  await tmux.type("fg\n");
  await tmux.shows(READY);
  await tmux.key("C-d");
  await tmux.shows(SHELL);
  await tmux.type("echo RC=$?\n");
  await tmux.shows("RC=0");
  assert.equal(await settings(tmux), before);
});

slowInTerminal("Ctrl-Z while a turn runs: fg goes on with it, and ESC stops it", {
  script: [SLOW, { text: "后面的。" }],
}, async ({ tmux, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("写", "一段很长");
  await tmux.key("C-z");
  await tmux.shows(/Stopped[^]*SH> $/);
  await tmux.type("fg\n");
  await tmux.shows("esc 中断");
  await tmux.key("Escape");
  await tmux.shows(/已中断[^]*❯[^\n]*$/);
  await say("再来", /❯ 再来\n\n后面的。/);
});

slowInTerminal("a stop from outside is the same, and kill -STOP with fg draws the prompt again", {
  script: [{ text: "好的。" }],
}, async ({ tmux, start, say, pid }) => {
  const before = await settings(tmux);
  await start();
  await heard(tmux);
  const process = await pid();
  Deno.kill(process, "SIGTSTP");
  await tmux.shows(/Stopped[^]*SH> $/);
  assert.equal(await settings(tmux), before);
  await tmux.type("fg\n");
  await heard(tmux);
  Deno.kill(process, "SIGSTOP");
  await tmux.shows(/SH> $/);
  await tmux.type("clear; fg\n");
  await tmux.shows(READY);
  await say("在吗", /好的。[^]*❯ $/);
  await tmux.key("C-d");
  await tmux.shows(SHELL);
  assert.equal(await settings(tmux), before);
});

slowInTerminal("Ctrl-Z at a question: fg shows the question again with its whole command", {
  script: [{ calls: [{ name: "Bash", input: { command: "rm old.txt" } }] }, { text: "后面的。" }],
  files: { "old.txt": "old\n" },
}, async ({ tmux, start, say }) => {
  await start();
  await tmux.shows(READY);
  await say("删", /rm old\.txt[^]*esc = 否/);
  await tmux.key("C-z");
  await tmux.shows(/Stopped[^]*SH> $/);
  await tmux.type("clear; fg\n");
  await tmux.shows(/rm old\.txt[^]*old\.txt[^]*esc = 否/);
  const seen = await tmux.seen();
  assert.match(seen, /rm old\.txt[^]*esc = 否/);
  await tmux.key("C-d");
  await tmux.shows(/后面的。[^]*❯[^\n]*$/);
});

inTerminal("in the background it waits, and fg takes it back", {}, async ({ tmux, start }) => {
  await start();
  await tmux.shows(READY);
  await tmux.key("C-z");
  await tmux.shows(/Stopped[^]*SH> $/);
  await tmux.type("clear; bg\n");
  await tmux.type("echo a''lone\n");
  await tmux.shows(/^alone$/m);
  await tmux.type("clear; fg\n");
  await tmux.shows(READY);
  await tmux.key("C-d");
  await tmux.shows(/SH> $/);
});

slow({
  name: "Ctrl-Z without a shell to come back from does not freeze narnat",
  ignore: !pty,
  fn: () =>
    withWorkspace({ "home/.keep": "", "project/.keep": "" }, async (root) => {
      const terminal = Pty.open([BUNDLED.command, ...BUNDLED.args, "--model", "demo"], {
        env: { ...cleanEnv(`${root}/home`), LANG: "en_US.UTF-8" },
        cwd: `${root}/project`,
      });
      try {
        await terminal.shows("❯");
        await terminal.type("\x1a");
        await terminal.type("still here");
        await terminal.shows("still here");
        await terminal.type("\x03\x04");
        assert.equal(await terminal.end(), 0);
      } finally {
        await terminal.close();
      }
    }),
});
