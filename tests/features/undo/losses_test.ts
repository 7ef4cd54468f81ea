import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { openService } from "../../../src/features/undo/service.ts";
import { NO_PLACES } from "../../../src/search/walk/git_settings.ts";
import type { Loss, RunCommand } from "../../../src/base/types.ts";
import { bash, LIMITS } from "./checkpoints.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { runs, slow } from "../../support/soak.ts";

const FILES = {
  ".gitignore": "*.log\nout/\n",
  "clean.txt": "committed\n",
  "dirty.txt": "1\n2\n3\n4\n",
  "src/clean.c": "int a;\nint b;\nint c;\n",
};
const GIT = "git init -q; git add .; git commit -qm one; git branch side";
/** Work that no commit has. */
const WORK = "echo more >> dirty.txt; echo work > new.txt; mkdir d; echo one > d/one;" +
  "printf 'a\\nb\\nc\\n' > d/two; echo line > x.log; mkdir out; echo made > out/made";

interface Yard {
  readonly root: string;
  /** Runs it as a command of the turn; returns what is lost. */
  run(command: string, agreed?: RunCommand["agreed"]): Promise<readonly Loss[]>;
  bringBack(paths: readonly string[]): string[];
  service: ReturnType<typeof openService>;
}

async function withTurn(
  files: Files,
  setUp: string,
  use: (yard: Yard) => Promise<void> | void,
  limits = LIMITS,
): Promise<void> {
  await withWorkspace(files, (root) => inTurn(root, setUp, use, limits));
}

async function inTurn(
  root: string,
  setUp: string,
  use: (yard: Yard) => Promise<void> | void,
  limits = LIMITS,
): Promise<void> {
  await bash(root, setUp);
  const dir = join(root, ".narnat/checkpoints");
  Deno.mkdirSync(dir, { recursive: true });
  Deno.writeTextFileSync(join(root, ".narnat/.gitignore"), "*\n");
  const service = openService({ dir, workspace: root, places: NO_PLACES, limits });
  service.begin("main", { session: "s", turn: 1, text: "t" }, false);
  service.start("main");
  await use({
    root,
    service,
    async run(command, agreed = []) {
      await bash(root, command);
      return service.losses("main", { command, cwd: root, agreed });
    },
    bringBack: (paths) => [...service.bringBack("main", paths).paths],
  });
  service.close();
}

const told = (losses: readonly Loss[]) => losses.map(({ path, how }) => `${how} ${path}`).sort();

slow("what a command deletes or empties is lost where git cannot bring it back", async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["rm new.txt", ["deleted new.txt"]],
    ["rm dirty.txt", ["deleted dirty.txt"]],
    ["rm -r d", ["deleted d/one", "deleted d/two"]],
    [": > new.txt", ["emptied new.txt"]],
    ["echo > new.txt", ["emptied new.txt"]],
    ["head -c 90 /dev/zero > new.txt", ["emptied new.txt"]],
    ["truncate -s 0 new.txt; truncate -s 9000 new.txt", ["emptied new.txt"]],
    ["cat /bin/true > new.txt", ["emptied new.txt"]],
    ["ln -sf clean.txt new.txt", ["deleted new.txt"]],
    ["rm new.txt; mkdir new.txt", ["deleted new.txt"]],
    ["git checkout -q dirty.txt", ["reverted dirty.txt"]],
    ["git reset -q --hard", ["reverted dirty.txt"]],
    ["git show HEAD:dirty.txt > t; cat t > dirty.txt; rm t", ["reverted dirty.txt"]],
    ["git add new.txt; git rm -qf new.txt", ["deleted new.txt"]],
    ["git stash -qu; git stash drop -q", [
      ...["deleted d/one", "deleted d/two", "deleted new.txt", "reverted dirty.txt"],
    ]],
    ["gzip -k new.txt; rm new.txt.gz; rm new.txt", ["deleted new.txt"]],
    ["mv clean.txt other.txt; echo z > made.txt; rm new.txt", ["deleted new.txt"]],
    // a script may do it: no command need name git, nor its index change
    ["git show HEAD:dirty.txt > .git/t; cat .git/t > dirty.txt", ["reverted dirty.txt"]],
    ["git diff > .git/p; git apply -R .git/p", ["reverted dirty.txt"]],
    ["echo 'd/' >> .gitignore; rm -r d", ["deleted d/one", "deleted d/two"]],
    ["rm -rf .git; rm new.txt clean.txt", ["deleted .git", "deleted clean.txt", "deleted new.txt"]],
  ];
  for (const [command, expected] of cases) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run }) => {
      assert.deepEqual(told(await run(command)), [...expected].sort(), command);
    });
  }
});

