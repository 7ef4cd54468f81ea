import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import {
  DANGER_RULES,
  GUARDED_RULES,
  MOVE_RULES,
} from "../../../src/shell/policy/rules/danger_rules.ts";
import { DELETE_RULES } from "../../../src/shell/policy/rules/delete_rules.ts";
import { FILE_RULES } from "../../../src/shell/policy/file_work.ts";
import { checkCommand, describeVerdict, verdictJson } from "../../../src/shell/policy/gate.ts";
import { INTERACTIVE_RULES } from "../../../src/shell/policy/rules/interactive_rules.ts";
import { LANGUAGES } from "../../../src/shell/policy/reader/languages.ts";
import { targetFacts } from "../../../src/shell/policy/target_facts.ts";
import type { Permission } from "../../../src/base/types.ts";
import layered from "../layered_commands.json" with { type: "json" };
import examples from "../shell_commands.json" with { type: "json" };
import { withWorkspace } from "../../support/temp_workspace.ts";
import { threadMs } from "../../support/processes.ts";
import { runs, slow, SOAK } from "../../support/soak.ts";

const CWD = "/space place/app";

/** Code that is decoded first: it may delete anything. */
const CODED = /b64decode|atob\(/;

function check(command: string, permission: Permission = "open", fileWork = false) {
  return checkCommand(command, {
    permission,
    cwd: CWD,
    home: "/home/ann",
    fileWork,
    shell: "bash",
  });
}

function expectKind(commands: readonly string[], kind: string, more: Partial<{
  permission: Permission;
  fileWork: boolean;
}> = {}) {
  const wrong = commands
    .map((one) => ({ one, got: check(one, more.permission, more.fileWork).kind }))
    .filter(({ got }) => got !== kind);
  assert.deepEqual(wrong, []);
}

Deno.test("the 40 labelled examples come out right", () => {
  const wrong = examples.map((example) => {
    const { verdict, kind } = check(example.command);
    const got = verdict === "allow" ? "harmless" : kind;
    return { command: example.command, expected: example.expected, got };
  }).filter(({ expected, got }) => expected !== got);
  assert.deepEqual(wrong, []);
});

for (const rule of DELETE_RULES) {
  Deno.test(`delete rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes.filter((one) => !CODED.test(one)), rule.unseen ? "danger" : "delete");
    expectKind(rule.yes.filter((one) => CODED.test(one)), "danger");
    assert.deepEqual(rule.no.filter((one) => check(one).verdict !== "allow"), []);
  });
}

Deno.test("every rule carries examples of both kinds", () => {
  const rules = [
    ...DELETE_RULES,
    ...DANGER_RULES,
    ...GUARDED_RULES,
    ...MOVE_RULES,
    ...INTERACTIVE_RULES,
    ...FILE_RULES,
    ...LANGUAGES.map((one) => ({ ...one, names: one.programs.source })),
  ];
  const bare = rules.filter((rule) => rule.yes.length === 0 || rule.no.length === 0);
  assert.deepEqual(bare.map((rule) => rule.names), []);
});

for (const language of LANGUAGES) {
  Deno.test(`language ${language.programs.source.slice(0, 40)}: its examples`, () => {
    expectKind(language.yes.filter((one) => !CODED.test(one)), "delete");
    expectKind(language.yes.filter((one) => CODED.test(one)), "danger");
    assert.deepEqual(language.no.filter((one) => check(one).verdict !== "allow"), []);
  });
}

for (const rule of [...DANGER_RULES, ...MOVE_RULES]) {
  Deno.test(`danger rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes, "danger");
    assert.deepEqual(rule.no.filter((one) => check(one).verdict !== "allow"), []);
    for (const one of rule.yes) assert.equal(check(one, "guarded").verdict, "refuse", one);
  });
}

for (const rule of GUARDED_RULES) {
  Deno.test(`guarded rule ${rule.names}: its examples`, () => {
    for (const one of rule.yes) assert.equal(check(one, "guarded").verdict, "refuse", one);
    for (const one of rule.no) assert.notEqual(check(one, "guarded").verdict, "refuse", one);
  });
}

