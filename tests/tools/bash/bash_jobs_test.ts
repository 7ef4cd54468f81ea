/** Bash with jobs, called as a model calls it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { english } from "../../../src/base/t.ts";
import type { Tool, ToolInput } from "../../../src/base/types.ts";
import { createJobs, type Jobs } from "../../../src/shell/process/jobs.ts";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { compileLines, SlowPatternError } from "../../../src/tools/bash/bash_jobs.ts";
import { parseInput } from "../../../src/tools/toolbox.ts";
import { chinese } from "../../support/chinese.ts";
import { alive, eventually, uniqueSleep } from "../../support/processes.ts";
import { slow } from "../../support/soak.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { ToolRunner } from "../../support/tool_context.ts";

interface Bench {
  readonly runner: ToolRunner;
  readonly root: string;
  readonly tool: Tool;
  readonly jobs: Jobs;
  /** A call through the toolbox's checks; a rejected input gives its error. */
  call(input: ToolInput): Promise<{ ok: boolean; text: string; verified?: boolean }>;
}

async function onBench(files: Files, use: (bench: Bench) => Promise<void>): Promise<void> {
  await withWorkspace(files, async (root) => {
    const jobs = createJobs();
    const runner = new ToolRunner(root);
    const tool = bashTool(jobs);
    const call = async (input: ToolInput) => {
      const parsed = parseInput(tool, JSON.stringify(input), english);
      return typeof parsed === "string"
        ? { ok: false, text: parsed }
        : await runner.run(tool, parsed);
    };
    try {
      await use({ runner, root, tool, jobs, call });
    } finally {
      await jobs.close();
    }
  });
}

