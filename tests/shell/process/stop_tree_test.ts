import assert from "node:assert/strict";
import { join } from "node:path";
import { inOwnGroup } from "../../../src/shell/process/stop_tree.ts";
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
