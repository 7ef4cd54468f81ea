import assert from "node:assert/strict";
import { join } from "node:path";
import { inOwnGroup } from "../../../src/shell/process/stop_tree.ts";
import { BUNDLED } from "../../support/bundled.ts";
import { type Outcome, runNarnat } from "../../support/narnat.ts";
import { slow } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const PATH = Deno.env.get("PATH") ?? "";
const options = { clearEnv: true, env: { PATH }, stdin: "null", stdout: "piped", stderr: "piped" };
const piped = options as Deno.CommandOptions;

Deno.test({
  name: "a program leads a session and a group of its own, and its pid is the one that is told",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const args = ["-c", "read -r stat </proc/$$/stat; echo $stat"];
    const child = inOwnGroup("sh", { ...piped, args }).spawn();
    const { stdout } = await child.output();
    const [, group, session] = new TextDecoder().decode(stdout).replace(/^.*\) \S+ /, "").split(
      " ",
    );
    assert.deepEqual([Number(group), Number(session)], [child.pid, child.pid]);
  },
});

Deno.test("a program gets its own name, its arguments, its environment and its folder as they are given", async () => {
  await withWorkspace({}, async (root) => {
    const script = 'printf "%s|" "$0" "$@" "$VALUE"; pwd -P';
    const { stdout } = await inOwnGroup("sh", {
      ...piped,
      args: ["-c", script, "my name", "-a", "--", "", "a  b"],
      env: { PATH, VALUE: "x\ny" },
      cwd: root,
    }).output();
    const expected = ["my name", "-a", "--", "", "a  b", "x\ny", `${await Deno.realPath(root)}\n`];
    assert.equal(new TextDecoder().decode(stdout), expected.join("|"));
  });
});

Deno.test("a program's end is told as it was: its code, or the signal", async () => {
  const endOf = async (script: string) => {
    const { code, signal } = await inOwnGroup("sh", { ...piped, args: ["-c", script] }).output();
    return signal ?? code;
  };
  assert.deepEqual([await endOf("exit 7"), await endOf("kill -TERM $$")], [7, "SIGTERM"]);
});

Deno.test("a program, or a folder to start it in, that is not there is told before anything is started", async () => {
  await withWorkspace({ "not-a-program": "text", "folder/x": "" }, (root) => {
    for (
      const [program, more] of [
        ["no-such-program", {}],
        [join(root, "no-such-program"), {}],
        ["./no-such-program", { cwd: root }],
        ["sh", { env: { PATH: join(root, "folder") } }],
        ["sh", { cwd: join(root, "no-such-folder") }],
      ] as const
    ) {
      const command = inOwnGroup(program, { ...piped, ...more });
      assert.throws(() => command.spawn(), Deno.errors.NotFound, program);
    }
    for (const program of ["not-a-program", "folder"].map((name) => join(root, name))) {
      assert.throws(() => inOwnGroup(program, piped).spawn(), Deno.errors.PermissionDenied);
    }
  });
});

const NARNAT = `#!/bin/sh\nexec ${BUNDLED.command} ${BUNDLED.args.join(" ")} "$@"\n`;
const CALL = '{"command":"rm v.txt"}';
/** No reader of commands sees what the file holds. */
const RM = `tool Bash "$(cat call)"`;
const LINE = "!rm v.txt\r";
const GO = `#!/bin/sh\nexec ./nt ${RM} --allow-delete\n`;

/** Runs a command with the Bash tool; `narnat` is in its folder, and so is `v.txt`. */
async function bash(
  command: string,
  look: (outcome: Outcome, dir: string) => Promise<void> | void,
): Promise<void> {
  await withWorkspace(
    {
      "w/v.txt": "work\n",
      "w/nt": NARNAT,
      "w/call": CALL,
      "w/go": GO,
      "w/line": LINE,
      "home/.x": "",
    },
    async (root) => {
      const cwd = join(root, "w");
      for (const name of ["nt", "go"]) await Deno.chmod(join(cwd, name), 0o755);
      const input = JSON.stringify({ command });
      const args = ["tool", "Bash", "--lang", "en", input];
      await look(await runNarnat(BUNDLED, args, { cwd, stdin: "" }), cwd);
    },
  );
}

const CLEAR = `env -i PATH="$PATH" HOME="$HOME" DENO_DIR="$DENO_DIR"`;

