import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { bundle, ROOT } from "../../scripts/bundle.ts";
import { pack, tar } from "../../scripts/pack.ts";
import { onceRunnable } from "../support/narnat.ts";
import { Pty } from "../support/pty.ts";
import { slow, SOAK } from "../support/soak.ts";

const PROGRAM = `
const [what, value] = Deno.args;
if (what === "exit") Deno.exit(Number(value));
if (what === "sleep") await new Promise((resolve) => setTimeout(resolve, 60_000));
const lazy = what === "lazy" ? (await import("./lazy.ts")).word : "";
const parsed = what === "npm" ? (await import("unbash")).parse(value).commands.length : 0;
console.log(JSON.stringify({
  args: Deno.args,
  pid: Deno.pid,
  umask: Deno.umask(),
  path: Deno.env.get("PATH"),
  keys: Deno.env.get("NARNAT_KEYS") ? Deno.readTextFileSync("/dev/fd/9") : "",
  names: Object.keys(Deno.env.toObject()),
  lazy,
  parsed,
  denoDir: Deno.env.get("DENO_DIR"),
  theirs: Deno.env.get("NARNAT_DENO_DIR"),
}));
`;

const folder = Deno.makeTempDirSync({ prefix: "narnat-test-" });
/** What `build` makes: its 100 MB take seconds to unpack. */
const whole = join(folder, "whole");
/** The same but for its Deno, which is a script that starts this machine's. */
const executable = join(folder, "narnat");
const sources = ["deno.json", "main.ts", "lazy.ts"];
/** A home in which a first run has been: most tests need no other. */
const warm = join(folder, "warm");

Deno.test.beforeAll(async () => {
  await Deno.writeTextFile(join(folder, "main.ts"), PROGRAM);
  await Deno.writeTextFile(join(folder, "lazy.ts"), `export const word = "later";\n`);
  const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const config = { nodeModulesDir: "none", imports: { unbash: imports.unbash } };
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(config));
  await packLight();
  await Deno.mkdir(warm);
  assert.equal((await run({ HOME: warm })).code, 0);
  if (SOAK < 1) return;
  await build((to) => bundle(join(folder, "main.ts"), to), whole, 1);
  // waits until no other thread's child holds the file open; the launcher refuses before it unpacks
  assert.equal((await run({ NARNAT_CACHE: "not/absolute" }, [], whole)).code, 70);
});

/** Packs the program with a script in Deno's place, padded so that unpacking takes a moment. */
async function packLight(): Promise<void> {
  const out = await Deno.makeTempDir({ dir: folder });
  const entry = await bundle(join(folder, "main.ts"), out);
  const names = await Array.fromAsync(Deno.readDir(out), ({ name }) => name);
  const padding = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("hex");
  const deno = `#!/bin/sh\nexec "${Deno.execPath()}" "$@"\n# ${padding}\n`;
  const files = [
    { name: "deno", bytes: new TextEncoder().encode(deno), executable: true },
    ...names.sort().map((name) => ({ name, bytes: Deno.readFileSync(join(out, name)) })),
  ];
  const label = { version: "0", deno: Deno.version.deno, entry };
  await Deno.writeFile(executable, pack(files, label, 1), { mode: 0o755 });
}

Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = { readonly [name: string]: string };

/** A home (and cache) no other test uses. */
function newHome(): Promise<string> {
  return Deno.makeTempDir({ dir: folder, prefix: "home-" });
}

/** Runs `file` in an environment of PATH and `env` alone. */
async function run(env: Env, args: readonly string[] = [], file = executable): Promise<Ran> {
  const command = new Deno.Command(file, {
    args: [...args],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", ...env },
    stdin: "null",
  });
  const { code, stdout, stderr } = await onceRunnable(() => command.output());
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

async function ids(cache: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(cache), (entry) => entry.name)).sort();
}

async function leftovers(cache: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of await ids(cache)) {
    for await (const entry of Deno.readDir(join(cache, id))) {
      if (entry.name.startsWith(".new.")) found.push(join(cache, id, entry.name));
    }
  }
  return found;
}