slow("what git has, ignores or stashes, what is moved, packed or copied is not lost", async () => {
  for (
    const command of [
      "rm clean.txt src/clean.c",
      "rm x.log; rm -r out",
      "git stash -q",
      "git stash -qu",
      "git add -A; git commit -qm two; git checkout -q side",
      "git add new.txt; rm new.txt",
      "git commit -qam two; rm dirty.txt",
      "git add -A; git commit -qm two; git reset -q --hard side",
      "mv new.txt old.txt; mv d e",
      "mv new.txt out/; mv d out",
      "mv d ../moved-$(basename $PWD)",
      "mv d/two three; sed -i s/b/B/ three",
      "mv new.txt newer.txt; echo other > newer.txt",
      "gzip new.txt",
      "mv new.txt newest.txt; echo all else > newest.txt",
      "cp new.txt copy; rm new.txt",
      "sed -i s/ork/ord/ new.txt",
      "cp /bin/true t; printf 'a\\0b' > t; cat /bin/true > t; printf '\\0' >> out/made",
      "seq 9 > t; rm t",
      "touch app.db-wal; rm app.db-wal",
    ]
  ) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run }) => {
      const losses = await run(command.replace("../moved-$(basename $PWD)", `${root}-moved`));
      assert.deepEqual(told(losses), [], command);
      await Deno.remove(`${root}-moved`, { recursive: true }).catch(() => {});
    });
  }
});

slow("what was ignored, moved or packed by one command is not the next one's to take", async () => {
  for (
    const [first, then, path] of [
      ["echo new.txt >> .git/info/exclude", "rm new.txt", "new.txt"],
      ["gzip new.txt", "rm new.txt.gz", "new.txt.gz"],
      ["printf 'a\\0b' > bin; mv new.txt kept", "rm kept", "kept"],
      ["mkdir k; mv new.txt k; echo k/ >> .gitignore", "rm -r k", "k/new.txt"],
      ["git add new.txt; rm new.txt", "git reset -q", "new.txt"],
      ["git stash -q -- dirty.txt", "git stash drop -q", "dirty.txt"],
    ] as const
  ) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run }) => {
      assert.deepEqual(told(await run(first)), [], first);
      assert.deepEqual(told(await run("git status -s")), []);
      const how = path === "dirty.txt" ? "reverted" : "deleted";
      assert.deepEqual(told(await run(then)), [`${how} ${path}`], then);
    });
  }
});

slow("work that a command has put where nothing is covered is followed there", async () => {
  const move = "mv new.txt d out/; mkdir -p node_modules; cp dirty.txt node_modules/; rm dirty.txt";
  const cases = [
    ["rm -r out", ["deleted out/d/one", "deleted out/d/two", "deleted out/new.txt"], 3],
    [
      ": > out/new.txt; rm -r node_modules",
      ["deleted node_modules/dirty.txt", "deleted out/new.txt"],
      3,
    ],
    ["mv out/new.txt out/d .; mv node_modules/dirty.txt out/made", [], 1],
    ["echo other > out/new.txt; rm out/made", [], 2],
  ] as const;
  for (const [command, expected, left] of cases) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run, bringBack, root }) => {
      assert.deepEqual(told(await run(move)), []);
      const losses = await run(command);
      assert.deepEqual(told(losses), [...expected], command);
      const paths = losses.map(({ path }) => path);
      assert.deepEqual([...bringBack(paths)].sort(), paths.sort());
      for (const path of paths) assert.ok(Deno.statSync(join(root, path)).size > 0);
      assert.equal((await run("rm -r out/*")).length, left, command);
    });
  }
});

slow("a stash that is taken back or committed, and an index that is, lose nothing", async () => {
  for (
    const [first, then] of [
      ["git stash -qu", "git stash pop -q"],
      ["git stash -q", "git checkout -q side; git stash apply -q; git stash drop -q"],
      ["git add -A; rm -r new.txt d", "git commit -qm two"],
      ["git stash -q", "git stash pop -q; echo more >> dirty.txt"],
    ] as const
  ) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run }) => {
      assert.deepEqual([...told(await run(first)), ...told(await run(then))], [], then);
    });
  }
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run, root, service }) => {
    await run("git stash -q");
    service.end("main");
    await bash(root, "git stash drop -q");
    service.begin("main", { session: "s", turn: 2, text: "u" }, false);
    service.start("main");
    assert.deepEqual(told(await run("true")), [], "a person has dropped it");
  });
});

