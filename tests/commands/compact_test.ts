import assert from "node:assert/strict";
import { english } from "../../src/base/t.ts";
import { compact, undoCompact } from "../../src/commands/compact.ts";
import { chinese } from "../support/chinese.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/compact asks for a handover with the focus it was given, and says no more than that does", async () => {
  const { controller, asked } = testController();
  assert.equal(await compact.run("", controller), "");
  assert.equal(await compact.run("the ports", controller), "");
  assert.deepEqual(asked, ["compact ", "compact the ports"]);
});

Deno.test("/undo-compact says where the user is now", async () => {
  for (
    const [t, says] of [[chinese, "已回到压缩前的会话"], [english, "Back in session"]] as const
  ) {
    const { controller, asked, session } = testController([], t);
    const text = await undoCompact.run("", controller);
    assert.ok(String(text).includes(says) && String(text).includes(session.id), String(text));
    assert.deepEqual(asked, ["undo compact"]);
  }
});
