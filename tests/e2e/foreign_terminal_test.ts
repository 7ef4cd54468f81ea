/** A terminal that narnat is on and may not open, as after `su`. */
import assert from "node:assert/strict";
import { modesLeft } from "./modes.ts";
import { ptyAvailable } from "../support/pty.ts";
import { childOf, onPty } from "../support/terminal.ts";
import { slow } from "../support/soak.ts";

const root = Deno.uid() === 0;
const able = Deno.build.os === "linux" && await ptyAvailable() &&
  (!root || await new Deno.Command("setpriv", { args: ["--version"] }).output().then(
    (tried) => tried.success,
    () => false,
  ));
if (!able) console.error("SKIPPED: no terminal can be made that belongs to another user");

/** Root may open anything, until it gives that up. */
const NARNAT = root ? "setpriv --bounding-set -dac_override ../narnat" : "../narnat";

slow({
  name: "on a terminal of another user keys, the editor, Ctrl-Z, fg and SIGTERM work",
  ignore: !able,
  fn: () =>
    onPty({
      script: [{ text: "好的。" }, { fault: "stall", text: "一段很长的回答。" }],
      env: { EDITOR: "sed -i s/before/after/" },
    }, async (pty) => {
      await pty.type("chmod 000 $(tty)\r");
      const from = pty.written.length;
      await pty.type(`${NARNAT}\r`);
      await pty.shows("\x1b[?2026l", from);
      await pty.type("你好");
      await pty.shows("你好", from);
      await pty.type("\r");
      await pty.shows("好的。", from);
      await pty.type("before");
      await pty.shows("before", from);
      await pty.type("\x07");
      await pty.shows("after", from);
      const stopped = pty.written.length;
      await pty.type("\x1a");
      await pty.shows(/Stopped[^]*SH> $/, stopped);
      assert.deepEqual(modesLeft(pty.written), []);
      const back = pty.written.length;
      await pty.type("fg\r");
      await pty.shows("after", back);
      await pty.type("\r");
      await pty.shows("一段很长", back);
      const sent = pty.written.length;
      Deno.kill(await childOf(pty.pid), "SIGTERM");
      await pty.shows(/SH> $/, sent);
      await pty.type("echo R''C=$?\r");
      await pty.shows(/RC=143\r\n.*SH> $/, sent);
      assert.deepEqual(modesLeft(pty.written), []);
    }),
});

slow({
  name: "where the keys cannot be read at all it goes line by line, and says why",
  ignore: !able,
  fn: () =>
    onPty({ script: [{ text: "好的。" }] }, async (pty) => {
      await pty.type("chmod 000 $(tty)\r");
      const from = pty.written.length;
      // A session of its own has no controlling terminal.
      await pty.type(`setsid --wait ${NARNAT}\r`);
      await pty.shows("别的用户", from);
      await pty.type("你好\r");
      await pty.shows("好的。", from);
      await pty.type("/exit\r");
      await pty.shows(/SH> $/, from);
    }),
});
