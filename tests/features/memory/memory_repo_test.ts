import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  BY_HAND,
  DREAM,
  type MemoryRepo,
  openRepo,
} from "../../../src/features/memory/memory_repo.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const env = { PATH: Deno.env.get("PATH") ?? "", HOME: "/nowhere" };

async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  const { stdout } = await new Deno.Command("git", { args: [...identity, ...args], cwd }).output();
  return new TextDecoder().decode(stdout);
}

/** A `.narnat` in a workspace that is a repository itself. */
function inNarnat(
  files: Files,
  use: (repo: MemoryRepo, dir: string, root: string) => Promise<void>,
): Promise<void> {
  return withWorkspace({ ".narnat/.gitignore": "/memory/\n", ...files }, async (root) => {
    await git(root, "init", "--quiet");
    const narnatDir = join(root, ".narnat");
    const repo = await openRepo({ narnatDir, t: english, env });
    assert.ok(repo);
    await use(repo, narnatDir, root);
  });
}

Deno.test("changes of the memory files and of new skills are committed, and nothing else", () =>
  inNarnat(
    { ".narnat/skills/mine/SKILL.md": "mine", ".narnat/narnat.json": "{}" },
    async (repo, dir, root) => {
      assert.equal(await repo.commit("nothing there"), undefined);
      assert.equal(await repo.log(5), "");
      const write = (path: string, text: string) => {
        Deno.mkdirSync(join(dir, path, ".."), { recursive: true });
        Deno.writeTextFileSync(join(dir, path), text);
      };
      write("memory/MEMORY.md", "- one\n");
      write("memory/history.jsonl", "{}\n");
      write("skills/new/SKILL.md", "new");
      const id = await repo.commit(`${DREAM} first`, ["skills/new/SKILL.md"]);
      assert.match(id ?? "", /^[0-9a-f]{7,}$/);
      assert.equal(await repo.commit("the same again"), undefined);
      const files = await git(join(dir, "memory"), "ls-files", "--full-name", ":/");
      assert.deepEqual(files.trim().split("\n"), ["memory/MEMORY.md", "skills/new/SKILL.md"]);
      const log = await repo.log(5);
      assert.match(log, /Dream: first[^]*\+- one/);
      assert.match(await git(join(dir, "memory"), "log", "--format=%an <%ae>"), /^narnat <narnat@/);
      assert.equal(await git(root, "status", "--porcelain", "--", ".narnat/memory"), "");
      assert.equal(await git(join(dir, "memory"), "status", "--porcelain", "-uno"), "");
    },
  ));

Deno.test("restoring undoes the last Dream that stands, and keeps what came after it", () =>
  inNarnat({}, async (repo, dir) => {
    const path = join(dir, "memory", "MEMORY.md");
    const read = () => Deno.readTextFileSync(path);
    const list = (...lines: string[]) => lines.map((line) => `- ${line}\n\n`).join("");
    await assert.rejects(repo.restore(undefined), /no record yet/);
    Deno.writeTextFileSync(path, list("a", "b", "c"));
    await repo.commit(BY_HAND);
    Deno.writeTextFileSync(path, list("a2", "b", "c"));
    await repo.commit(`${DREAM} a`);
    Deno.mkdirSync(join(dir, "skills", "s"), { recursive: true });
    Deno.writeTextFileSync(join(dir, "skills", "s", "SKILL.md"), "s");
    await repo.commit(`${DREAM} skill`, ["skills/s/SKILL.md"]);
    Deno.writeTextFileSync(path, list("a2", "b", "c", "by hand"));

    assert.match(await repo.restore(undefined), /Dream: skill/);
    assert.ok(!existsSync(join(dir, "skills", "s", "SKILL.md")));
    assert.match(await repo.restore(undefined), /Dream: a/);
    assert.equal(read(), list("a", "b", "c", "by hand"));
    await assert.rejects(repo.restore(undefined), /no Dream to undo/);
    assert.match(await repo.log(9), /Changed outside of Dreams/);
  }));

slow(
  "lines that a Dream added are undone whatever was added next to them since, and come back",
  () =>
    inNarnat({}, async (repo, dir) => {
      const path = join(dir, "memory", "MEMORY.md");
      const read = () => Deno.readTextFileSync(path);
      const ids: (string | undefined)[] = [];
      for (const n of [1, 2, 3, 4]) {
        Deno.writeTextFileSync(path, (n === 1 ? "# Memory\n\n" : read()) + `- fact ${n}\n`);
        ids.push(await repo.commit(`${DREAM} ${n}`));
      }
      Deno.writeTextFileSync(path, read() + "- by hand\n");
      assert.match(await repo.restore(ids[1]), /Dream: 2/);
      assert.equal(read(), "# Memory\n\n- fact 1\n- fact 3\n- fact 4\n- by hand\n");
      assert.match(await repo.restore(undefined), /Dream: 4/);
      assert.equal(read(), "# Memory\n\n- fact 1\n- fact 3\n- by hand\n");
      assert.match(await repo.restore(undefined), /Dream: 3/);
      await assert.rejects(repo.restore(ids[1]), /overlap/, "it is undone already");
      assert.equal(read(), "# Memory\n\n- fact 1\n- by hand\n");
      assert.equal(await repo.commit("after"), undefined);
      assert.deepEqual(
        [...Deno.readDirSync(join(dir, "memory"))].map(({ name }) => name).sort(),
        [".git", "MEMORY.md"],
      );
    }),
);

