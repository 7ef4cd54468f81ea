import assert from "node:assert/strict";
import { join } from "node:path";
import { reasonOf } from "../../src/base/errors.ts";
import { writeAtomic } from "../../src/files/atomic.ts";
import {
  hasVersion,
  openRegular,
  readRegular,
  STAMPED_BYTES,
  versionOf,
} from "../../src/files/open_regular.ts";
import { hashBytes } from "../../src/files/text_file.ts";
import { slow } from "../support/soak.ts";
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

const LARGE = STAMPED_BYTES + 10;
const settle = () => new Promise((resolve) => setTimeout(resolve, 2100));

Deno.test("a small file is known by the hash of its bytes, whatever its times", async () => {
  await withWorkspace({ "f": "text" }, async (root) => {
    const path = join(root, "f");
    const version = await versionOf(path);
    assert.equal(version, await hashBytes(await Deno.readFile(path)));
    await Deno.utime(path, 1, 1);
    assert.equal(await hasVersion(path, version), true);
    await Deno.writeTextFile(path, "test");
    assert.equal(await hasVersion(path, version), false);
    await Deno.remove(path);
    assert.equal(await hasVersion(path, version), false);
  });
});

slow("a large file is known by a stamp that every write changes", async () => {
  await withWorkspace({ "f": new Uint8Array(LARGE) }, async (root) => {
    const path = join(root, "f");
    await settle();
    const version = await versionOf(path);
    assert.match(version, /^stamp:/);
    assert.equal(await hasVersion(path, version), true);
    const { atime, mtime } = await Deno.stat(path);
    using file = await Deno.open(path, { write: true });
    await file.write(Uint8Array.of(1));
    await Deno.utime(path, atime!, mtime!);
    assert.equal(await hasVersion(path, version), false, "also with its old times put back");
  });
});

Deno.test("a large file that changes just now is known by its hash", async () => {
  await withWorkspace({ "f": "" }, async (root) => {
    const path = join(root, "f");
    const bytes = new Uint8Array(LARGE);
    await Deno.writeFile(path, bytes);
    const soon = new Date(Date.now() + 60_000);
    await Deno.utime(path, soon, soon);
    assert.equal(await versionOf(path), await hashBytes(bytes));
    assert.equal(await hasVersion(path, await hashBytes(bytes)), true);
  });
});

slow("what was just written is told from a write of the same size at the same moment", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "f");
    const bytes = new Uint8Array(LARGE);
    for (let run = 0; run < 10; run++) {
      const version = await writeAtomic(path, bytes);
      using file = Deno.openSync(path, { write: true });
      file.writeSync(Uint8Array.of(run + 1));
      assert.equal(await hasVersion(path, version), false);
    }
  });
});

Deno.test("what was just written keeps its version until it is written again", async () => {
  await withWorkspace({}, async (root) => {
    for (const size of [10, LARGE]) {
      const path = join(root, `f${size}`);
      const version = await writeAtomic(path, new Uint8Array(size));
      assert.equal(await hasVersion(path, version), true);
    }
  });
});
