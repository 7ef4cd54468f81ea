import fc from "fast-check";
import assert from "node:assert/strict";
import { jobName, verificationOf } from "../../../src/shell/policy/command_purpose.ts";
import { runs, SOAK } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const canVerify = (command: string, cwd: string) =>
  verificationOf(command, cwd, "/w").verified === true;
const exitTells = (command: string, cwd: string) => {
  const { verified, masked } = verificationOf(command, cwd, "/w");
  return verified === true && !masked;
};

Deno.test("tests, builds and runs verify; moving, looking and installing do not", () => {
  const verifying = [
    "deno test -A",
    "cd a && npm test",
    "npm run lint",
    "timeout 60 pytest -q | tail -5",
    "bash -c 'make && ./a.out'",
    "cargo check",
    "docker compose run app pytest",
    "yarn jest",
    "python main.py",
    "perl check.pl",
    "bash tests/run.sh",
    "sh -e ./ci.sh",
    "python3 main.py --dry-run",
    "python3 -m unittest",
    "python3 -c 'import n1; assert n1.f() == 2'",
    "node -e 'require(\"./a.js\")'",
    "node --test",
    "make -C n test",
    "pytest -n 4",
    "cd /tmp && python3 /w/n1.py",
    "cd / && python3 w/n1.py",
    "cd /w/tests && python3 -m unittest",
    'cd "$D" && make',
  ];
  const not = [
    "git commit -m 'deno test'",
    "npm install",
    "cargo add serde",
    "ls | grep test",
    "cd src; mkdir -p x; echo test",
    "pip install pytest",
    "node --version",
    "curl http://localhost/test",
    "perl -pi -e 's/a/b/' *.ts",
    "patch -p1 < fix.diff",
    "bash -c 'ls a.sh'",
    "bash -lc ls",
    "bash --version",
    "for f in *.md; do dos2unix $f; done",
    "pgrep -f server; lsof -i :80",
    "make -n test",
    "make -Bn",
    "make --dry-run test",
    "ninja -n",
    "go test -list .",
    "ctest -N",
    "pytest --collect-only -q",
    "python3 -m pytest --co",
    "python3 -c pass",
    "python3 -c 'print(open(\"a.py\").read())'",
    "node -e 'console.log(1)'",
    "perl -e 'print 1'",
    "deno eval '1 + 1'",
    "python3 - <<'X'\nprint(1)\nX",
    'python3 - <<\'X\'\nimport re\nopen("a.py", "w").write("x")\nX',
    'node -e \'require("fs").writeFileSync("a.js", "x")\'',
    "python3 -m venv .venv",
    "cd /tmp && python3 -m unittest",
    "cd .. && python3 -m unittest",
    "",
  ];
  assert.deepEqual(verifying.filter((one) => !canVerify(one, "/w")), []);
  assert.deepEqual(not.filter((one) => canVerify(one, "/w")), []);
});

