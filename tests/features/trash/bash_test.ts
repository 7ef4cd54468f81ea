import { keepDeleted } from "../../../src/features/trash/bash.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { createJobs } from "../../../src/shell/process/jobs.ts";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { listTrash } from "../../../src/files/trash/record.ts";
import { restoreFromTrash } from "../../../src/files/trash/restore.ts";
import { eventually } from "../../support/processes.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { slow } from "../../support/soak.ts";

interface Yard {
  readonly root: string;
  readonly trash: string;
  readonly runner: ToolRunner;
  bash(command: string, more?: Record<string, unknown>): ReturnType<ToolRunner["run"]>;
}

function withBash(files: Files, use: (yard: Yard) => Promise<void>): Promise<void> {
  return withWorkspace(files, async (root) => {
    const trash = join(root, ".narnat", "trash");
    const runner = new ToolRunner(root);
    runner.answer = true;
    runner.overrides = { trash: { dir: trash, keep: keepDeleted, session: "s1", turn: 4 } };
    const jobs = createJobs({ guard: false });
    const tool = bashTool(jobs);
    try {
      const bash: Yard["bash"] = (command, more) => runner.run(tool, { command, ...more });
      await use({ root, trash, runner, bash });
    } finally {
      await jobs.close();
    }
  });
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

const FILES = { "a.txt": "a", "b.txt": "b", "d/in/c": "c", "d/e": "e" };

Deno.test("what a plain rm deletes after a Yes can be brought back, and the result says how", async () => {
  await withBash(FILES, async ({ root, trash, bash }) => {
    for (
      const [command, files] of [
        ["rm a.txt", 1],
        ["rm -rf d && echo done", 2],
        ["rm -f *.txt nosuch", 1],
        ["(cd d && rm e)", 1],
        ["x=d; rm -r $x", 2],
        ["unlink b.txt; rmdir d", 1],
        ["find . -name c | xargs echo; rm -r ./d/in/", 1],
        ["ln -s d l; rm l/e d/e; rm l", 1],
        ["(rm a.txt; echo new > a.txt); cat a.txt", 1],
      ] as const
    ) {
      Deno.mkdirSync(join(root, "d/in"), { recursive: true });
      for (const [name, text] of Object.entries(FILES)) {
        Deno.removeSync(join(root, name), { recursive: true });
        Deno.writeTextFileSync(join(root, name), text);
      }
      if (command.startsWith("rm -f *")) Deno.removeSync(join(root, "a.txt"));
      const result = await bash(command);
      const [record, ...more] = listTrash(trash);
      assert.deepEqual([command, record?.files, more.length], [command, files, 0]);
      assert.deepEqual([record?.session, record?.turn, record?.command], ["s1", 4, command]);
      const line = `[trash] Restore with: narnat trash restore ${record!.id}`;
      assert.ok(result.text.includes(line), result.text);
      assert.ok(result.detail?.kind === "command" && result.detail.note?.startsWith(line));
      if (command.includes("echo new")) Deno.removeSync(join(root, "a.txt"));
      const { taken, failed } = restoreFromTrash(trash, record!.id, root)!;
      assert.deepEqual([taken, failed, listTrash(trash)], [[], [], []], command);
      assert.equal(Deno.readTextFileSync(join(root, "d/in/c")), "c");
      if (!command.startsWith("rm -f *")) {
        assert.equal(Deno.readTextFileSync(join(root, "a.txt")), "a", command);
      } else Deno.writeTextFileSync(join(root, "a.txt"), "");
    }
  });
});

Deno.test("what goes where a cd has failed, or led elsewhere, is kept like any other", async () => {
  await withBash(FILES, async ({ root, trash, bash }) => {
    for (
      const [command, files] of [
        ["cd nosuch; rm -rf a.txt b.txt d", 4],
        ["cd nosuch\nrm -rf *", 4],
        ["cd nosuch; cd d; rm -rf *", 2],
        ['cd d; rm -rf "$PWD"', 2],
        ['cd "$NOTHING" && rm -rf d', 2],
        ["mv d e; cd d; rm a.txt", 1],
        ["pushd d; popd; rm a.txt", 1],
      ] as const
    ) {
      // the next one begins here again
      const result = await bash(`(${command}\n)`);
      const [record] = listTrash(trash);
      assert.deepEqual([command, record?.files], [command, files], result.text);
      restoreFromTrash(trash, record!.id, root);
      if (command.startsWith("mv")) Deno.renameSync(join(root, "e"), join(root, "d"));
      for (const [name, text] of Object.entries(FILES)) {
        assert.equal(Deno.readTextFileSync(join(root, name)), text, command);
      }
    }
  });
});

Deno.test("of a command that holds a secret only its placeholder is written down", async () => {
  await withBash(FILES, async ({ trash, bash, runner }) => {
    runner.overrides = {
      ...runner.overrides,
      redact: (text) => text.replaceAll("hunter2", "«secret»"),
    };
    await bash("PASS=hunter2; rm a.txt");
    assert.equal(listTrash(trash)[0]?.command, "PASS=«secret»; rm a.txt");
  });
});

Deno.test("exit code and output are the command's own; what fails to delete leaves nothing in the trash", async () => {
  await withBash(FILES, async ({ trash, bash, runner }) => {
    const failed = await bash("rm d");
    assert.match(failed.text, /^rm: cannot remove 'd': Is a directory\n\[exit code 1, [^\n]*$/);
    assert.deepEqual(listTrash(trash), []);
    const part = await bash("rm a.txt nosuch d");
    assert.match(part.text, /nosuch[^]*\[exit code 1,[^]*\n\[trash\]/);
    assert.equal(listTrash(trash).length, 1);
    runner.answer = false;
    await bash("rm b.txt");
    assert.equal(listTrash(trash).length, 1);
  });
});

Deno.test("what is not kept is named: outside, not known before; other deletes are left to the undo", async () => {
  await withBash(FILES, async ({ trash, bash, runner, root }) => {
    const other = await Deno.makeTempFile();
    const outside = await bash(`rm ${other} a.txt`);
    assert.match(outside.text, /\[trash\] Not kept[^\n]*\(outside of the workspace\)/);
    assert.equal(listTrash(trash)[0]?.files, 1);
    const unknown = await bash("ls b* > list; rm $(cat list)");
    assert.match(unknown.text, /\[trash\] Not kept[^\n]*what it names was not known before/);
    const found = await bash("find d -name c -delete");
    assert.ok(!found.text.includes("[trash]"), found.text);
    const own = await bash("rm -rf .narnat");
    assert.match(own.text, /\.narnat \(the trash itself goes with it\)/);
    // without a session nothing is kept
    runner.overrides = {};
    const none = await bash("rm -r d list");
    assert.ok(!none.text.includes("[trash]"));
    assert.deepEqual(names(root), []);
  });
});

slow("a delete in the background, or cut off, can be brought back as far as it went", async () => {
  await withBash(FILES, async ({ root, trash, bash }) => {
    const job = await bash("sleep 0.2; rm -r d", { run_in_background: true });
    assert.match(job.text, /\[trash\] Restore with/);
    assert.ok(await eventually(() => !names(root).includes("d")));
    const [record] = listTrash(trash);
    assert.equal(restoreFromTrash(trash, record!.id, root)!.back.length, 1);
    assert.equal(Deno.readTextFileSync(join(root, "d/e")), "e");
    const cut = await bash("rm a.txt; sleep 30; rm b.txt", { timeout: 1500 });
    assert.match(cut.text, /\[trash\]/);
    assert.equal(listTrash(trash)[0]?.files, 1);
    restoreFromTrash(trash, listTrash(trash)[0]!.id, root);
    assert.equal(Deno.readTextFileSync(join(root, "a.txt")), "a");
  });
});

Deno.test("where the trash cannot be written the delete is done as asked, and that is said", async () => {
  await withBash({ ...FILES, ".narnat/trash": "a file" }, async ({ root, bash }) => {
    const result = await bash("rm a.txt");
    assert.match(result.text, /\[trash\] What was deleted could not be kept \(.*\)/);
    assert.ok(!names(root).includes("a.txt"));
  });
});

Deno.test("a command that is stopped, or never began, ties nothing to the trash for long", async () => {
  await withBash(FILES, async ({ root, trash, bash, runner }) => {
    const controller = new AbortController();
    runner.overrides = { ...runner.overrides, signal: controller.signal };
    void eventually(() => !names(root).includes("a.txt")).then(() => controller.abort());
    const stopped = await bash("rm a.txt; sleep 30; rm b.txt");
    assert.match(stopped.text, /\[trash\]/);
    assert.ok(await eventually(() => listTrash(trash)[0]?.open === undefined));
    assert.equal(Deno.lstatSync(join(root, "b.txt")).nlink, 1);
    assert.equal(listTrash(trash)[0]?.files, 1);
    runner.overrides = { ...runner.overrides, signal: new AbortController().signal };
    const [before] = listTrash(trash);
    const jobs = createJobs({ guard: false });
    const failing = bashTool({ ...jobs, run: () => Promise.reject(new Error("no shell")) });
    const none = await runner.run(failing, { command: "rm b.txt" });
    assert.match(none.text, /Cannot run the command: no shell/);
    assert.deepEqual(listTrash(trash), [before]);
    assert.equal(Deno.lstatSync(join(root, "b.txt")).nlink, 1);
    await jobs.close();
  });
});

slow(
  "a delete that outlives its command can be brought back, whatever has become of its output",
  async () => {
    for (const command of ["(sleep 0.5; rm -r d) &", "(sleep 0.5; rm -r d) >/dev/null 2>&1 &"]) {
      await withBash(FILES, async ({ root, trash, bash }) => {
        const result = await bash(command);
        assert.match(result.text, /\[trash\] Restore with/);
        assert.ok(await eventually(() => !names(root).includes("d")));
        restoreFromTrash(trash, listTrash(trash)[0]!.id, root);
        assert.equal(Deno.readTextFileSync(join(root, "d/e")), "e", command);
      });
    }
  },
);

Deno.test("what a job has left in its place is let go of when it ends", async () => {
  await withBash(FILES, async ({ root, trash, bash }) => {
    for (const more of [{ run_in_background: true }, {}]) {
      await bash("(sleep 0.4; rm d/e; rm -f nosuch d 2>/dev/null) &", more);
      assert.ok(await eventually(() => listTrash(trash).every(({ open }) => !open)));
      assert.equal(Deno.lstatSync(join(root, "d/in/c")).nlink, 1);
      Deno.writeTextFileSync(join(root, "d/e"), "e");
    }
    assert.deepEqual(listTrash(trash).map(({ files }) => files), [1, 1]);
  });
});

Deno.test("beside other deletes that leave contents alone rm is kept all the same", async () => {
  await withBash(FILES, async ({ root, trash, bash }) => {
    await bash("rm -r d; find . -name '*.txt' -delete");
    const [record] = listTrash(trash);
    assert.deepEqual([record?.targets, record?.files], [[join(root, "d")], 2]);
    const emptied = await bash("truncate -s 0 list; rm list");
    Deno.writeTextFileSync(join(root, "list"), "x");
    const again = await bash("truncate -s 0 list; rm list");
    assert.ok(!emptied.text.includes("Restore with"), emptied.text);
    assert.match(again.text, /Not kept[^\n]*list \(the command deletes in another way too\)/);
    assert.equal(listTrash(trash).length, 1);
  });
});

Deno.test("that rm was told by others what to delete is said", async () => {
  await withBash(FILES, async ({ bash }) => {
    for (const command of ["ls d | xargs -I{} rm -r d/{}", "ls *.txt | xargs rm"]) {
      const result = await bash(command);
      assert.match(result.text, /\[trash\] Not kept[^\n]*rm … \(what it names was not known/);
    }
    const nothing = await bash('rm -f ""');
    assert.ok(!nothing.text.includes("[trash]"), nothing.text);
    const find = await bash("find . -name e -exec rm {} +");
    assert.match(find.text, /\(the trash itself goes with it\)/);
  });
});

Deno.test("of all that a wildcard matches nothing is lost unsaid", async () => {
  const logs = Array.from({ length: 300 }, (_, i) => [`m/${i}.log`, ""]);
  await withBash({ ...Object.fromEntries(logs), ...FILES }, async ({ root, trash, bash }) => {
    await bash("rm m/*.log");
    assert.equal(listTrash(trash)[0]?.files, 300);
    // a name that only bytes can tell
    await new Deno.Command("bash", { args: ["-c", "touch $'\\xff.txt'"], cwd: root }).output();
    const odd = await bash("rm *.txt");
    assert.match(odd.text, /\[trash\] Not kept[^\n]*\ufffd\.txt \(the system did not let it\)/);
    assert.equal(listTrash(trash)[0]?.files, 2);
    // the trash goes too: nothing of what goes with it is called kept
    const all = await bash("rm -rf * .[!.]*");
    assert.ok(!all.text.includes("Restore with"), all.text);
    assert.match(
      all.text,
      /Not kept[^\n]*\/d \(the trash itself[^\n]*\/\.narnat \(the trash itself/,
    );
  });
});

Deno.test("a delete through a link is kept or named by where it leads", async () => {
  await withBash({ ...FILES, "far/sub/x": "", "far/a.txt": "far" }, async (yard) => {
    const { root, trash, bash, runner } = yard;
    Deno.symlinkSync("far/sub", join(root, "l"));
    for (const command of ["rm l/../a.txt", "cd l && rm ../a.txt; cd .."]) {
      await bash(command);
      assert.deepEqual(runner.questions.at(-1)?.targets, [join(root, "far/a.txt")], command);
      const [record] = listTrash(trash);
      assert.deepEqual(restoreFromTrash(trash, record!.id, root)!.back, [join(root, "far/a.txt")]);
    }
    assert.equal(Deno.readTextFileSync(join(root, "a.txt")), "a");
  });
});

Deno.test("a trash that is a link to elsewhere is neither written nor tidied", async () => {
  await withBash({ ...FILES, "far/abcdef/x": "x" }, async ({ root, trash, bash }) => {
    Deno.utimeSync(join(root, "far/abcdef"), 1e9, 1e9);
    Deno.mkdirSync(join(root, ".narnat"));
    Deno.symlinkSync(join(root, "far"), trash);
    const result = await bash("rm a.txt");
    assert.match(result.text, /\[trash\] What was deleted could not be kept \(.*link/);
    assert.deepEqual(names(join(root, "far")), ["abcdef"]);
    assert.equal(Deno.readTextFileSync(join(root, "far/abcdef/x")), "x");
  });
});
