import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type FactsOptions,
  targetFacts as factsInTime,
} from "../../../src/shell/policy/target_facts.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const env = { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: "/nowhere" };

/** The facts, however long the machine takes. */
const targetFacts = (targets: readonly string[], options: FactsOptions) =>
  factsInTime(targets, { now: () => 0, gitMs: 60_000, ...options });

async function git(root: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", {
    args: ["-C", root, "-c", "user.name=t", "-c", "user.email=t@t", ...args],
    clearEnv: true,
    env,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** A repository with everything committed, a temp folder above it. */
async function repository(
  files: { [path: string]: string },
  play: (root: string) => Promise<void>,
): Promise<void> {
  const below = Object.entries(files).map(([path, text]) => [`repo/${path}`, text]);
  await withWorkspace(Object.fromEntries(below), async (top) => {
    const root = join(top, "repo");
    await git(root, "init", "-q");
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "all");
    await play(root);
  });
}

Deno.test("files, folders and bytes below the targets are counted, a link as itself", async () => {
  await withWorkspace({ "a/one": "12345", "a/b/two": "123", "c": "1" }, async (root) => {
    Deno.symlinkSync(join(root, "a"), join(root, "link"));
    const facts = (...names: string[]) =>
      targetFacts(names.map((name) => join(root, name)), { workspace: root, env });
    assert.deepEqual(await facts("a"), { files: 2, folders: 2, bytes: 8, more: false, outside: 0 });
    assert.deepEqual((await facts("link"))!.files, 1);
    assert.equal((await facts("a", "a/b", "a/b/two", "c"))!.files, 3, "nothing counts twice");
    assert.equal(await facts("gone"), undefined);
    assert.equal(await targetFacts(["$HOME/x", ""], { workspace: root, env }), undefined);
  });
});

