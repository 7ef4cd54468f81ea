import assert from "node:assert/strict";
import { join } from "node:path";
import { FileError } from "../../src/base/file_error.ts";
import { isVirtual, readVirtual } from "../../src/files/virtual_file.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const signal = new AbortController().signal;
const linux = { ignore: Deno.build.os !== "linux" };

Deno.test("what the kernel makes up is read although its size is 0", linux, async () => {
  assert.ok(isVirtual("/proc/self/status"));
  assert.ok(!isVirtual("/process/a"));
  const bytes = await readVirtual("/proc/self/status", 10_000, signal);
  assert.match(new TextDecoder().decode(bytes), /^Name:\thead\n/);
  assert.equal((await readVirtual("/proc/self/status", 5, signal)).length, 5);
});

Deno.test(
  "a file that keeps its reader waiting is given up, and so is one on an abort",
  linux,
  async () => {
    await withWorkspace({}, async (root) => {
      // a pipe nobody writes into waits just as /proc/kmsg does
      const fifo = join(root, "fifo");
      await new Deno.Command("mkfifo", { args: [fifo] }).output();
      await assert.rejects(
        readVirtual(fifo, 10, signal, 100),
        (error) => error instanceof FileError && error.reason === "waiting",
      );
      const stop = new AbortController();
      const reading = readVirtual(fifo, 10, stop.signal, 60_000);
      stop.abort(new Error("stop"));
      await assert.rejects(reading, /stop/);
    });
  },
);

Deno.test("what even head cannot read is refused with its reason", linux, async () => {
  await assert.rejects(
    readVirtual("/proc/self/mem", 10, signal),
    (error) =>
      error instanceof FileError && error.reason === "other" && /error/i.test(error.message),
  );
});
