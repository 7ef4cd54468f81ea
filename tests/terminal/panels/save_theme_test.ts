import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { keepTheme } from "../../../src/terminal/panels/save_theme.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

Deno.test("why colours cannot be kept is said in the user's language", async () => {
  await withWorkspace({ file: "" }, (root) => {
    const path = join(root, "file/narnat.json");
    assert.match(keepTheme(path, "dark", chinese)!, /不是文件夹。$/);
    assert.match(keepTheme(path, "dark", english)!, /is not a folder\.$/);
    assert.equal(keepTheme(join(root, "narnat.json"), "dark", english), undefined);
    return Promise.resolve();
  });
});