Deno.test("hands arguments through untouched and leaves the user's umask", async () => {
  const args = ["a b", "", "$HOME *", "--version", "中文"];
  const { code, stdout, stderr } = await run({ HOME: warm }, args);
  assert.deepEqual([code, stderr], [0, ""]);
  const said = JSON.parse(stdout);
  assert.deepEqual(said.args, args);
  assert.equal(said.umask, Deno.umask());
});

Deno.test("unpacks once; the next start finds it there", async () => {
  const cache = join(warm, ".cache/narnat");
  const [id] = await ids(cache);
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  const before = (await Deno.stat(join(cache, id!, "deno"))).ino;
  assert.equal((await run({ HOME: warm })).code, 0);
  assert.equal((await Deno.stat(join(cache, id!, "deno"))).ino, before);
});

Deno.test("passes exit codes on", async () => {
  assert.equal((await run({ HOME: warm }, ["exit", "3"])).code, 3);
});

Deno.test("loads lazily imported chunks", async () => {
  const { stdout } = await run({ HOME: warm }, ["lazy"]);
  assert.equal(JSON.parse(stdout).lazy, "later");
});

Deno.test("carries its packages with it", async () => {
  const { stdout } = await run({ HOME: warm }, ["npm", "ls; pwd"]);
  assert.equal(JSON.parse(stdout).parsed, 2);
});

Deno.test("becomes the program: the pid is the one that was started, and TERM ends it", async () => {
  const env = { HOME: warm, PATH: "/usr/bin:/bin" };
  const child = new Deno.Command(executable, { clearEnv: true, env, stdout: "piped" }).spawn();
  assert.equal(JSON.parse(await child.stdout.text()).pid, child.pid);
  await child.status;
  const sleeper = new Deno.Command(executable, { args: ["sleep"], clearEnv: true, env }).spawn();
  sleeper.kill("SIGTERM");
  assert.equal((await sleeper.status).success, false);
});

Deno.test("gives the program its own DENO_DIR and says what the user's was", async () => {
  const said = JSON.parse((await run({ HOME: warm, DENO_DIR: "/theirs" })).stdout);
  assert.ok(said.denoDir.startsWith(warm));
  assert.equal(said.theirs, "/theirs");
  assert.equal(JSON.parse((await run({ HOME: warm })).stdout).theirs, "");
});

Deno.test("no node is put on the PATH where there is none", async () => {
  for (const PATH of ["", "/nowhere"]) {
    const { path, names } = JSON.parse((await run({ HOME: warm, PATH })).stdout);
    assert.equal(path, PATH);
    assert.ok(!names.includes("DENO_NODE_SHIM_ACTIVE"), String(names));
  }
});

slow("NARNAT_CACHE wins over XDG_CACHE_HOME, which wins over HOME", async () => {
  const home = await newHome();
  const [narnat, xdg] = [join(home, "n"), join(home, "x")];
  await run({ HOME: home, XDG_CACHE_HOME: xdg, NARNAT_CACHE: narnat });
  assert.deepEqual(await ids(home), ["n"]);
  await run({ HOME: home, XDG_CACHE_HOME: xdg });
  assert.deepEqual(await ids(home), ["n", "x"]);
  assert.equal((await ids(join(xdg, "narnat"))).length, 1);
});

Deno.test("refuses a relative NARNAT_CACHE", async () => {
  const { code, stderr } = await run({ HOME: await newHome(), NARNAT_CACHE: "here" });
  assert.equal(code, 70);
  assert.match(stderr, /NARNAT_CACHE must be an absolute path/);
});

Deno.test("a HOME that is a file is no HOME", async () => {
  const { code, stderr } = await run({
    HOME: "/dev/null",
    NARNAT_CACHE: join(warm, ".cache/narnat"),
  });
  assert.deepEqual([code, stderr], [0, ""]);
});

slow("says at a terminal, in the user's language, that it unpacks", async () => {
  for (
    const [LANG, said] of [["en_US.UTF-8", "unpacking once"], ["zh_CN.UTF-8", "正在解包"]] as const
  ) {
    const cwd = await newHome();
    const env = { HOME: cwd, PATH: "/usr/bin:/bin", LANG };
    const first = Pty.open([executable], { env, cwd });
    await first.end();
    assert.ok(first.written.includes(`narnat: `) && first.written.includes(said), first.written);
    const second = Pty.open([executable], { env, cwd });
    await second.end();
    assert.ok(!second.written.includes(said), second.written);
  }
});

