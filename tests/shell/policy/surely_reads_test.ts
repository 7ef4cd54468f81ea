import assert from "node:assert/strict";
import { join } from "node:path";
import { surelyReads } from "../../../src/shell/policy/surely_reads.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const PATH = "/usr/bin:/bin";

Deno.test("a reader that may be a program of the project's is no sure one", async () => {
  await withWorkspace({ "bin/ls": "" }, (workspace) => {
    const where = { cwd: workspace, workspace };
    const reads = (path: string) => surelyReads("ls", { ...where, env: { PATH: path } });
    assert.equal(reads(PATH), true);
    assert.equal(reads(`${workspace}-other/bin:${PATH}`), true);
    for (const folder of [join(workspace, "bin"), workspace, "bin", ".", ""]) {
      assert.equal(reads(`${PATH}:${folder}`), false, folder);
    }
    assert.equal(surelyReads("rm a", { ...where, env: { PATH } }), false);
    return Promise.resolve();
  });
});

Deno.test("git reads surely only where the repository's settings start nothing", async () => {
  const plain = '[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n';
  const reads = (files: { [name: string]: string }, command = "git status") => {
    let sure: boolean | undefined;
    return withWorkspace({ "sub/a": "", ".git/HEAD": "x", ...files }, (workspace) => {
      sure = surelyReads(command, { cwd: join(workspace, "sub"), workspace, env: { PATH } });
      return Promise.resolve();
    }).then(() => sure);
  };
  assert.equal(await reads({ ".git/config": plain }), true);
  assert.equal(await reads({ ".git/config": plain }, "git log -5 | head -3"), true);
  assert.equal(await reads({ ".git/config": plain }, "git -C ../other status"), false);
  assert.equal(await reads({ ".git/config": plain }, "cd ../other && git status"), false);
  for (
    const setting of [
      "[core]\n\tfsmonitor = rm v",
      "[core]\n\thooksPath = h",
      "[diff]\n\texternal = x",
      '[diff "x"]\n\ttextconv = x',
      '[filter "x"]\n\tclean = x',
      "[include]\n\tpath = ../x",
      "[gpg]\n\tprogram = x",
      '[remote "origin"]\n\tpromisor = true',
    ]
  ) {
    assert.equal(await reads({ ".git/config": plain + setting }), false, setting);
    assert.equal(await reads({ ".git/config.worktree": setting }), false, setting);
  }
  assert.equal(await reads({ ".git/hooks/post-index-change": "#!/bin/sh" }), false);
  assert.equal(await reads({ ".gitmodules": "" }), false);
});

Deno.test({
  name: "a repository whose settings are a pipe is waited for by nobody, and reads nothing surely",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace({ ".git/HEAD": "x" }, async (workspace) => {
      const args = [join(workspace, ".git/config")];
      assert.ok((await new Deno.Command("mkfifo", { args }).output()).success);
      assert.equal(surelyReads("git status", { cwd: workspace, workspace, env: { PATH } }), false);
    }),
});
