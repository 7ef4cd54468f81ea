import assert from "node:assert/strict";
import { dreamRestore } from "../../../src/features/memory/dream_restore_command.ts";
import { NO_MEMORY } from "../../../src/agent/none.ts";
import { testDesk } from "../../support/test_desk.ts";

Deno.test("/dream-restore undoes the last Dream or a named one, and says which", async () => {
  const { desk } = testDesk();
  const restore = (id: string | undefined) => Promise.resolve(id ?? "the last");
  const here = { ...desk, memory: { ...NO_MEMORY, restore } };
  assert.match(await dreamRestore.run("", here), /Undone: the last/);
  assert.match(await dreamRestore.run("abc1234", here), /Undone: abc1234/);
});