Deno.test("without HOME it unpacks beside other temporary files", async () => {
  const tmp = await newHome();
  const { code } = await run({ TMPDIR: tmp });
  assert.equal(code, 0);
  assert.deepEqual(await ids(tmp), [`narnat-${Deno.uid()}`]);
});

Deno.test("refuses a temporary folder that is a link, as someone else may have laid it", async () => {
  const tmp = await newHome();
  const elsewhere = await newHome();
  await Deno.symlink(elsewhere, join(tmp, `narnat-${Deno.uid()}`));
  const { code, stderr } = await run({ TMPDIR: tmp });
  assert.equal(code, 70);
  assert.match(stderr, /NARNAT_CACHE/);
  assert.deepEqual(await ids(elsewhere), []);
});

slow("several first runs at once all work and leave nothing half done", async () => {
  const home = await newHome();
  const ran = await Promise.all(Array.from({ length: 4 }, () => run({ HOME: home }, ["lazy"])));
  assert.deepEqual(ran.map(({ code, stderr }) => [code, stderr]), Array(4).fill([0, ""]));
  assert.deepEqual(await leftovers(join(home, ".cache/narnat")), []);
});

slow("a killed first run does not spoil the next", async () => {
  const home = await newHome();
  const cache = join(home, ".cache/narnat");
  const child = new Deno.Command(whole, { clearEnv: true, env: { HOME: home } }).spawn();
  while ((await leftovers(cache).catch(() => [])).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  child.kill("SIGKILL");
  await child.status;
  assert.equal((await run({ HOME: home }, [], whole)).code, 0);
});

slow("a first run ended by TERM cleans up after itself", async () => {
  const home = await newHome();
  const cache = join(home, ".cache/narnat");
  const child = new Deno.Command(whole, { clearEnv: true, env: { HOME: home } }).spawn();
  while ((await leftovers(cache).catch(() => [])).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  child.kill("SIGTERM");
  assert.equal((await child.status).code, 143);
  assert.deepEqual(await leftovers(cache), []);
});

Deno.test("a flipped byte or a cut file is refused and nothing is installed", async () => {
  const bytes = await Deno.readFile(executable);
  const flipped = bytes.slice();
  flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1;
  for (const damaged of [flipped, bytes.subarray(0, bytes.length - 1000)]) {
    const home = await newHome();
    const file = join(home, "narnat");
    await Deno.writeFile(file, damaged, { mode: 0o755 });
    const { code, stderr } = await run({ HOME: home }, [], file);
    assert.equal(code, 70);
    assert.match(stderr, /damaged/);
    assert.deepEqual(await leftovers(join(home, ".cache/narnat")), []);
  }
});

const damages: { readonly [what: string]: (dir: string) => Promise<void> } = {
  "an emptied main.js": (dir) => Deno.truncate(join(dir, "main.js")),
  "a removed chunk": async (dir) => await Deno.remove(join(dir, await chunkIn(dir))),
  "a cut chunk": async (dir) => await Deno.truncate(join(dir, await chunkIn(dir)), 5),
  "a chunk overwritten at its size": async (dir) => await overwrite(join(dir, await chunkIn(dir))),
  "a main.js overwritten at its size": (dir) => overwrite(join(dir, "main.js")),
  "a deno overwritten at its size": (dir) => overwrite(join(dir, "deno")),
  "a cut deno": (dir) => Deno.truncate(join(dir, "deno"), 1000),
  "a removed deno": (dir) => Deno.remove(join(dir, "deno")),
};

/** Other bytes in the same place, as many as before. */
async function overwrite(file: string): Promise<void> {
  using open = await Deno.open(file, { write: true });
  await open.write(new TextEncoder().encode("}{ not what was packed"));
}

/** The chunk that is imported lazily. */
async function chunkIn(dir: string): Promise<string> {
  for await (const { name } of Deno.readDir(dir)) {
    const chunk = name.endsWith(".js") && name !== "main.js";
    if (chunk && (await Deno.readTextFile(join(dir, name))).includes('"later"')) return name;
  }
  return "no chunk";
}

for (const [what, damage] of Object.entries(damages)) {
  slow(`${what} among the unpacked files is mended at the next start`, async () => {
    const home = await newHome();
    await run({ HOME: home });
    const cache = join(home, ".cache/narnat");
    const dir = join(cache, (await ids(cache))[0]!);
    await damage(dir);
    for (const _ of [1, 2]) {
      const { code, stdout, stderr } = await run({ HOME: home }, ["lazy"]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(JSON.parse(stdout).lazy, "later");
    }
    assert.deepEqual(await leftovers(cache), []);
    const before = (await Deno.stat(join(dir, "deno"))).ino;
    await run({ HOME: home });
    assert.equal((await Deno.stat(join(dir, "deno"))).ino, before, "unpacked once only");
  });
}

/** Whether a start reads all that is unpacked, as the shell traces it. */
async function sums(home: string): Promise<boolean> {
  const { code, stderr } = await run({ HOME: home }, ["-x", executable], "/bin/sh");
  assert.equal(code, 0);
  assert.match(stderr, /^\+ untouched$/m);
  return /^\+ intact$/m.test(stderr);
}

slow({
  name: "a start reads what is unpacked to its end only after another boot or a change",
  ignore: !existsSync("/proc/sys/kernel/random/boot_id"),
  async fn() {
    const home = await newHome();
    await run({ HOME: home });
    const dir = await versionIn(home);
    await run({ HOME: home });
    assert.equal(await sums(home), false);
    const mark = join(dir, "ok");
    const boot = await Deno.readTextFile(mark);
    for (
      const change of [
        () => Deno.writeTextFile(mark, boot.replaceAll(/[0-9]/g, "x")),
        () => Deno.writeTextFile(mark, ""),
        () => Deno.writeTextFile(join(dir, "more"), ""),
        () => Deno.utime(join(dir, "main.js"), Date.now() / 1000 + 60, Date.now() / 1000 + 60),
      ]
    ) {
      await change();
      assert.equal(await sums(home), true, String(change));
    }
  },
});

slow("what a crash has spoilt without a trace is mended after the boot", async () => {
  for (const spoil of [(chunk: string) => Deno.truncate(chunk, 5), overwrite]) {
    const home = await newHome();
    await run({ HOME: home });
    const dir = await versionIn(home);
    const chunk = join(dir, await chunkIn(dir));
    await spoil(chunk);
    await Deno.utime(chunk, 1, 1);
    await Deno.writeTextFile(join(dir, "ok"), "another-boot\n");
    const { code, stdout } = await run({ HOME: home }, ["lazy"]);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).lazy, "later");
  }
});

Deno.test("the launcher tells the version without unpacking", async () => {
  for (const word of ["--version", "-v"]) {
    const home = await newHome();
    assert.deepEqual(await run({ HOME: home }, [word]), {
      code: 0,
      stdout: "narnat 0\n",
      stderr: "",
    });
    assert.deepEqual(await ids(home), []);
  }
});

Deno.test("a version that cannot be written is a failure, told as narnat tells it", async () => {
  const args = ["-c", `"$0" --version >/dev/full`, executable];
  const { code, stderr } = await run({ HOME: warm }, args, "/bin/sh");
  assert.deepEqual([code, stderr], [
    1,
    "narnat: Cannot write to standard output: the write failed\n",
  ]);
  const inChinese = await run({ HOME: warm, LANG: "zh_CN.UTF-8" }, args, "/bin/sh");
  assert.equal(inChinese.stderr, "narnat: 无法写到标准输出：写入失败\n");
  for (const flags of ["--lang zh", "--lang=zh", "doctor --lang zh -m demo"]) {
    const closed = ["-c", `"$0" ${flags} >&-`, executable];
    const { code, stderr } = await run({ HOME: warm }, closed, "/bin/sh");
    assert.equal(code, 1);
    assert.match(stderr, /^narnat: 无法写到标准输出：它已关闭，.+\n$/);
  }
});

/** Where the only version of a home is unpacked. */
async function versionIn(home: string): Promise<string> {
  const cache = join(home, ".cache/narnat");
  return join(cache, (await ids(cache))[0]!);
}

/** Runs a shell's text as the user nobody; whether it succeeded. */
async function asNobody(text: string): Promise<boolean> {
  const args = ["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", text];
  return (await new Deno.Command("setpriv", { args, stderr: "null" }).output()).success;
}

const root = Deno.uid() === 0;
if (!root) console.warn("SKIPPED: only root can be another user");

slow("programs of a PATH that a project made are not the launcher's", async () => {
  const bin = await newHome();
  for (
    const name of [
      "cat",
      "cksum",
      "gzip",
      "id",
      "ls",
      "mkdir",
      "mktemp",
      "mv",
      "rm",
      "tar",
      "uname",
    ]
  ) {
    await Deno.writeTextFile(join(bin, name), `#!/bin/sh\n/usr/bin/touch ${bin}/ran\n`, {
      mode: 0o755,
    });
  }
  const HOME = await newHome();
  for (const PATH of [bin, `${bin}:/usr/bin:/bin`, "."]) {
    for (const _ of ["unpacks", "starts"]) {
      const { code, stdout, stderr } = await run({ HOME, PATH }, ["path"]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.ok(JSON.parse(stdout).path.endsWith(PATH));
    }
  }
  assert.throws(() => Deno.statSync(join(bin, "ran")), Deno.errors.NotFound);
});

Deno.test("what is unpacked under an open umask is the user's alone, the program's own mode kept", async () => {
  const home = await newHome();
  const { code, stdout } = await run(
    { HOME: home },
    ["-c", 'umask 000; "$@"', "sh", executable],
    "/bin/sh",
  );
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).umask, 0);
  for (const dir of [".cache", ".cache/narnat", await versionIn(home)]) {
    const { mode } = await Deno.stat(dir.startsWith("/") ? dir : join(home, dir));
    assert.equal(mode! & 0o777, 0o700, dir);
  }
});

