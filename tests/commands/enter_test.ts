import assert from "node:assert/strict";
import { enter } from "../../src/commands/enter.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("/enter switches and says where one is", async () => {
  const { desk, asked } = testDesk([info("one", { name: "work" })]);
  assert.match(await enter.run("work", desk), /one \(work\), 2 turns/);
  assert.deepEqual(asked, ["enter work"]);
});

Deno.test("/enter without a session lists them, by number, id, date and first words, and how to take one", async () => {
  const busy = info("two", { title: "why?", busy: true });
  const { desk, asked } = testDesk([info("one", { name: "work" }), busy]);
  assert.match(
    await enter.run("", desk),
    /^ +1 {2}one {2}\d{4}-\d\d-\d\d \d\d:\d\d .*\[work\] a question\n +2 {2}two .*\(in use\) why\?\nChoose one: \/enter and its number, name or ID$/,
  );
  assert.deepEqual(asked, []);
  assert.equal(await enter.run("", testDesk().desk), "No stored sessions yet");
});
