import assert from "node:assert/strict";
import { aligned } from "../../src/cli/stricli_text.ts";
import { widthOf } from "../../src/commands/table.ts";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
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
