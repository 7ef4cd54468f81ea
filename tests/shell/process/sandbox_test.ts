import assert from "node:assert/strict";
import { join } from "node:path";
import { createSandbox, SandboxError } from "../../../src/shell/process/sandbox.ts";
import { eventually } from "../../support/processes.ts";
import { sandboxRuns, seatbeltProfile, withYard } from "../sandboxed.ts";
import { slow } from "../../support/soak.ts";

const test = (name: string, fn: () => Promise<void>, register = Deno.test) =>
  register({ name, ignore: !sandboxRuns, fn });
const slowTest = (name: string, fn: () => Promise<void>) => test(name, fn, slow);

/** All that is at and below a folder: path, kind, mode and content. */
async function snapshot(folder: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (path: string) => {
    const info = await Deno.lstat(path);
    const text = info.isFile
      ? await Deno.readTextFile(path)
      : info.isSymlink
      ? await Deno.readLink(path)
      : "";
    found.push(`${path} ${info.mode} ${text}`);
    if (!info.isDirectory) return;
    for await (const { name } of Deno.readDir(path)) await look(join(path, name));
  };
  await look(folder);
  return found.sort();
}

/** Each tries to leave; `$OUT`, `$WS` and `$HOME` are set, and all that it ends with is nothing. */
const ESCAPES: readonly (readonly [string, string])[] = [
  ["a plain write", 'echo x > "$OUT/new"'],
  ["a change in place", 'echo x >> "$OUT/kept.txt"; sed -i s/kept/x/ "$OUT/kept.txt"'],
  ["a delete", 'rm -f "$OUT/kept.txt"; unlink "$OUT/kept.txt"'],
  ["a rename", 'mv "$OUT/kept.txt" "$OUT/moved"; mv a.txt "$OUT/a.txt"'],
  ["mode, time and owner", 'chmod 777 "$OUT/kept.txt"; touch -d 2001-01-01 "$OUT/kept.txt"'],
  ["..", 'cd "$WS/.." && echo x > new; echo x > "$WS/../outside/new"'],
  ["a symbolic link to a folder", 'ln -s "$OUT" way && echo x > way/new'],
  ["a symbolic link to a file", 'ln -s "$OUT/kept.txt" way && echo x > way'],
  ["a hard link", 'ln "$OUT/kept.txt" hard && echo x > hard'],
  ["a sibling with the same prefix", 'mkdir "$WS-evil"; echo x > "$WS-evil/x"'],
  [
    "/proc/self/root",
    'echo x > "/proc/self/root$OUT/new"; echo x > "/proc/self/cwd/../outside/new"',
  ],
  [
    "the root of other processes",
    'for p in 1 $PPID /proc/[0-9]*; do echo x > "/proc/${p#/proc/}/root$OUT/new"; done',
  ],
  [
    "open files of other processes",
    'find /proc/[0-9]*/fd -lname "$OUT/*" 2>/dev/null | while read f; do echo x >> "$f"; done',
  ],
  [
    "a new mount",
    'mkdir t; mount -o remount,rw /; mount --bind "$OUT" t; echo x > t/new; echo x > "$OUT/new"',
  ],
  [
    "a namespace within",
    'unshare -Urm sh -c \'mount -o remount,rw /; umount "$WS/.git/hooks"; echo x > "$OUT/new"; echo x > "$WS/.git/hooks/x"\'',
  ],
  [
    "the namespaces of others",
    'for p in 1 $PPID; do nsenter -t $p -m -U sh -c "echo x > $OUT/new"; done',
  ],
  [
    "a device of its own",
    "mknod dev b 254 0; mknod /tmp/yard-dev-$$ b 8 0; ls -l dev /tmp/yard-dev-$$",
  ],
  [
    "the settings of the kernel",
    "at=/proc/sys/kernel/core_pattern; cat $at > $at && echo LED OUT; echo 1 > /proc/sys/vm/drop_caches && echo LED OUT",
  ],
  ["a git hook", 'echo "touch $OUT/new" > .git/hooks/pre-commit'],
  [
    "a git hook by git",
    "mkdir -p t/hooks; echo x > t/hooks/pre-commit; git init -q --template=t .; git config core.hooksPath t/hooks",
  ],
  [
    "the configuration of git",
    'git config core.fsmonitor "touch x"; echo "[core] fsmonitor = x" >> .git/config; rm -f .git/config',
  ],
  ["moving .git away", "mv .git old && git init -q && echo x > .git/hooks/pre-commit"],
  [
    "moving the hooks away",
    "mv .git/hooks .git/old; rmdir .git/hooks; rm -rf .git/hooks; mkdir .git/hooks && echo x > .git/hooks/x",
  ],
  [
    "another common folder for git",
    "mkdir evil; echo ../evil > .git/commondir; rm -f .git/commondir; mv evil .git/commondir",
  ],
  [
    "a rename over it",
    "echo x > x; mv -f x .git/config; git config --file x a.b c; cp x .git/config; ln -sf x .git/config",
  ],
  [
    "rc files",
    "echo x >> ~/.bashrc; rm -f ~/.bashrc; echo x > ~/.profile; echo x > ~/.zshenv; git config --global a.b c; echo x > ~/.gitconfig",
  ],
  [
    "folders of programs",
    "mkdir -p ~/.ssh ~/bin ~/.config/autostart ~/.local/bin; echo x > ~/.ssh/authorized_keys",
  ],
  [
    "narnat's configuration",
    'echo "{\\"base_url\\":\\"http://evil\\"}" > .narnat/narnat.json; echo {} > .narnat/mcp.json; mkdir .narnat/commands; echo x > .narnat/commands/x.md',
  ],
  [
    "moving narnat's folder away",
    "mv .narnat old && mkdir .narnat && echo {} > .narnat/mcp.json; rm -rf .narnat",
  ],
  [
    "narnat's outputs as a way",
    "echo x > .narnat/outputs/../narnat.json; ln -s ../narnat.json .narnat/outputs/l && echo x > .narnat/outputs/l; rm -f .narnat/outputs/l",
  ],
  ["narnat's own folder of the user", "mkdir -p ~/.narnat; echo {} > ~/.narnat/trust.json"],
  [
    "the scheduler",
    'crontab -l | crontab - && echo LED OUT; echo "touch $OUT/new" | at now; systemd-run --user touch "$OUT/new"; systemd-run touch "$OUT/new"',
  ],
  [
    "root",
    'sudo -n sh -c "echo x > $OUT/new"; su -c "echo x > $OUT/new"; chmod u+s a.txt; chmod 644 a.txt',
  ],
];

