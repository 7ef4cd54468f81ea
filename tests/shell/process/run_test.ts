import assert from "node:assert/strict";
import { join } from "node:path";
import { runCommand, type RunOptions } from "../../../src/shell/process/run.ts";
import { alive, eventually, heldBytes } from "../../support/processes.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const PATH = Deno.env.get("PATH") ?? "";

function run(root: string, command: string, more: Partial<RunOptions> = {}) {
  return runCommand({
    command,
    cwd: root,
    env: { PATH, LANG: "C.UTF-8" },
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    outputPath: join(root, "out", `${crypto.randomUUID()}.txt`),
    mark: crypto.randomUUID(),
    ...more,
  });
}

Deno.test("a command's output and exit code come back", async () => {
  await withWorkspace({}, async (root) => {
    for (
      const [command, exit, output] of [
        ["echo hi", 0, "hi\n"],
        ["exit 7", 7, ""],
        ["false", 1, ""],
        ["echo out; echo err >&2; echo out2", 0, "out\nerr\nout2\n"],
        ["nosuchcommand_x 2>/dev/null", 127, ""],
        ["echo \"a 'b'\" '中文 \"x\"' \\$HOME", 0, "a 'b' 中文 \"x\" $HOME\n"],
        ["cat", 0, ""],
        ["set -e; false; echo no", 1, ""],
        ["(exit 3)", 3, ""],
        ["cat <<X\nline\nX", 0, "line\n"],
        ["# only a comment", 0, ""],
      ] as const
    ) {
      const result = await run(root, command);
      assert.deepEqual([command, result.exit, result.output.head], [command, exit, output]);
    }
  });
});

Deno.test("what a slow command has written so far is on disk, and gone with its end", async () => {
  await withWorkspace({}, async (root) => {
    const outputPath = join(root, "out/slow.txt");
    const written = () => Deno.readTextFile(outputPath).catch(() => "");
    const running = run(root, "echo one; until [ -e go ]; do sleep 0.05; done; echo two", {
      outputPath,
    });
    assert.ok(await eventually(async () => await written() === "one\n", 15_000));
    await Deno.writeTextFile(join(root, "go"), "");
    const { output } = await running;
    assert.deepEqual([output.head, output.path], ["one\ntwo\n", undefined]);
    await assert.rejects(Deno.stat(outputPath), Deno.errors.NotFound);
  });
});

Deno.test("a syntax error is told of the command's own lines, and the folder is kept", async () => {
  await withWorkspace({ "sub dir/x": "" }, async (root) => {
    for (
      const [command, line] of [
        ["if true; then (", 2],
        ["echo foo(bar)", 1],
        ["done", 1],
        ["shopt -s extglob; ls !(x)", 1],
        ["echo one\n\necho foo(bar)", 3],
      ] as const
    ) {
      const result = await run(join(root, "sub dir"), command);
      const { head } = result.output;
      assert.deepEqual([result.exit, result.cwd], [2, join(root, "sub dir")], command);
      assert.match(head, new RegExp(`line ${line}: syntax error`), command);
      assert.ok(!/exec|trap|narnat|199/i.test(head), head);
    }
    const moved = await run(root, "cd 'sub dir'\necho foo(bar)");
    assert.equal(moved.cwd, join(root, "sub dir"));
  });
});

Deno.test("an error while it runs names the line of the command", async () => {
  await withWorkspace({}, async (root) => {
    const result = await run(root, "true\n\nnosuchcommand_x; echo $LINENO [$#]");
    assert.match(result.output.head, /line 3: nosuchcommand_x: [^]*\n3 \[0\]\n$/);
  });
});

Deno.test("a command neither finds its own shell by name nor its own text in its environment", async () => {
  await withWorkspace({}, async (root) => {
    const result = await run(
      root,
      "sleep 0.2 & pgrep -f 'narnat_need''le_x' && echo found; env; wait",
    );
    assert.ok(!/found|narnat_need|SETUP/.test(result.output.head), result.output.head);
    const self = await run(root, "pkill -f 'serve_narnat_[x]'; : serve_narnat_x; echo alive");
    assert.equal(self.output.head, "alive\n");
  });
});

Deno.test("a command that a signal ends is told with the signal", async () => {
  await withWorkspace({}, async (root) => {
    const result = await run(root, "kill -9 $$");
    assert.deepEqual([result.exit, result.signal], [null, "SIGKILL"]);
  });
});

Deno.test("only the given environment reaches the command", async () => {
  await withWorkspace({}, async (root) => {
    const result = await run(root, "env | sort | cut -d= -f1", { env: { PATH, GIVEN: "1" } });
    const names = result.output.head.split("\n");
    assert.ok(names.includes("GIVEN") && names.includes("NARNAT_JOB"));
    assert.ok(!names.includes("HOME"));
  });
});