Deno.test("a line that a Dream changed comes back whatever its neighbours are; one it took out does not without them", () =>
  inNarnat({}, async (repo, dir) => {
    const path = join(dir, "memory", "MEMORY.md");
    const dreamt = async (text: string) => {
      Deno.writeTextFileSync(path, text);
      return await repo.commit(`${DREAM} x`);
    };
    await dreamt("- a\n- b\n- c\n");
    const changed = await dreamt("- a\n- B\n- c\n");
    const out = await dreamt("- a\n- B\n");
    Deno.writeTextFileSync(path, "- A\n- B\n- new\n");
    await repo.restore(changed);
    assert.equal(Deno.readTextFileSync(path), "- A\n- b\n- new\n");
    await assert.rejects(repo.restore(out), /overlap/);
    assert.equal(Deno.readTextFileSync(path), "- A\n- b\n- new\n");
  }));

Deno.test("a restore that later changes stand in the way of changes nothing and says so", () =>
  inNarnat({}, async (repo, dir) => {
    const path = join(dir, "memory", "MEMORY.md");
    Deno.writeTextFileSync(path, "- port 1\n");
    const id = await repo.commit(`${DREAM} port`);
    Deno.writeTextFileSync(path, "- port 2\n");
    await assert.rejects(repo.restore(id), /overlap with it \(memory\/MEMORY.md\)/);
    assert.equal(Deno.readTextFileSync(path), "- port 2\n");
    assert.equal(await repo.commit("after"), undefined);
    for (const bad of ["zzz", "--all", "1234567"]) {
      await assert.rejects(repo.restore(bad), new RegExp(`There is no ${bad}`));
    }
  }));

Deno.test(
  "only what a Dream did, or the undoing of it, is undone: what people wrote is theirs",
  () =>
    inNarnat({}, async (repo, dir) => {
      const path = join(dir, "memory", "MEMORY.md");
      Deno.writeTextFileSync(path, "- by hand\n\n");
      const byHand = await repo.commit(BY_HAND);
      await assert.rejects(
        repo.restore(byHand),
        /was written by \/remember or by hand.*only a Dream/,
      );
      assert.equal(Deno.readTextFileSync(path), "- by hand\n\n");
      Deno.writeTextFileSync(path, "- by hand\n\n- dreamt\n");
      const dreamt = await repo.commit(`${DREAM} more`);
      await repo.restore(dreamt);
      assert.equal(Deno.readTextFileSync(path), "- by hand\n\n");
      const undoing = /^([0-9a-f]+) .*Revert/m.exec(await repo.log(1))![1];
      await repo.restore(undoing);
      assert.equal(Deno.readTextFileSync(path), "- by hand\n\n- dreamt\n");
    }),
);

Deno.test("the record says in the user's language what was written by hand", () =>
  inNarnat({}, async (_, narnatDir) => {
    const repo = await openRepo({ narnatDir, t: chinese, env });
    Deno.writeTextFileSync(join(narnatDir, "memory", "MEMORY.md"), `- ${BY_HAND}\n`);
    await repo!.commit(BY_HAND);
    const [head, ...diff] = (await repo!.log(1)).split("\n");
    assert.match(head!, /^[0-9a-f]+ {2}[\d-]+ [\d:]+ {2}记忆整理之外的改动（\/remember 或手动）$/);
    assert.ok(diff.includes(`+- ${BY_HAND}`));
  }));

Deno.test("both sides' changes of a text are joined", () =>
  inNarnat({}, async (repo) => {
    const base = "- a\n\n- b\n\n- c\n";
    const merged = await repo.merge("- a\n\n- b\n\n- c\n- mine\n", base, "- A\n\n- b\n\n- c\n");
    assert.equal(merged, "- A\n\n- b\n\n- c\n- mine\n");
    const both = await repo.merge("- a\n- mine\n", "- a\n", "- a\n- theirs\n");
    assert.match(both, /- mine\n/);
    assert.match(both, /- theirs\n/);
    assert.doesNotMatch(both, /<<<</);
  }));

