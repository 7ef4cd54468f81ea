import assert from "node:assert/strict";
import { join } from "node:path";
import { withWorkspace } from "../../../support/temp_workspace.ts";
import { bash, keep } from "../checkpoints.ts";

const DAY = 24 * 3600 * 1000;
const count = (kept: ReturnType<typeof keep>) => [...kept.objects.list()].length;

Deno.test("turns that are too old go, with the contents that nothing else needs", async () => {
  await withWorkspace({ a: "a", b: "b" }, async (root) => {
    let now = Date.now();
    const kept = keep(root, { ageMs: 30 * DAY }, () => now);
    await kept.turn(() => bash(root, "echo 1 > a"));
    now += 20 * DAY;
    await kept.turn(() => bash(root, "echo 2 > a"));
    assert.equal(count(kept), 4);
    now += 20 * DAY;
    await kept.turn(() => {});
    assert.deepEqual(kept.turns().map(({ turn }) => turn), [2]);
    assert.equal(count(kept), 3, "a's first content is needed no more");
    kept.take({ what: "undo" });
    assert.equal(Deno.readTextFileSync(join(root, "a")), "1\n");
    kept.close();
  });
});

Deno.test("beyond the bound of size the oldest turns go first, what the folder holds never", async () => {
  await withWorkspace({ a: "0".repeat(400), b: "b" }, async (root) => {
    let now = Date.now();
    const kept = keep(root, { totalBytes: 1000 }, () => now);
    for (let i = 1; i <= 4; i++) {
      now += 1000;
      await kept.turn(() => Deno.writeTextFileSync(join(root, "a"), String(i).repeat(400)));
    }
    now += 2 * DAY;
    await kept.turn(() => {});
    assert.deepEqual(kept.turns().map(({ turn }) => turn), [4, 3]);
    kept.take({ what: "undo", count: 2 });
    assert.equal(Deno.readTextFileSync(join(root, "a")), "2".repeat(400));
    kept.close();
  });
});

Deno.test("nothing goes while another narnat is here", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    let now = Date.now();
    const clock = () => now;
    const kept = keep(root, { ageMs: DAY }, clock);
    await kept.turn(() => bash(root, "echo 1 > a"));
    const other = keep(root, { ageMs: DAY }, clock);
    now += 3 * DAY;
    await kept.turn(() => {});
    assert.equal(kept.turns().length, 1);
    other.close();
    // a program that another test is starting may hold the lock for a moment too
    for (let tries = 0; tries < 100 && kept.turns().length > 0; tries++) await kept.turn(() => {});
    assert.equal(kept.turns().length, 0);
    assert.equal(count(kept), 1);
    kept.close();
  });
});
