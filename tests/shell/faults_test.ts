/** Commands that misbehave, each with the time in which it must be over. The bounds are for a busy machine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runCommand, type RunOptions, type RunResult } from "../../src/shell/process/run.ts";
import { alive, uniqueSleep } from "../support/processes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

interface Fault {
  readonly name: string;
  readonly command: string | ((sleep: string) => string);
  readonly timeoutMs?: number;
  readonly withinMs: number;
  readonly check: (result: RunResult, root: string) => Promise<void> | void;
}

const TIMED_OUT = (result: RunResult) => assert.equal(result.stopped, "timeout");

const FAULTS: readonly Fault[] = [
  {
    name: "ignores TERM",
    command: (sleep) => `trap '' TERM; ${sleep}; ${sleep}`,
    timeoutMs: 300,
    withinMs: 6000,
    check: TIMED_OUT,
  },
  {
    name: "wants to say goodbye: one TERM, and its last words are kept",
    command:
      "trap 'echo term; sleep 0.2; echo bye; exit' TERM; echo on; while :; do sleep 0.05; done",
    timeoutMs: 300,
    withinMs: 6000,
    check: ({ output }) => assert.match(output.head, /^on\n(Terminated\n)?term\nbye\n$/),
  },
  {
    name: "leaves its session",
    command: (sleep) => `setsid ${sleep} & setsid sh -c "trap '' TERM; ${sleep}; :" & wait`,
    timeoutMs: 300,
    withinMs: 6000,
    check: TIMED_OUT,
  },
  {
    name: "forks twice and lets its parents go",
    command: (sleep) => `( ( setsid sh -c "(${sleep} &)" & ) & ); ${sleep}`,
    timeoutMs: 300,
    withinMs: 6000,
    check: TIMED_OUT,
  },
  {
    name: "starts 200 children that go on forking",
    command: (sleep) =>
      `for i in $(seq 200); do (while :; do ${sleep} & wait; done) & done; ${sleep}; wait`,
    timeoutMs: 1500,
    withinMs: 20_000,
    check: TIMED_OUT,
  },
  {
    name: "is stopped by kill -9 of its shell",
    command: "echo before; kill -9 $$; echo after",
    withinMs: 2000,
    check: ({ exit, signal, output }) =>
      assert.deepEqual([exit, signal, output.head], [null, "SIGKILL", "before\n"]),
  },
  {
    name: "reads stdin and the terminal",
    command: "cat; read -r x; head -c 1 /dev/tty; sudo -n true; echo over",
    withinMs: 5000,
    check: ({ output }) => assert.match(output.head, /over\n$/),
  },
  {
    name: "closes its output and goes on",
    command: "echo said; exec >&- 2>&-; sleep 0.5; exit 4",
    withinMs: 5000,
    check: ({ exit, output, ms }) => {
      assert.deepEqual([exit, output.head], [4, "said\n"]);
      assert.ok(ms >= 500);
    },
  },
  {
    name: "writes 20 MB without a line end",
    command: "head -c 20000000 /dev/zero | tr '\\0' x",
    withinMs: 10_000,
    check: ({ output }) => {
      assert.equal(output.bytes, 20_000_000);
      assert.equal(output.head.length + output.tail!.length, 30_000);
    },
  },
  {
    name: "draws a progress bar for 20 MB",
    command: "yes '50% [#####     ]' | tr '\\n' '\\r' | head -c 20000000; echo; echo done",
    withinMs: 10_000,
    check: ({ output }) => {
      assert.match(output.head, /^50?%?[^\n]*\ndone\n$/);
      assert.equal(output.tail, undefined);
    },
  },
  {
    name: "writes binary",
    command: "head -c 300000 /dev/urandom; printf '\\0'",
    withinMs: 5000,
    check: async ({ output }) => {
      assert.deepEqual([output.binary, output.head, output.bytes], [true, "", 300_001]);
      assert.equal((await Deno.stat(output.path!)).size, 300_001);
    },
  },
  {
    name: "deletes its own folder",
    command: "mkdir gone && cd gone && rmdir ../gone && echo deleted",
    withinMs: 2000,
    check: ({ exit, output }) => assert.deepEqual([exit, output.head], [0, "deleted\n"]),
  },
  {
    name: "lets a child hold its output",
    command: (sleep) => `${sleep} & echo answered`,
    withinMs: 2500,
    check: async ({ left, output }) => {
      assert.equal(output.head, "answered\n");
      await left!.stop(300);
      await left!.release();
    },
  },
];

for (const { name, command, timeoutMs = 20_000, withinMs, check } of FAULTS) {
  slow(`a command that ${name}`, async () => {
    await withWorkspace({}, async (root) => {
      const sleep = uniqueSleep();
      const options: RunOptions = {
        command: typeof command === "string" ? command : command(sleep),
        cwd: root,
        env: { PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8" },
        outputPath: join(root, "out", "full.txt"),
        mark: crypto.randomUUID(),
        timeoutMs,
        signal: new AbortController().signal,
      };
      const began = performance.now();
      const result = await runCommand(options);
      await result.gone;
      const ms = performance.now() - began;
      await check(result, root);
      console.log(`${name}: ${ms.toFixed(0)} ms`);
      assert.ok(ms < withinMs, `${ms} ms`);
      assert.equal(await alive(sleep), 0);
    });
  });
}