const FOREIGN = "#!/bin/sh\necho foreign\n";

const openings: { readonly [what: string]: (dir: string) => Promise<void> } = {
  "its version's folder could be written by all": async (dir) => {
    await Deno.chmod(dir, 0o777);
    await Deno.writeTextFile(join(dir, "deno"), FOREIGN);
  },
  "its version's folder belonged to another user": async (dir) => {
    await Deno.writeTextFile(join(dir, "deno"), FOREIGN);
    await Deno.chown(dir, 65534, 65534);
  },
  "a file in it belonged to another user": async (dir) => {
    await Deno.writeTextFile(join(dir, "deno"), FOREIGN);
    await Deno.chown(join(dir, "deno"), 65534, 65534);
  },
  "a file in it could be written by all": async (dir) => {
    await Deno.writeTextFile(join(dir, "deno"), FOREIGN);
    await Deno.chmod(join(dir, "deno"), 0o777);
  },
  "its code cache belonged to another user": async (dir) => {
    await Deno.writeTextFile(join(dir, "deno"), FOREIGN);
    await Deno.chown(join(dir, "cache"), 65534, 65534);
  },
};

/** Pads what `open` laid to the size of what was there: sizes tell nothing then. */
async function sameSize(file: string, open: () => Promise<void>): Promise<void> {
  const { size } = await Deno.stat(file);
  await open();
  const laid = await Deno.readFile(file);
  const padded = new Uint8Array(size).fill(0x23);
  padded.set(laid);
  await Deno.writeFile(file, padded);
}

