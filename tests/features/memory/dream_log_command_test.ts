import assert from "node:assert/strict";
import { dreamLog } from "../../../src/features/memory/dream_log_command.ts";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/dream-log shows the last changes, as many as asked for", async () => {
  const { desk } = testDesk();
  const here = { ...desk, memory: { ...NO_MEMORY, log: (n: number) => Promise.resolve(`${n}`) } };
  assert.equal(await dreamLog.run("", here), "5");
  assert.equal(await dreamLog.run("12", here), "12");
  for (const bad of ["0", "x", "1.5", "101"]) {
    await assert.rejects(async () => await dreamLog.run(bad, here), /1 to 100/);
  }
  assert.match(await dreamLog.run("", desk), /no record yet/);
});
