import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Pty, ptyAvailable } from "../support/pty.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { denoDir } from "../support/narnat.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

Deno.test({
  name: "who leaves the set-up is told how to go on",
  ignore: !await ptyAvailable(),
  fn: () =>
    withWorkspace({}, async (root) => {
      const env = { HOME: root, PATH: "/usr/bin:/bin", LANG: "en_US.UTF-8", DENO_DIR: denoDir() };
      const pty = Pty.open([Deno.execPath(), "run", "-q", "-A", "--no-check", MAIN], {
        env,
        cwd: root,
      });
      await pty.shows("esc quits");
      await pty.type("\x1b");
      await pty.end();
      assert.match(pty.written, /narnat --model demo tries it offline[^]*narnat\.json/);
    }),
});