for (const [what, open] of Object.entries(openings)) {
  Deno.test({
    name: `another user's program is not started: ${what}`,
    ignore: !root,
    async fn() {
      const home = await newHome();
      await run({ HOME: home });
      const dir = await versionIn(home);
      await sameSize(join(dir, "deno"), () => open(dir));
      for (const _ of ["made anew", "started"]) {
        const { code, stdout, stderr } = await run({ HOME: home });
        assert.deepEqual([code, stderr], [0, ""]);
        assert.notEqual(stdout, "foreign\n");
      }
      const { mode, uid } = await Deno.stat(dir);
      assert.deepEqual([mode! & 0o777, uid], [0o700, Deno.uid()]);
    },
  });
}

Deno.test({
  name: "after a first start under umask 000 another user can lay nothing in the cache's place",
  ignore: !root,
  async fn() {
    const home = await newHome();
    await Deno.chmod(folder, 0o755);
    await Deno.chmod(home, 0o755);
    await run({ HOME: home }, ["-c", 'umask 000; "$@"', "sh", executable], "/bin/sh");
    const dir = await versionIn(home);
    for (const path of [dir, join(home, ".cache/narnat"), join(home, ".cache")]) {
      assert.equal(await asNobody(`mv ${path} ${path}.gone || rm -r ${path}`), false);
      assert.equal(await asNobody(`echo x >${path}/deno || echo x >${path}/cache/x`), false);
    }
    assert.equal(await asNobody(`ls ${home}`), true, "nobody gets as far as the home");
  },
});