Deno.test("a wildcard stands for all that it matches", async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x${i}.log`, "12"]));
  await withWorkspace(files, async (root) => {
    const facts = await targetFacts([join(root, "x1.log"), join(root, "*.log")], {
      workspace: root,
      env,
    });
    assert.deepEqual([facts!.files, facts!.bytes], [60, 120]);
  });
});

Deno.test("targets outside the workspace are counted", async () => {
  await withWorkspace({ "w/a": "1", "b": "1" }, async (root) => {
    const workspace = join(root, "w");
    const facts = await targetFacts([join(workspace, "a"), join(root, "b"), join(root, "gone")], {
      workspace,
      env,
    });
    assert.equal(facts!.outside, 2);
    const star = await targetFacts([join(root, "*")], { workspace, env });
    assert.equal(star!.outside, 1, "each that a star stands for");
  });
});

Deno.test("what no commit holds as it is counts as not in git", async () => {
  const files = { "kept": "1", "src/kept 2": "1", "src/改了": "1", ".gitignore": "*.o\n" };
  await repository(files, async (root) => {
    const count = async (...names: string[]) =>
      (await targetFacts(names.map((name) => join(root, name)), { workspace: root, env }))!
        .notInGit;
    assert.equal(await count("src", "kept"), 0);
    await Deno.writeTextFile(join(root, "src/改了"), "2");
    await Deno.writeTextFile(join(root, "src/ignored.o"), "2");
    await Deno.writeTextFile(join(root, "src/new"), "2");
    await Deno.writeTextFile(join(root, "src/staged"), "2");
    await git(root, "add", "src/staged");
    assert.equal(await count("src"), 4);
    assert.equal(await count("src/kept 2"), 0);
    const history = await targetFacts([join(root, ".git")], { workspace: root, env });
    assert.equal(history!.notInGit, history!.files);
    const both = await targetFacts([root], { workspace: root, env });
    assert.deepEqual([both!.notInGit, both!.history], [both!.files, true], "its history goes too");
    assert.equal(await count("src", ".git"), both!.files - 2, "the history goes with the files");
  });
});

Deno.test("without git, and before a first commit, nothing is claimed to be safe", async () => {
  await withWorkspace({ "a": "1" }, async (root) => {
    const facts = () => targetFacts([join(root, "a")], { workspace: root, env });
    assert.equal((await facts())!.notInGit, undefined);
    await git(root, "init", "-q");
    assert.equal((await facts())!.notInGit, 1);
    const noGit = await targetFacts([join(root, "a")], {
      workspace: root,
      env: { PATH: "/nowhere" },
    });
    assert.equal(noGit!.notInGit, undefined);
  });
});

slow("counting stops after ten thousand entries, or after its time", async () => {
  await withWorkspace({}, async (root) => {
    for (let i = 0; i < 10_200; i++) Deno.writeTextFileSync(join(root, `f${i}`), "");
    const facts = (await targetFacts([root], { workspace: "/", env }))!;
    assert.equal(facts.more, true);
    assert.equal(facts.files, 9_999);
    let ms = 0;
    const short = (await targetFacts([root], { workspace: "/", env, now: () => ms += 1 }))!;
    assert.equal(short.more, true);
    assert.ok(short.files < 200);
    // a wildcard is as good as its matches
    const of = (pattern: string) => targetFacts([join(root, pattern)], { workspace: "/", env });
    const [all, few] = [(await of("f*"))!, (await of("f1*9"))!];
    assert.deepEqual([all.files, all.more], [10_000, true]);
    assert.deepEqual([few.files, few.more], [131, false]);
  });
});

Deno.test("a repository's own settings start no program", async () => {
  await repository({ "a": "1" }, async (root) => {
    await git(root, "config", "core.fsmonitor", `touch ${join(root, "ran")}; false`);
    await git(root, "config", "diff.external", `touch ${join(root, "ran")}`);
    await Deno.writeTextFile(join(root, "a"), "2");
    const facts = await targetFacts([join(root, "a")], { workspace: root, env });
    assert.equal(facts!.notInGit, 1);
    assert.throws(() => Deno.statSync(join(root, "ran")), Deno.errors.NotFound);
  });
});

slow("the whole workspace, the home and the root are told, the greatest of them", async () => {
  await withWorkspace({ "home/w/a": "1" }, async (top) => {
    const [home, workspace] = [join(top, "home"), join(top, "home/w")];
    const whole = async (...targets: string[]) =>
      (await targetFacts(targets, { workspace, env: { ...env, HOME: home } }))!.whole;
    assert.equal(await whole(join(workspace, "a")), undefined);
    assert.equal(await whole(workspace), "workspace");
    assert.equal(await whole(workspace, home), "home");
    assert.equal(await whole(top), "home");
    assert.equal(await whole(home, "/"), "root");
  });
});

Deno.test("a star takes the whole of the place it stands in", async () => {
  await withWorkspace({ "home/w/a": "1", "home/w/.env": "1" }, async (top) => {
    const [home, workspace] = [join(top, "home"), join(top, "home/w")];
    const whole = async (...targets: string[]) =>
      (await targetFacts(targets, { workspace, env: { ...env, HOME: home } }))!.whole;
    assert.equal(await whole(join(workspace, "*")), "workspace");
    assert.equal(await whole(join(workspace, ".*")), undefined);
    assert.equal(await whole(join(workspace, "a*")), undefined);
    assert.equal(await whole(join(workspace, "a"), join(home, "*")), "home");
  });
});

Deno.test("a quoted star is a name: it takes no more than what has it", async () => {
  const { checkCommand } = await import("../../../src/shell/policy/gate.ts");
  const options = { permission: "open", home: "/nowhere" } as const;
  await withWorkspace({ 'q"uote': "1", "b": "1", "c/d": "1" }, async (workspace) => {
    const facts = async (command: string) => {
      const { paths } = checkCommand(command, { ...options, cwd: workspace });
      return await targetFacts(paths, { workspace, env });
    };
    const quoted = await facts(`rm -rf 'q"uote' '*'`);
    assert.deepEqual([quoted!.files, quoted!.whole], [1, undefined]);
    assert.equal((await facts("rm -rf b *"))!.whole, "workspace");
    Deno.writeTextFileSync(join(workspace, "*"), "12345");
    assert.deepEqual(await facts("rm -rf '*'"), {
      files: 1,
      folders: 0,
      bytes: 5,
      more: false,
      outside: 0,
    });
    const all = await facts("rm -rf *");
    assert.deepEqual([all!.files, all!.whole], [4, "workspace"], "no file's name hides the others");
  });
});

Deno.test("narnat's own folder is told", async () => {
  await withWorkspace({ ".narnat/sessions/a": "1", "b": "1" }, async (workspace) => {
    const own = async (...names: string[]) =>
      (await targetFacts(names.map((name) => join(workspace, name)), { workspace, env }))!.own;
    assert.equal(await own("b"), undefined);
    assert.equal(await own("b", ".narnat"), true);
    assert.equal(await own(".narnat/sessions"), true);
    assert.equal(await own("."), true);
    assert.equal(await own("*"), undefined, "a star passes over it");
  });
});

Deno.test("the history goes with a folder that holds a repository anywhere below", async () => {
  await repository({ "a": "1" }, async (root) => {
    const above = await targetFacts([join(root, "..")], { workspace: root, env });
    assert.deepEqual([above!.history, above!.notInGit], [true, above!.files]);
    const inside = await targetFacts([join(root, "a")], { workspace: root, env });
    assert.deepEqual([inside!.history, inside!.notInGit], [undefined, 0]);
  });
});

Deno.test("git clean and git checkout count only what they take", async () => {
  const files = { "kept": "1", "src/改了": "1", ".gitignore": "*.o\n" };
  await repository(files, async (root) => {
    await Deno.writeTextFile(join(root, "src/改了"), "22");
    await Deno.writeTextFile(join(root, "src/ignored.o"), "333");
    await Deno.writeTextFile(join(root, "new"), "4444");
    const facts = async (part: "untracked" | "ignored" | "changed" | "some") => {
      const found = (await targetFacts([root], { workspace: root, env, part }))!;
      assert.deepEqual([found.some, found.whole, found.history], [true, undefined, undefined]);
      return [found.files, found.bytes, found.notInGit];
    };
    assert.deepEqual(await facts("untracked"), [1, 4, 1]);
    assert.deepEqual(await facts("ignored"), [2, 7, 2]);
    assert.deepEqual(await facts("changed"), [1, 2, 1]);
    assert.equal((await facts("some"))[2], 3, "git's own files are not what find looks for");
    const clean = await targetFacts([join(root, "kept")], {
      workspace: root,
      env,
      part: "changed",
    });
    assert.equal(clean, undefined);
  });
});

Deno.test("neither its filters, its submodules nor what it lacks start a program", async () => {
  await repository({ "a": "1", "b": "1" }, async (root) => {
    const ran = join(root, "../ran");
    const program = (what: string) => `echo ${what} >>${ran}; cat`;
    await git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", root, "sub");
    await Deno.writeTextFile(join(root, ".gitattributes"), "* filter=x diff=x\n");
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "more");
    const config = (where: string, name: string, value: string) =>
      git(join(root, where), "config", name, value);
    for (const where of ["", "sub"]) {
      for (const key of ["clean", "smudge"]) await config(where, `filter.x.${key}`, program(key));
      await config(where, "filter.x.required", "true");
      await config(where, "diff.x.textconv", program("textconv"));
      await config(where, "core.fsmonitor", program("fsmonitor"));
    }
    await Deno.writeTextFile(join(root, "a"), "22");
    await Deno.writeTextFile(join(root, "sub/a"), "22");
    const facts = await targetFacts([join(root, "a"), join(root, "b")], { workspace: root, env });
    assert.deepEqual([facts!.files, facts!.notInGit], [2, 1]);
    await assert.rejects(Deno.stat(ran), Deno.errors.NotFound);
    // git itself, asked as people ask it, does start them
    await git(root, "diff", "--stat", "HEAD");
    assert.match(await Deno.readTextFile(ran), /clean/);
  });
});

Deno.test("a git that lies in the repository is not run, whatever the PATH says", async () => {
  await repository({ "a": "1", "bin/git": "#!/bin/sh\ntouch ../ran\n" }, async (root) => {
    await Deno.chmod(join(root, "bin/git"), 0o755);
    const PATH = `${root}/bin:bin:${env.PATH}`;
    const facts = await targetFacts([join(root, "a")], {
      workspace: root,
      env: { ...env, PATH },
    });
    assert.equal(facts!.notInGit, 0);
    await assert.rejects(Deno.stat(join(root, "../ran")), Deno.errors.NotFound);
  });
});
