import assert from "node:assert/strict";
import { aligned, insteadOf } from "../../src/cli/stricli_text.ts";
import { widthOf } from "../../src/commands/table.ts";
import { BUNDLED } from "../support/bundled.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("the values of the flags stand below each other, whatever the language", async () => {
  await withWorkspace({ "w/a": "" }, async (dir) => {
    for (
      const [lang, args] of [["zh", ["--help"]], ["en", ["--help"]], ["zh", [
        "mcp",
        "--help",
      ]]] as const
    ) {
      const { stdout } = await runNarnat(BUNDLED, [...args, "--lang", lang], {
        cwd: `${dir}/w`,
        stdin: "",
      });
      const columns = stdout.split("\n").flatMap((line) => {
        const at = / {2}\[[^\]]*\]$/.exec(line)?.index;
        return at === undefined ? [] : [widthOf(line.slice(0, at + 2))];
      });
      assert.ok(columns.length > 1, stdout);
      assert.deepEqual(new Set(columns).size, 1, stdout);
    }
  });
});

Deno.test("a text without values is as it was", () => {
  assert.equal(aligned("a [b] c\n\nd"), "a [b] c\n\nd");
});

Deno.test("a flag that there is not is answered with where the flags are listed", async () => {
  await withWorkspace({ "w/a": "" }, async (dir) => {
    const cases = [
      ["en", ["--bogus", "-p", "x"], "There is no flag --bogus; narnat --help lists them all"],
      ["zh", ["--bogus", "-p", "x"], "没有选项 --bogus；全部选项见 narnat --help"],
      ["en", ["-Q", "-p", "x"], "There is no flag -Q; narnat --help lists them all"],
      [
        "en",
        ["--modle", "x"],
        "There is no flag --modle; did you mean --model? narnat --help lists them all",
      ],
      [
        "en",
        ["--outputformat", "json"],
        "There is no flag --outputformat; did you mean --output-format? narnat --help lists them all",
      ],
    ] as const;
    for (const [lang, args, told] of cases) {
      const { code, stderr } = await runNarnat(BUNDLED, [...args, "--lang", lang], {
        cwd: `${dir}/w`,
        stdin: "",
      });
      assert.deepEqual([code, stderr.trim()], [2, `narnat: ${told}`]);
    }
  });
});

Deno.test("a word that is no number of turns is told as that, where there are no turns too", async () => {
  await withWorkspace({ "w/a": "" }, async (dir) => {
    for (const [lang, told] of [["en", "A number, not abc"], ["zh", "应是数字，收到 abc"]]) {
      const { code, stderr } = await runNarnat(BUNDLED, ["undo", "abc", "--lang", lang!], {
        cwd: `${dir}/w`,
        stdin: "",
      });
      assert.equal(code, 2);
      assert.ok(stderr.includes(told!), stderr);
    }
  });
});

Deno.test("help that cannot be written is told with what was attempted", async () => {
  await withWorkspace({ "w/a": "" }, async (dir) => {
    const command = [BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`).join(" ");
    const told = { en: "Cannot write to standard output: ", zh: "无法写到标准输出：" };
    for (const lang of ["en", "zh"] as const) {
      const { code, stderr } = await new Deno.Command("bash", {
        args: ["-c", `${command} --help --lang ${lang} </dev/null >/dev/full`],
        cwd: `${dir}/w`,
        clearEnv: true,
        env: cleanEnv(dir),
      }).output();
      assert.equal(code, 1);
      assert.ok(new TextDecoder().decode(stderr).startsWith(`narnat: ${told[lang]}`));
    }
  });
});

const OTHERS =
  "--max-turns --permission-mode --allowedTools --allowed-tools --disallowedTools --yolo --json " +
  "--dangerously-skip-permissions --full-auto --mcp-config --add-dir --session-id --system-prompt " +
  "--approval-mode --prompt --quiet --sandbox --include-partial-messages --skip-git-repo-check --cd";

Deno.test("a flag of another agent is answered with what does the same here, which there is", async () => {
  await withWorkspace({}, async (cwd) => {
    const run = (...args: string[]) => runNarnat(BUNDLED, args, { cwd, stdin: "" });
    const { stdout: help } = await run("--help", "--lang", "en");
    for (const flag of OTHERS.split(" ")) {
      const use = insteadOf(flag.slice(2));
      assert.ok(use !== undefined, flag);
      for (const [ours] of use.matchAll(/--[a-z-]+/g)) assert.ok(help.includes(ours), ours);
    }
    for (const lang of ["en", "zh"]) {
      const { code, stderr } = await run("--lang", lang, "-p", "x", "--allowedTools", "Read");
      assert.equal(code, 2);
      assert.match(stderr, /^narnat: .*--allowedTools.*--tools A,B,…\n$/);
    }
  });
});

Deno.test("no flag of narnat's own is taken for another agent's", async () => {
  await withWorkspace({}, async (cwd) => {
    const { stdout } = await runNarnat(BUNDLED, ["--help"], { cwd, stdin: "" });
    for (const [, flag] of stdout.matchAll(/--([a-z-]+)/g)) {
      assert.equal(insteadOf(flag!), undefined);
    }
  });
});

slow("a value that a flag does not take is refused with the flag's name", async () => {
  await withWorkspace({}, async (cwd) => {
    const cases = [
      ["--permission", "bar"],
      ["--api", "x"],
      ["--output-format", "xml"],
      ["--input-format", "xml"],
      ["--max-iterations", "0"],
      ["--max-cost", "much"],
      ["--max-total-tokens", "1.5"],
    ];
    for (const [flag = "", value = ""] of cases) {
      for (const lang of ["en", "zh"]) {
        const { code, stderr } = await runNarnat(
          BUNDLED,
          ["-p", "x", "--lang", lang, flag, value],
          { cwd, stdin: "" },
        );
        assert.equal(code, 2, flag);
        assert.ok(stderr.includes(flag.slice(2)) && stderr.includes(`"${value}"`), stderr);
      }
    }
  });
});
