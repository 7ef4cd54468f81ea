import assert from "node:assert/strict";
import { join } from "node:path";
import { checkCommand } from "../../../src/shell/policy/gate.ts";
import { targetFacts } from "../../../src/shell/policy/target_facts.ts";
import { isVital, withoutWild } from "../../../src/shell/policy/targets.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const TREE = {
  "ann/app/build/o": "1",
  "ann/app/in/x": "1",
  "ann/.profile": "1",
  "ann/docs/d": "1",
};

/** Judges commands in a folder below a made home; `app/hl` leads to that home. */
async function expectKinds(kinds: { readonly [kind: string]: readonly string[] }, at = "ann/app") {
  await withWorkspace(TREE, (top) => {
    Deno.symlinkSync(join(top, "ann"), join(top, "ann/app/hl"));
    const cwd = join(top, at);
    const kind = (command: string) =>
      checkCommand(command, {
        permission: "open",
        cwd,
        home: join(top, "ann"),
        workspace: cwd,
        shell: "bash",
      }).kind;
    for (const [wanted, commands] of Object.entries(kinds)) {
      const wrong = commands.map((one) => [one, kind(one)]).filter(([, got]) => got !== wanted);
      assert.deepEqual(wrong, [], wanted);
    }
  });
}

Deno.test("a folder at the top, a home and what a home lies in are vital, wildcards for all in them too", () => {
  const home = "/data/homes/ann";
  const vital = ["/", "/*", "/usr", "/usr/*", "/home", "/home/bob", "/Users/bob/", "~", "~bob"];
  const homes = [home, `${home}/*`, `${home}/.*`, `${home}/.[!.]*`, `${home}/?*`, `${home}/*/*`];
  for (const path of [...vital, ...homes, "/data/homes", "/data", `${home}/!(x)`]) {
    assert.ok(isVital(path, home), path);
  }
  const others = ["/usr/local/x", "/data/homes/bob", "/dat", `${home}/a`, `${home}/*.log`, "*", ""];
  for (const path of [...others, `${home}/D*`, `${home}/[*]`, "/home/bob/x", "undefined"]) {
    assert.ok(!isVital(path, home) && !isVital(path, undefined), path);
  }
  assert.deepEqual(
    ["/a/*/.??*", "/*", "a/b", "/a/*.x", "/a/.."].map(withoutWild),
    ["/a", "/", "a/b", "/a/*.x", "/a/.."],
  );
});

Deno.test("a delete of the home in parts is a danger, of what lies in it is none", () =>
  expectKinds({
    danger: [
      "find ~ -mindepth 1 -delete",
      "find ~ -type f -delete",
      "find ~ ! -name x -delete",
      "find / -name x.tmp -delete",
      "rm -rf ~/.[!.]*",
      "rm -rf ~/*/*",
      "cd ~ && git clean -fdx",
      "git -C ~ clean -fdx",
      "cd ~; find . -name '*.o' -delete",
      "tar cf /tmp/x.tar --remove-files -C ~ .",
      "find -L . -delete",
    ],
    delete: [
      "rm -rf ~/docs",
      "rm -f ~/*.log",
      "cd ~ && rm -rf docs",
      "find ~/docs -name '*.o' -delete",
      "find . -name '*.o' -delete",
      "git clean -fdx",
      "git -C ~ checkout -- .",
      "git worktree remove ../x",
    ],
  }));

Deno.test("a link to the home is followed, also one that the same command makes", () =>
  expectKinds({
    danger: [
      "rm -rf hl/*",
      "rm -rf hl/.[!.]*",
      "rm -rf hl/",
      "find hl/ -mindepth 1 -delete",
      "find hl/ -type f -exec rm {} +",
      "cd hl; rm -rf *",
      "ln -s ~ new; rm -rf new/*",
      'ln -sfn "$HOME" new && rm -rf new/.[!.]* new/*',
      "ln -s ~ a; ln -s a b; rm -rf b/*",
      "ln -s .. up; rm -rf up/*",
      "mkdir l; ln -s ~ l/; rm -rf l/ann/*",
      "mv hl new; rm -rf new/*",
      "sudo mount --bind ~ m; rm -rf m/*",
      `python3 -c "import os; os.symlink(os.path.expanduser('~'), 'new')"; rm -rf new/*`,
      'rm -rf "$(readlink -f hl)"',
    ],
    delete: [
      "rm hl",
      "rm -f hl build/o",
      "ln -s in new; rm -rf new/*",
      "cp -r ~/docs copy; rm -rf copy",
      "rm -rf hl/docs",
    ],
  }));

Deno.test("a variable that may be empty before a slash is a danger, and shown as what it then is", async () => {
  await expectKinds({
    danger: [
      'rm -rf "$UNSET"/*',
      'rm -rf "$UNSET/"',
      "rm -rf $UNSET/usr",
      'rm -rf "$HOME/$UNSET"',
      "rm -rf ~/$UNSET/*",
      'rm -rf ../"$UNSET"',
      "ls -A ~ | xargs -I{} rm -rf ~/{}",
      "cd $UNSET && rm -rf *",
    ],
    delete: [
      'rm -rf "$UNSET"',
      'rm -rf "$UNSET/build"',
      'rm -rf "${UNSET:?}"/*',
      'rm -rf "build/$UNSET"',
      "d=build; rm -rf $d/*",
    ],
  });
  const { targets } = checkCommand('rm -rf "$UNSET"/*', { permission: "open", cwd: "/w/app" });
  assert.ok(targets.includes('"$UNSET"/*') && targets.length > 1, targets.join());
  const empty = checkCommand('rm -rf "$A/usr"', { permission: "open", cwd: "/w/app" });
  assert.deepEqual(empty.targets, ["/usr", '"$A/usr"']);
});

