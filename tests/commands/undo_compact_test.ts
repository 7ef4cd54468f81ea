import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { undoCompact } from "../../src/commands/undo_compact.ts";
import { testDesk } from "../support/test_desk.ts";

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
