import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { jobName } from "../../../src/shell/policy/command_purpose.ts";
import { createJobs, type Job, type Jobs } from "../../../src/shell/process/jobs.ts";
import { alive, eventually, heldBytes, uniqueSleep } from "../../support/processes.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const PATH = Deno.env.get("PATH") ?? "";
const NEVER = new AbortController().signal;
/** Waits in a command until the bench says go. */
const UNTIL_GO = "until [ -e go ]; do sleep 0.05; done";

interface Bench {
  readonly jobs: Jobs;
  readonly root: string;
  start(command: string, more?: { name?: string; keep?: boolean }): Promise<Job>;
  run(command: string): ReturnType<Jobs["run"]>;
  go(): void;
}

async function withJobs(use: (bench: Bench) => Promise<void>): Promise<void> {
  await withWorkspace({}, async (root) => {
    const jobs = createJobs();
    const base = {
      cwd: root,
      env: { PATH, LANG: "C.UTF-8" },
      outputDir: join(root, "out"),
      nameOf: (...named: Parameters<typeof jobName>) => Promise.resolve(jobName(...named)),
    };
    try {
      await use({
        jobs,
        root,
        start: (command, more) => jobs.start({ ...base, command, ...more }),
        run: (command) => jobs.run({ ...base, command, timeoutMs: 20_000, signal: NEVER }),
        go: () => Deno.writeTextFileSync(join(root, "go"), ""),
      });
    } finally {
      await jobs.close();
    }
  });
}

Deno.test("a job runs, is read piece by piece, and tells how it ended", async () => {
  await withJobs(async ({ jobs, start, go }) => {
    const job = await start(`echo one; ${UNTIL_GO}; echo two; exit 3`);
    assert.deepEqual([job.id, job.state, job.exit], ["1", "running", null]);
    assert.equal(await job.wait(5000, NEVER, (lines) => lines.includes("one")), "matched");
    assert.equal(job.read().head, "one\n");
    assert.equal(job.read().head, "");
    go();
    assert.equal(await job.wait(5000, NEVER), "ended");
    assert.deepEqual([job.read().head, job.state, job.exit], ["two\n", "ended", 3]);
    assert.deepEqual(jobs.list(), [job]);
    assert.equal(await Deno.readTextFile(job.path!), "one\ntwo\n");
    assert.equal((await Deno.stat(job.path!)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(dirname(job.path!))).mode! & 0o777, 0o700);
  });
});

Deno.test("names come from the command and are unique; a job is found by name and by id", async () => {
  await withJobs(async ({ jobs, start }) => {
    const names = [];
    for (const command of ["sleep 9 # deno task dev", "cd . && sleep 9", "sleep 9"]) {
      names.push((await start(command)).name);
    }
    const named = await start("sleep 9", { name: "dev server" });
    assert.deepEqual([...names, named.name], ["sleep-9", "sleep-9-2", "sleep-9-3", "dev-server"]);
    assert.equal(jobs.find("dev-server"), named);
    assert.equal(jobs.find("4"), named);
    assert.equal(jobs.find("nosuch"), undefined);
  });
});

Deno.test("a pattern is found in the middle of a line, through colours, and in GBK", async () => {
  await withJobs(async ({ start }) => {
    const line = (text: string) => (lines: readonly string[]) =>
      lines.some((one) => one.includes(text));
    const coloured = await start("printf 'ready \\033[1min \\033[0m12 ms'; sleep 9");
    assert.equal(await coloured.wait(5000, NEVER, line("ready in 12")), "matched");
    const gbk = await start("printf '\\xb9\\xb9\\xbd\\xa8\\xb3\\xc9\\xb9\\xa6\\n'; sleep 9");
    assert.equal(await gbk.wait(5000, NEVER, line("构建成功")), "matched");
  });
});