slowTest("none of the ways out leads out", async () => {
  await withYard(async ({ workspace, home, outside, run }) => {
    await run("true");
    const watched = async () => [
      ...await snapshot(outside),
      ...await snapshot(home),
      ...await snapshot(join(workspace, ".git", "hooks")),
      ...await snapshot(join(workspace, ".narnat")),
      await Deno.readTextFile(join(workspace, ".git", "config")),
      await Deno.readTextFile(join(workspace, ".git", "commondir")),
      await Deno.readTextFile("/proc/sys/kernel/core_pattern"),
      (await Array.fromAsync(Deno.readDir(join(workspace, "..")))).map(({ name }) => name).sort()
        .join(),
    ];
    const before = await watched();
    using _open = await Deno.open(join(outside, "kept.txt"), { write: true });
    // what leads out of the sandbox must not lead anywhere without it either, or it proves nothing
    assert.equal((await run(`echo here > "${workspace}/here" && cat here`)).text, "here\n");
    for (const [name, command] of ESCAPES) {
      const vars = `export OUT='${outside}' WS='${workspace}'; rm -rf way hard x t;`;
      const { text, stopped } = await run(`${vars}\n${command}`);
      assert.equal(stopped, undefined, name);
      assert.deepEqual(await watched(), before, `${name}\n${text}`);
      assert.ok(!/^b[r-]|LED OUT/m.test(text), `${name}\n${text}`);
    }
    assert.ok(ESCAPES.length >= 20);
  });
});

