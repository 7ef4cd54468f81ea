import assert from "node:assert/strict";
import { english } from "../../src/base/t.ts";
import { compact, undoCompact } from "../../src/commands/compact.ts";
import { chinese } from "../support/chinese.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/compact asks for a handover with the focus it was given, and says no more than that does", async () => {
  const { desk, asked } = testDesk();
  assert.equal(await compact.run("", desk), "");
  assert.equal(await compact.run("the ports", desk), "");
  assert.deepEqual(asked, ["compact ", "compact the ports"]);
});

Deno.test("/undo-compact says where the user is now", async () => {
  for (
    const [t, says] of [[chinese, "已回到压缩前的会话"], [english, "Back in session"]] as const
  ) {
    const { desk, asked, session } = testDesk([], t);
    const text = await undoCompact.run("", desk);
    assert.ok(String(text).includes(says) && String(text).includes(session.id), String(text));
    assert.deepEqual(asked, ["undo compact"]);
  }
});
