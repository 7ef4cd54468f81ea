import assert from "node:assert/strict";
import { join } from "node:path";
import { remember } from "../../../src/features/memory/remember_command.ts";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/remember keeps a line and tells the model; a known one is neither kept nor told", () =>
  withWorkspace({}, async (dir) => {
    const { desk, asked } = testDesk();
    const here = { ...desk, memory: { ...NO_MEMORY, dir } };
    assert.match(await remember.run("use pnpm", here), /takes effect now/);
    assert.match(await remember.run("use pnpm", here), /already/);
    assert.deepEqual(asked, ["note The user asks you to remember: use pnpm"]);
    assert.match(Deno.readTextFileSync(join(dir, "MEMORY.md")), /^- use pnpm$/m);
    assert.throws(() => remember.run("", here), /Usage/);
  }));

Deno.test("/remember says when the file is longer than what the model reads of it", () =>
  withWorkspace({ "MEMORY.md": `# Memory\n\n- ${"x".repeat(16_340)}\n` }, async (dir) => {
    const here = { ...testDesk().desk, memory: { ...NO_MEMORY, dir } };
    assert.doesNotMatch(await remember.run("use deno", here), /longer/);
    assert.match(
      await remember.run("use pnpm and nothing else", here),
      /\nMEMORY\.md has 16\d\d\d bytes, more than the 16384 .*\/dream/,
    );
  }));
