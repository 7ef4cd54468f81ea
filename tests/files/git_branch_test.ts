import assert from "node:assert/strict";
import { join } from "node:path";
import { branchOf } from "../../src/files/git_branch.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

async function git(cwd: string, ...args: string[]): Promise<string> {
  const user = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...user, ...args],
    cwd,
    env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("the branch is told in a repository, below its top, in a worktree, and detached", async () => {
  await withWorkspace({ "repo/src/a.txt": "a" }, async (root) => {
    const repo = join(root, "repo");
    await git(repo, "init", "-q", "-b", "main");
    assert.equal(await branchOf(repo), "main");
    await git(repo, "add", ".");
    await git(repo, "commit", "-q", "-m", "one");
    await git(repo, "switch", "-q", "-c", "feature/中文");
    assert.equal(await branchOf(join(repo, "src")), "feature/中文");
    await git(repo, "worktree", "add", "-q", "../tree", "main");
    assert.equal(await branchOf(join(root, "tree")), "main");
    await git(repo, "switch", "-q", "--detach");
    assert.equal(await branchOf(repo), (await git(repo, "rev-parse", "HEAD")).slice(0, 7));
  });
});

Deno.test("outside a repository, and in one that is broken, there is no branch", async () => {
  await withWorkspace(
    { "a/.git/HEAD": "nonsense", "b/.git": "gitdir: ../nowhere\n" },
    async (root) => {
      assert.equal(await branchOf(join(root, "a")), undefined);
      assert.equal(await branchOf(join(root, "b")), undefined);
      assert.equal(await branchOf(join(root, "missing")), undefined);
      await new Deno.Command("mkfifo", { args: [join(root, "a/.git/HEAD2")] }).output();
      await Deno.rename(join(root, "a/.git/HEAD2"), join(root, "a/.git/HEAD"));
      assert.equal(await branchOf(join(root, "a")), undefined);
    },
  );
});