Deno.test("a wait is late, is aborted, or sees the end; the job does not mind", async () => {
  await withJobs(async ({ start, go }) => {
    const job = await start(`${UNTIL_GO}; exit 1`);
    assert.equal(await job.wait(50, NEVER), "late");
    const controller = new AbortController();
    const waiting = job.wait(5000, controller.signal);
    controller.abort(new Error("stop"));
    await assert.rejects(waiting, /stop/);
    assert.equal(job.state, "running");
    go();
    assert.equal(await job.wait(5000, NEVER, () => false), "ended");
    assert.equal(job.exit, 1);
  });
});

Deno.test("a matcher that throws rejects the wait", async () => {
  await withJobs(async ({ start }) => {
    const job = await start("echo a; sleep 9");
    const bad = () => {
      throw new Error("too slow");
    };
    await assert.rejects(job.wait(5000, NEVER, bad), /too slow/);
  });
});

slow("a killed job leaves nothing, TERM-ignorers and setsid children neither", async () => {
  await withJobs(async ({ start }) => {
    const sleep = uniqueSleep();
    const job = await start(
      `(trap '' TERM; ${sleep}; ${sleep}) & setsid ${sleep} & (setsid ${sleep} &); echo on; wait`,
    );
    await job.wait(5000, NEVER, (lines) => lines.includes("on"));
    assert.ok(await eventually(async () => await alive(sleep) === 3));
    await job.kill();
    assert.equal(await alive(sleep), 0);
    assert.equal(job.state, "killed");
    await job.kill();
  });
});

slow("what a command leaves running becomes a job whose output goes on", async () => {
  await withJobs(async ({ jobs, run, go }) => {
    const sleep = uniqueSleep();
    const result = await run(`(${UNTIL_GO}; echo later; ${sleep}) & echo now`);
    assert.deepEqual([result.exit, result.output.head], [0, "now\n"]);
    const { job } = result;
    assert.ok(job?.left);
    assert.ok((await jobs.pids(job)).length >= 1);
    go();
    assert.equal(await job.wait(5000, NEVER, (lines) => lines.includes("later")), "matched");
    assert.equal(job.read().head, "later\n");
    await job.kill();
    assert.equal(await alive(sleep), 0);
  });
});

Deno.test("also what redirected its output away, with nohup or in a session of its own, is a job", async () => {
  await withJobs(async ({ jobs, run }) => {
    for (const how of ["nohup", "setsid"]) {
      const sleep = uniqueSleep();
      const { job } = await run(`${how} ${sleep} >/dev/null 2>&1 &`);
      assert.ok(job, how);
      assert.equal((await jobs.pids(job)).length, 1);
      await job.kill();
      assert.equal(await alive(sleep), 0);
    }
  });
});

Deno.test("a daemon that closed everything is counted among the strays and ends with the rest", async () => {
  const sleep = uniqueSleep();
  await withJobs(async ({ jobs, run }) => {
    const { job } = await run(`setsid ${sleep} </dev/null >/dev/null 2>&1 199>&- & true`);
    assert.equal(job, undefined);
    assert.equal((await jobs.pids()).length, 1);
  });
  assert.equal(await alive(sleep), 0);
});

Deno.test("closing ends every job and what left its group", async () => {
  const sleep = uniqueSleep();
  await withJobs(async ({ start, run }) => {
    await start(`setsid ${sleep} & ${sleep}`);
    await run(`${sleep} &`);
    assert.ok(await eventually(async () => await alive(sleep) === 3));
  });
  assert.equal(await alive(sleep), 0);
});

Deno.test("closing ends the jobs also when their guard has been killed", async () => {
  const sleep = uniqueSleep();
  await withJobs(async ({ start }) => {
    const job = await start(`${sleep} & ${sleep}`);
    assert.ok(await eventually(async () => await alive(sleep) === 2));
    const guard = `NARNAT_JOB=${job.mark.split(".")[0]}`;
    await new Deno.Command("pkill", { args: ["-KILL", "-f", guard] }).output();
  });
  assert.equal(await alive(sleep), 0);
});