Deno.test("the folder in which the command ended is reported, also after exit", async () => {
  await withWorkspace({ "a b/中 文/x": "" }, async (root) => {
    assert.equal((await run(root, "cd 'a b' && cd '中 文'")).cwd, join(root, "a b/中 文"));
    assert.equal((await run(root, "cd 'a b'; exit 4")).cwd, join(root, "a b"));
    assert.equal((await run(root, "(cd 'a b')")).cwd, root);
    assert.equal((await run(root, "cd nosuch")).cwd, root);
    assert.equal((await run(root, "exec true")).cwd, undefined);
  });
});

Deno.test("without a terminal, what would ask a person ends at once", async () => {
  await withWorkspace({}, async (root) => {
    const result = await run(root, 'read -r line; echo "got $?"; : < /dev/tty');
    assert.match(result.output.head, /got 1/);
    assert.notEqual(result.exit, 0);
  });
});

slow("a timeout stops the tree: children, TERM-ignorers and setsid escapees", async () => {
  await withWorkspace({}, async (root) => {
    const word = `3917.${Math.floor(Math.random() * 1e6)}`;
    const command = `sleep ${word} & (trap '' TERM; sleep ${word}; sleep ${word}) & ` +
      `setsid sleep ${word} & (setsid sh -c 'trap "" TERM; sleep ${word}' &) ; echo began; wait; wait`;
    const result = await run(root, command, { timeoutMs: 500 });
    assert.equal(result.stopped, "timeout");
    assert.equal(result.output.head, "began\n");
    assert.ok(result.ms < 6000, `${result.ms} ms`);
    assert.equal(await alive(`sleep ${word}`), 0);
  });
});

Deno.test("an abort is answered at once and nothing is left running", async () => {
  await withWorkspace({}, async (root) => {
    const word = `3918.${Math.floor(Math.random() * 1e6)}`;
    const controller = new AbortController();
    let began = () => {};
    const running = new Promise<void>((resolve) => began = resolve);
    const work = run(
      root,
      `trap '' TERM; echo so far; setsid sleep ${word} & sleep ${word}; sleep ${word}`,
      { signal: controller.signal, onProgress: () => began() },
    );
    await running;
    controller.abort();
    const result = await work;
    let gone = false;
    void result.gone.then(() => gone = true);
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(gone, false, "the answer does not wait for the end of what ignores TERM");
    assert.equal(result.stopped, "abort");
    assert.equal(result.output.head, "so far\n");
    await result.gone;
    assert.equal(await alive(`sleep ${word}`), 0);
  });
});

Deno.test("a background child does not delay the answer and lives on", async () => {
  await withWorkspace({}, async (root) => {
    const word = `3919.${Math.floor(Math.random() * 1e6)}`;
    const result = await run(root, `sleep ${word} & echo pid $!`);
    const pid = Number(/pid (\d+)/.exec(result.output.head)![1]);
    assert.ok(result.ms < 5000, `${result.ms} ms`);
    assert.equal(result.exit, 0);
    assert.ok(result.left);
    assert.equal(await alive(`sleep ${word}`), 1);
    Deno.kill(pid, "SIGKILL");
    await result.left.drained;
    result.left.output.close();
    assert.equal(await alive(`sleep ${word}`), 0);
  });
});

Deno.test("progress tells the last lines while the command runs", async () => {
  await withWorkspace({}, async (root) => {
    const seen: string[] = [];
    const command = "for i in 1 2 3 4 5 6 7; do echo line $i; sleep 0.06; done";
    await run(root, command, { onProgress: (text) => seen.push(text) });
    assert.ok(seen.length >= 2 && seen.length <= 8, `${seen.length}`);
    assert.ok(seen[0]!.startsWith("line 1"));
    assert.ok(seen.every((text) => text.split("\n").length <= 5));
  });
});

slow("200 MB of output stay within bounded memory, head and tail are kept", async () => {
  await withWorkspace({}, async (root) => {
    // not rss: the tests that run beside this one are in it too
    const before = heldBytes();
    const command = "echo first; head -c 200000000 /dev/zero | tr '\\0' 'x'; echo; echo last";
    const result = await run(root, command, { timeoutMs: 60_000 });
    const grown = heldBytes() - before;
    const { output } = result;
    assert.equal(output.bytes, 200_000_012);
    assert.ok(output.head.startsWith("first\nxxx"));
    assert.ok(output.tail!.endsWith("xxx\nlast\n"));
    assert.equal(output.cut, 200_000_012 - 30_000);
    assert.equal((await Deno.stat(output.path!)).size, 100 * 1024 * 1024);
    assert.equal(output.fileCut, true);
    assert.ok(grown < 5e6, `${grown}`);
  });
});
