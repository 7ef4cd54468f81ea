import assert from "node:assert/strict";
import { save } from "../../src/commands/save.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("/save takes the given name, the name it has, or the first question", async () => {
  const { desk, asked, session } = testDesk();
  session.append({ role: "user", text: "  how many\nlines " }, { asked: true });
  await save.run("", desk);
  await save.run("my   name", desk);
  await save.run("", desk);
  assert.deepEqual(asked, ["save how many", "save my name", "save my name"]);
});

Deno.test("/save refuses an empty session and a taken name", async () => {
  const { desk, session } = testDesk([info("1", { name: "taken" })]);
  await assert.rejects(async () => await save.run("x", desk), /empty/);
  session.append({ role: "user", text: "q" });
  await assert.rejects(async () => await save.run("taken", desk), /already/);
});