for (
  const [what, mode, uid] of [["can be written by all", 0o777, 0], [
    "is another's",
    0o755,
    65534,
  ]] as const
) {
  slow({
    name: `a cache under a folder that ${what} is not used, but one beside the temporary files`,
    ignore: !root,
    async fn() {
      const [home, tmp] = [await newHome(), await newHome()];
      await run({ HOME: home });
      const dir = await versionIn(home);
      await sameSize(join(dir, "deno"), () => Deno.writeTextFile(join(dir, "deno"), FOREIGN));
      await Deno.chmod(join(home, ".cache"), mode);
      await Deno.chown(join(home, ".cache"), uid, uid);
      for (const _ of ["unpacks", "starts"]) {
        const { code, stdout, stderr } = await run({ HOME: home, TMPDIR: tmp });
        assert.deepEqual([code, stderr], [0, ""]);
        assert.notEqual(stdout, "foreign\n");
      }
      assert.deepEqual(await ids(tmp), ["narnat-0"]);
      await Deno.chmod(tmp, 0o777);
      const { code, stderr } = await run({ HOME: home, TMPDIR: tmp });
      assert.equal(code, 70);
      assert.match(stderr, /nobody else can write/);
    },
  });
}

slow("a group of the user's own may write above the cache, any other may not", async () => {
  const [home, tmp] = [await newHome(), await newHome()];
  await run({ HOME: home, TMPDIR: tmp });
  const cache = join(home, ".cache");
  await Deno.chmod(cache, 0o775);
  await Deno.chown(cache, Deno.uid(), root ? 0 : Deno.gid());
  assert.equal((await run({ HOME: home, TMPDIR: tmp })).code, 0);
  if (Deno.uid() === Deno.gid()) assert.deepEqual(await ids(tmp), []);
  if (!root) return;
  await Deno.chown(cache, 0, 65534);
  assert.equal((await run({ HOME: home, TMPDIR: tmp })).code, 0);
  assert.deepEqual(await ids(tmp), ["narnat-0"]);
});

const SHELLS = [["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"]].filter(([shell]) =>
  ["/bin", "/usr/bin"].some((dir) => existsSync(join(dir, shell!)))
);

for (const [shell = "", ...args] of SHELLS) {
  slow(`${[shell, ...args].join(" ")} unpacks, starts and hands keys over`, async () => {
    const HOME = await newHome();
    const env = {
      HOME,
      OPENAI_API_KEY: "sk-'one' \"$HOME\" \\ `x` *",
      Brave_Api_Key: "two=2",
      LONG_TOKEN: "x".repeat(10_000),
      TEXT: "a\nexport FALSE_API_KEY=three\nb",
      LINES_API_KEY: "four\n4",
    };
    for (const _ of ["unpacks", "starts"]) {
      const ran = await run(env, [...args, executable, "keys", "a b"], shell);
      assert.deepEqual([ran.code, ran.stderr], [0, ""]);
      const said = JSON.parse(ran.stdout);
      assert.deepEqual(said.args, ["keys", "a b"]);
      const given = Object.fromEntries(
        said.keys.trim().split("\n").map((line: string) => line.split(/=(.*)/s).slice(0, 2)),
      );
      const { OPENAI_API_KEY, Brave_Api_Key, LONG_TOKEN } = env;
      assert.deepEqual(given, { OPENAI_API_KEY, Brave_Api_Key, LONG_TOKEN });
      for (const name of Object.keys(given)) assert.ok(!said.names.includes(name), name);
      for (const name of ["TEXT", "LINES_API_KEY", "HOME"]) assert.ok(said.names.includes(name));
    }
    assert.deepEqual(
      JSON.parse((await run({ HOME }, [...args, executable], shell)).stdout).keys,
      "",
    );
  });
}

