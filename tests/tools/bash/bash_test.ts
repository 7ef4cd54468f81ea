import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createJobs, type Jobs } from "../../../src/shell/process/jobs.ts";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { bashDeclaration, bashWithin } from "../../../src/tools/bash/bash_declaration.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import type { ToolInput } from "../../../src/base/types.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";

function withRunner(files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) {
  return withWorkspace(files, (root) => use(new ToolRunner(root), root));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test("what the model sees of Bash stays small", () => {
  const { name, description, input } = bashTool();
  assert.ok(JSON.stringify({ name, description, input }).length <= 960);
});

Deno.test("a normal command: output, exit code and time", async () => {
  await withRunner({}, async (runner) => {
    const result = await runner.run(bashTool(), { command: "echo 你好 && echo \"a  'b'\"" });
    assert.match(result.text, /^你好\na {2}'b'\n\[exit code 0, \d+\.\d s\]$/);
    assert.equal(result.ok, true);
    assert.equal(result.detail?.kind, "command");
  });
});

Deno.test("a failing command is not ok and tells its code and stderr", async () => {
  await withRunner({}, async (runner) => {
    const result = await runner.run(bashTool(), { command: "echo bad >&2; exit 3" });
    assert.match(result.text, /^bad\n\[exit code 3, /);
    assert.equal(result.ok, false);
  });
});

Deno.test("the timeout is told and the output so far is kept", async () => {
  await withRunner({}, async (runner) => {
    const result = await runner.run(bashTool(), { command: "echo began; sleep 60", timeout: 300 });
    assert.match(
      result.text,
      /^began\n\[timed out after 0\.3 s;.*raise timeout.*run_in_background/,
    );
    assert.equal(result.ok, false);
    assert.ok(result.detail?.kind === "command" && result.detail.timedOut);
  });
});

Deno.test("a command has two minutes when nothing else is said, ten at most", async () => {
  await withRunner({}, async (runner) => {
    const given: number[] = [];
    const jobs = createJobs({ guard: false });
    const watched: Jobs = {
      ...jobs,
      run: (command) => {
        given.push(command.timeoutMs);
        return jobs.run(command);
      },
    };
    const tool = bashTool(watched);
    await runner.run(tool, { command: "true" });
    await runner.run(tool, { command: "true", timeout: 600_000 });
    assert.deepEqual(given, [120_000, 600_000]);
    assert.match(
      createToolbox([tool]).prepare(
        "Bash",
        '{"command":"true","timeout":600001}',
        english,
      ) as string,
      /'timeout' must be at most 600000/,
    );
  });
});

Deno.test("a delete is asked about with absolute targets and runs after a yes", async () => {
  await withRunner({ "旧 a.txt": "x" }, async (runner, root) => {
    runner.answer = true;
    const result = await runner.run(bashTool(), { command: "rm '旧 a.txt'" });
    assert.equal(result.ok, true);
    assert.equal(runner.questions[0]?.kind, "delete");
    assert.deepEqual(runner.questions[0]?.targets, [join(root, "旧 a.txt")]);
    assert.equal(runner.questions[0]?.command, "rm '旧 a.txt'");
    assert.equal(await exists(join(root, "旧 a.txt")), false);
  });
});

Deno.test("after a no nothing was run", async () => {
  await withRunner({ "a.txt": "x" }, async (runner, root) => {
    const result = await runner.run(bashTool(), { command: "touch b.txt; rm a.txt" });
    assert.equal(result.ok, false);
    assert.match(
      result.text,
      /^Not confirmed \(declined, or nobody there to ask\); nothing was run/,
    );
    assert.deepEqual(result.detail, { kind: "declined" });
    assert.deepEqual([await exists(join(root, "a.txt")), await exists(join(root, "b.txt"))], [
      true,
      false,
    ]);
  });
});

Deno.test("one yes is for one command", async () => {
  await withRunner({ a: "", b: "" }, async (runner) => {
    const tool = bashTool();
    runner.answer = true;
    await runner.run(tool, { command: "rm a" });
    runner.answer = false;
    assert.equal((await runner.run(tool, { command: "rm b" })).ok, false);
    assert.equal(runner.questions.length, 2);
  });
});

Deno.test("guarded mode refuses rm -rf without asking", async () => {
  await withRunner({ "d/a": "" }, async (runner, root) => {
    runner.overrides = { permission: "guarded" };
    runner.answer = true;
    const result = await runner.run(bashTool(), { command: "rm -rf d" });
    assert.match(result.text, /^Not run: the guarded mode forbids/);
    assert.deepEqual([runner.questions.length, await exists(join(root, "d/a"))], [0, true]);
  });
});

Deno.test("an interactive command is refused with what to use instead", async () => {
  await withRunner({}, async (runner) => {
    for (const [command, hint] of [["vim a", "Edit"], ["top", "top -bn1"], ["python3", "-c"]]) {
      const result = await runner.run(bashTool(), { command });
      assert.equal(result.ok, false);
      assert.ok(result.text.includes(hint!), result.text);
    }
  });
});

Deno.test("plain file work is sent to the tool for it; pipes are not", async () => {
  await withRunner({ "a.ts": "TODO\n" }, async (runner) => {
    for (
      const [command, name] of [
        ["cat a.ts", "Read"],
        ["sed -i s/a/b/ a.ts", "Edit"],
        ["grep -rn TODO .", "Grep"],
        ["find . -name '*.ts'", "Glob"],
        ["cat > b.ts <<'X'\na\nX", "Write"],
      ]
    ) {
      const result = await runner.run(bashTool(), { command });
      assert.ok(!result.ok && result.text.includes(name!), result.text);
    }
    assert.equal((await runner.run(bashTool(), { command: "cat a.ts | wc -l" })).ok, true);
  });
});

Deno.test("a long output is cut in the middle and kept in full in a file", async () => {
  await withRunner({}, async (runner) => {
    const result = await runner.run(bashTool(), { command: "seq 1 20000" });
    const found = /\[… (\d+) characters cut; full output: (.+)\]/.exec(result.text)!;
    assert.ok(result.text.startsWith("1\n2\n") && result.text.includes("\n20000\n["));
    assert.ok(result.text.length < 30_500);
    const full = await Deno.readTextFile(found[2]!);
    assert.equal(full.split("\n").length, 20_001);
    assert.equal(Number(found[1]), full.length - 30_000);
  });
});

Deno.test("bytes of an output that are no text are U+FFFD, and the model is told", async () => {
  await withRunner({}, async (runner) => {
    const run = async (command: string) => (await runner.run(bashTool(), { command })).text;
    assert.match(
      await run("printf 'caf\\303\\251 ok \\377 bad \\346\\226\\207\\n'"),
      /^café ok \ufffd bad 文\n\[some bytes are not valid text and are shown as \ufffd\]\n\[exit/,
    );
    assert.match(await run("printf 'caf\\303\\251\\n'"), /^café\n\[exit code 0/);
  });
});

Deno.test("binary output is told, not dumped", async () => {
  await withRunner({}, async (runner) => {
    const result = await runner.run(bashTool(), { command: "printf 'a\\0b'" });
    assert.match(result.text, /^\(binary output, 3 bytes, not shown; saved in .+\)\n\[exit code 0/);
  });
});

Deno.test("the working folder is kept between calls, variables are not", async () => {
  await withRunner({ "sub dir/x": "" }, async (runner, root) => {
    const tool = bashTool();
    const first = await runner.run(tool, { command: "cd 'sub dir'; V=1" });
    assert.equal(first.cwd, join(root, "sub dir"));
    assert.match(first.text, /\[working folder: .*sub dir\]$/);
    const second = await runner.run(tool, { command: 'pwd; echo "[$V]"' });
    assert.ok(second.text.startsWith(join(root, "sub dir") + "\n[]\n"));
    assert.equal(second.cwd, undefined);
  });
});

Deno.test("a syntax error leaves the working folder where it was", async () => {
  await withRunner({ "sub dir/x": "" }, async (runner, root) => {
    const tool = bashTool();
    await runner.run(tool, { command: "cd 'sub dir'" });
    const wrong = await runner.run(tool, { command: "echo foo(bar)" });
    assert.match(wrong.text, /^\S*bash: .*line 1: syntax error[^]*echo foo\(bar\)'\n\[exit code 2/);
    assert.ok(!wrong.text.includes("working folder"), wrong.text);
    const next = await runner.run(tool, { command: "pwd" });
    assert.ok(next.text.startsWith(join(root, "sub dir") + "\n"), next.text);
  });
});

Deno.test("a folder that the command could not tell is said to be untold", async () => {
  await withRunner({ "sub/x": "" }, async (runner, root) => {
    for (const command of ["cd sub && exec true", "trap 'echo bye' EXIT; cd sub"]) {
      const result = await runner.run(bashTool(), { command });
      assert.ok(result.text.includes(`is not known (exec, or an EXIT trap of its own)`));
      assert.ok(result.text.includes(`starts in ${root}]`), result.text);
      assert.equal(result.cwd, undefined);
    }
    assert.ok(!(await runner.run(bashTool(), { command: "exec true" })).text.includes("not known"));
  });
});

Deno.test("a working folder that is gone falls back to the workspace and says so", async () => {
  await withRunner({}, async (runner, root) => {
    runner.overrides = { cwd: join(root, "gone") };
    const result = await runner.run(bashTool(), { command: "pwd" });
    assert.ok(result.ok && result.text.startsWith(root));
    assert.match(result.text, /is gone/);
    assert.equal(result.cwd, root);
  });
});

Deno.test("a command that deletes its own working folder leaves the next one in the workspace", async () => {
  await withRunner({ "d/e/x": "" }, async (runner, root) => {
    const tool = bashTool();
    runner.answer = true;
    await runner.run(tool, { command: "cd d/e" });
    assert.equal((await runner.run(tool, { command: "rm -r ../../d" })).ok, true);
    const next = await runner.run(tool, { command: "pwd" });
    assert.ok(next.ok && next.text.startsWith(root + "\n"), next.text);
  });
});

Deno.test("what a program writes in GBK is read, a progress bar shows its last state", async () => {
  await withRunner({}, async (runner) => {
    const command =
      "printf '\\xb4\\xed\\xce\\xf3\\xa3\\xba\\xce\\xc4\\xbc\\xfe\\n\\e[32m10%%\\r100%%\\e[0m\\n'";
    const result = await runner.run(bashTool(), { command });
    assert.match(result.text, /^错误：文件\n100%\n\[exit/);
  });
});

Deno.test("an abort keeps the output so far and says interrupted and when", async () => {
  await withRunner({}, async (runner) => {
    const controller = new AbortController();
    const progress = () => controller.abort();
    runner.overrides = { signal: controller.signal, progress };
    const tool = bashTool();
    const result = await runner.run(tool, { command: "echo so far; sleep 60" });
    assert.equal(result.ok, false);
    assert.match(result.text, /^so far\n\[interrupted after \d+\.\d s\]$/);
    runner.overrides = {};
    assert.equal((await runner.run(tool, { command: "pgrep -x sleep_narnat" })).ok, false);
  });
});

Deno.test("commands that check something count as verification, looking around does not", async () => {
  await withRunner({ "a.sh": "exit 0" }, async (runner) => {
    const verified = async (command: string) =>
      (await runner.run(bashTool(), { command })).verified === true;
    assert.equal(await verified("bash a.sh; python3 -c 'print(1)'"), true);
    assert.equal(await verified("git status; ls && echo done"), false);
    assert.equal(await verified("mkdir -p x && cd x"), false);
    assert.equal(await verified("(cd / && bash a.sh)"), false, "elsewhere than the workspace");
    const { detail } = await runner.run(bashTool(), { command: "bash a.sh | cat" });
    assert.ok(detail?.kind === "command" && detail.masked, "the exit is that of cat");
  });
});

Deno.test("a command that cannot be started is a clear error", async () => {
  await withRunner({}, async (runner) => {
    const tool = bashTool();
    assert.match((await runner.run(tool, { command: "echo a\0b" })).text, /NUL/);
    assert.match((await runner.run(tool, { command: " \n" })).text, /empty/);
    const long = "echo " + "x".repeat(140_000);
    assert.match((await runner.run(tool, { command: long })).text, /128 KB/);
  });
});

Deno.test("the texts come in Chinese too", async () => {
  await withRunner({}, async (runner) => {
    runner.overrides = { t: chinese };
    assert.match(
      (await runner.run(bashTool(), { command: "true" })).text,
      /^（没有输出）\n\[退出码 0/,
    );
    assert.match(
      (await runner.run(bashTool(), { command: "rm x" })).text,
      /^没有得到确认（用户拒绝，或没有人可问），什么也没有执行/,
    );
  });
});

Deno.test("a flood tells how many lines it had, not how many were kept", async () => {
  await withRunner({}, async (runner) => {
    const { detail } = await runner.run(bashTool(), { command: "yes 中文洪水 | head -200000" });
    assert.ok(detail?.kind === "command");
    assert.equal(detail.lines, 200_000);
    const small = await runner.run(bashTool(), { command: "echo a" });
    assert.ok(small.detail?.kind === "command" && small.detail.lines === undefined);
  });
});

Deno.test("Bash asks itself about what deletes and what outlives narnat, and about nothing else", async () => {
  await withRunner({}, async (runner) => {
    const asks = (input: object) => bashTool().asks!(input, runner.context());
    assert.equal(await asks({ command: "rm a" }), true);
    assert.equal(await asks({ command: "sleep 9", run_in_background: true, keep: true }), true);
    assert.equal(await asks({ command: "make" }), false);
    assert.equal(await asks({ job: "server", action: "kill", keep: true }), false);
  });
});

Deno.test("the question about a star says that it takes the whole workspace", async () => {
  await withRunner({ "a": "1", "b/c": "1" }, async (runner) => {
    runner.overrides = { env: { ...runner.context().env, HOME: "/nowhere" } };
    for (const command of ["rm -rf *", "rm -rf ./*", "rm -rf .", 'rm -rf "$PWD"/*', "rm -rf a"]) {
      await runner.run(bashTool(), { command });
    }
    assert.equal(runner.questions[0]!.question, "The command deletes files or data (rm). Run it?");
    assert.deepEqual(runner.questions.map(({ stakes }) => stakes?.whole), [
      ...Array(4).fill("workspace"),
      undefined,
    ]);
  });
});

Deno.test("a command may run beside others when it surely reads, and the next has nothing to wait for", async () => {
  await withWorkspace({}, async (dir) => {
    const where = { cwd: dir, workspace: dir, env: { PATH: "/usr/bin:/bin" } };
    const may = (input: ToolInput) => bashDeclaration.parallel!(input, where);
    for (const command of ["ls -l", "git log -3", "grep -rn x . | head", "wc -l a b && date"]) {
      assert.equal(await may({ command }), true, command);
    }
    for (
      const command of [
        "npm test",
        "touch a",
        "ls >a",
        "cd a && ls",
        "sleep 1",
        "sleep 1; cat log",
        "ls; rm a",
        "echo $(rm a)",
      ]
    ) {
      assert.equal(await may({ command }), false, command);
    }
    assert.equal(await may({ command: "tail -f log", run_in_background: true }), false);
    assert.equal(await may({ command: "ls", pattern: "a" }), false);
    assert.equal(await may({ job: "ls" }), false);
    assert.equal(
      await bashDeclaration.parallel!({ command: "ls" }, {
        ...where,
        env: { PATH: `${dir}/bin:/usr/bin` },
      }),
      false,
      "the project may have an ls of its own",
    );
  });
});

Deno.test("bash_seconds bounds what a call may ask for, and the model is told so", async () => {
  await withRunner({}, async (runner) => {
    const jobs = createJobs({ guard: false, mostMs: 300, outputChars: 1000 });
    const slow = await runner.run(bashTool(jobs), { command: "sleep 5", timeout: 60_000 });
    assert.match(slow.text, /0\.3 s/);
    const long = await runner.run(bashTool(jobs), { command: "seq 1 20000" });
    assert.ok(long.text.length < 1500, String(long.text.length));
    assert.match(long.text, /^1\n2\n[^]*\n20000\n/);
    await jobs.close();
  });
  const bounded = bashWithin(60_000).input.properties!["timeout"]!;
  assert.deepEqual([bounded.maximum, bounded.description], [60_000, "ms, default 60000"]);
  assert.equal(bashWithin(600_000), bashDeclaration);
});