for (const rule of INTERACTIVE_RULES) {
  Deno.test(`interactive rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes, "interactive");
    assert.deepEqual(rule.no.filter((one) => check(one).kind === "interactive"), []);
  });
}

for (const rule of FILE_RULES) {
  Deno.test(`iron rule ${rule.names} → ${rule.redirectsTo}: its examples`, () => {
    for (const one of rule.yes) {
      const { kind, reason } = check(one, "open", true);
      assert.deepEqual([one, kind, reason], [one, "file_work", rule.redirectsTo]);
    }
    assert.deepEqual(rule.no.filter((one) => check(one, "open", true).verdict !== "allow"), []);
  });
}

Deno.test("deletes are seen through wrappers, quotes, variables, functions and other languages", () => {
  const missed = layered.delete.filter((one) => check(one).verdict !== "ask");
  assert.deepEqual(missed, []);
});

Deno.test("harmless commands that name a delete are allowed", () => {
  assert.deepEqual(layered.harmless.filter((one) => check(one).verdict !== "allow"), []);
});

Deno.test("interactive commands are refused, each with a hint in both languages", () => {
  for (const one of layered.interactive) {
    const verdict = check(one);
    assert.deepEqual([one, verdict.verdict, verdict.kind], [one, "refuse", "interactive"]);
    assert.ok(
      describeVerdict(english, verdict).length > 20 && describeVerdict(chinese, verdict) !== "",
    );
  }
});

Deno.test("literal targets are absolute, also after cd; wildcards and variables stay as written", () => {
  for (
    const [command, targets] of [
      ["rm -rf out/", [`${CWD}/out`]],
      ["rm -- '-旧 文件.txt'", [`${CWD}/-旧 文件.txt`]],
      ["cd tmp && sudo -H /usr/bin/rm -r .", [`${CWD}/tmp`]],
      ["(cd tmp); rm a", [`${CWD}/a`]],
      ['rm -rf ~/x "$HOME"', ["/home/ann/x", "/home/ann"]],
      ["rm ../b /etc/c", ["/space place/b", "/etc/c"]],
      ["rm *.log", [`${CWD}/*.log`]],
      ['rm "$f"', ['"$f"']],
      ["for d in a b; do rm -r $d; done", [`${CWD}/a`, `${CWD}/b`]],
      ["find logs -mtime +7 -type f -delete", [`${CWD}/logs`]],
      ["bash -c 'rm a b'", [`${CWD}/a`, `${CWD}/b`]],
      ["ssh host rm a", ["a"]],
      // an empty "$d" leads nowhere else
      ['cd "$d" && rm a', ["a", `${CWD}/a`]],
      [": > a.txt", [`${CWD}/a.txt`]],
      ["find junk -exec rm {} +", [`${CWD}/junk`]],
      ["find -L 'my dir' b -type f -exec rm {}.bak \\;", [`${CWD}/my dir`, `${CWD}/b`]],
      ["find -L logs -delete", [`${CWD}/logs`]],
      ["find . -exec rm {} +", [CWD]],
      ["echo a b | xargs rm", [`${CWD}/a`, `${CWD}/b`]],
      ["git clean -fdx", [CWD]],
      ["git -C sub clean -fd", [`${CWD}/sub`]],
      ["git clean -fd out", [`${CWD}/out`]],
      ["git -C sub rm a", [`${CWD}/sub/a`]],
      ["git checkout HEAD~1 -- lib", [`${CWD}/lib`]],
      ["git worktree remove ../x", ["/space place/x"]],
      [`python3 -c 'import os; os.remove("a b")'`, [`${CWD}/a b`]],
      [`python3 -c "from pathlib import Path; Path('/tmp/x').unlink()"`, ["/tmp/x"]],
      [`python3 -c 'import shutil; shutil.rmtree("out", ignore_errors=True)'`, [`${CWD}/out`]],
      [`node -e "require('fs').rmSync('a', {force: true})"`, [`${CWD}/a`]],
      [`perl -e 'unlink "a", "b"'`, [`${CWD}/a`, `${CWD}/b`]],
      [`vim -es -c "call delete('a')" -c q`, [`${CWD}/a`]],
      ["dd if=a of=/etc/passwd", ["/etc/passwd"]],
    ] as const
  ) {
    assert.deepEqual([command, check(command).targets], [command, targets]);
  }
});

Deno.test("what is no file, or is not named, is not shown as a path", () => {
  const commands = [
    "kubectl delete pod x",
    "git branch -D x",
    "git tag -d v1",
    "git push origin --delete x",
    "git reset --hard HEAD~1",
    "git checkout -f main",
    "git stash drop stash@{0}",
    "docker rm -f db",
    "docker volume rm v",
    "redis-cli del k",
    "aws s3 rm s3://b/a",
    "terraform destroy -auto-approve",
    "npm unpublish a",
    "dropdb shop",
    `psql -c 'DROP TABLE "a"'`,
    `mongosh --eval 'db.a.deleteMany("x")'`,
    "ls | xargs rm",
    "ls | xargs -I{} rm -r out/{}",
    "ls | parallel rm",
    "fd -e o -x rm {}",
    "fd -e o -x sh -c 'rm {}'",
    "kill -9 $PPID",
    `python3 -c 'import os; os.remove(f"{x}/a")'`,
    `python3 -c 'import os; os.remove("a" + b)'`,
    `python3 -c 'import os, sys; os.remove(sys.argv[1])' a`,
  ];
  for (const command of commands) {
    const { verdict, targets } = check(command);
    assert.deepEqual([command, verdict, targets], [command, "ask", []]);
  }
});

Deno.test("a delete of the whole system, a folder at its top or the home is a danger", () => {
  expectKind([
    "rm -rf /",
    "rm -rf /*",
    "sudo rm -rf --no-preserve-root //",
    "cd / && rm -rf *",
    "rm -rf /etc /tmp/x",
    "rm -rf /usr/*",
    "rm -rf /home",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    'rm -rf "$HOME"',
    'rm -rf "${HOME:?}"/*',
    "rm -r ../../home/ann",
    "find / -delete",
    "find ~ -exec rm -rf {} +",
    "rsync -a --delete empty/ /",
    `python3 -c 'import shutil; shutil.rmtree("/")'`,
    "ssh host rm -rf /var",
    "cd $NOWHERE; rm -rf ~",
    "cmd /c 'rd /s /q C:\\\\'",
  ], "danger");
  expectKind([
    "rm -rf build",
    "rm -rf /tmp/*",
    "rm -rf ~/a",
    "rm -f ~/*.log",
    "rm -rf /usr/local/lib/x",
    "rm -rf '~'",
    "rm -rf ~/'*'",
  ], "delete");
  const verdict = check("rm -rf ~");
  assert.equal(verdict.verdict, "ask");
  assert.match(describeVerdict(english, verdict), /your whole home/);
  assert.match(describeVerdict(chinese, verdict), /整个主目录/);
  assert.equal(check("find / -delete", "guarded").verdict, "refuse");
});

Deno.test("the fork bomb is asked about, and refused in guarded mode", () => {
  for (const bomb of [":(){ :|:& };:", "f() { f | f & }; f"]) {
    assert.deepEqual([check(bomb).verdict, check(bomb).kind], ["ask", "danger"]);
    assert.equal(check(bomb, "guarded").verdict, "refuse");
  }
});

slow("what cannot be read is asked about when it names a delete, and only then", () => {
  const deep = (inner: string) => "echo " + "$(echo ".repeat(3000) + inner + ")".repeat(3000);
  for (const command of ['"r"m -rf $(', "if true; then r\\m", deep("rm x")]) {
    assert.equal(check(command).verdict, "ask", command.slice(0, 40));
  }
  assert.equal(check("echo 'unterminated").verdict, "allow");
  assert.equal(check(deep("x")).verdict, "allow");
});

slow("neither length nor number of commands hides a delete", () => {
  assert.equal(check("echo a; ".repeat(5000) + "rm x").kind, "delete");
  assert.equal(check(`echo ${"x ".repeat(40_000)}; rm y`).kind, "delete");
  const doubling = Array.from({ length: 30 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; }`);
  const started = threadMs();
  assert.equal(check([...doubling, "f30() { rm x; }", "f0"].join("\n")).verdict, "ask");
  // what each command adds to must not be gone through again by each that follows
  for (const one of ["cd a;", "pushd a/b;", "echo a|tee f;", "echo a>>f;cat<f;", ":;"]) {
    const many = check(one.repeat(120_000 / one.length) + "rm x");
    assert.deepEqual([many.verdict, many.values.names], ["ask", "rm"], one);
  }
  assert.ok(threadMs() - started < 10_000);
});

Deno.test("any text gets a verdict: nothing throws", () => {
  const piece = fc.constantFrom(
    ..."rm |;&()<>$`'\"\\\n{}[]*?!#=~%^,.:/-".split(""),
    ..."rm -rf;$(;${x;<<E;bash -c ;eval ;for x in ;do ;done;if ;then ;fi;case ;esac;((;[[;{a,b}"
      .split(";"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { verdict, targets } = check(pieces.join(""), "open", true);
      return ["allow", "ask", "refuse"].includes(verdict) && Array.isArray(targets);
    }),
    { numRuns: runs(3000) },
  );
});

Deno.test("every delete stays a delete inside any wrapper", () => {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const wrap = fc.constantFrom<(inner: string) => string>(
    (inner) => `bash -c ${quoted(inner)}`,
    (inner) => `eval ${quoted(inner)}`,
    (inner) => `(${inner}\n)`,
    (inner) => `true && { ${inner}\n}`,
    (inner) => `echo ${quoted(inner)} | sh`,
    // a delimiter that the inner text does not hold
    (inner) => `sh <<'E${inner.length}'\n${inner}\nE${inner.length}`,
    (inner) => `sudo -u me timeout 5 sh -c ${quoted(inner)}`,
    (inner) => `s=${quoted(inner)}; eval "$s"`,
    (inner) => `find . -exec sh -c ${quoted(inner)} \\;`,
    (inner) => `f() { ${inner}\n}; f`,
    (inner) => `echo "$(${inner}\n)"`,
  );
  const simple = fc.constantFrom("rm a", "find . -delete", "git clean -fd", "unlink x", ": > f");
  fc.assert(
    fc.property(simple, fc.array(wrap, { maxLength: 4 }), (command, wraps) => {
      const whole = wraps.reduce<string>((inner, one) => one(inner), command);
      assert.equal(check(whole).verdict, "ask", whole);
    }),
    { numRuns: runs(500) },
  );
});

Deno.test("the printed verdict has the fields of the command line's contract", () => {
  assert.deepEqual(verdictJson(english, check("rm a")), {
    verdict: "ask",
    kind: "delete",
    rule: "rm",
    reason: "the command deletes files or data (rm)",
    targets: [`${CWD}/a`],
    outside: [],
  });
  assert.deepEqual(verdictJson(chinese, check("ls")), {
    verdict: "allow",
    kind: "none",
    rule: "",
    reason: "",
    targets: [],
    outside: [],
  });
});

Deno.test("a branch that is not there yet may be named with force, one that is there not", async () => {
  await withWorkspace(
    { "new/.git/refs/heads/side": "1", "old/.git/refs/heads/main": "1" },
    (top) => {
      const judge = (command: string, folder: string) =>
        checkCommand(command, { permission: "open", cwd: join(top, folder), shell: "bash" })
          .verdict;
      assert.equal(judge("git branch -M main", "new"), "allow");
      assert.equal(judge("git branch -M main", "old"), "ask");
      assert.equal(judge("git branch -M main side", "new"), "ask");
      assert.equal(judge("git -C ../old branch -M main", "new"), "ask");
      assert.equal(judge("git branch -M main", "."), "ask");
    },
  );
});

Deno.test("what aborts a merge or the like is asked about while one is under way", async () => {
  const states = {
    merge: ["MERGE_HEAD"],
    rebase: ["rebase-merge/onto", "rebase-apply/onto"],
    am: ["rebase-apply/applying"],
    "cherry-pick": ["CHERRY_PICK_HEAD"],
    revert: ["REVERT_HEAD"],
  };
  for (const [verb, files] of Object.entries(states)) {
    for (const file of files) {
      await withWorkspace(
        { "busy/.git/HEAD": "1", [`busy/.git/${file}`]: "1", "calm/.git/HEAD": "1", "w/.git": "1" },
        (top) => {
          const judge = (command: string, folder: string) =>
            checkCommand(command, { permission: "open", cwd: join(top, folder), shell: "bash" })
              .verdict;
          assert.equal(judge(`git ${verb} --abort`, "busy"), "ask");
          assert.equal(judge(`git -C ../busy ${verb} --skip`, "calm"), "ask");
          assert.equal(judge(`git ${verb} --abort`, "calm"), "allow");
          assert.equal(judge(`git ${verb} --abort`, "w"), "ask");
          assert.equal(judge(`git ${verb} --quit`, "busy"), "allow");
        },
      );
    }
  }
});

Deno.test("which files below the targets go is told where not all do", () => {
  const parts = (command: string) => check(command).part;
  assert.equal(parts("rm -rf ."), undefined);
  assert.equal(parts("git clean -fd"), "untracked");
  assert.equal(parts("git clean -fdx"), "ignored");
  assert.equal(parts("git -C a clean -fX"), "ignored");
  assert.equal(parts("git checkout -- ."), "changed");
  assert.equal(parts("git restore ."), "changed");
  assert.equal(parts("find . -name '*.py' -delete"), "some");
  assert.equal(parts("find . -delete"), undefined);
  assert.equal(parts("rm -rf . && git checkout -- ."), undefined, "the greater of them");
});

Deno.test("wildcards are matched against the real folder, and what lies outside is told", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const cwd = join(root, "app");
    await Deno.mkdir(join(cwd, "logs"), { recursive: true });
    for (const name of ["a.log", "b.log", "[c].log", ".d.log", "x.txt", "logs/e.log"]) {
      await Deno.writeTextFile(join(cwd, name), "");
    }
    await Deno.symlink(root, join(cwd, "up"));
    const judge = (command: string) =>
      checkCommand(command, {
        permission: "open",
        cwd,
        home: "/home/ann",
        workspace: cwd,
        shell: "bash",
      });
    const at = (...names: string[]) => names.map((name) => join(cwd, name));
    assert.deepEqual(judge("rm *.log").targets, at("[c].log", "a.log", "b.log"));
    assert.deepEqual(judge("rm [ab].log ?.txt").targets, at("a.log", "b.log", "x.txt"));
    assert.deepEqual(judge("rm */*.log").targets, at("logs/e.log"));
    assert.deepEqual(judge("rm *.none").targets, at("*.none"));
    assert.deepEqual(judge("rm a.log").outside, []);
    assert.deepEqual(judge("rm ../b ~/c").outside, [join(root, "b"), "/home/ann/c"]);
    // the link itself lies inside, what is behind it does not
    assert.deepEqual(judge("rm up").outside, []);
    assert.deepEqual(judge("rm up/b").outside, at("up/b"));
    assert.match(describeVerdict(chinese, judge("rm /etc/x")), /在工作区之外：\/etc\/x$/);
    assert.match(describeVerdict(english, judge("rm /etc/x")), /outside the workspace: \/etc\/x$/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("what is there is shown before what is not, so that no crowd of names hides it", async () => {
  await withWorkspace({ "w/lib/a": "1", "out/a": "1" }, async (top) => {
    const cwd = join(top, "w");
    const crowd = Array.from({ length: 300 }, (_, i) => `no${i}`).join(" ");
    const command = `rm -rf ../no ${crowd} lib ../out "$X/y"`;
    const options = { permission: "open", cwd, workspace: cwd } as const;
    const { targets, outside, paths } = checkCommand(command, options);
    assert.deepEqual(targets.slice(0, 4), [
      join(top, "out"),
      '"$X/y"',
      join(cwd, "lib"),
      join(top, "no"),
    ]);
    assert.deepEqual(outside, [join(top, "out"), join(top, "no")]);
    const facts = await targetFacts(paths, { workspace: cwd, env: {} });
    assert.equal(facts!.outside, 2);
  });
});

Deno.test("of very many matches some are shown and the pattern stands for the rest", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (let i = 0; i < 50; i++) await Deno.writeTextFile(join(cwd, `${i}.log`), "");
    const { targets } = checkCommand("rm *.log", { permission: "open", cwd, shell: "bash" });
    assert.equal(targets.length, 21);
    assert.equal(targets.at(-1), join(cwd, "*.log"));
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("control and invisible characters are written out in what a person is shown", () => {
  assert.deepEqual(check("rm $'a\\x1b[2Jb' $'c\\rd' e\u00a0f").targets, [
    `${CWD}/a\\u{1b}[2Jb`,
    `${CWD}/c\\rd`,
    `${CWD}/e\\u{a0}f`,
  ]);
});

Deno.test("a delete behind characters that cannot be seen is asked about, NUL refused", () => {
  for (
    const command of [
      "rm\u00a0-rf build",
      "\u200brm -rf build",
      "r\u200bm -rf build",
      "ls\rrm -rf build",
      "ls;\u3000rm build",
      "find .\u2003-delete",
      "r\x07m a",
      "git\u00a0clean -fd",
    ]
  ) {
    assert.deepEqual([command, check(command).verdict], [command, "ask"]);
  }
  assert.deepEqual([check("ls \0 a").verdict, check("ls \0 a").kind], ["refuse", "unparsable"]);
  for (
    const command of ["echo a\r\necho rm\r\n", "git commit -m '删除\u3000rm'", "echo '\u200b'"]
  ) {
    assert.deepEqual([command, check(command).verdict], [command, "allow"]);
  }
});

Deno.test("as Windows' own shell PowerShell and cmd are read alike", () => {
  const judge = (command: string) =>
    checkCommand(command, { permission: "open", cwd: CWD, shell: "windows" }).verdict;
  for (
    const command of [
      "Remove-Item a -Recurse",
      "gci *.tmp | % { ri $_ }",
      "if (Test-Path a) { del a }",
      "[IO.File]::Delete('a')",
      "Get-ChildItem | Where-Object { $_.Length -eq 0 } | Remove-Item",
      "Set-Content a ''",
      "del /q *.log",
      "if exist a del a",
      "rd /s /q build",
      "d^el a",
      "git clean -fd",
      "Clear-Content a",
      "cmd /c del a",
    ]
  ) {
    assert.deepEqual([command, judge(command)], [command, "ask"]);
  }
  for (
    const command of [
      "Get-ChildItem -Recurse",
      "if (Test-Path a) { Get-Content a }",
      "Write-Host 'Remove-Item a'",
      "npm test",
      "dir /s",
      "git status; npm run build",
      "$x = Get-Item a; $x.Name",
    ]
  ) {
    assert.deepEqual([command, judge(command)], [command, "allow"]);
  }
  assert.equal(judge("Format-Volume -DriveLetter D"), "ask");
});

slow("a command of 50 KB is judged in a time that does not run away", () => {
  const size = SOAK > 1 ? 100_000 : 50_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length));
  const commands = [
    fill("echo a; "),
    fill("rm a; "),
    fill("a | ") + "b",
    fill("sudo ") + "rm a",
    fill("eval ") + "rm a",
    fill("x+=a; ") + "$x",
    fill("$("),
    fill("("),
    fill("`"),
    fill("\\"),
    fill("${x:-"),
    fill("{a,b}"),
    fill("echo {a,"),
    "v=aa; " + fill("v=$v$v; "),
    "cat <<X\n" + fill("line\n") + "X\nrm a",
    "echo " + btoa(fill("rm a; ")) + " | base64 -d | sh",
    `python3 -c '${fill("import os as o\n")}o.remove(1)'`,
    `powershell -Command '${fill("Get-Item x; ")}'`,
    `powershell -Command '${fill("$null ")}'`,
    `perl -e '${fill("q/a/; ")}'`,
    `awk '{print "${fill("a")}" | "sh"}'`,
    `sed '${fill("s/a/b/;")}' f | sh`,
    `psql -c '${fill('select "a"; ')}'`,
    fill("\r\x01"),
    fill("rm\u00a0"),
    "rm " + fill("* "),
    "somecloud remove " + fill("a-"),
    "conda " + fill("remove "),
    "rm " + fill("/usr/bin/* "),
    fill("a"),
  ];
  for (const command of commands) {
    const started = threadMs();
    check(command, "open", true);
    const ms = threadMs() - started;
    assert.ok(ms < size / 10, `${command.slice(0, 20)}…: ${ms} ms`);
  }
});

Deno.test("functions and texts that return to themselves with other arguments are followed", () => {
  for (
    const command of [
      'run() { "$@"; }; run run rm a',
      `bash -c '"$@"' _ bash -c '"$@"' _ rm a`,
      "f() { $1 a; }; f f; f rm",
    ]
  ) {
    assert.deepEqual([command, check(command).verdict], [command, "ask"]);
  }
  assert.equal(check("f() { f a$1; f b$1; }; f").verdict, "allow");
});

Deno.test("a file with something in it that is written over with nothing is asked about, no other", async () => {
  await withWorkspace({ "full": "1", "empty": "", "other": "1" }, (cwd) => {
    const judge = (command: string) =>
      checkCommand(command, { permission: "open", cwd, shell: "bash" }).verdict;
    for (
      const print of ["false", "test", "[ -n a ]", "export A=1", "declare a", "unset a", "let a=1"]
    ) {
      assert.deepEqual([print, judge(`${print} > full`)], [print, "ask"]);
      assert.deepEqual([print, judge(`${print} > empty`)], [print, "allow"]);
      assert.deepEqual([print, judge(`${print} > new`)], [print, "allow"]);
      assert.deepEqual([print, judge(`${print} >> full`)], [print, "allow"]);
    }
    assert.equal(judge("if false; then :; fi > full"), "ask");
    assert.equal(judge("ln -sf other full"), "ask");
    assert.equal(judge("ln -sf other new"), "allow");
  });
});

Deno.test("a command that writes over what it still has to read is asked about", () => {
  for (
    const command of [
      "sort a > a",
      "tr x y < a > a",
      "sed s/x/y/ a > a",
      "cat a | grep x > a",
      "grep -v x < a | sort > a",
    ]
  ) {
    assert.deepEqual([command, check(command).verdict], [command, "ask"]);
  }
  for (
    const command of [
      "sort a > b",
      "make a > a",
      "npm test > test",
      "sort a >> a",
      "sort -o a a",
      "cat a | sort | tee b",
      "cat a > /dev/null",
      "cat a; ls > a",
    ]
  ) {
    assert.deepEqual([command, check(command).verdict], [command, "allow"]);
  }
});

Deno.test("what an option makes of a command counts: reset --merge, truncate -s -5, --help, bash -n, a comma of awk", () => {
  expectKind([
    "git reset --merge",
    "truncate -s -5 a.txt",
    "truncate -s '<5' a.txt",
    `awk 'BEGIN { print "rm", "a" }' | sh`,
  ], "delete");
  expectKind([
    "git reset --soft HEAD~1",
    "truncate -s +5 a.txt",
    "git commit --help",
    "bash -n <<< 'rm a'",
    "bash -n -c 'rm a'",
  ], "none");
});

Deno.test("a file that is not there may be written empty, one that is or may be there by then not", async () => {
  await withWorkspace({ "w/full": "x", "w/d/e": "" }, (root) => {
    const cwd = join(root, "w");
    Deno.symlinkSync("nowhere", join(cwd, "dangling"));
    const verdictOf = (command: string) =>
      checkCommand(command, { permission: "open", cwd, home: root, shell: "bash" }).verdict;
    for (
      const command of [
        ": > new.log",
        "> new.log",
        "true > new.log",
        "cat /dev/null > new.log",
        "truncate -s 0 new.log",
        "cp /dev/null new",
        "printf '' | tee new",
        "cd d && : > new.log",
        "bash -c ': > new.log'",
        "sudo truncate -s 0 new.log",
        ": > new.log; echo a >> new.log",
        "mkdir -p d && > d/new.log 2>&1",
        `: > ${join(cwd, "d/new")}`,
      ]
    ) assert.equal(verdictOf(command), "allow", command);
    for (
      const command of [
        ": > full",
        "truncate -s 0 new full",
        "cp /dev/null full",
        ": > dangling",
        "cd d && : > ../full",
        ': > "$x"',
        ": > d/*",
        "mv full new; : > new",
        "ln full new && truncate -s 0 new",
        "echo a > new; : > new",
        "echo a >> new; : > new",
        "for i in 1 2; do : > new; mv full new; done",
        "{ sleep 1; : > new; } & mv full new",
        "f() { : > new; }; mv full new; f",
        "tar xf a.tar; : > new",
        "bash -c 'mv full new; : > new'",
        "bash x.sh; : > new",
        'bash -c "$x"; : > new',
        "bash -c '. ./x.sh; : > new'",
        "sudo mv full new; : > new",
        "sudo ./x.sh; : > new",
        "env $x; : > new",
        "sudo -u ann bash -c 'cp full new'; : > new",
        "cd elsewhere; : > new",
        "rm new",
      ]
    ) assert.equal(verdictOf(command), "ask", command);
  });
});