Deno.test("what stands in the place of lost work is put aside, not lost", async () => {
  const command = "rm -r d; echo else > d; rm new.txt; mkdir -p new.txt/x; echo y > new.txt/x/y;" +
    " rm dirty.txt; mkfifo dirty.txt";
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, bringBack }) => {
    const losses = await run(command);
    const paths = losses.map(({ path }) => path).sort();
    assert.deepEqual(paths, ["d/one", "d/two", "dirty.txt", "new.txt"]);
    assert.deepEqual(bringBack(paths).sort(), paths);
    const text = (path: string) => Deno.readTextFileSync(join(root, path));
    assert.deepEqual([text("d/one"), text("new.txt")], ["one\n", "work\n"]);
    assert.match(text("dirty.txt"), /more/);
    assert.deepEqual([text("d.aside"), text("new.txt.aside/x/y")], ["else\n", "y\n"]);
  });
});

/** Two files that nothing else holds, and a clean one. */
const BESIDE = "git init -q; echo base > base; git add base; git commit -qm one;" +
  "echo mine > new.txt; git add new.txt; echo notes > notes.md; echo a > a.txt";

const textsIn = (root: string) =>
  Object.fromEntries(
    [...Deno.readDirSync(root)].filter(({ name, isFile }) => isFile && name !== ".gitignore")
      .map(({ name }) => [name, Deno.readTextFileSync(join(root, name))]).sort(),
  );

slow(
  "a file that another was put over comes back, and the other to where it was moved from",
  async () => {
    const found = { "a.txt": "a\n", base: "base\n", "new.txt": "mine\n", "notes.md": "notes\n" };
    const replace = (from: string, to: string) => `perl -e 'rename "${from}", "${to}"'`;
    const cases: readonly (readonly [readonly string[], Record<string, string>])[] = [
      [["mv new.txt notes.md", "git add -A"], found],
      [["mv new.txt notes.md; git reset -q"], found],
      [["mv base notes.md"], found],
      [["mv base notes.md; echo more >> notes.md"], { ...found, base: "base\nmore\n" }],
      [["mv a.txt notes.md"], found],
      [[replace("a.txt", "notes.md")], found],
      [["cp a.txt notes.md"], found],
      [["cp base notes.md"], found],
      [["mv a.txt notes.md; echo more >> notes.md"], { ...found, "a.txt": "a\nmore\n" }],
      [["mv a.txt notes.md; echo again > a.txt"], {
        ...{ ...found, "a.txt": "again\n" },
        "notes.md.aside": "a\n",
      }],
    ];
    for (const [commands, expected] of cases) {
      for (const setUp of [BESIDE, `${BESIDE}; rm -rf .git`]) {
        if (setUp !== BESIDE && commands.some((one) => one.includes("git"))) continue;
        await withTurn({}, setUp, async ({ root, run, bringBack }) => {
          for (const command of commands) {
            const losses = await run(command);
            bringBack(losses.map(({ path }) => path));
          }
          assert.deepEqual(textsIn(root), expected, `${commands} ${setUp === BESIDE}`);
          assert.deepEqual(told(await run("true")), []);
        });
      }
    }
  },
);

slow("an ordinary rewrite, a delivery or a backup puts no other file over work", async () => {
  const setUp = `${BESIDE}; rm -rf .git; mkdir out; echo old > out/notes.md; echo x > .env;` +
    "echo y > .env.example; echo z > a.txt.bak; echo same > one; echo other > two";
  for (
    const command of [
      "cp notes.md out/notes.md",
      "cp .env.example .env",
      "cp a.txt a.txt.bak",
      "echo new > made; mv made notes.md",
      "cp notes.md t; sed s/notes/words/ t > notes.md; rm t",
      "cat a.txt >> notes.md; rm a.txt",
      "mv a.txt t; mv notes.md a.txt; mv t notes.md",
      // two files may come to say the same
      `perl -e 'open F, ">two"; print F "same\\n"'`,
    ]
  ) {
    await withTurn({}, setUp, async ({ run }) => {
      assert.deepEqual(told(await run(command)), [], command);
    });
  }
  await withTurn({}, setUp, async ({ run }) => {
    assert.deepEqual(told(await run("seq 9 > next")), []);
    assert.deepEqual(told(await run("mv next one")), [], "the turn has written what it moves");
    assert.deepEqual(told(await run("sed -i s/notes/newer/ notes.md")), []);
    assert.deepEqual(told(await run("cp notes.md two")), [], "the turn has written what it copies");
  });
});

/** Short files, as those are that a user keeps beside: two that no commit has, and backups of them. */
const KEPT = {
  "a.txt": "alpha\n",
  "b.txt": "beta\n",
  "u1.txt": "mine one\n",
  "d/u2.txt": "mine two\n",
  "bk/u1.txt": "old one\n",
  "bk/d/u2.txt": "old two\n",
  "Makefile": "all:\n\tcp a.txt u1.txt\n",
  "z.py": "import shutil\nshutil.copy('a.txt', 'u1.txt')\n",
};
const KEPT_IN = ["git init -q; git add a.txt b.txt Makefile z.py; git commit -qm one", ":"];

