import assert from "node:assert/strict";
import { lockFile, unlock } from "../../src/files/file_lock.ts";
import { slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("of two that want a lock one waits until the other gives it back", async () => {
  await withWorkspace({}, async (root) => {
    const path = `${root}/x.lock`;
    const first = await lockFile(path, 1000);
    let had = false;
    const second = lockFile(path, 60_000).then((file) => {
      had = true;
      return file;
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(had, false);
    first.close();
    (await second).close();
  });
});

Deno.test("nothing is locked, or made, through a link", async () => {
  await withWorkspace({}, async (root) => {
    await Deno.symlink(`${root}/elsewhere`, `${root}/x.lock`);
    const refused = { name: "FileError", reason: "not_regular" };
    await assert.rejects(lockFile(`${root}/x.lock`, 50), refused);
    await assert.rejects(Deno.lstat(`${root}/elsewhere`), Deno.errors.NotFound);
  });
});

Deno.test("a lock that is never given back is waited for so long, and then told", async () => {
  await withWorkspace({}, async (root) => {
    using _held = await lockFile(`${root}/x.lock`, 1000);
    await assert.rejects(lockFile(`${root}/x.lock`, 50), { name: "FileError", reason: "locked" });
  });
});

slow("a lock is waited for as long as was said, not for another's time", async () => {
  await withWorkspace({}, async (root) => {
    using _held = await lockFile(`${root}/x.lock`, 1000);
    const short = lockFile(`${root}/x.lock`, 100).catch(() => "short");
    const long = lockFile(`${root}/x.lock`, 5000).catch(() => "long");
    assert.equal(await Promise.race([short, long]), "short");
    await long;
  });
});

/** Starts programs, all the time, in another thread. */
const STARTS = `for (;;) await Promise.all(
  Array.from({ length: 8 }, () => new Deno.Command("true").output()).concat([postMessage("")]),
);`;

Deno.test("a lock that was let go is free at once, however many programs are being started", async () => {
  await withWorkspace({}, async (root) => {
    const source = new Blob([STARTS], { type: "text/javascript" });
    const url = URL.createObjectURL(source);
    const worker = new Worker(url, { type: "module" });
    await new Promise((resolve) => worker.onmessage = resolve);
    let held = 0;
    for (let i = 0; i < 2000; i++) {
      const file = Deno.openSync(`${root}/x.lock`, { write: true, create: true });
      if (!file.tryLockSync(true)) held++;
      unlock(file);
    }
    worker.terminate();
    URL.revokeObjectURL(url);
    assert.equal(held, 0);
  });
});
