import assert from "node:assert/strict";
import { trustCommand } from "../../../src/features/trust/command.ts";
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/trust asks each time it is given, and says what came of it", async () => {
  let asked = 0;
  const command = trustCommand(() => Promise.resolve(`answer ${++asked}`));
  const { desk } = testDesk();
  assert.equal(await command.run("", desk), "answer 1");
  assert.equal(await command.run("", desk), "answer 2");
});
