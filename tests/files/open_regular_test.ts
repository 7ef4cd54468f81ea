import assert from "node:assert/strict";
import { join } from "node:path";
import { reasonOf } from "../../src/base/errors.ts";
import { openRegular, readRegular } from "../../src/files/open_regular.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const refusalOf = (work: Promise<unknown>) =>
  work.then(() => "opened", (error: unknown) => reasonOf(error));

Deno.test({
  name: "a pipe that has taken a file's place is refused, and nobody is left waiting for it",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace({}, async (root) => {
      const path = join(root, "p");
      await new Deno.Command("mkfifo", { args: [path] }).output();
      assert.equal(await refusalOf(openRegular(path)), "not_regular");
      assert.equal(await refusalOf(readRegular(path)), "not_regular");
    }),
});

Deno.test("a folder and a device are refused", async () => {
  await withWorkspace({ "d/a": "" }, async (root) => {
    assert.equal(await refusalOf(openRegular(join(root, "d"))), "folder");
    assert.equal(await refusalOf(openRegular("/dev/null")), "not_regular");
    assert.equal(await refusalOf(openRegular(join(root, "none"))), "missing");
  });
});

Deno.test("what a link on the way leads to is not opened in the file's place", async () => {
  await withWorkspace({ "outside/f": "secret", "in/g": "" }, async (root) => {
    await Deno.symlink(join(root, "outside"), join(root, "in/d"));
    assert.equal(await refusalOf(readRegular(join(root, "in/d/f"))), "changed");
  });
});

Deno.test("a file is read whole, also one that says it is empty or grows meanwhile", async () => {
  const text = "x".repeat(100_000);
  await withWorkspace({ "a": text, "b": "" }, async (root) => {
    assert.equal(new TextDecoder().decode(await readRegular(join(root, "a"))), text);
    assert.equal((await readRegular(join(root, "b"))).length, 0);
  });
});

Deno.test("a file that is replaced again and again is read, each time one of its contents", async () => {
  await withWorkspace({ "a": "0" }, async (root) => {
    const path = join(root, "a");
    let going = true;
    const replacing = (async () => {
      for (let n = 1; going; n++) {
        await Deno.writeTextFile(`${path}.new`, String(n % 10));
        await Deno.rename(`${path}.new`, path);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    for (let n = 0; n < 50; n++) assert.equal((await readRegular(path)).length, 1);
    going = false;
    await replacing;
  });
});
