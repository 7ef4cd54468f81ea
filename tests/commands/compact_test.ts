import assert from "node:assert/strict";
import { compact } from "../../src/commands/compact.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/compact asks for a handover with the focus it was given, and says no more than that does", async () => {
  const { desk, asked } = testDesk();
  assert.equal(await compact.run("", desk), "");
  assert.equal(await compact.run("the ports", desk), "");
  assert.deepEqual(asked, ["compact ", "compact the ports"]);
});