Deno.test("the environment's repository and the user's settings have no say", () =>
  withWorkspace({
    "home/.gitconfig": "[commit]\n gpgSign = true\n[core]\n hooksPath = ../hooks\n",
    "hooks/pre-commit": "#!/bin/sh\nexit 1\n",
  }, async (root) => {
    Deno.chmodSync(join(root, "hooks", "pre-commit"), 0o755);
    const narnatDir = join(root, ".narnat");
    const other = { GIT_DIR: join(root, "other"), GIT_WORK_TREE: root, HOME: join(root, "home") };
    const repo = await openRepo({ narnatDir, t: english, env: { ...env, ...other } });
    Deno.writeTextFileSync(join(narnatDir, "memory", "SOUL.md"), "- calm\n");
    assert.ok(await repo!.commit("works"));
    assert.ok(!existsSync(join(root, "other")));
  }));

Deno.test("a repository with settings that are not ours is not used, and starts nothing", () =>
  inNarnat({}, async (_repo, dir, root) => {
    const config = join(dir, "memory", ".git", "config");
    const before = Deno.readTextFileSync(config);
    const ran = join(root, "ran");
    const planted = [
      `[core]\n\tfsmonitor = touch ${ran}\n`,
      `[filter "x"]\n\tclean = touch ${ran}; cat\n`,
      `[include]\n\tpath = ${join(root, "more")}\n`,
      `[core] hooksPath = ${root}\n`,
    ];
    for (const text of planted) {
      Deno.writeTextFileSync(config, before + text);
      await assert.rejects(openRepo({ narnatDir: dir, t: english, env }), /did not write/);
    }
    assert.ok(!existsSync(ran));
    Deno.writeTextFileSync(config, before);
    assert.ok(await openRepo({ narnatDir: dir, t: english, env }));
  }));

Deno.test("a repository that has its settings from another one is not used, and starts nothing", () =>
  inNarnat({ ".narnat/memory/MEMORY.md": "one\n" }, async (_repo, dir, root) => {
    const ran = join(root, "ran");
    await git(root, "config", "filter.x.clean", `touch ${ran}; cat`);
    Deno.writeTextFileSync(join(dir, ".gitattributes"), "* filter=x\n");
    Deno.writeTextFileSync(join(dir, "memory/.git/commondir"), "../../../.git\n");
    await assert.rejects(
      openRepo({ narnatDir: dir, t: english, env }).then((repo) => repo?.commit("x")),
      /did not write/,
    );
    assert.ok(!existsSync(ran));
  }));

Deno.test("a hook that lies in the repository is not run", () =>
  inNarnat({ ".narnat/memory/MEMORY.md": "one\n" }, async (repo, dir, root) => {
    const ran = join(root, "ran");
    for (const name of ["post-commit", "pre-commit", "prepare-commit-msg", "post-index-change"]) {
      const hook = join(dir, "memory/.git/hooks", name);
      Deno.mkdirSync(join(hook, ".."), { recursive: true });
      Deno.writeTextFileSync(hook, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    }
    assert.ok(await repo.commit(`${DREAM} x`));
    await repo.restore(undefined);
    assert.ok(!existsSync(ran));
  }));

Deno.test("without git there is no repository, and no trace of one", () =>
  withWorkspace({}, async (root) => {
    const narnatDir = join(root, ".narnat");
    assert.equal(await openRepo({ narnatDir, t: english, env: { PATH: root } }), undefined);
    assert.ok(!existsSync(join(narnatDir, "memory", ".git")));
  }));

Deno.test(
  "a lock that a killed git left is no obstacle for long",
  () =>
    inNarnat({}, async (_repo, dir) => {
      for (const name of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) {
        const lock = join(dir, "memory", ".git", name);
        Deno.writeTextFileSync(lock, "");
        const old = (Date.now() - 60_000) / 1000;
        Deno.utimeSync(lock, old, old);
        Deno.writeTextFileSync(join(dir, "memory", "USER.md"), `- ${name}\n`);
        const repo = await openRepo({ narnatDir: dir, t: english, env });
        assert.ok(await repo!.commit("again"), name);
      }
    }),
);

slow("a repository that is spoilt is named, with the way to a new one", async () => {
  const spoils: { [what: string]: (git: string) => void } = {
    "git was killed while it made it": (git) => {
      Deno.removeSync(git, { recursive: true });
      Deno.mkdirSync(git);
    },
    "no HEAD": (git) => Deno.removeSync(join(git, "HEAD")),
    "no objects": (git) => Deno.removeSync(join(git, "objects"), { recursive: true }),
    "a HEAD of nothing": (git) => Deno.writeTextFileSync(join(git, "HEAD"), "?"),
  };
  for (const [what, spoil] of Object.entries(spoils)) {
    await inNarnat({ ".narnat/memory/MEMORY.md": "one\n" }, async (repo, dir) => {
      await repo.commit(`${DREAM} x`);
      const gitDir = join(dir, "memory", ".git");
      spoil(gitDir);
      const open = () => openRepo({ narnatDir: dir, t: english, env });
      const named = (error: Error) =>
        error.message.includes(gitDir) && /move it away/.test(error.message);
      await assert.rejects(open(), named, what);
      Deno.renameSync(gitDir, `${gitDir}.old`);
      assert.ok(await (await open())!.commit(`${DREAM} y`), what);
    });
  }
});
