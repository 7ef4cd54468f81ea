import assert from "node:assert/strict";
import { insteadOf } from "../../src/cli/other_flags.ts";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

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
