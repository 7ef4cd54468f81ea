import assert from "node:assert/strict";
import { remove } from "../../src/commands/delete.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("/delete removes and names what is gone", async () => {
  const { desk, asked } = testDesk([info("one")]);
  assert.match(await remove.run("one", desk), /Deleted one \(a question\)/);
  assert.deepEqual(asked, ["remove one"]);
});

Deno.test("/delete without a session lists them and removes nothing", async () => {
  const { desk, asked } = testDesk([info("one")]);
  assert.match(await remove.run("", desk), /1 {2}one .*\nChoose one: \/delete and its number/);
  assert.deepEqual(asked, []);
});

Deno.test("/delete says when the user did not want it after all", async () => {
  const { desk } = testDesk([info("one")]);
  const kept = { ...desk, remove: () => Promise.resolve(undefined) };
  await assert.rejects(async () => await remove.run("one", kept), /Not deleted/);
});
