/** Plain mode as people and scripts meet it: through a pipe, and at terminals that cannot be drawn on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";

const tmux = await Tmux.available();

/** Everything but text and line ends. */
// deno-lint-ignore no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f\x80-\x9f]/;

const rm = (path: string) => ({ calls: [{ name: "Bash", input: { command: `rm -r ${path}` } }] });

slow(
  "through a pipe: turns, commands, a shell line, a delete refused though a y is piped, without an escape sequence",
  async () => {
    const files = { "project/build/a.o": "12345", "project/build/b.o": "123", "project/x": "1" };
    await withWorkspace(files, async (root) => {
      const cwd = join(root, "project");
      const { code, stdout, stderr } = await runNarnat(BUNDLED, ["--model", "demo", "--plain"], {
        cwd,
        stdin: [
          "/status",
          "run rm -r build",
          "y",
          "!printf 'shell \\033[31mline\\n'",
          "one \\",
          "prompt",
          "/back",
          "",
        ].join("\n"),
      });
      assert.equal(code, 0, stderr);
      assert.ok(!CONTROL.test(stdout), JSON.stringify(stdout));
      for (
        const part of [
          "model: demo",
          "holding 2 files in 1 folder, 8 B",
          `    ${join(cwd, "build")}`,
          "Go ahead? [y/N]",
          "→ No",
          "declined, nothing ran",
          "❯ y\n",
          "\nshell line\n",
          "❯ one \n  prompt\n",
          "Back at this prompt:\n❯ one \n  prompt\n",
        ]
      ) assert.ok(stdout.includes(part), `${part}\n${stdout}`);
      assert.ok(Deno.statSync(join(cwd, "build")).isDirectory);
      const allowed = ["--model", "demo", "--plain", "--allow-delete"];
      const yes = await runNarnat(BUNDLED, allowed, { cwd, stdin: "run rm -r build\n" });
      assert.ok(yes.stdout.includes("→ Yes, this once"), yes.stdout);
      assert.throws(() => Deno.statSync(join(cwd, "build")), Deno.errors.NotFound);
    });
  },
);

for (
  const [name, args, env] of [["--plain", "--plain", {}], ["TERM=dumb", "", {
    TERM: "dumb",
  }]] as const
) {
  slow({
    name:
      `at a terminal with ${name}: lines only, typing ahead, questions, Ctrl-C stops and Ctrl-D ends`,
    ignore: !tmux,
    async fn() {
      await onStage({
        env: { LANG: "C.UTF-8", ...env },
        files: { "build/a": "1" },
        script: (request) => {
          const last = request.json.messages.at(-1);
          if (last.role === "tool") return { text: "tool done" };
          if (last.content === "delete") return rm("build");
          if (last.content === "slow") return { text: "slow…", fault: "stall" };
          return { text: `re: ${JSON.stringify(last.content)}` };
        },
      }, async ({ tmux, start, project }) => {
        await start(args);
        await tmux.shows("goes on");
        await tmux.type("你好\\\nworld\n");
        await tmux.shows('re: "你好\\nworld"');
        await tmux.type("delete\n");
        await tmux.shows("Go ahead? [y/N]");
        await tmux.type("\n");
        await tmux.shows("→ No");
        assert.ok(Deno.statSync(join(project, "build")).isDirectory);
        await tmux.shows("tool done");
        await tmux.type("slow\n");
        await tmux.shows("slow…");
        await tmux.type("typed ahead\n");
        await tmux.shows("(queued)");
        await tmux.key("C-c");
        await tmux.shows(/1 queued line not run[^]*Interrupted/);
        await tmux.type("and now\n");
        await tmux.shows('re: "and now"');
        await tmux.key("C-d");
        const all = await tmux.shows(/RC=0/);
        assert.ok(!all.includes('re: "typed ahead"'));
        assert.equal(await tmux.ask("#{cursor_flag} #{mouse_any_flag} #{alternate_on}"), "1 0 0");
      });
    },
  });
}

slow({
  name: "what plain mode writes to a terminal is text and line ends, to the byte",
  ignore: !tmux,
  async fn() {
    await onStage({ env: { LANG: "C.UTF-8" } }, async ({ tmux, project, home }) => {
      const log = join(project, "..", "written");
      const env = Object.entries(cleanEnv(home)).map(([name, value]) => `${name}='${value}'`);
      const narnat = [...env, ...[BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`)];
      await Deno.writeTextFile(
        join(project, "..", "plain"),
        `${narnat.join(" ")} --plain --model demo\n`,
      );
      await tmux.type(`script -qc 'sh ../plain' '${log}'; echo RC=$?\n`);
      await tmux.shows("goes on");
      await tmux.type("!printf 'a\\033[2Jb'\n");
      await tmux.shows(/^ab$/m);
      await tmux.key("C-d");
      await tmux.shows(/RC=0/);
      const written = (await Deno.readTextFile(log)).replace(/^Script started.*\n/, "")
        .replace(/\n?Script done[^]*$/, "");
      assert.ok(written.includes("ab\r\n"));
      // The pty's own echo of Ctrl-D ends in two backspaces.
      const text = written.replaceAll("\r\n", "\n").replaceAll("^D\b\b", "");
      assert.ok(!CONTROL.test(text), JSON.stringify(written));
    });
  },
});
