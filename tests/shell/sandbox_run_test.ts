import assert from "node:assert/strict";
import { join } from "node:path";
import { createJobs } from "../../src/shell/process/jobs.ts";
import { createSandbox } from "../../src/shell/process/sandbox.ts";
import { bashTool } from "../../src/tools/bash/bash.ts";
import { alive, eventually, uniqueSleep } from "../support/processes.ts";
import { sandboxRuns, withYard } from "./sandboxed.ts";
import { slow } from "../support/soak.ts";
import { ToolRunner } from "../support/tool_context.ts";

const test = (name: string, fn: () => Promise<void>, register = Deno.test) =>
  register({ name, ignore: !sandboxRuns, fn });
const slowTest = (name: string, fn: () => Promise<void>) => test(name, fn, slow);
const NEVER = new AbortController().signal;

/** The files that whoever runs the tests has left open, a line each. */
function inherited(): string {
  return [
    "/dev/null",
    ...[...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
      try {
        return [Deno.readLinkSync(`/proc/self/fd/${name}`)];
      } catch {
        return [];
      }
    }),
  ].join("\n");
}

test("in the sandbox no process outside shows its environment, memory or files", async () => {
  await withYard(async ({ run }) => {
    for (const name of ["environ", "mem", "maps", "fd/0", "root/etc/passwd", "cwd/."]) {
      const { exit, text } = await run(`head -c 1 /proc/${Deno.pid}/${name} | wc -c`);
      assert.match(text, /Permission denied/, name);
      assert.match(text, /^0$/m, `${name} ${exit}`);
    }
    const { text } = await run(`head -c 1 /proc/$$/environ | wc -c`);
    assert.equal(text, "1\n");
  });
});

test("in the sandbox output, exit code, errors and folder come back as without", async () => {
  await withYard(async ({ workspace, run }) => {
    for (
      const [command, exit, output] of [
        ["echo hi", 0, "hi\n"],
        ["exit 7", 7, ""],
        ["echo out; echo err >&2; echo out2", 0, "out\nerr\nout2\n"],
        ["cat", 0, ""],
        ["read -r line; echo got $?", 0, "got 1\n"],
        ["(exit 3)", 3, ""],
        ["kill -9 $$", 137, ""],
        [
          `for f in /proc/$$/fd/*; do readlink $f; done | grep ^/ | grep -vxF '${inherited()}'`,
          1,
          "",
        ],
      ] as const
    ) {
      const result = await run(command);
      assert.deepEqual([command, result.exit, result.text], [command, exit, output]);
    }
    const moved = await run("mkdir -p 'a b' && cd 'a b' && false");
    assert.deepEqual([moved.exit, moved.cwd], [1, join(workspace, "a b")]);
    assert.equal((await run("cd /etc")).cwd, "/etc");
    assert.match((await run("if true; then (")).text, /line 2: syntax error/);
    const own = await run("env; pgrep -fa needle_[x]; : needle_x");
    assert.ok(!/NARNAT_(?:SETUP|COMMAND)|needle_x/.test(own.text), own.text);
    const self = await run(`pkill -f '${workspace.slice(1)}'; pkill -f yard-; echo alive`);
    assert.equal(self.text, "alive\n");
  });
});

test("a program that a command puts where PATH looks first does not come in the sandbox's place", async () => {
  await withYard(async ({ outside, run }) => {
    const program = `#!/bin/sh\ntouch ${outside}/escaped\n`;
    for (const name of ["sh", "bwrap", "bash"]) {
      await run(`mkdir -p bin; printf '${program}' >bin/${name}; chmod +x bin/${name}`);
    }
    await run("true");
    await assert.rejects(Deno.stat(join(outside, "escaped")), Deno.errors.NotFound);
  }, { ownBin: true });
});

slowTest("in the sandbox a timeout and an abort leave nothing, whatever ignores them", async () => {
  await withYard(async ({ run }) => {
    const sleep = uniqueSleep();
    const command = `${sleep} & (trap '' TERM; ${sleep}; ${sleep}) & setsid ${sleep} & ` +
      `(setsid sh -c 'trap "" TERM; ${sleep}' &) ; echo began; wait; wait`;
    const late = await run(command, { timeoutMs: 500 });
    assert.deepEqual([late.stopped, late.text], ["timeout", "began\n"]);
    assert.equal(await alive(sleep), 0);
    const controller = new AbortController();
    const work = run(command, { signal: controller.signal });
    assert.ok(await eventually(async () => await alive(sleep) >= 4));
    controller.abort();
    const stopped = await work;
    assert.equal(stopped.stopped, "abort");
    await stopped.gone;
    assert.equal(await alive(sleep), 0);
  });
});

