import assert from "node:assert/strict";
import { Watchdog } from "../../src/base/watchdog.ts";

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

Deno.test("a wait in which nothing is heard is told late once, whatever waits beside it", async () => {
  const watchdog = new Watchdog();
  const late: string[] = [];
  const long = watchdog.begin(60_000, () => late.push("long"));
  const over = new Promise<void>((done) => {
    watchdog.begin(20, () => late.push("second"));
    watchdog.begin(10, () => late.push("first"));
    watchdog.begin(30, done);
  });
  await over;
  assert.deepEqual(late.sort(), ["first", "second"]);
  long.end();
});

Deno.test("what is heard begins the time anew, and a wait that has ended is never late", async () => {
  const watchdog = new Watchdog();
  watchdog.begin(1, () => assert.fail("it had ended")).end();
  let heard = performance.now();
  let silent = 0;
  const late = new Promise<void>((done) => {
    const wait = watchdog.begin(60, () => {
      silent = performance.now() - heard;
      done();
    });
    void (async () => {
      for (let i = 0; i < 5 && silent === 0; i++) {
        await after(20);
        heard = performance.now();
        wait.heard();
      }
    })();
  });
  await late;
  assert.ok(silent >= 59, `told after ${silent} ms of silence`);
});

Deno.test("nothing keeps a process alive when no wait is open", async () => {
  const code = `import { Watchdog } from ${
    JSON.stringify(import.meta.resolve("../../src/base/watchdog.ts"))
  };
    const watchdog = new Watchdog();
    watchdog.begin(3_600_000, () => {}).end();
    await new Promise((done) => watchdog.begin(1, done));
    watchdog.begin(3_600_000, () => {}).end();
    console.log("over");`;
  const { stdout, code: exit } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", code],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(exit, 0);
  assert.equal(new TextDecoder().decode(stdout), "over\n");
});
