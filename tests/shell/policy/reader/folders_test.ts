import assert from "node:assert/strict";
import { join } from "node:path";
import { checkCommand } from "../../../../src/shell/policy/gate.ts";
import { targetFacts } from "../../../../src/shell/policy/target_facts.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";

/** Checks in which folders `rm a` would delete: names below the home, `?` where it is not known. */
async function expectFolders(cases: { readonly [command: string]: string }) {
  await withWorkspace({ "app/build/x": "1", "old/x": "1" }, (home) => {
    const cwd = join(home, "app");
    const folders = (command: string) => {
      const { paths } = checkCommand(command, { permission: "open", cwd, home, shell: "bash" });
      return paths.map((path) =>
        path === "a" ? "?" : path.replace(/\/a$/, "").replace(home, "~") || "/"
      ).toSorted().join(" ");
    };
    const got = Object.keys(cases).map((command) => [command, folders(command)]);
    assert.deepEqual(Object.fromEntries(got), cases);
  });
}

Deno.test("a cd into what is not there may fail: both folders count where nothing asks", () =>
  expectFolders({
    "cd none; rm a": "~/app ~/app/none",
    "cd none\nrm a": "~/app ~/app/none",
    "cd ~/none; rm a": "~/app ~/none",
    "cd none && make; rm a": "~/app ~/app/none",
    "[ -d none ] && cd none; rm a": "~/app ~/app/none",
    "cd none || mkdir x; rm a": "~/app ~/app/none",
    "bash -c 'cd none; rm a'": "~/app ~/app/none",
    "{ cd none; rm a; }": "~/app ~/app/none",
    "rm -rf build; cd build; rm a": "~/app ~/app/build ~/app/build",
    "mv build x; cd build; rm a": "~/app ~/app/build",
  }));

Deno.test("a cd that is there, is asked about, or ends the script counts as done", () =>
  expectFolders({
    "cd build; rm a": "~/app/build",
    "cd none && rm a": "~/app/none",
    "cd none && { make; rm a; }": "~/app/none",
    "cd none || exit 1; rm a": "~/app/none",
    "cd none || { echo no; exit 1; }; rm a": "~/app/none",
    "if cd none; then rm a; fi": "~/app/none",
    "if ! cd none; then exit 1; fi; rm a": "~/app/none",
    "cd none || rm a": "~/app",
    "set -e; cd none; rm a": "~/app/none",
    "set -e; if cd none; then :; else rm a; fi": "~/app",
    "bash -ec 'cd none; rm a'": "~/app/none",
    "mkdir -p none; cd none; rm a": "~/app/none",
    "while cd none; do rm a; break; done": "~/app/none",
    "for i in 1 2; do cd none || continue; rm a; done":
      "? ~/app/none ~/app/none/none ~/app/none/none/none",
  }));

Deno.test("cd goes home, back, along CDPATH and through the stack", () =>
  expectFolders({
    "cd; rm a": "~",
    "cd ~ && cd - && rm a": "~/app",
    "cd ~; cd /; cd -; rm a": "~",
    "cd -; rm a": "? ~/app",
    "cd build; cd ..; rm a": "~/app",
    "pushd ~; rm a": "~",
    "pushd ~; popd; rm a": "~/app",
    "pushd ~; pushd /; pushd; rm a": "~",
    "CDPATH=/; cd usr && rm a": "/usr ~/app/usr",
    "cd ~+/.. && rm a": "~",
    "cd ~; cd /; cd ~-; rm a": "~",
    "cd ~ann; rm a": "? ~/app",
    "command cd ~; rm a": "~",
    "env -C ~ rm a": "~",
    "sudo -D ~ rm a": "~",
    "sudo -i rm a": "~",
    "su - root -c 'rm a'": "~",
    "su root -c 'rm a'": "~/app",
  }));

Deno.test("a variable that cd is given may be empty", () =>
  expectFolders({
    'cd "$d" && rm a': "? ~/app",
    "cd $d && rm a": "? ~",
    'cd "$d/" && rm a': "/ ?",
    'cd "${d:?}" && rm a': "?",
    "d=~; cd $d; rm a": "~",
  }));

Deno.test("what happens in a subshell, a pipeline or the background stays there", () =>
  expectFolders({
    "(cd ~); rm a": "~/app",
    "(cd ~; rm a)": "~",
    "cd ~ | cat; rm a": "~/app",
    "cd ~ & rm a": "~/app",
    "x=$(cd ~; pwd); rm a": "~/app",
    "bash -c 'cd ~'; rm a": "~/app",
  }));

Deno.test("functions, loops and choices are followed: each folder that may be counts", () =>
  expectFolders({
    "f() { cd ~; }; f; rm a": "~",
    "f() { cd ~; return; }; f; rm a": "~",
    "for d in ~ /; do (cd $d; rm a); done": "/ ~",
    "case $x in y) cd ~;; esac; rm a": "~ ~/app",
    "if true; then cd ~; fi; rm a": "~ ~/app",
    "if true; then cd ~; else cd /; fi; rm a": "/ ~",
  }));

Deno.test("a loop that climbs is seen to reach the home", async () => {
  await withWorkspace({ "home/app/x": "1" }, (top) => {
    const options = {
      permission: "open",
      cwd: join(top, "home/app"),
      home: join(top, "home"),
      shell: "bash",
    } as const;
    assert.equal(checkCommand("while :; do cd ..; rm -rf *; done", options).kind, "danger");
  });
});

Deno.test("PWD follows cd, also where a variable or pwd took it", () =>
  expectFolders({
    'cd; rm "$PWD/a"': "~",
    'cd none; rm "$PWD/a"': "~/app ~/app/none",
    'cd ~; d=$PWD; rm "$d/a"': "~ ~/app",
    'cd ~; rm "$(pwd)/a"': "~",
    'cd ~; cd /; rm "$OLDPWD/a"': "~",
    'rm "$PWD/a"': "~/app",
  }));

Deno.test("the stakes of a delete behind a cd that may fail are those of both folders", async () => {
  await withWorkspace({ "a": "1", "b/c": "1" }, async (workspace) => {
    const options = { permission: "open", cwd: workspace, workspace, shell: "bash" } as const;
    const { paths, unlinked } = checkCommand("cd build; rm -rf *", options);
    assert.deepEqual(unlinked, paths);
    const facts = (await targetFacts(paths, { workspace, env: {} }))!;
    assert.deepEqual([facts.files, facts.whole], [2, "workspace"]);
  });
});