slow(
  "what no call of the session has made or changed is lost where another file is put over it",
  async () => {
    const script = (text: string, run = "sh s.sh") => `printf '${text}' > s.sh; ${run}`;
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [["cp -a bk/. ."], ["overwritten d/u2.txt", "overwritten u1.txt"]],
      [["cp -r bk/. ."], ["overwritten d/u2.txt", "overwritten u1.txt"]],
      [[script("cp -a bk/. .")], ["overwritten d/u2.txt", "overwritten u1.txt"]],
      [["install bk/u1.txt ."], ["overwritten u1.txt"]],
      [[script("cp d/u2.txt u1.txt")], ["overwritten u1.txt"]],
      [[script("cp a.txt u1.txt")], ["overwritten u1.txt"]],
      [["make -s"], ["overwritten u1.txt"]],
      [["python3 z.py"], ["overwritten u1.txt"]],
      [["mv u1.txt t && cp a.txt t"], ["deleted u1.txt"]],
      [["mv u1.txt t; mv a.txt u1.txt; mv b.txt t"], ["overwritten u1.txt"]],
      [["mv u1.txt u1.bak", "cp a.txt u1.bak"], ["overwritten u1.bak"]],
      [["date > u1.txt"], ["overwritten u1.txt"]],
      [["cd d && date >| u2.txt"], ["overwritten d/u2.txt"]],
      [["python3 --version | tee u1.txt"], ["overwritten u1.txt"]],
      [["tar cf old.tar -C bk u1.txt", "tar xf old.tar"], ["overwritten u1.txt"]],
      [["touch -d 2020-01-01 bk/u1.txt; tar cf o.tar -C bk u1.txt", script("tar xf o.tar")], [
        "overwritten u1.txt",
      ]],
    ];
    for (const [commands, expected] of cases) {
      for (const setUp of KEPT_IN) {
        await withTurn(KEPT, setUp, async ({ run, root, bringBack }) => {
          const losses: Loss[] = [];
          for (const command of commands) losses.push(...await run(command));
          const inGit = setUp !== ":";
          const how = (text: string) => text.replace(/^(?:reverted)/, "overwritten");
          assert.deepEqual(told(losses).map(how), [...expected], `${commands} ${inGit}`);
          bringBack(losses.map(({ path }) => path));
          const text = (path: string) => Deno.readTextFileSync(join(root, path));
          const u1 = commands.length > 1 && /u1.bak/.test(commands[0]!) ? "u1.bak" : "u1.txt";
          assert.deepEqual([text(u1), text("d/u2.txt")], ["mine one\n", "mine two\n"]);
          assert.equal(text("a.txt"), "alpha\n");
        });
      }
    }
  },
);

Deno.test("a file that a tool has made is another one where a command puts it over a file", async () => {
  for (const command of ["mv n.txt u1.txt", "cp n.txt u1.txt"]) {
    for (const setUp of KEPT_IN) {
      await withTurn(KEPT, setUp, async ({ run, root, service }) => {
        Deno.writeTextFileSync(join(root, "n.txt"), "of the model\n");
        service.changed("main", ["n.txt"]);
        const losses = await run(command);
        assert.deepEqual(told(losses), ["overwritten u1.txt"], command);
        assert.ok(losses.every(({ unread }) => unread), "for who has read it, it is a new version");
      });
    }
  }
});

slow("a new version, a product or a report puts no other file over work", async () => {
  const more = {
    "list.txt": "one\ntwo\nthree\n",
    "bk/list.txt": "one\ntwo\nfour\n",
    "dist/app.txt": "of an older build\n",
    "src/app.txt": "of this build\n",
    "test.log": "of an older run\n",
    "results.txt": "of an older run\n",
    "tool.py": "import os\nopen('t','w').write('formatted\\n')\nos.replace('t', 'u1.txt')\n",
  };
  for (
    const commands of [
      ["cp bk/list.txt list.txt"],
      ["cp src/app.txt dist/"],
      ["date > test.log"],
      ["make -n > results.txt"],
      ["python3 tool.py"],
      ["tr a-z A-Z < u1.txt > t; mv t u1.txt"],
      ["rev u1.txt > t", "mv t u1.txt"],
      ["date > made.txt", "python3 --version > made.txt"],
      ["printf 'mine one\nand more\n' > u1.txt"],
      ["cat u1.txt bk/u1.txt > t; mv t u1.txt"],
      ["cp u1.txt kept.txt; date > u1.txt"],
    ]
  ) {
    for (const setUp of KEPT_IN) {
      await withTurn({ ...KEPT, ...more }, setUp, async ({ run }) => {
        for (const command of commands) assert.deepEqual(told(await run(command)), [], command);
      });
    }
  }
});

