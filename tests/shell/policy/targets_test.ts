import assert from "node:assert/strict";
import { join } from "node:path";
import { checkCommand } from "../../../src/shell/policy/gate.ts";
import { ONE, STAR, UNKNOWN } from "../../../src/shell/policy/reader/words.ts";
import { targetFacts } from "../../../src/shell/policy/target_facts.ts";
import {
  isOutside,
  isVital,
  matches,
  targetsOf,
  visible,
  withoutWild,
} from "../../../src/shell/policy/targets.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

Deno.test("what a terminal would not show is written out, other text stays", () => {
  assert.equal(visible("a b/旧 文件.txt"), "a b/旧 文件.txt");
  assert.equal(
    visible("a\x1b[31m\r\n\t\x7f\u202eb\u3000"),
    "a\\u{1b}[31m\\r\\n\\t\\u{7f}\\u{202e}b\\u{3000}",
  );
});

Deno.test("outside is decided on real paths, not on how they begin", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const space = join(root, "app");
    await Deno.mkdir(join(root, "app-evil"));
    await Deno.mkdir(join(space, "in"), { recursive: true });
    await Deno.symlink(join(root, "app-evil"), join(space, "way"));
    await Deno.symlink(space, join(root, "door"));
    const outside = (...parts: string[]) => isOutside(join(root, ...parts), space);
    assert.deepEqual(
      [outside("app", "in"), outside("app", "new", "x"), outside("door", "in"), outside("app")],
      [false, false, false, false],
    );
    assert.deepEqual(
      [outside("app-evil"), outside("app", "way", "x"), outside("b"), isOutside("/", space)],
      [true, true, true, true],
    );
    assert.equal(isOutside("$HOME/x", space), false);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a star below a known folder is a path, what is not known stays as written", () => {
  const paths = (text: string, source: string) =>
    targetsOf({ text, source }, "/space", "/home/me", false);
  assert.deepEqual(paths(`/space/${STAR}`, '"$PWD"/*'), ["/space/*"]);
  assert.deepEqual(paths(`/space/my dir/${STAR}.o`, '"my dir"/*.o'), ["/space/my dir/*.o"]);
  assert.deepEqual(paths(`/home/me/${STAR}`, "~/*"), ["/home/me/*"]);
  assert.deepEqual(paths(`${UNKNOWN}/${STAR}`, "$dir/*"), ["$dir/*"]);
  assert.deepEqual(paths(`a${ONE}`, "a?"), ["/space/a?"]);
  assert.deepEqual(paths(STAR, "!(kept)"), ["/space/!(kept)"]);
  assert.deepEqual(paths(`a*b${STAR}`, "'a*b'*"), ["/space/'a*b'*"], "one star is the name's");
});

Deno.test("two dots leave what a link leads to, as the system goes it", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, "far/sub"), { recursive: true });
    await Deno.mkdir(join(root, "app/in"), { recursive: true });
    await Deno.symlink("../far/sub", join(root, "app/l"));
    const of = (text: string, cwd = "app") =>
      targetsOf({ text, source: text }, join(root, cwd), undefined);
    assert.deepEqual(of("l/../x"), [join(root, "far/x")]);
    assert.deepEqual(of("../x", "app/l"), [join(root, "far/x")]);
    assert.deepEqual(of(`${root}/app/l/../../x`), [join(root, "x")]);
    assert.deepEqual(of("in/../x"), [join(root, "app/x")]);
    assert.deepEqual(of("none/../x"), [join(root, "app/x")]);
    assert.deepEqual(of("./l"), [join(root, "app/l")]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a tilde is the home only where the shell takes it so", () => {
  const paths = (text: string, source = text) =>
    targetsOf({ text, source }, "/space", "/home/me", false);
  assert.deepEqual([...paths("~"), ...paths("~/x")], ["/home/me", "/home/me/x"]);
  // a folder of that name
  assert.deepEqual(paths("~", "'~'"), ["/space/~"]);
  assert.deepEqual(paths("~/x", '"~/x"'), ["/space/~/x"]);
  assert.deepEqual(paths("~", "\\~"), ["/space/~"]);
  // somebody else's home, the folder before
  assert.deepEqual([...paths("~root/x"), ...paths("~-")], ["~root/x", "~-"]);
  assert.deepEqual(paths("~root", "'~root'"), ["/space/~root"]);
});

Deno.test("what a wildcard is not followed to is told", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const name of ["a1", "a2", "b1"]) await Deno.writeTextFile(join(root, name), "");
    const found = (limit: number, listed: number) => {
      const { paths, more } = matches(join(root, "a*"), limit, listed);
      return [paths.length, more];
    };
    assert.deepEqual([found(2, 3), found(1, 3)], [[2, false], [1, true]]);
    assert.equal(found(2, 2)[1], true);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

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