slow("a job: started, listed, read, waited for, killed", async () => {
  await onBench({}, async ({ call }) => {
    const command = "echo began; sleep 1.3; echo ready; sleep 60";
    const started = await call({ command, run_in_background: true });
    assert.ok(started.ok);
    assert.match(
      started.text,
      /^began\n\[in the background: job "sleep-60".*\n\[job sleep-60 is running, 0:01, pid \d+, output: .+job-\d+-\w+\.txt\]$/,
    );
    const listed = await call({ action: "list" });
    assert.match(listed.text, /^1\. \[job sleep-60 is running, .*\] echo began; sleep 1.3; echo/);
    const waited = await call({ job: "sleep-60", pattern: "^read" });
    assert.match(waited.text, /^ready\n\[a line matched \^read after \d/);
    assert.ok(waited.ok);
    assert.match((await call({ job: "1" })).text, /^\(no new output\)\n\[job sleep-60 is running/);
    const killed = await call({ job: "sleep-60", action: "kill" });
    assert.match(killed.text, /^\(no new output\)\n\[job sleep-60 was stopped with its whole/);
    assert.match((await call({ action: "list" })).text, /^1\. \[job sleep-60 was stopped/);
  });
});

Deno.test("a job that ends at once is told with its exit code", async () => {
  await onBench({}, async ({ call }) => {
    const command = "echo port in use >&2; exit 1";
    const result = await call({ command, run_in_background: true, job: "web" });
    assert.equal(result.ok, false);
    assert.match(
      result.text,
      /^port in use\n\[job web ended with exit code 1 after 0:00\]$/,
    );
    const killed = await call({ command: "kill -9 $$", run_in_background: true });
    assert.match(killed.text, /was ended by signal SIGKILL/);
  });
});

Deno.test("a start may wait for the line that says it is up, and may name the job", async () => {
  await onBench({}, async ({ call }) => {
    const up = { command: "sleep 0.2; echo up; sleep 60", run_in_background: true, job: "web" };
    const first = await call({ ...up, pattern: "up" });
    assert.match(
      first.text,
      /^up\n\[a line matched up after \d+\.\d s\]\n\[in the background: job "web"/,
    );
    const second = await call({ ...up, pattern: "nothing", timeout: 400 });
    assert.equal(second.ok, false);
    assert.match(second.text, /no line matched nothing\][^]*job "web-2"[^]*\[also running: web\]/);
  });
});

Deno.test("a pattern with a command means a job that is waited for", async () => {
  await onBench({}, async ({ call }) => {
    const result = await call({
      command: "echo Serving; sleep 60",
      pattern: "Serv",
      timeout: 5000,
    });
    assert.ok(result.ok, result.text);
    assert.match(result.text, /^Serving\n\[a line matched Serv after .*\n\[in the background: job/);
  });
});

Deno.test("Python's output is not held back in a job", async () => {
  await onBench({}, async ({ call }) => {
    const command = "python3 -c 'import time; print(\"up\"); time.sleep(60)'";
    const result = await call({ command, run_in_background: true, pattern: "^up", timeout: 8000 });
    assert.ok(result.ok, result.text);
  });
});

Deno.test("a wait that saw nothing at all hints at output that is held back", async () => {
  await onBench({}, async ({ call }) => {
    const quiet = { command: "sleep 60", run_in_background: true, pattern: "up", timeout: 200 };
    assert.match((await call(quiet)).text, /it has written nothing so far\. Many programs hold/);
    assert.match(
      (await call({ job: "1", action: "wait", timeout: 200 })).text,
      /it has written nothing so far/,
    );
    const spoke = await call({ ...quiet, command: "echo hi; sleep 60", timeout: 400 });
    assert.ok(!spoke.text.includes("written nothing"), spoke.text);
  });
});

slow("waiting for the end gives the exit code and counts as verification", async () => {
  await onBench({}, async ({ call }) => {
    const command = `sleep 1.2; '${Deno.execPath()}' eval 'import "node:os"'`;
    await call({ command, run_in_background: true, job: "check" });
    const done = await call({ job: "check", action: "wait" });
    assert.ok(done.ok, done.text);
    assert.match(done.text, /ended with exit code 0/);
    assert.equal(done.verified, true);
    const looks = await call({ command: "ls", run_in_background: true, action: "wait" });
    assert.equal(looks.verified, undefined, "it proves nothing");
    const runs = `'${Deno.execPath()}' eval 'import "node:os"; setTimeout(() => {}, 60_000)'`;
    const late = { command: runs, run_in_background: true, action: "wait", timeout: 200 };
    const still = await call(late);
    assert.equal(still.verified, undefined, "it has not ended");
  });
});

Deno.test("a wait that is too short says so, an abort leaves the job alone", async () => {
  await onBench({}, async ({ call, runner, jobs }) => {
    await call({ command: "echo on; sleep 60", run_in_background: true });
    const late = await call({ job: "sleep-60", action: "wait", timeout: 200 });
    assert.equal(late.ok, false);
    assert.match(late.text, /\[waited \d\.\d s, it has not ended\]\n\[job sleep-60 is running/);
    const controller = new AbortController();
    runner.overrides = { signal: controller.signal };
    const waiting = call({ job: "sleep-60", action: "wait" });
    setTimeout(() => controller.abort(), 50);
    assert.match(
      (await waiting).text,
      /^\(no new output\)\ninterrupted\n\[job sleep-60 is running/,
    );
    assert.equal(jobs.find("sleep-60")?.state, "running");
  });
});

Deno.test("a background delete asks before, and after a no nothing runs", async () => {
  await onBench({ "a.txt": "x" }, async ({ call, runner, root, jobs }) => {
    const input = { command: "sleep 0.1; rm a.txt", run_in_background: true };
    const refused = await call(input);
    assert.match(refused.text, /^Not confirmed/);
    assert.deepEqual([runner.questions[0]?.kind, jobs.list().length], ["delete", 0]);
    runner.answer = true;
    assert.ok((await call(input)).ok);
    assert.ok(await eventually(() => !existsSync(join(root, "a.txt"))));
  });
});

Deno.test("what only never ends may run in the background, what wants a person may not", async () => {
  await onBench({ "a.log": "line\n" }, async ({ call }) => {
    assert.equal((await call({ command: "tail -f a.log" })).ok, false);
    const followed = await call({ command: "tail -f a.log", run_in_background: true });
    assert.match(followed.text, /^line\n/);
    const vim = await call({ command: "vim a.log", run_in_background: true });
    assert.match(vim.text, /^Not run:/);
  });
});

slow("what a command leaves running is named with its pids and can be stopped", async () => {
  await onBench({}, async ({ call }) => {
    const sleep = uniqueSleep();
    const left = await call({ command: `nohup ${sleep} >/dev/null 2>&1 & echo ok` });
    const found =
      /^ok\n\[exit code 0, .*\]\n\[what it started is still running, now as job (\S+) \(pid (\d+)\)/
        .exec(left.text);
    assert.ok(found && left.ok, left.text);
    Deno.kill(Number(found[2]), "SIGCONT");
    assert.ok((await call({ action: "list" })).text.includes(`pid ${found[2]}, output`));
    assert.ok((await call({ job: found[1] })).text.includes(`pid ${found[2]}, output`));
    const killed = await call({ job: found[1], action: "kill" });
    assert.match(killed.text, /was stopped/);
    assert.equal(await alive(sleep), 0);
  });
});

Deno.test("keeping a job beyond the end is the user's to allow", async () => {
  await onBench({}, async ({ call, runner, jobs }) => {
    const input = { command: "sleep 60", run_in_background: true, keep: true };
    const refused = await call(input);
    assert.match(refused.text, /^Not started: nobody agreed/);
    assert.equal(jobs.list().length, 0);
    assert.deepEqual(runner.questions.map(({ kind, command }) => [kind, command]), [
      ["tool", "sleep 60"],
    ]);
    assert.match((await call({ command: "sleep 1", keep: true })).text, /run_in_background only/);
    runner.answer = true;
    assert.ok((await call(input)).ok);
    assert.equal(jobs.list()[0]?.kept, true);
    await call({ job: "1", action: "kill" });
  });
});

slow("other agents' parameters are understood", async () => {
  await onBench({}, async ({ call }) => {
    const started = await call({ cmd: "echo a1; echo b; sleep 60", is_background: true });
    assert.match(started.text, /^a1\nb\n/);
    await call({ command: "echo a2; echo b2; sleep 60", background: true, job: "two" });
    assert.match((await call({ bash_id: "1" })).text, /^\(no new output\)/);
    assert.match(
      (await call({ task_id: "two", block: true, timeout: 100 })).text,
      /has not ended/,
    );
    assert.match((await call({ shell_id: "two" })).text, /job two was stopped/);
  });
});

Deno.test("other agents' folder and lists of words are understood", async () => {
  await onBench({ "a b/x": "", "it's/y": "" }, async ({ call, root, runner }) => {
    for (const name of ["cwd", "workdir", "working_directory"]) {
      assert.match((await call({ command: "ls # here", [name]: "a b" })).text, /^x\n\[exit code 0/);
    }
    assert.match((await call({ command: "ls", cwd: join(root, "it's") })).text, /^y\n/);
    assert.match((await call({ command: "pwd", cwd: "." })).text, new RegExp(`^${root}\n`));
    const gone = await call({ command: "touch made", cwd: "no such" });
    assert.match(gone.text, /cd: no such: No such file[^]*exit code 1/);
    assert.match((await call({ command: "nosuchcommand_x", cwd: "a b" })).text, /line 1: nosuch/);
    assert.equal((await call({ command: "rm x", cwd: "a b" })).ok, false);
    assert.deepEqual(runner.questions[0]?.targets, [join(root, "a b/x")]);
    assert.match((await call({ command: ["printf", "%s|", "a b", "it's"] })).text, /^a b\|it's\|/);
    assert.match((await call({ command: ["bash", "-lc", "echo hi $((1+1))"] })).text, /^hi 2\n/);
    assert.match((await call({ command: ["echo one | cat"] })).text, /^one\n/);
  });
});

slow("filter shows only the lines that match", async () => {
  await onBench({}, async ({ call }) => {
    await call({ command: "sleep 1.2; printf 'k1\\nz\\nk2\\n'; sleep 60", background: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const filtered = await call({ bash_id: "1", filter: "^k" });
    assert.match(filtered.text, /^k1\nk2\n\[job/);
  });
});

Deno.test("calls that make no sense are answered with what to do", async () => {
  await onBench({}, async ({ call }) => {
    assert.match((await call({})).text, /^Nothing to do: give command, or job/);
    assert.match(
      (await call({ job: "dev" })).text,
      /^There is no job dev, and no other\. Jobs end/,
    );
    await call({ command: "sleep 60", run_in_background: true });
    assert.match(
      (await call({ job: "slep-60" })).text,
      /^There is no job slep-60\. There are: sleep-60/,
    );
    assert.match((await call({ job: "1", pattern: "(" })).text, /^Regular expression syntax error/);
    assert.match((await call({ job: "1", action: "stop" })).text, /'action' must be one of/);
    assert.match((await call({ command: "ls", action: "kill" })).text, /came with action "kill"/);
    const slow = await call({ job: "1", action: "wait", pattern: "^(a+)+$", timeout: 100 });
    assert.match(slow.text, /no line matched/);
  });
});

Deno.test("a timeout above ten minutes is refused with the limit", async () => {
  await onBench({}, async ({ call }) => {
    const result = await call({ command: "echo ran", timeout: 600_001 });
    assert.ok(!result.ok && /600000/.test(result.text) && !/ran/.test(result.text));
    assert.ok((await call({ command: "echo ran", timeout: 600_000 })).ok);
  });
});

Deno.test("Chinese texts", async () => {
  await onBench({}, async ({ call, runner }) => {
    runner.overrides = { t: chinese };
    const started = await call({ command: "sleep 60", run_in_background: true });
    assert.match(
      started.text,
      /^（没有新输出）\n\[在后台运行：job "sleep-60" 读取新输出[^]*\[任务 sleep-60 运行中，0:01/,
    );
    assert.match((await call({ job: "x" })).text, /^没有任务 x。现有：sleep-60/);
  });
});

Deno.test("a pattern tells whether some line matches", async () => {
  const matches = await compileLines("ready in \\d+");
  assert.ok(typeof matches === "function");
  assert.deepEqual([matches(["a", "ready in 12 ms"]), matches(["ready"]), matches([])], [
    true,
    false,
    false,
  ]);
  const any = await compileLines("(?i)LISTENING");
  assert.ok(typeof any === "function" && any(["listening on 80"]));
});

Deno.test("what is no regular expression is told why", async () => {
  assert.match(String(await compileLines("(")), /Unterminated group/);
});

Deno.test("a catastrophic pattern is given up in good time", async () => {
  const matches = await compileLines("^(a+)+$");
  assert.ok(typeof matches === "function");
  const began = performance.now();
  assert.throws(() => matches(["a".repeat(60) + "!"]), SlowPatternError);
  assert.ok(performance.now() - began < 5000);
  assert.equal(matches(["aaa"]), true);
});