slowTest(
  "in the sandbox jobs run on, are read, waited for and killed, and are found by pid",
  async () => {
    await withYard(async ({ workspace, env, jobs, run }) => {
      const sleep = uniqueSleep();
      const base = { cwd: workspace, env, outputDir: join(workspace, ".narnat", "outputs") };
      const job = await jobs.start({
        ...base,
        command: `trap 'echo bye; exit 5' TERM; echo on; ${sleep} & wait`,
      });
      assert.equal(await job.wait(5000, NEVER, (lines) => lines.includes("on")), "matched");
      await job.kill();
      assert.equal(await alive(sleep), 0);
      assert.match(job.read().head, /bye/);
      const left = await run(`${sleep} & echo $! > pid; echo now`);
      assert.deepEqual([left.exit, left.text], [0, "now\n"]);
      const pids = await jobs.pids(left.job);
      const pid = Number(await Deno.readTextFile(join(workspace, "pid")));
      assert.ok(pids.includes(pid), `${pids} ${pid}`);
      // a later command, in a sandbox of its own, ends it by its number
      const ended = await run(`kill ${pid} && echo killed`);
      assert.equal(ended.text, "killed\n");
      assert.ok(await eventually(async () => await alive(sleep) === 0));
      assert.ok(await eventually(() => left.job?.state === "ended"));
      const serving = await jobs.start({
        ...base,
        command: "python3 -u -m http.server 45871 --bind 127.0.0.1",
      });
      assert.ok(
        await eventually(async () =>
          (await run("curl -s -o /dev/null http://127.0.0.1:45871/a.txt && echo ok")).text ===
            "ok\n"
        ),
      );
      await serving.kill();
    });
  },
);

slowTest(
  "what is kept outlives narnat in its sandbox and writes its output; the rest ends with narnat",
  async () => {
    await withYard(async ({ workspace, env, outside, home }) => {
      const sleep = uniqueSleep();
      const sandbox = createSandbox({ workspace, home, env, network: true, write: [] });
      const jobs = createJobs({ sandbox });
      const base = { cwd: workspace, env, outputDir: join(workspace, ".narnat", "outputs", "s") };
      const lost = await jobs.start({ ...base, command: `setsid ${sleep}` });
      const kept = await jobs.start({
        ...base,
        keep: true,
        command: `echo on; sleep 1; echo x > ${outside}/x; echo x > .git/hooks/x; ${sleep}`,
      });
      assert.ok(await eventually(async () => await alive(sleep) === 1));
      await jobs.close();
      try {
        assert.ok(await eventually(async () => await alive(sleep) === 1));
        assert.equal(lost.state !== "running" || await alive(sleep) === 1, true);
        const said = await Deno.readTextFile(kept.path!);
        assert.match(said, /^on\n/);
        assert.equal(said.match(/Read-only file system/g)?.length, 2);
      } finally {
        await new Deno.Command("pkill", { args: ["-f", sleep] }).output();
      }
    });
  },
);

slowTest("a narnat that is killed leaves nothing of what ran in its sandbox", async () => {
  await withYard(async ({ workspace, env, home }) => {
    const sleep = uniqueSleep();
    const program = `
      import { createJobs } from ${
      JSON.stringify(import.meta.resolve("../../src/shell/process/jobs.ts"))
    };
      import { createSandbox } from ${
      JSON.stringify(import.meta.resolve("../../src/shell/process/sandbox.ts"))
    };
      const at = ${JSON.stringify({ workspace, home, env })};
      const jobs = createJobs({ sandbox: createSandbox({ ...at, network: true, write: [] }) });
      const base = { cwd: at.workspace, env: at.env, outputDir: at.workspace + "/.narnat/outputs" };
      await jobs.start({ ...base, command: ${
      JSON.stringify(`setsid ${sleep} & (trap '' TERM; ${sleep}; ${sleep})`)
    } });
      await jobs.run({ ...base, command: ${
      JSON.stringify(sleep)
    }, timeoutMs: 60000, signal: new AbortController().signal });
    `;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", program],
      stdout: "null",
      stderr: "null",
    }).spawn();
    assert.ok(await eventually(async () => await alive(sleep) === 3, 20_000));
    child.kill("SIGKILL");
    await child.status;
    assert.ok(await eventually(async () => await alive(sleep) === 0, 10_000));
  });
});