slow("work that only the index has is lost with it", async () => {
  const setUp = `${GIT}; ${WORK}; git add dirty.txt new.txt`;
  for (
    const [command, expected] of [
      ["git reset -q --hard", ["deleted new.txt", "reverted dirty.txt"]],
      ["git checkout -q HEAD -- dirty.txt", ["reverted dirty.txt"]],
      ["git restore --staged --worktree dirty.txt", ["reverted dirty.txt"]],
      ["git reset -q; git show HEAD:dirty.txt > dirty.txt", ["reverted dirty.txt"]],
      ["git stash -q; git stash drop -q", ["deleted new.txt", "reverted dirty.txt"]],
      ["git read-tree HEAD; git checkout-index -f dirty.txt", ["reverted dirty.txt"]],
      ["git commit -qm two; git checkout -q HEAD~1", []],
      ["git show HEAD:dirty.txt > dirty.txt", []],
      ["git stash -q", []],
    ] as const
  ) {
    // a commit that its hook refuses leaves the index as one that was committed
    const refused =
      "mkdir -p .git/hooks; cd .git/hooks; printf '#!/bin/sh\\nexit 1' > pre-commit;" +
      " chmod +x pre-commit; cd ../..; git commit -qm no || rm .git/hooks/pre-commit";
    for (const more of [":", refused]) {
      await withTurn(FILES, `${setUp}; ${more}`, async ({ run }) => {
        assert.deepEqual(told(await run(command)), [...expected], command);
      });
    }
  }
  await withTurn(FILES, "git init -q; echo first > a; git add a", async ({ run }) => {
    assert.deepEqual(told(await run("git rm -qf a")), ["deleted a"], "before the first commit");
  });
});

slow("an older version from anywhere in git is not what the work was", async () => {
  const setUp = `${GIT}; cp dirty.txt first; echo 5 >> dirty.txt; git commit -qam two; ${WORK}`;
  const cases = [
    ["git restore -s HEAD~1 dirty.txt", ":"],
    ["git show HEAD~1:dirty.txt > dirty.txt", "git gc -q --prune=now"],
    ["cp first dirty.txt; git add dirty.txt", ":"],
    ["git show HEAD~1:dirty.txt > dirty.txt", "mv .git ../git; ln -s ../git .git"],
  ] as const;
  for (const [command, more] of cases) {
    await withWorkspace({}, async (outer) => {
      const root = join(outer, "ws");
      for (const [path, text] of Object.entries(FILES)) {
        Deno.mkdirSync(join(root, path, ".."), { recursive: true });
        Deno.writeTextFileSync(join(root, path), text);
      }
      await inTurn(root, `${setUp}; ${more}`, async ({ run }) => {
        assert.deepEqual(told(await run(command)), ["reverted dirty.txt"], command);
      });
    });
  }
});

slow("a change that keeps size and time of its file is work", async () => {
  const same = "cp -p clean.txt t; printf 'COMMITTED\\n' > clean.txt; touch -r t clean.txt; rm t";
  // within the second of the commit, and in another one
  for (const wait of [":", "while [ $(stat -c %Y .git/index) = $(date +%s) ]; do :; done"]) {
    await withTurn(FILES, `${GIT}; ${wait}; ${same}`, async ({ run }) => {
      assert.deepEqual(told(await run("git checkout -q clean.txt")), ["reverted clean.txt"]);
    });
  }
});

slow("work in a repository within the workspace counts as in the workspace's own", async () => {
  const nested =
    "git init -q sub; cd sub; printf '*.log\\n' > .gitignore; echo a > f; echo b > g;" +
    " git add .; git commit -qm f; echo more >> f; echo staged > g; git add g; echo x > x.log; cd ..";
  for (
    const around of [
      ":",
      `${GIT} 2> /dev/null`,
      `${GIT.replace(".", "clean.txt")}; git add sub 2> /dev/null; git commit -qm link`,
      `${GIT} 2> /dev/null; mv sub/.git .git/inner; echo 'gitdir: ../.git/inner' > sub/.git`,
      `mv sub/.git elsewhere; ln -s ../elsewhere sub/.git`,
    ]
  ) {
    await withTurn(FILES, `${nested}; ${around}`, async ({ run, root, bringBack }) => {
      assert.deepEqual(told(await run("rm sub/x.log")), [], around);
      const lost = ["reverted sub/f", "reverted sub/g"];
      assert.deepEqual(told(await run("cd sub; git reset -q --hard")), lost, around);
      bringBack(["sub/f", "sub/g"]);
      assert.equal(Deno.readTextFileSync(join(root, "sub/f")), "a\nmore\n");
      assert.deepEqual(told(await run("cd sub; git checkout -q f")), ["reverted sub/f"], around);
    });
  }
});

