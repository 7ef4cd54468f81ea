import assert from "node:assert/strict";
import { exit } from "../../src/commands/exit.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/exit leaves without a word", async () => {
  const { desk, asked } = testDesk();
  assert.equal(await exit.run("", desk), "");
  assert.deepEqual(asked, ["exit"]);
});
