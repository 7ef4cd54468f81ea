import { english, type T } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { asText } from "../../src/cli/check_command.ts";
import { checkCommand, verdictJson } from "../../src/shell/policy/gate.ts";

function shown(command: string, t: T = english): string {
  const options = { permission: "open", cwd: "/space/app", workspace: "/space/app" } as const;
  return asText(t, verdictJson(t, checkCommand(command, { ...options, shell: "bash" })));
}

Deno.test("for people the verdict shows decision, rule, reason and each target", () => {
  assert.equal(
    shown("rm a /etc/b"),
    "ask · delete · rm\n" +
      "the command deletes files or data (rm); outside the workspace: /etc/b\n" +
      "  /space/app/a\n" +
      "  /etc/b (outside the workspace)\n",
  );
  assert.equal(shown("ls"), "allow\n");
  assert.match(shown("vim a"), /^refuse · interactive · vim\nvim is an interactive editor/);
  assert.match(shown("rm /etc/b", chinese), /\n {2}\/etc\/b（在工作区之外）\n$/);
});