const disguised: { readonly [how: string]: string } = {
  "its flag read from a file": `xargs -a <(echo --allow-delete) ./nt ${RM}`,
  "its flag in a script": "./go",
  "its flag printed, for a turn":
    `./nt --model demo -p 'delete v.txt' $(tr x- x- <<< --allow-delete)`,
  "the mark taken away": "env -u NARNAT_JOB ./go",
  "an environment cleared": `${CLEAR} ./go; true`,
  "an environment cleared in the shell's place": `exec ${CLEAR} ./go`,
};

for (const [how, command] of Object.entries(disguised)) {
  slow(`a narnat inside a command deletes nothing, ${how}`, async () => {
    await bash(command, async ({ stdout }, dir) => {
      assert.match(
        stdout,
        /--allow-delete is for you to decide, and a command .*terminal of your own/,
      );
      assert.equal(await Deno.readTextFile(join(dir, "v.txt")), "work\n");
    });
  });
}

slow("answers that are fed to a narnat inside a command are none", async () => {
  const lines = `'{"type":"user","text":"delete v.txt"}'`;
  const sending = `{ printf '%s\\n' ${lines}; sleep 3; }`;
  const command = `${sending} | ./nt --model demo --output-format stream-json -p ` +
    `$(tr x- x- <<< '--input-format stream-json')`;
  await bash(command, async ({ stdout }, dir) => {
    const asked = stdout.split("\n").find((line) => line.includes('"type":"ask"'));
    assert.equal(JSON.parse(asked!).answered, false);
    assert.equal(await Deno.readTextFile(join(dir, "v.txt")), "work\n");
  });
});

slow("keys that are fed to a terminal inside a command answer nothing", async () => {
  const keys =
    `{ sleep 2; cat line; sleep 2; printf 'y\\r'; sleep 1; printf '/exit\\r'; sleep 1; }`;
  const command =
    `${keys} | TERM=xterm timeout 20 script -qec './nt --model demo --lang en' /dev/null`;
  await bash(command, async ({ stdout }, dir) => {
    assert.match(stdout, /whatever it asks is answered No/);
    assert.equal(await Deno.readTextFile(join(dir, "v.txt")), "work\n");
  });
});

slow("a Yes that is typed inside a command empties no trash", async () => {
  const files = {
    "w/v.txt": "work\n",
    "w/nt": NARNAT,
    "w/go": GO,
    "w/call": CALL,
    "home/.x": "",
  };
  await withWorkspace(files, async (root) => {
    const cwd = join(root, "w");
    await Deno.chmod(join(cwd, "nt"), 0o755);
    const bash = async (command: string) => {
      const args = ["tool", "Bash", "--lang", "en", JSON.stringify({ command })];
      return (await runNarnat(BUNDLED, args, { cwd, stdin: "" })).stdout;
    };
    const first = ["--model", "demo", "-p", "delete v.txt", "--allow-delete"];
    assert.equal((await runNarnat(BUNDLED, first, { cwd, stdin: "" })).code, 0);
    assert.match(await bash("./nt trash --lang en"), /v\.txt/);
    const keys = `{ sleep 1; printf 'y\\r'; sleep 1; }`;
    const words = `./nt $(printf trash) $(printf empty) --lang en`;
    const said = await bash(`${keys} | TERM=xterm timeout 20 script -qec '${words}' /dev/null`);
    assert.doesNotMatch(said, /emptied/i);
    assert.match(await bash("./nt trash --lang en"), /v\.txt/);
  });
});

slow(
  "a cleared environment trusts nobody, and no server comes into the user's own file",
  async () => {
    await bash(`${CLEAR} ./nt $(printf trust) $(printf add)`, ({ stdout }) => {
      assert.match(stdout, /trust add is for you to run/);
    });
    await bash(`./nt $(printf mcp) add x $(printf -- --user) -- sh run.sh`, ({ stdout }) => {
      assert.match(stdout, /mcp add --user is for you to decide/);
    });
  },
);

Deno.test("a narnat outside of any command decides as it is told", async () => {
  await withWorkspace({ "w/v.txt": "work\n", "home/.x": "" }, async (root) => {
    const cwd = join(root, "w");
    const args = ["tool", "Bash", "--allow-delete", '{"command":"rm v.txt"}'];
    const { code } = await runNarnat(BUNDLED, args, { cwd, stdin: "" });
    assert.equal(code, 0);
    await assert.rejects(Deno.stat(join(cwd, "v.txt")), Deno.errors.NotFound);
  });
});
