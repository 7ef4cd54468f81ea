import assert from "node:assert/strict";
import { fresh } from "../../src/commands/new.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/new starts afresh and has the old session summarised when there was one", async () => {
  const { desk, asked, session } = testDesk();
  session.append({ role: "user", text: "q" });
  assert.match(await fresh.run("", desk), new RegExp(`${session.id}.*summarised`));
  assert.doesNotMatch(await fresh.run("", desk), /summarised/);
  assert.deepEqual(asked, ["fresh, archived", "fresh, archived"]);
});