slow("a repository behind a link is one", async () => {
  await withTurn(
    FILES,
    `${GIT}; ${WORK}; mkdir -p out; mv .git out/g; ln -s out/g .git`,
    async ({ run }) => {
      assert.deepEqual(told(await run("rm clean.txt new.txt")), ["deleted new.txt"]);
      assert.deepEqual(told(await run("git checkout -q dirty.txt")), ["reverted dirty.txt"]);
    },
  );
});

slow(
  "what an earlier turn has left, and what a person changed amid this one, is work",
  async () => {
    await withTurn(FILES, GIT, async ({ root, run, service }) => {
      await run("echo of the turn >> clean.txt");
      service.end("main");
      service.begin("next", { session: "s", turn: 2, text: "u" }, false);
      service.start("next");
      const losses = async (command: string) => {
        await bash(root, command);
        return told(service.losses("next", { command, cwd: root, agreed: [] }));
      };
      assert.deepEqual(await losses("git checkout -q clean.txt"), ["reverted clean.txt"]);
      Deno.writeTextFileSync(join(root, "dirty.txt"), "a person's\n");
      service.changed("next");
      assert.deepEqual(await losses("git checkout -q dirty.txt"), ["reverted dirty.txt"]);
    });
  },
);

slow("what a tool has written in this turn is work", async () => {
  const edits = { "clean.txt": "edited\n", "dirty.txt": "1\n2\n3\n4\nmore\nedited\n" };
  for (const command of ["git checkout -q clean.txt dirty.txt", "git reset -q --hard"]) {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, service, bringBack }) => {
      await run("echo of a command >> src/clean.c");
      for (const [path, text] of Object.entries(edits)) {
        Deno.writeTextFileSync(join(root, path), text);
        service.changed("main", [path]);
      }
      const losses = await run(command);
      assert.deepEqual(told(losses), ["reverted clean.txt", "reverted dirty.txt"], command);
      bringBack(losses.map(({ path }) => path));
      for (const [path, text] of Object.entries(edits)) {
        assert.equal(Deno.readTextFileSync(join(root, path)), text);
      }
      assert.deepEqual(told(await run("true")), []);
    });
  }
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, service }) => {
    Deno.writeTextFileSync(join(root, "x.log"), "of a tool\n");
    service.changed("main", ["x.log"]);
    assert.deepEqual(told(await run("rm x.log")), [], "git ignores it");
  });
});

Deno.test("without git every covered file counts", async () => {
  await withTurn({ a: "a", "d/b": "b", "node_modules/m/x": "x" }, ":", async ({ run }) => {
    const losses = await run("rm a; rm -r d node_modules");
    assert.deepEqual(told(losses), ["deleted a", "deleted d/b"]);
  });
});

slow(
  "what a person has agreed to is not lost, and a Yes counts for its command alone",
  async () => {
    await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run }) => {
      assert.deepEqual(told(await run("rm -r d new.txt", [`${root}/d`])), ["deleted new.txt"]);
      assert.deepEqual(told(await run("mkdir d; echo again > d/one")), []);
      assert.deepEqual(told(await run("rm d/one")), ["deleted d/one"]);
      assert.deepEqual(told(await run("rm dirty.txt", "all")), []);
    });
  },
);

Deno.test("a job's Yes counts while other commands are judged, and ends with it", async () => {
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, service }) => {
    service.background(1, { command: "x", cwd: root, agreed: [`${root}/new.txt`, `${root}/d`] });
    assert.deepEqual(told(await run("rm new.txt dirty.txt")), ["deleted dirty.txt"]);
    service.over(1);
    assert.deepEqual(told(await run("rm d/one")), [], "what it did until its end is its own");
    assert.deepEqual(told(await run("rm d/two")), ["deleted d/two"], "its Yes has ended with it");
  });
});

Deno.test("a turn that takes its own change back by git loses nothing", async () => {
  await withTurn(FILES, GIT, async ({ run }) => {
    assert.deepEqual(told(await run("echo of the turn >> clean.txt")), []);
    assert.deepEqual(told(await run("git checkout -q clean.txt")), []);
  });
});

Deno.test("what a build has made may go again, what its command names or somebody edits may not", async () => {
  const build =
    "mkdir -p b/in; cp /bin/true tool; for n in x y; do echo $n > b/in/$n.d; done; : > z.d; echo plain > out-$((1))";
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, service }) => {
    assert.deepEqual(told(await run(`${build}; echo text > b/named.txt`)), []);
    Deno.writeTextFileSync(join(root, "b/in/y.d"), "edited");
    service.changed("main", ["b/in/y.d"]);
    assert.deepEqual(told(await run("rm -r b tool out-1")), [
      ...["deleted b/in/y.d", "deleted b/named.txt", "deleted out-1"],
    ]);
  });
});

