import assert from "node:assert/strict";
import { trustCommand } from "../../../src/features/trust/command.ts";
import { testController } from "../../support/test_controller.ts";

Deno.test("/trust asks each time it is given, and says what came of it", async () => {
  let asked = 0;
  const command = trustCommand(() => Promise.resolve(`answer ${++asked}`));
  const { controller } = testController();
  assert.equal(await command.run("", controller), "answer 1");
  assert.equal(await command.run("", controller), "answer 2");
});
