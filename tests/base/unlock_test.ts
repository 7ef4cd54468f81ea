import assert from "node:assert/strict";
import { unlock } from "../../src/base/unlock.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

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
