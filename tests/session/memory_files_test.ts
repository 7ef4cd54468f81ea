import assert from "node:assert/strict";
import { join } from "node:path";
import { emptySummary, writeSummary } from "../../src/session/memory_files.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const NAME = "last_session_summary.md";

Deno.test("a summary is read back as it was written, and emptied as what it is", async () => {
  await withWorkspace({}, async (dir) => {
    const text = "# 总结\n\n🙂 one\r\ntwo";
    assert.equal(await writeSummary(dir, text), text);
    emptySummary(dir, "another");
    assert.equal(Deno.readTextFileSync(join(dir, NAME)), text);
    emptySummary(dir, text);
    assert.equal(Deno.readTextFileSync(join(dir, NAME)), "");
  });
});

Deno.test("emptying follows no link and misses no file", async () => {
  await withWorkspace({ "other.md": "sum" }, (dir) => {
    emptySummary(dir, "sum");
    Deno.symlinkSync(join(dir, "other.md"), join(dir, NAME));
    emptySummary(dir, "sum");
    assert.equal(Deno.readTextFileSync(join(dir, "other.md")), "sum");
  });
});
