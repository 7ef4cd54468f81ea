import assert from "node:assert/strict";
import { sessionChoices } from "../../src/commands/session_choices.ts";
import { commands } from "../../src/app/commands.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("the stored sessions are offered by id, with date, name and title, without the current one", async () => {
  const { desk, session } = testDesk([
    info("one", { name: "work" }),
    info("two", { title: "why?" }),
  ]);
  const own = info(session.id);
  const two = info("two", { busy: true });
  const list = () => Promise.resolve([own, info("one", { name: "work" }), two]);
  const choices = await sessionChoices({ ...desk, list });
  assert.deepEqual(choices.map(({ value }) => value), ["one", "two"]);
  const helps = choices.map(({ help }) => help.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d/, "DATE"));
  assert.deepEqual(helps, ["DATE  [work] a question", "DATE  (in use) a question"]);
});

Deno.test("enter, delete, model and theme say what their argument may be", async () => {
  const { desk } = testDesk([info("one")]);
  for (const name of ["enter", "delete", "model", "theme"]) {
    const choices = await commands.find((command) => command.name === name)!.complete!(desk);
    assert.ok(choices.length > 0, name);
  }
});