slowTest(
  "ordinary work works: git, npm, python, temporary files, pipes, terminals of its own",
  async () => {
    await withYard(async ({ workspace, run }) => {
      const package_ = { name: "p", scripts: { hi: "node -e 'console.log(6*7)' > out.txt" } };
      await Deno.writeTextFile(join(workspace, "package.json"), JSON.stringify(package_));
      const script = [
        "set -e",
        "git add -A && git commit -qm one && echo b >> a.txt && git stash -q && git stash pop -q",
        "git commit -qam two && git checkout -qb side && git commit -q --allow-empty -m three",
        "git checkout -q - && git merge -q side && git tag v1 && git rebase -q HEAD~1",
        "git worktree add -q /tmp/tree-$$ v1 && git -C /tmp/tree-$$ log --oneline | wc -l",
        "git worktree list | wc -l && git worktree remove /tmp/tree-$$ && git gc -q && git fsck",
        "git clone -q . copy && git -C copy log --oneline | wc -l && rm -rf copy && git status --short",
        "npm run -s hi && cat out.txt",
        "f=$(mktemp) && echo t > $f && cat $f && rm $f",
        "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))'",
        "diff <(echo 1) <(echo 1) && echo same; echo x > /dev/shm/x; echo y > /dev/null",
        "script -qc 'tty' /dev/null | head -1; deno eval 'console.log(1)'; id -un",
        "cat <<< here; ps -o pid= -p $$ | wc -l",
      ].join("\n");
      const { text, exit } = await run(script);
      assert.equal(exit, 0, text);
      for (const want of [/^3\n2\n/m, /^42$/m, /^t$/m, /\[1, 2\]/, /^same$/m, /^here\n1$/m]) {
        assert.match(text, want);
      }
      assert.match(text, /^\/dev\/pts\/\d/m);
    });
  },
);

test("a user who is not root is held as well", async () => {
  if (Deno.uid() !== 0) return;
  await withYard(async ({ root, workspace, home, outside, env }) => {
    const sandbox = createSandbox({ workspace, home, env, network: true, write: [] });
    const box = (await sandbox.open())([
      "bash",
      "-c",
      `id -u; echo ok > good && cat good; touch ${outside}/x; for p in $PPID 1; do touch /proc/$p/root${outside}/x; done; echo x > .git/config; echo x > ~/.bashrc`,
    ]);
    const own = await new Deno.Command("chown", { args: ["-R", "65534:65534", root] }).output();
    assert.ok(own.success);
    const child = new Deno.Command("setpriv", {
      args: ["--reuid=65534", "--regid=65534", "--clear-groups", box.program, ...box.args],
      cwd: workspace,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(box.input!);
    await writer.close();
    const out = await child.output();
    const said = new TextDecoder().decode(out.stderr);
    assert.equal(new TextDecoder().decode(out.stdout), "65534\nok\n", said);
    assert.equal(said.match(/Read-only|Permission denied/g)?.length, 5, said);
  });
});

test("Bash says why a command was stopped by the sandbox, and refuses where there is none", async () => {
  await withYard(async ({ workspace, home, env, outside }) => {
    const call = async (path: string, command: string, network = true) => {
      const sandbox = createSandbox({
        workspace,
        home,
        env: { ...env, PATH: path },
        network,
        write: [],
      });
      const jobs = createJobs({ guard: false, sandbox });
      try {
        const outputDir = join(workspace, ".narnat", "outputs");
        const runner = new ToolRunner(workspace);
        runner.overrides = { env, outputDir };
        return await runner.run(bashTool(jobs), { command });
      } finally {
        await jobs.close();
      }
    };
    const shut = await call(env.PATH!, `echo x | tee ${outside}/x`);
    assert.match(shut.text, /\[sandbox\].*only .*\/ws, \/tmp can be written/);
    assert.ok(!shut.text.includes("no network"));
    assert.ok(!(await call(env.PATH!, "echo read-only file system")).text.includes("[sandbox]"));
    const off = await call(env.PATH!, "curl -sS http://example.com", false);
    assert.match(off.text, /there is no network/);
    const none = await call(workspace, "touch never");
    assert.deepEqual([none.ok, none.text.includes("bubblewrap")], [false, true]);
    assert.ok(!Array.from(Deno.readDirSync(workspace)).some(({ name }) => name === "never"));
  });
});
