import assert from "node:assert/strict";
import { createLog } from "../../src/base/log.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const at = () => new Date(2026, 4, 30, 14, 30, 1);

Deno.test("each start makes a new file, named and written as seed 000 says", async () => {
  await withWorkspace({}, (root) => {
    const open = () => createLog({ dir: `${root}/logs`, now: at, redactAlways: (text) => text });
    const log = open();
    assert.equal(log.path, undefined, "no file before the first line");
    log.info("core.agent", '用户输入: "帮我重构这个模块"');
    log.debug("core.agent", "not at this level");
    log.warning("core.llm", "two\nlines");
    assert.equal(log.path, `${root}/logs/2026-05-30_14-30-01.log`);
    assert.equal(
      Deno.readTextFileSync(log.path),
      '2026-05-30 14:30:01 [core.agent] INFO 用户输入: "帮我重构这个模块"\n' +
        "2026-05-30 14:30:01 [core.llm] WARNING two\\nlines\n",
    );
    const second = open();
    second.error("x", "y");
    assert.equal(second.path, `${root}/logs/2026-05-30_14-30-01_2.log`);
    assert.equal(Deno.statSync(second.path).mode! & 0o777, 0o600);
  });
});

Deno.test("what may not be told is masked", async () => {
  await withWorkspace({}, (root) => {
    const redactAlways = (text: string) => text.replaceAll("hidden", "***");
    const log = createLog({ dir: `${root}/logs`, now: at, redactAlways });
    log.info("a", "it is hidden");
    assert.match(Deno.readTextFileSync(log.path!), /INFO it is \*{3}\n$/);
  });
});

Deno.test("a log that cannot be written is told once and never throws", async () => {
  await withWorkspace({ "logs": "a file, not a folder" }, (root) => {
    const told: string[] = [];
    const log = createLog({
      dir: `${root}/logs`,
      now: at,
      redactAlways: (text) => text,
      onFailure: (why) => told.push(why),
    });
    log.info("a", "b");
    log.info("a", "c");
    assert.equal(told.length, 1);
  });
});