Deno.test("a job may be kept: it lives on after the end and goes on writing its file", async () => {
  const sleep = uniqueSleep();
  await withWorkspace({}, async (root) => {
    const jobs = createJobs();
    const base = { cwd: root, env: { PATH }, outputDir: join(root, "o'ut") };
    const command = `echo began; sleep 1; echo later; ${sleep}`;
    const kept = await jobs.start({ ...base, command, keep: true });
    const other = await jobs.start({ ...base, command: sleep });
    assert.equal(await kept.wait(5000, NEVER, (lines) => lines.includes("began")), "matched");
    await jobs.close();
    assert.equal(other.state, "ended");
    const path = kept.path!;
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.ok(await eventually(async () => await Deno.readTextFile(path) === "began\nlater\n"));
    assert.ok(await eventually(async () => await alive(sleep) === 1));
    Deno.kill(-kept.pid, "SIGKILL");
    assert.ok(await eventually(async () => await alive(sleep) === 0));
  });
});

slow("a job that floods is held up, not accumulated", async () => {
  await withJobs(async ({ start }) => {
    const before = heldBytes();
    const job = await start("yes");
    await job.wait(1500, NEVER);
    const bytes = job.unread;
    assert.ok(bytes > 1e6 && bytes < 200e6, `${bytes}`);
    const held = heldBytes() - before;
    assert.ok(held < 5e6, `${held}`);
    const output = job.read();
    assert.ok(output.tail!.endsWith("y\n") && output.path === job.path);
  });
});

Deno.test("a long output makes room: the oldest copies of other sessions go, a running job's stays", async () => {
  const old = Object.fromEntries(
    Array.from({ length: 205 }, (_, n) => [`o/s/bash-${n}-00000000.txt`, "old"]),
  );
  await withWorkspace(old, async (root) => {
    const jobs = createJobs({ outputs: join(root, "o") });
    const base = { cwd: root, env: { PATH }, outputDir: join(root, "o/t") };
    const job = await jobs.start({ ...base, command: "echo on; sleep 60" });
    await job.wait(5000, NEVER, (lines) => lines.includes("on"));
    const command = "seq 30000";
    const result = await jobs.run({ ...base, command, timeoutMs: 20_000, signal: NEVER });
    await jobs.close();
    const left = [...Deno.readDirSync(join(root, "o/s"))].length;
    assert.equal(left, 198);
    assert.ok((await Deno.stat(job.path!)).isFile && (await Deno.stat(result.output.path!)).isFile);
  });
});

Deno.test("ended jobs are forgotten after the thirtieth", async () => {
  await withJobs(async ({ jobs, start }) => {
    const first = await start("true");
    for (let n = 0; n < 32; n++) await (await start("true")).wait(5000, NEVER);
    assert.ok(await eventually(() => jobs.list().length <= 31));
    assert.equal(jobs.find(first.id), undefined);
  });
});

slow(
  "a view ends what was begun through it and nothing else, also what is still being stopped",
  async () => {
    await withJobs(async ({ jobs, root, start }) => {
      const base = { cwd: root, env: { PATH }, outputDir: join(root, "out") };
      const words = [uniqueSleep(), uniqueSleep(), uniqueSleep(), uniqueSleep()] as const;
      const main = await start(words[0]);
      const view = jobs.apart();
      const job = await view.start({ ...base, command: words[1] });
      await view.run({ ...base, command: `${words[2]} & true`, timeoutMs: 9000, signal: NEVER });
      const stop = new AbortController();
      const stubborn = view.run({
        ...base,
        command: `trap '' TERM; while :; do ${words[3]}; done`,
        timeoutMs: 9000,
        signal: stop.signal,
      });
      assert.ok(await eventually(async () => await alive(words[3]) > 0));
      assert.equal(view.find(main.name), main);
      assert.equal(jobs.find(job.name), job);
      stop.abort();
      await stubborn;
      await view.close();
      for (const word of words.slice(1)) assert.equal(await alive(word), 0);
      assert.equal(main.state, "running");
      const late = await view.start({ ...base, command: words[1] });
      assert.equal(late.state, "killed");
    });
  },
);
