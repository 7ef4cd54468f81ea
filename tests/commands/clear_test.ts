import assert from "node:assert/strict";
import { clear } from "../../src/commands/clear.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/clear starts afresh and names the old session when there was one", async () => {
  const { desk, asked, session } = testDesk();
  session.append({ role: "user", text: "q" });
  assert.match(await clear.run("", desk), new RegExp(session.id));
  assert.doesNotMatch(await clear.run("", desk), /stored/);
  assert.deepEqual(asked, ["fresh", "fresh"]);
});
