import assert from "node:assert/strict";
import { enter } from "../../src/commands/enter.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("/enter switches and says where one is", async () => {
  const { desk, asked } = testDesk([info("one", { name: "work" })]);
  assert.match(await enter.run("work", desk), /one \(work\), 2 turns/);
  assert.deepEqual(asked, ["enter work"]);
});

Deno.test("/enter without a session says what it needs", async () => {
  await assert.rejects(async () => await enter.run("", testDesk().desk), /\/show/);
});
