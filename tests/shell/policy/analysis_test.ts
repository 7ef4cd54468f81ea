import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { Analysis, onlyReads, surelyReads } from "../../../src/shell/policy/analysis.ts";
import { jobName, verificationOf } from "../../../src/shell/policy/command_purpose.ts";
import { checkCommand } from "../../../src/shell/policy/gate.ts";
import { analysisOf, bashDeclaration } from "../../../src/tools/bash/bash_declaration.ts";
import { runs, stride } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import core from "../corpus/core.txt" with { type: "text" };
import harmless from "../corpus/harmless.txt" with { type: "text" };
import interactive from "../corpus/interactive.txt" with { type: "text" };

const COMMANDS = `${core}\n${harmless}\n${interactive}`.split("\n")
  .filter((line) => line !== "" && !/^(?:## | {2}\| )/.test(line));
const home = "/home/ann";
const where = { cwd: "/w", workspace: "/w", env: { PATH: "/usr/bin:/bin", HOME: home } };
const options = { permission: "open", cwd: "/w", workspace: "/w", home, fileWork: true } as const;

Deno.test("an analysis judges a command as each judge for itself does, whoever asks first", () => {
  assert.ok(COMMANDS.length > 500);
  for (let at = 0; at < COMMANDS.length; at += stride()) {
    const command = COMMANDS[at]!;
    const [one, other] = [new Analysis(command), new Analysis(command)];
    assert.deepEqual(one.verdict(options, false), checkCommand(command, options), command);
    assert.deepEqual(one.verification("/w", "/w", home), verificationOf(command, "/w", "/w"));
    assert.deepEqual(other.verification("/w", "/w", home), verificationOf(command, "/w", "/w"));
    assert.deepEqual(other.verdict(options, false), checkCommand(command, options), command);
    assert.equal(one.onlyReads(), onlyReads(command), command);
    assert.equal(one.onlyReads(where), surelyReads(command, where), command);
  }
});

Deno.test("an analysis names a job after its command", () => {
  for (const command of ["deno task dev", "cd web && PORT=1 nohup npm start > log 2>&1 &"]) {
    assert.equal(new Analysis(command).jobName([], "/w", home), jobName(command, []));
  }
});

Deno.test("what never ends may run in the background, and is refused before", () => {
  const analysis = new Analysis("tail -f log");
  assert.equal(analysis.verdict(options, false).kind, "interactive");
  assert.equal(analysis.verdict(options, true).verdict, "allow");
});

Deno.test("a call's analysis goes with it until its command is another text", async () => {
  const analysis = bashDeclaration.analyse!({ command: "ls" });
  const made = await analysis();
  assert.equal(await analysis(), made);
  assert.equal(await analysisOf("ls", analysis), made);
  assert.notEqual(await analysisOf("ls -l", analysis), made);
  assert.notEqual(await analysisOf("ls"), made);
});

const READS = [
  "git status",
  "git --no-pager log --oneline -5 -- src",
  "git -C sub diff HEAD~1 2>/dev/null | head -50",
  "git log --author='A B' 2>&1 | wc -l",
  'git show "HEAD:a b.txt"',
  "git branch -a",
  "git branch --show-current",
  "git remote -v",
  "git tag -l 'v*'",
  "git stash list",
  "ls -la src; pwd",
  "ls src && wc -l a.ts || true",
  "node --version",
  "date +%F",
  "grep -rn 'x|y' src",
  "ls > /dev/null",
  "printf 7; true",
  "cd src && ls",
  "[ -f a ] && echo there || test -d b",
  "find . -name '*.ts' -not -path './node_modules/*' | head",
  "sed -n '1,20p' a.ts",
  "sort -nr -k2,2 a | uniq -c",
];

const CHANGES = [
  "",
  ";",
  "rm a",
  "git commit -m x",
  "git checkout -- a",
  "git branch new",
  "git branch -D main",
  "git tag v1",
  "git stash",
  "git config user.name x",
  "git remote add o url",
  "git reflog expire --all",
  "git log --output=a.txt",
  "git diff --outp=a.txt",
  "git diff --ext-diff",
  "git -c alias.x='!rm a' x",
  "git -c core.pager=rm log",
  "git --git-dir=x log",
  "ls > a.txt",
  "ls >> a.txt",
  "ls 2> err.txt",
  "ls >/dev/null2",
  "cat a | tee b",
  "sort -o a a",
  "sort --compress-program=x a",
  "sort --output=a a",
  "find . -execdir rm x +",
  "find . -fprintf a x",
  "find . -okdir rm x",
  "sed -n 1p -i a",
  "sed -n wb a",
  "sed -ni 1p a",
  "printf -v PATH /tmp; ls",
  "printf 'x%n' PATH; ls",
  "printf 'x%-5n' PATH; ls",
  "uniq a b",
  "find . -delete",
  "sed -i s/a/b/ c",
  "ls $(rm a)",
  "ls `rm a`",
  'ls "$(rm a)"',
  "ls &",
  "ls & rm a",
  "ls\nrm a",
  "ls\rrm a",
  "ls; rm a",
  "ls | xargs rm",
  "A=b ls",
  "(rm a)",
  "{ rm a; }",
  "l's' -la; r'm' a",
  "node -e 'x'",
  "npm -v run",
  "date -s 2020-01-01",
  "./ls",
  "env rm a",
  "command rm a",
  "ls 'unclosed",
  "git constructor",
  "ls <(rm a)",
  "! rm a",
  "ls a\\;rm b",
];

Deno.test("what is known to only read is told from all else", () => {
  for (const command of READS) assert.ok(onlyReads(command), command);
  for (const command of CHANGES) assert.ok(!onlyReads(command), command);
});

Deno.test("nothing that is put before, behind or between makes a change look like reading", () => {
  const parts = fc.constantFrom(...READS, " ", "|", ";", "&&", "||", "'", '"', "&", "2>&1", "x");
  const change = fc.constantFrom(
    "rm -rf a",
    "git push",
    "touch a",
    "ls > a",
    "mv a b",
    "echo x >> a",
  );
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 3 }),
      change,
      fc.array(parts, { maxLength: 3 }),
      (before, change, after) => {
        const command = [...before, ";", change, ";", ...after].join(" ");
        // between quotes it is a word that is only read
        fc.pre(!/['"]/.test([...before, ...after].join("")));
        assert.ok(!onlyReads(command), command);
      },
    ),
    { numRuns: runs(500) },
  );
});

Deno.test("a word of millions of characters is no reading, and breaks nothing", () => {
  assert.equal(onlyReads("cat " + "x".repeat(10_000_000)), false);
});

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
