import assert from "node:assert/strict";
import fc from "fast-check";
import { DANGER_RULES, GUARDED_RULES } from "../../src/shell/danger_rules.ts";
import { DELETE_RULES } from "../../src/shell/delete_rules.ts";
import { FILE_RULES } from "../../src/shell/file_work.ts";
import { checkCommand, describeVerdict, verdictJson } from "../../src/shell/gate.ts";
import { INTERACTIVE_RULES } from "../../src/shell/interactive_rules.ts";
import type { Permission } from "../../src/types.ts";
import layered from "./layered_commands.json" with { type: "json" };
import examples from "./shell_commands.json" with { type: "json" };

const CWD = "/space place/app";

function check(command: string, permission: Permission = "open", fileWork = false) {
  return checkCommand(command, { permission, cwd: CWD, home: "/home/ann", fileWork });
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
    expectKind(rule.yes, "delete");
    assert.deepEqual(rule.no.filter((one) => check(one).verdict !== "allow"), []);
  });
}

for (const rule of DANGER_RULES) {
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
    assert.ok(describeVerdict("en", verdict).length > 20 && describeVerdict("zh", verdict) !== "");
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
      ['cd "$d" && rm a', ["a"]],
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

Deno.test("the fork bomb is asked about, and refused in guarded mode", () => {
  for (const bomb of [":(){ :|:& };:", "f() { f | f & }; f"]) {
    assert.deepEqual([check(bomb).verdict, check(bomb).kind], ["ask", "danger"]);
    assert.equal(check(bomb, "guarded").verdict, "refuse");
  }
});

Deno.test("what cannot be read is asked about when it names a delete, and only then", () => {
  const deep = (inner: string) => "echo " + "$(echo ".repeat(3000) + inner + ")".repeat(3000);
  for (const command of ['"r"m -rf $(', "if true; then r\\m", deep("rm x")]) {
    assert.equal(check(command).verdict, "ask", command.slice(0, 40));
  }
  assert.equal(check("echo 'unterminated").verdict, "allow");
  assert.equal(check(deep("x")).verdict, "allow");
});

Deno.test("neither length nor number of commands hides a delete", () => {
  assert.equal(check("echo a; ".repeat(5000) + "rm x").kind, "delete");
  assert.equal(check(`echo ${"x ".repeat(40_000)}; rm y`).kind, "delete");
  const doubling = Array.from({ length: 30 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; }`);
  const started = performance.now();
  assert.equal(check([...doubling, "f30() { rm x; }", "f0"].join("\n")).verdict, "ask");
  assert.ok(performance.now() - started < 10_000);
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
    { numRuns: 3000 },
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
    (inner) => `sh <<'EOS'\n${inner}\nEOS`,
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
    { numRuns: 500 },
  );
});

Deno.test("the printed verdict has the four fields of the command line's contract", () => {
  assert.deepEqual(verdictJson("en", check("rm a")), {
    verdict: "ask",
    kind: "delete",
    reason: "the command deletes files or data (rm) and needs the user's yes",
    targets: [`${CWD}/a`],
  });
  assert.deepEqual(verdictJson("zh", check("ls")), {
    verdict: "allow",
    kind: "none",
    reason: "",
    targets: [],
  });
});