slow(
  "what a build or a clone has made in this session may go again, and is work once it is written in",
  async () => {
    const setUp =
      `${GIT}; ${WORK}; printf 'all:\\n\\techo hello > out.txt; echo x > out.js\\n' > Makefile;` +
      "printf 'clean:\\n\\trm -f out.txt\\n' > C.mk; printf 'echo 1 > .coverage; echo 2 > junit.xml' > t.sh";
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [["make", "make -f C.mk clean; rm out.js"], []],
      [["cd . && CFLAGS=-O2 make -s all >/dev/null", "rm out.txt"], []],
      [["sh t.sh", "rm .coverage junit.xml"], []],
      [["git clone -q . sub", "rm -rf sub"], []],
      [["make", "echo mine >> out.txt", "rm out.txt"], ["deleted out.txt"]],
      [["make; echo mine > made.txt", "rm made.txt"], ["deleted made.txt"]],
      [["cat > notes.txt <<E\nmake\nE", "rm notes.txt"], ["deleted notes.txt"]],
      [["git clone -q . sub", "cd sub; git commit -q --allow-empty -m two", "rm -rf sub"], [
        "deleted sub/.git",
      ]],
      // the one that holds what was work is work
      [["cp new.txt junit.xml", "rm new.txt", "rm junit.xml"], ["deleted junit.xml"]],
    ];
    for (const [commands, expected] of cases) {
      await withTurn(FILES, setUp, async ({ run }) => {
        const losses: string[] = [];
        for (const command of commands) losses.push(...told(await run(command)));
        assert.deepEqual(losses, expected, commands.join("; then "));
      });
    }
  },
);

Deno.test("of what is too large to be kept it is told once that it is gone", async () => {
  const setUp =
    `${GIT}; head -c 5000 /dev/zero | tr '\\0' a > big; cp big big.log; cp big other; cp big emptied`;
  await withTurn(FILES, setUp, async ({ run }) => {
    const losses = await run(
      "rm big big.log; mv other moved; : > emptied; seq 9 > small; rm small",
    );
    assert.deepEqual(told(losses), ["deleted big", "emptied emptied"]);
    assert.ok(losses.every(({ kept }) => !kept));
    assert.deepEqual(told(await run("true")), []);
  }, { ...LIMITS, fileBytes: 1000 });
});

slow(
  "of a repository it is told that it is gone, unless it was moved, agreed to or had no commit",
  async () => {
    const nested = "git init -q sub; cd sub; touch f; git add f; git commit -qm f; cd ..";
    await withTurn(
      FILES,
      `${GIT}; git init -q bare; ${nested}; cp -r sub agreed; cp -r sub other`,
      async ({ root, run }) => {
        const silent = await run(
          `mv other/.git kept-git; mv sub moved; rm -rf bare/.git agreed`,
          [join(root, "agreed")],
        );
        assert.deepEqual(told(silent), []);
        const losses = await run("rm -rf moved/.git .git");
        assert.deepEqual(told(losses), ["deleted .git", "deleted moved/.git"]);
        assert.ok(losses.every(({ kept }) => !kept));
        assert.deepEqual(told(await run("true")), []);
      },
    );
  },
);

Deno.test("what other tools and people change is no command's loss", async () => {
  await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, service }) => {
    Deno.writeTextFileSync(join(root, "new.txt"), "");
    service.changed("main", ["new.txt"]);
    Deno.removeSync(join(root, "d/one"));
    service.changed("main");
    assert.deepEqual(told(await run("true")), []);
    Deno.mkdirSync(join(root, "made/by"), { recursive: true });
    Deno.writeTextFileSync(join(root, "made/by/hand"), "a tool's work");
    service.changed("main", ["made/by/hand"]);
    const losses = await run("rm -r made");
    assert.deepEqual(told(losses), ["deleted made/by/hand"], "what a tool has made is work too");
  });
});

Deno.test("what is lost is brought back as it was, with its mode and its folders, and can be undone no more", async () => {
  await withTurn(FILES, `${GIT}; ${WORK}; chmod 750 d/one; ln -s d/one l`, async (yard) => {
    const { root, run, bringBack, service } = yard;
    const losses = await run("rm -r d l; : > new.txt; git checkout -q dirty.txt");
    const paths = losses.map(({ path }) => path);
    assert.deepEqual([...bringBack(paths)].sort(), ["d/one", "d/two", "dirty.txt", "l", "new.txt"]);
    assert.equal(Deno.readTextFileSync(join(root, "d/one")), "one\n");
    assert.equal(Deno.statSync(join(root, "d/one")).mode! & 0o777, 0o750);
    assert.equal(Deno.readLinkSync(join(root, "l")), "d/one");
    assert.equal(Deno.readTextFileSync(join(root, "new.txt")), "work\n");
    assert.match(Deno.readTextFileSync(join(root, "dirty.txt")), /4\nmore\n/);
    assert.deepEqual(told(await run("true")), []);
    assert.deepEqual(bringBack(paths), [], "once");
    service.look("main");
    service.end("main");
    assert.deepEqual(service.turns("s"), []);
  });
});