Deno.test("a first run removes versions unused for a day, and nothing else", async () => {
  const home = await newHome();
  const cache = join(home, ".cache/narnat");
  const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
  const lay = async (id: string, when: Date) => {
    await Deno.mkdir(join(cache, id), { recursive: true });
    await Deno.copyFile("/bin/sleep", join(cache, id, "deno"));
    await Deno.writeTextFile(join(cache, id, "ok"), "");
    await Deno.utime(join(cache, id, "ok"), when, when);
  };
  await lay("0".repeat(16), twoDaysAgo);
  await lay("1".repeat(16), new Date());
  await lay("2".repeat(16), twoDaysAgo);
  await lay("not-ours", twoDaysAgo);
  const stale = join(cache, "1".repeat(16), ".new.abcdef");
  await Deno.mkdir(stale);
  await Deno.utime(stale, twoDaysAgo, twoDaysAgo);
  const living = new Deno.Command(join(cache, "2".repeat(16), "deno"), { args: ["60"] }).spawn();
  try {
    assert.equal((await run({ HOME: home })).code, 0);
  } finally {
    living.kill("SIGKILL");
    await living.status;
  }
  const left = await ids(cache);
  assert.deepEqual(left.filter((id) => /^(.)\1+$|not/.test(id)), [
    "1".repeat(16),
    "2".repeat(16),
    "not-ours",
  ]);
  assert.equal(left.length, 4);
  assert.deepEqual(await leftovers(cache), []);
});

Deno.test("starting a version marks it as used", async () => {
  const cache = join(warm, ".cache/narnat");
  const ok = join(cache, (await ids(cache))[0] ?? "", "ok");
  await Deno.utime(ok, 0, 0);
  await run({ HOME: warm });
  assert.ok((await Deno.stat(ok)).mtime!.getTime() > Date.now() - 3600 * 1000);
});

slow("the same sources give the same bytes, wherever they lie", async () => {
  const elsewhere = await newHome();
  for (const name of sources) {
    await Deno.copyFile(join(folder, name), join(elsewhere, name));
  }
  await build((to) => bundle(join(elsewhere, "main.ts"), to), join(elsewhere, "narnat"), 1);
  const [one, two] = [
    await Deno.readFile(whole),
    await Deno.readFile(join(elsewhere, "narnat")),
  ];
  assert.equal(Buffer.compare(one, two), 0);
});

Deno.test("the archive is one that tar reads, whatever the sizes", async () => {
  const sizes = [0, 1, 511, 512, 513, 5000];
  const files = sizes.map((size) => ({
    name: `f${size}`,
    bytes: new Uint8Array(size).fill(65),
    executable: size === 512,
  }));
  const home = await newHome();
  await Deno.writeFile(join(home, "a.tar"), tar(files));
  const { code } = await run({}, ["-xf", join(home, "a.tar"), "-C", home], "/usr/bin/tar");
  assert.equal(code, 0);
  for (const file of files) {
    assert.deepEqual(await Deno.readFile(join(home, file.name)), file.bytes);
    const mode = (await Deno.stat(join(home, file.name))).mode!;
    assert.equal((mode & 0o100) !== 0, file.executable);
  }
});

Deno.test("a file name that the archive cannot hold is refused", () => {
  const label = { version: "1", deno: "2", entry: "main.js" };
  for (const name of ["a/b", "", "中", "a b", "$x", "-n", "x".repeat(101)]) {
    assert.throws(() => pack([{ name, bytes: new Uint8Array() }], label, 1), /Cannot pack/);
  }
});
