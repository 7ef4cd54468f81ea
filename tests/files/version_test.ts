import assert from "node:assert/strict";
import { join } from "node:path";
import { writeAtomic } from "../../src/files/atomic.ts";
import { hashBytes } from "../../src/files/text_file.ts";
import { hasVersion, STAMPED_BYTES, versionOf } from "../../src/files/version.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

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