Deno.test("targets that are not known are a danger where the command names the home or runs in it", async () => {
  const unknown = [
    "ls | xargs rm -rf",
    'rm -rf "$x"',
    "rm -rf $(cat list)",
    `python3 -c "import sys, shutil; shutil.rmtree(sys.argv[1])" x`,
  ];
  await expectKinds({ delete: unknown });
  await expectKinds({ danger: [...unknown, "git clean -fdx", "git reset --hard"] }, "ann");
  await expectKinds({
    danger: [
      ...unknown.map((one) => `cd ~; ${one}`),
      ...unknown.map((one) => `cd ..; ${one}`),
      ...unknown.map((one) => `cd "$HOME" && ${one}`),
      "find ~ -mindepth 1 -print0 | xargs -0 rm -rf",
      `python3 -c "import shutil, os; shutil.rmtree(os.path.expanduser('~'))"`,
      `python3 -c "import shutil, pathlib; shutil.rmtree(pathlib.Path.home())"`,
      `python3 -c "import subprocess; subprocess.run('rm -rf *', shell=True, cwd='..')"`,
      `node -e "require('fs').rmSync(require('os').homedir(), { recursive: true })"`,
      `perl -e 'use File::Path; rmtree($ENV{HOME})'`,
      'rm -rf "$(dirname "$PWD")"',
      'rm -rf "$(cd ~ && pwd)"',
      'cd "$(git rev-parse --show-toplevel)"/..; rm -rf *',
      "find ~+/.. -type f -delete",
      "rm -rf ~/{a..z}* ~/.{a..z}*",
      "sudo -i find . -delete",
      `python3 -c "import os; [os.unlink(os.path.join(r, f)) for r, d, fs in os.walk(os.pardir) for f in fs]"`,
      'git --work-tree="$HOME" --git-dir=x clean -fdx',
      "docker run -v ~:/h alpine rm -rf /h/docs",
      "tr a-y b-z <<< 'ql -qe x' | sh",
      `python3 -c "import base64; exec(base64.b64decode('eA=='))"`,
    ],
    delete: [
      "find build -name '*.o' | xargs rm",
      "ls ~/docs | xargs -I{} rm ~/docs/{}",
      "ls ../old | xargs -I{} rm ../old/{}",
      "ssh host rm -rf x",
      "docker rm -f db",
      "npx rimraf dist",
    ],
  });
});

Deno.test("the home moved away is a danger, what lies in it or goes to it is none", () =>
  expectKinds({
    danger: [
      "mv ~ /tmp/x",
      'mv "$HOME" "$HOME.old"',
      "mv ~/* ~/.[!.]* /tmp/",
      "mv -t /tmp ~/*",
      "cd ~; mv * /tmp",
      "for f in ~/*; do mv $f /tmp; done",
      "ls -A ~ | xargs -I{} mv ~/{} /tmp",
      "mv .. /tmp/x",
      "mv /etc /etc.old",
      "rsync -a --remove-source-files ~/ x/",
    ],
    none: [
      "mv ~/docs ~/old",
      "mv a ~",
      "mv * build/",
      'mv "$f" ../x',
      "ls | xargs -I{} mv {} ~",
      "mv hl other",
    ],
  }));

Deno.test("what a danger deletes beside it is named, and kept like any delete", () => {
  const options = { permission: "open", cwd: "/w/app", home: "/h/ann", shell: "bash" } as const;
  const { kind, targets, unlinked } = checkCommand("mv ~ /x; rm a; kill -9 -1", options);
  assert.deepEqual([kind, targets, unlinked], ["danger", ["/w/app/a"], ["/w/app/a"]]);
});

Deno.test("a file that dd writes is asked about as that, a device as a danger, no output not at all", () => {
  const judge = (command: string) =>
    checkCommand(command, { permission: "open", cwd: "/w/app", shell: "bash" });
  const made = judge("dd if=/dev/zero of=new.img bs=1M count=1");
  assert.deepEqual([made.kind, made.reason, made.targets], [
    "delete",
    "the command writes raw to a file or disk ({names})",
    ["/w/app/new.img"],
  ]);
  assert.equal(judge("dd if=a of=/dev/sda").kind, "danger");
  assert.equal(
    judge("dd if=/dev/zero of=new; rm x").reason,
    "the command deletes files or data ({names})",
  );
  for (const out of ["", "of=/dev/null", "of=/dev/stdout"]) {
    assert.equal(judge(`dd if=/dev/zero bs=1 count=1 ${out} | xxd`).verdict, "allow", out);
  }
});

Deno.test("the stakes of a variable that may be empty are those of all that would go", async () => {
  await withWorkspace({ "a": "1" }, async (workspace) => {
    const { paths } = checkCommand('rm -rf "$X"/*', { permission: "open", cwd: workspace });
    assert.equal((await targetFacts(paths, { workspace, env: {} }))!.whole, "root");
  });
});