Deno.test("an exit tells of a test only where the test is what ends with it", () => {
  const telling = [
    "deno test -A",
    "cd a && npm test",
    "cd a; npm test 2>&1",
    "npm test > log.txt",
    "set -o pipefail; npm test | tail -5",
    "sed -i 's|a|b|' x.ts && deno test",
    "python - <<'EOF'\nimport a; print(1 | 2)\nEOF",
    "deno test - <<echo\nfirst | last\necho",
    "cat - <<A <<-'B' && cd x; make\na | b\nA\nc; ls\n\tB",
    "cat <<<make\nls | wc\nmake",
    "cat <<-'B'\n\tx\n\tB\nmake",
    "npm test &>log",
    "cat in.txt | python3 n1.py",
    "(cd a && npm test)",
    "set -e; make; make test; echo done",
    "set -euo pipefail\nmake | tee log\necho done",
    "set -e\n(cd a && make)\necho done",
    "bash -ec 'make; echo done'",
    "bash -o pipefail -c 'make | tail'",
    "out=$(npm test 2>&1) && echo ok",
    "run() { npm test; }; run",
    "trap 'rm -f x' EXIT; npm test",
    "trap - EXIT; npm test",
    `deno test <<A\n${"\n".repeat(100_000)}x || y\ndeno test`,
  ];
  const hiding = [
    "npm test | tail -5",
    "npm test 2>&1 | tee log",
    "npm test |& tail",
    "npm test || true",
    "set -o pipefail; npm test | tail || true",
    "npm test; echo $?",
    "npm test\necho done",
    "npm test <<A\nx\nA\necho done",
    "x=$((1 << n)); npm test\necho done",
    "npm test &",
    "npm test & wait",
    "( npm test ) &",
    "{ npm test; } & wait",
    "! npm test",
    "! (cd a && npm test)",
    "npm test; python3 n1.py",
    "npm test\npython3 n1.py",
    "npm run build; npm test",
    "trap 'exit 0' EXIT; npm test",
    "end() { exit 0; }; trap end EXIT\nnpm test",
    "set -e; make && make test; echo done",
    "set -e; set +e; make; echo done",
    "bash -c 'npm test; true'",
    "bash <<X\nnpm test\ntrue\nX",
    "eval 'npm test; true'",
    "run() { npm test; true; }; run",
    "run() { npm test; }; run; true",
    "echo $(npm test)",
    "if npm test; then echo ok; fi",
    "for f in a b; do python3 $f; done",
    "while ! npm test; do sleep 1; done",
    "find . -name '*.py' -exec python3 {} +",
  ];
  assert.deepEqual(telling.filter((one) => !exitTells(one, "/w")), []);
  assert.deepEqual(hiding.filter((one) => exitTells(one, "/w")), []);
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

Deno.test("where all that verifies fails, bash never ends well with an exit that tells", async () => {
  await withWorkspace({}, (root) => {
    Deno.writeTextFileSync(`${root}/fail`, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { script } = fc.letrec<{ script: string }>((tie) => {
      const [a, b] = [tie("script"), tie("script")];
      const of = (make: (a: string, b: string) => string) =>
        fc.tuple(a, b).map((ab) => make(...ab));
      return {
        script: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          fc.constantFrom(
            ..."./fail|./fail|./fail|true|false|set -e|set +e|set -o pipefail|x=$(./fail)|echo $(./fail)|local x=$(./fail)"
              .split("|"),
            "trap 'exit 0' EXIT",
            "./fail &",
          ),
          of((a, b) => `${a}\n${b}`),
          of((a, b) => `{ ${a}\n} && {\n${b}\n}`),
          of((a, b) => `{ ${a}\n} || {\n${b}\n}`),
          of((a, b) => `{ ${a}\n} | {\n${b}\n}`),
          of((a, b) => `if ${a}\nthen ${b}\nfi`),
          of((a, b) => `f${a.length}() {\n${a}\n}\nf${a.length} && ${b}`),
          of((a, b) => `if true\nthen ${a}\nelse ${b}\nfi`),
          a.map((a) => `set -eo pipefail\n${a}`),
          a.map((a) => `(${a}\n)`),
          a.map((a) => `! {\n${a}\n}`),
          a.map((a) => `{\n${a}\n} &`),
          a.map((a) => `for i in 1 2; do ${a}\ndone`),
          a.map((a) => `bash -c ${quoted(a)}`),
          a.map((a) => `bash -e <<'X'\n${a}\nX`),
          a.map((a) => `eval ${quoted(a)}`),
        ),
      };
    });
    let told = 0;
    fc.assert(
      fc.property(script, (text) => {
        const { verified, masked } = verificationOf(text, root, root);
        if (!verified || masked) return;
        told++;
        const { code } = new Deno.Command("bash", { args: ["-c", text], cwd: root, stderr: "null" })
          .outputSync();
        assert.notEqual(code, 0);
      }),
      { numRuns: runs(500) },
    );
    assert.ok(told > 0 || SOAK < 1, `${told} of them told`);
  });
});

Deno.test("a job is named after the program that its command is about", () => {
  for (
    const [command, name] of [
      ["deno task dev", "deno-task-dev"],
      ["npm run dev -- --port 3000", "npm-run-dev"],
      ["cd web && PORT=1 nohup npm start > log 2>&1 &", "npm-start"],
      ["python3 -m http.server 8000", "python3-http-server-8000"],
      ["./scripts/serve.sh --watch", "serve-sh"],
      ["sleep 5; cargo build --release", "cargo-build"],
      ["sleep 30", "sleep-30"],
      ["nohup sleep 300 & echo started", "sleep-300"],
      ["(sleep 60 &); disown; exit 0", "sleep-60"],
      ["while true; do date; sleep 1; done & disown", "date"],
      ["python3 -m http.server 8000 & trap - EXIT; kill -0 $!; exit 0", "python3-http-server-8000"],
      ["cd a && echo one; exit 0", "cd-a"],
      ["docker compose -f a.yml up", "docker-compose-a-yml"],
      ["while true; do curl -s localhost; done", "curl-localhost"],
      ["启动 服务", "启动-服务"],
      ["((", "job"],
      ["", "job"],
    ]
  ) assert.equal(jobName(command!, []), name, command);
});

Deno.test("a taken name gets a number, a long one an end", () => {
  assert.equal(jobName("make all", ["make-all", "make-all-2"]), "make-all-3");
  assert.equal(jobName("x".repeat(500), []), "x".repeat(32));
  assert.equal(jobName("serve aaaaaaaaaaaaaaaaaaaa 12345678", []), "serve-aaaaaaaaaaaaaaaaaaaa");
});