slow("a command that deletes everything, narnat's own files too, gives back the work", async () => {
  for (const setUp of [`${GIT}; ${WORK}`, WORK]) {
    await withTurn(FILES, setUp, async ({ root, run, bringBack }) => {
      await run("echo later > later.txt");
      const losses = await run("find . -mindepth 1 -delete");
      bringBack(losses.map(({ path }) => path));
      for (
        const [path, text] of [["new.txt", "work\n"], ["later.txt", "later\n"], ["d/one", "one\n"]]
      ) {
        assert.equal(Deno.readTextFileSync(join(root, path!)), text);
      }
      assert.match(Deno.readTextFileSync(join(root, "dirty.txt")), /more/);
      assert.deepEqual(told(await run("rm new.txt")), ["deleted new.txt"], "it is covered again");
    });
  }
});

/** Ways in which a file comes to an end, or does not. */
const DEEDS = [
  (f: string) => `rm -f ${f}`,
  (f: string) => `: > ${f}`,
  (f: string) => `mkdir -p m; mv ${f} m/ || :`,
  (f: string) => `git add ${f} || :`,
  (f: string) => `git checkout -q HEAD -- ${f} || :`,
  (f: string) => `cp ${f} copy-$RANDOM || :`,
  (f: string) => `echo $RANDOM >> ${f}`,
  (f: string) => `ln -sf nowhere ${f}`,
  () => "git commit -qam now || :",
  () => "git stash -qu || :",
  () => "git checkout -q side || :",
  () => "rm -rf d",
];

slow("whatever commands do, work is on the disk, in git, or brought back", async () => {
  const deed = fc.tuple(
    fc.nat(DEEDS.length - 1),
    fc.constantFrom(
      ...["clean.txt", "dirty.txt", "new.txt", "d/one", "d/two", "src/clean.c"],
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 5 }), async (deeds) => {
      const command = deeds.map(([n, file]) => DEEDS[n]!(file)).join("; ");
      await withTurn(FILES, `${GIT}; ${WORK}`, async ({ root, run, bringBack }) => {
        const work = ["dirty.txt", "new.txt", "d/one", "d/two"].map((path) => ({
          path,
          text: Deno.readTextFileSync(join(root, path)),
        }));
        const losses = await run(`set +e; (${command}) 2>/dev/null; :`);
        bringBack(losses.map(({ path }) => path));
        const everywhere = await contents(root);
        for (const { path, text } of work) {
          // what was written behind it stands with it
          const there = everywhere.some((one) => one.startsWith(text));
          // a blank line or a link is what the command has left, and another content its own
          if (!there) {
            const now = Deno.readTextFileSync(join(root, path));
            assert.notEqual(now.trim(), "", `${path} after ${command}`);
          }
        }
      });
    }),
    { numRuns: runs(25) },
  );
});

/** Of all files, and of all that a branch, the index, the stash or a log leads to. */
async function contents(root: string): Promise<string[]> {
  const script = "find . -path ./.git -prune -o -path ./.narnat -prune -o -type f -print0 |" +
    " xargs -0 -I{} sh -c 'base64 -w0 {}; echo'; " +
    "for o in $(git rev-list --objects --all --reflog --indexed-objects | cut -d' ' -f1); do" +
    " [ $(git cat-file -t $o) = blob ] && { git cat-file blob $o | base64 -w0; echo; }; done; :";
  const { stdout } = await new Deno.Command("bash", { args: ["-c", script], cwd: root }).output();
  return new TextDecoder().decode(stdout).split("\n").map(atob);
}

slow({
  name:
    "a repository whose own files a command has made into pipes holds nothing up, and brings nothing back",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    for (const name of ["index", "HEAD", "logs/HEAD", "config"]) {
      await withTurn(FILES, `${GIT}; ${WORK}`, async ({ run, bringBack, root }) => {
        const losses = await run(`rm new.txt clean.txt .git/${name}; mkfifo .git/${name}`);
        assert.deepEqual(told(losses), ["deleted clean.txt", "deleted new.txt"], name);
        bringBack(losses.map(({ path }) => path));
        assert.ok(Deno.statSync(join(root, "new.txt")).isFile);
      });
    }
  },
});