/** Those that reach no further than the yard when nothing holds them. */
const NEAR =
  /^(?:a plain|a change|open files|a rename|mode|\.\.|a symbolic|a hard|a sibling|a git|the configuration|rc files|folders of|narnat's (?:conf|own))/;

slowTest("the same ways lead out where there is no sandbox", async () => {
  const held: string[] = [];
  const near = ESCAPES.filter(([name]) => NEAR.test(name));
  for (const [name, command] of near) {
    await withYard(async ({ root, workspace, outside, env }) => {
      const before = await snapshot(root);
      using _open = await Deno.open(join(outside, "kept.txt"), { write: true });
      await new Deno.Command("bash", {
        args: ["-c", command],
        cwd: workspace,
        env: { ...env, OUT: outside, WS: workspace },
        clearEnv: true,
        stdin: "null",
        stderr: "null",
        stdout: "null",
      }).output();
      if (JSON.stringify(await snapshot(root)) === JSON.stringify(before)) held.push(name);
    });
  }
  assert.deepEqual(held, []);
  assert.ok(near.length >= 15, `${near.length}`);
});

test("what is protected is so where it was not there, and nothing is left of that afterwards", async () => {
  await withYard(async ({ workspace, run }) => {
    const { text } = await run(
      "git init -q; mkdir .git/hooks; echo x > .git/config; mv .git x; rmdir .git; ls -A",
    );
    assert.match(text, /read-only/i);
    assert.deepEqual([...Deno.readDirSync(join(workspace, ".git"))], []);
  }, {
    git: false,
    before: ({ workspace }) => Deno.remove(join(workspace, ".narnat"), { recursive: true }),
  });
  let seen = "";
  await withYard(async ({ workspace, run }) => {
    await run("true");
    assert.ok((await Deno.stat(join(workspace, ".git", "commondir"))).isFile);
    seen = workspace;
  }, {
    before: async ({ workspace }) => {
      await Deno.remove(join(workspace, ".git", "hooks"), { recursive: true });
    },
  });
  assert.ok(seen);
  const root = await Deno.makeTempDir({ dir: "/var/tmp" });
  try {
    const sandbox = createSandbox({
      workspace: root,
      env: Deno.env.toObject(),
      network: true,
      write: [],
    });
    await sandbox.open();
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), [
      ".git",
      ".narnat",
    ]);
    sandbox.close();
    assert.deepEqual([...Deno.readDirSync(root)], []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

test("a home that is the workspace, or in it, keeps what begins with a dot and gets nothing new", async () => {
  for (const where of [(root: string) => join(root, "home"), (root: string) => root]) {
    await withYard(async ({ home, run }) => {
      const { text } = await run(
        `cd '${home}'; echo x >> .bashrc; echo x > .profile; mv .config old; echo x > .config/fish; ` +
          `echo x >> dots/zshrc; rm .zshrc; mv ../home ../away; echo x > new; echo good > work/x; cat work/x`,
      );
      assert.match(text, /good\n$/);
      assert.equal(await Deno.readTextFile(join(home, ".bashrc")), "# mine\n");
      assert.equal(await Deno.readTextFile(join(home, "dots", "zshrc")), "z\n");
      const names = [...Deno.readDirSync(home)].map(({ name }) => name).sort();
      for (const name of [".profile", "new", "old"]) assert.ok(!names.includes(name), name);
      assert.ok(names.includes(".zshrc") && names.includes(".config"));
    }, {
      git: false,
      workspace: where,
      before: async ({ home }) => {
        await Deno.mkdir(join(home, "work"));
        await Deno.mkdir(join(home, "dots"));
        await Deno.mkdir(join(home, ".config"));
        await Deno.writeTextFile(join(home, "dots", "zshrc"), "z\n");
        await Deno.symlink("dots/zshrc", join(home, ".zshrc"));
      },
    });
  }
});

test("submodules and worktrees are kept as the repository is", async () => {
  await withYard(async ({ workspace, outside, run }) => {
    const { text } = await run(
      'for f in .git/modules/a/b/hooks/x .git/modules/a/b/config .git/worktrees/w/commondir; do echo x > "$f"; done; echo end',
    );
    assert.match(text, /end\n$/);
    assert.equal(await Deno.readTextFile(join(workspace, ".git/modules/a/b/config")), "");
    assert.equal(await Deno.readTextFile(join(workspace, ".git/worktrees/w/commondir")), "../..");
    assert.ok(outside);
  }, {
    before: async ({ workspace }) => {
      await Deno.mkdir(join(workspace, ".git/modules/a/b"), { recursive: true });
      await Deno.writeTextFile(join(workspace, ".git/modules/a/b/HEAD"), "ref: refs/heads/main\n");
      await Deno.mkdir(join(workspace, ".git/worktrees/w"), { recursive: true });
      await Deno.writeTextFile(join(workspace, ".git/worktrees/w/commondir"), "../..");
    },
  });
  // its repository lies outside, and is open for commits; one that only says so is not
  await withYard(async ({ workspace, outside, run }) => {
    const done = await run(
      "git commit -q --allow-empty -m one && git log --oneline | wc -l; " +
        `echo x > ${outside}/main/.git/hooks/x; echo x > ${outside}/main/.git/config; echo x > ${outside}/main/x`,
    );
    assert.match(done.text, /^2\n/);
    assert.equal(done.text.match(/Read-only/g)?.length, 3);
    assert.ok(workspace);
  }, {
    git: false,
    before: async ({ workspace, outside }) => {
      const script = `git init -q ${outside}/main && cd ${outside}/main && ` +
        `git -c user.name=a -c user.email=b commit -q --allow-empty -m zero && ` +
        `rm -rf ${workspace} && git worktree add -q ${workspace}`;
      const { success } = await new Deno.Command("bash", { args: ["-c", script] }).output();
      assert.ok(success);
    },
  });
  await withYard(async ({ outside, run }) => {
    const { text } = await run(`echo x > ${outside}/x; echo x > .git`);
    assert.equal(text.match(/Read-only/g)?.length, 2, text);
  }, {
    git: false,
    before: ({ workspace, outside }) =>
      Deno.writeTextFile(join(workspace, ".git"), `gitdir: ${outside}\n`),
  });
  // what the project itself says of a repository elsewhere does not open it
  await withYard(async ({ outside, run }) => {
    assert.match((await run(`echo x > ${outside}/x`)).text, /Read-only/);
    await assert.rejects(Deno.lstat(join(outside, "hooks")), Deno.errors.NotFound);
  }, {
    git: false,
    before: async ({ workspace, outside }) => {
      await Deno.mkdir(join(workspace, "own"));
      const files = { ".git": "gitdir: own", "own/gitdir": "../.git", "own/commondir": outside };
      for (const [name, text] of Object.entries(files)) {
        await Deno.writeTextFile(join(workspace, name), `${text}\n`);
      }
    },
  });
});

test("a repository beside its files, named by a .git file, is kept too", async () => {
  await withYard(async ({ workspace, run }) => {
    const { text } = await run(
      "echo x > .bare/hooks/pre-commit; echo x >> .bare/config; mv .bare old; git commit -q --allow-empty -m a && git log --oneline | wc -l",
    );
    assert.match(text, /^1$/m, text);
    assert.deepEqual([...Deno.readDirSync(join(workspace, ".bare/hooks"))], []);
    assert.ok(!(await Deno.readTextFile(join(workspace, ".bare/config"))).includes("x\n"));
  }, {
    git: false,
    before: async ({ workspace }) => {
      const script =
        "git init -q --template= --separate-git-dir=.bare . && printf 'gitdir: ./.bare\\n' > .git";
      const { success } = await new Deno.Command("bash", { args: ["-c", script], cwd: workspace })
        .output();
      assert.ok(success);
    },
  });
});

slowTest("without network nothing is reached, by name or by number", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("reached"),
  );
  const { port } = server.addr;
  const ways = [
    `curl -s -m 2 http://127.0.0.1:${port}/`,
    `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`,
    `wget -q -T 2 -O - http://127.0.0.1:${port}/`,
    `python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:${port}").read())'`,
    `deno eval 'console.log(await (await fetch("http://127.0.0.1:${port}")).text())'`,
  ];
  try {
    await withYard(async ({ run }) => {
      for (const way of ways) {
        const { text, exit } = await run(way);
        assert.ok(!text.includes("reached") && exit !== 0, `${way}\n${text}`);
      }
      const names = await run(
        "getent ahosts example.com; timeout 3 ping -c 1 1.1.1.1; ip -br link",
      );
      assert.ok(!/STREAM|1 received|eth|ens|enp/.test(names.text), names.text);
      // its own is there
      const own = await run(
        "until (exec 3<>/dev/tcp/127.0.0.1/45123 && echo got >&3) 2>/dev/null; do sleep 0.1; done & " +
          "deno eval 'const c = await Deno.listen({port: 45123}).accept(); const b = new Uint8Array(9); " +
          "console.log(new TextDecoder().decode(b.subarray(0, await c.read(b))))'",
      );
      assert.match(own.text, /got/);
    }, { network: false });
    await withYard(async ({ run }) => {
      assert.match((await run(ways[0]!)).text, /reached/);
      assert.match((await run(ways[1]!)).text, /reached/);
    });
  } finally {
    await server.shutdown();
  }
});

test("a program that listens outside is not reached through its socket", async () => {
  const dir = `/tmp/tmux-${Deno.uid()}`;
  await withYard(async ({ outside, run, env }) => {
    await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
    const socket = `s${crypto.randomUUID().slice(0, 8)}`;
    const tmux = (...args: string[]) =>
      new Deno.Command("tmux", { args: ["-L", socket, ...args], env, stderr: "null" }).output();
    try {
      assert.ok((await tmux("new-session", "-d", "sleep 60")).success);
      await run(`tmux -L ${socket} new-window 'touch ${outside}/new'; sleep 0.5`);
      assert.deepEqual([...Deno.readDirSync(outside)].map(({ name }) => name), ["kept.txt"]);
      await tmux("new-window", `touch ${outside}/new; sleep 60`);
      assert.ok(await eventually(() => [...Deno.readDirSync(outside)].length === 2, 20_000));
    } finally {
      await tmux("kill-server");
    }
  });
});

test("folders of `write` are open, and made where they are not there", async () => {
  await withYard(async ({ home, run }) => {
    const { text } = await run("echo x > ~/.tool/y; cat ~/.tool/y; echo x >> ~/.bashrc");
    assert.match(text, /^x\n.*Read-only/);
    assert.equal(await Deno.readTextFile(join(home, ".bashrc")), "# mine\n");
  }, { write: ["~/.tool"] });
});

test("a sandbox that cannot be had is said, with why, and nothing runs", async () => {
  const root = await Deno.makeTempDir({ dir: "/var/tmp" });
  const bin = await Deno.makeTempDir();
  const why = async (options: Partial<Parameters<typeof createSandbox>[0]>) => {
    const env = { PATH: Deno.env.get("PATH") ?? "" };
    const sandbox = createSandbox({ workspace: root, env, network: true, write: [], ...options });
    try {
      await sandbox.open();
      return "open";
    } catch (error) {
      assert.ok(error instanceof SandboxError, `${error}`);
      return `${error.why} ${error.detail}`;
    } finally {
      sandbox.close();
    }
  };
  try {
    await Deno.symlink("/bin/sh", join(bin, "sh"));
    assert.match(await why({ env: { PATH: bin } }), /^missing .*bwrap/);
    await Deno.writeTextFile(
      join(bin, "bwrap"),
      "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n",
      { mode: 0o755 },
    );
    assert.match(await why({ env: { PATH: bin } }), /^failed .*No permissions/);
    assert.match(await why({ workspace: "/" }), /^root/);
    assert.equal(await why({}), "open");
    await Deno.symlink("/etc", join(root, ".git"));
    assert.match(await why({}), /^link .*\.git$/);
  } finally {
    await Deno.remove(root, { recursive: true });
    await Deno.remove(bin, { recursive: true });
  }
});

Deno.test("the profile for macOS lets the workspace be written and shuts what is in it last", () => {
  const profile = seatbeltProfile([
    { path: "/w", access: "write" },
    { path: "/w/.git", access: "write" },
    { path: '/w/.git/"x', access: "read" },
  ], false);
  const lines = profile.split("\n");
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  assert.equal(lines[0], "(version 1)");
  assert.ok(at("(deny file-write*)") < at('(allow file-write* (subpath "/w"))'));
  assert.ok(
    at('(allow file-write* (subpath "/w/.git"))') <
      at('(deny file-write* (subpath "/w/.git/\\"x"))'),
  );
  assert.ok(profile.endsWith("(deny network*)"));
});
