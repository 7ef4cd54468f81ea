/** The real narnat as one file: an empty environment, no network, nothing but the file itself. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { bundleNarnat } from "../../scripts/groups.ts";
import { onceRunnable, type Program, ROOT } from "../support/narnat.ts";
import { mainJob } from "./main_job.ts";
import { slow, SOAK } from "../support/soak.ts";

const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "narnat-test-" }));
const executable = join(folder, "narnat");
const home = join(folder, "home");
const cache = join(home, ".cache/narnat");
const workspace = join(folder, "w");
const older = join(cache, "0123456789abcdef");
const ENV = { PATH: "/usr/bin:/bin", HOME: home };

async function works(command: string, args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output())
      .success;
  } catch {
    return false;
  }
}

/** Before narnat's own command line: a namespace whose only network device is a loopback that is down. */
const cut = await works("unshare", ["-rn", "true"]) ? ["unshare", "-rn", "--"] : [];
if (cut.length === 0) console.warn("WITHOUT NETWORK NAMESPACE: unshare -rn does not work here");

Deno.test.beforeAll(async () => {
  if (SOAK < 1) return;
  await Deno.mkdir(older, { recursive: true });
  await Deno.mkdir(workspace);
  await Deno.writeTextFile(join(workspace, "a.txt"), "a needle\n");
  await Deno.writeTextFile(join(older, "ok"), "");
  const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
  await Deno.utime(join(older, "ok"), twoDaysAgo, twoDaysAgo);
  await build(bundleNarnat, executable, 1);
  // Waits until no other thread's child holds the file open; the launcher refuses before it unpacks.
  const refused = new Deno.Command(executable, {
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", NARNAT_CACHE: "not/absolute" },
    stderr: "null",
  });
  assert.equal((await onceRunnable(() => refused.output())).code, 70);
});

Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

function start(args: readonly string[], env = {}): Deno.ChildProcess {
  const [command = "", ...rest] = [...cut, executable, ...args];
  return new Deno.Command(command, {
    args: rest,
    cwd: workspace,
    clearEnv: true,
    env: { ...ENV, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(args: readonly string[], env = {}): Promise<[number, string, string]> {
  const child = start(args, env);
  await child.stdin.close();
  const { code, stdout, stderr } = await child.output();
  return [code, new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
}

/** The unpacked version's folder: the one that is not the older version's. */
function unpacked(): string {
  const ids = [...Deno.readDirSync(cache)].map((entry) => join(cache, entry.name));
  const own = ids.filter((id) => id !== older);
  assert.equal(own.length, 1, String(ids));
  return own[0]!;
}

/** The names of a process's threads (Linux). */
function threadsOf(pid: number): string[] {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) =>
    Deno.readTextFileSync(`/proc/${pid}/task/${name}/comm`).trim()
  );
}

slow("a stdout that was closed before the start is told, and nothing is done", async () => {
  for (const shell of ["sh", "bash"]) {
    const { code, stderr } = await new Deno.Command(shell, {
      args: ["-c", `${executable} --model demo -p hi --output-format json >&- </dev/null`],
      cwd: workspace,
      clearEnv: true,
      env: ENV,
    }).output();
    assert.equal(code, 1);
    assert.match(
      new TextDecoder().decode(stderr),
      /^narnat: Cannot write to standard output: it is closed, .+\n$/,
    );
  }
});

slow("the first start unpacks, removes what is old, and answers", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  assert.deepEqual(await run(["--version"]), [0, `narnat ${version}\n`, ""]);
  assert.equal((await run(["--help"]))[0], 0);
  assert.throws(() => Deno.statSync(older), Deno.errors.NotFound);
});

slow("the demo model searches, and the next start finds the program unpacked", async () => {
  await run(["--help"]);
  const before = Deno.statSync(join(unpacked(), "deno")).ino;
  const [code, stdout, stderr] = await run(["-p", "find needle", "--model", "demo"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /a\.txt:1/);
  assert.equal(stderr, "");
  assert.equal(Deno.statSync(join(unpacked(), "deno")).ino, before);
});

slow("tool --jsonl answers line by line, and the search has its worker thread", async () => {
  const child = start(["tool", "--jsonl"]);
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  const reader = lines.getReader();
  const writer = child.stdin.getWriter();
  let rest = "";
  const call = async (name: string, input: unknown) => {
    await writer.write(new TextEncoder().encode(JSON.stringify({ name, input }) + "\n"));
    while (!rest.includes("\n")) {
      const { value, done } = await reader.read();
      assert.ok(!done, "it ended before it answered");
      rest += value;
    }
    const end = rest.indexOf("\n") + 1;
    const line = rest.slice(0, end);
    rest = rest.slice(end);
    return JSON.parse(line);
  };
  try {
    const before = threadsOf(child.pid);
    assert.ok((await call("TodoWrite", { todos: [] })).ok);
    // what no automaton decides is searched beside narnat's own thread
    const grep = await call("Grep", { pattern: "needle(?!x)" });
    assert.equal(grep.text, "a.txt:1:a needle");
    const workers = threadsOf(child.pid).filter((name) => name.startsWith("worker"));
    assert.ok(workers.length >= 1, `${before} → ${threadsOf(child.pid)}`);

    const { text } = await call("Bash", { command: "env" });
    const names = (text as string).split("\n").filter((line) => line.includes("="))
      .map((line) => line.split("=")[0]!).filter((name) => /^\w+$/.test(name)).sort();
    assert.deepEqual(names, ["HOME", "NARNAT_JOB", "PATH", "PWD", "SHLVL", "_"]);
    const page = await call("WebFetch", { url: "https://example.com/" });
    assert.equal(page.ok, false);
  } finally {
    await writer.close();
    await reader.cancel();
  }
  assert.equal((await child.status).code, 0);
  await child.stderr.cancel();
});

slow("no command reads a key from narnat's own process, and narnat has it", async () => {
  const env = {
    NARNAT_API_KEY: "sk-9876543210abcdefXYZ",
    BRAVE_API_KEY: "BSAone2three4five6seven8",
  };
  assert.match((await run(["doctor"], env))[1], /key: set/);
  const command = `for p in $PPID $$; do
      base64 -w0 /proc/$p/environ; echo; base64 -w0 /proc/$p/cmdline; echo
      for fd in /proc/$p/fd/*; do test -p $fd && timeout 0.2 base64 -w0 <$fd; echo; done
    done; env | base64 -w0`;
  const [, stdout] = await run(["tool", "Bash", JSON.stringify({ command })], env);
  const told = stdout.split("\n").map((line) => /^[\w+/=]+$/.test(line) ? atob(line) : line).join(
    "\n",
  );
  // it has read something
  assert.match(told, /HOME=/);
  for (const key of Object.values(env)) assert.ok(!told.includes(key), told);
});

slow(
  "a command sees the environment that was given, and nothing that the launcher set",
  async () => {
    const own = { DENO_DIR: "/theirs", MALLOC_ARENA_MAX: "7" };
    for (const given of [{ PATH: "/usr/bin:/bin" }, { PATH: "/nowhere" }, { ...ENV, ...own }]) {
      const { stdout } = await new Deno.Command(executable, {
        args: ["tool", "Bash", JSON.stringify({ command: "/usr/bin/env" })],
        cwd: workspace,
        clearEnv: true,
        env: { ...ENV, ...given },
      }).output();
      const told = new TextDecoder().decode(stdout);
      const seen = told.match(/^(?:PATH|DENO|NARNAT(?!_JOB)|MALLOC)\w*=.*/gm);
      const { HOME: _, ...rest } = { ...ENV, ...given };
      assert.deepEqual(seen?.sort(), Object.entries(rest).map((pair) => pair.join("=")).sort());
    }
  },
);

slow("keys that a shell hands over in a file are in no file that a command reads", async () => {
  const key = "sk-9876543210abcdefXYZ";
  const file = join(folder, "keys");
  const input = JSON.stringify({ command: "wc -c </proc/$PPID/fd/9; cat /dev/fd/9; env" });
  const { stdout } = await new Deno.Command("bash", {
    args: [
      "-c",
      `printf 'OPENAI_API_KEY=%s\\n' "$KEY" >"$FILE"; exec 9<"$FILE"; rm "$FILE"
      unset KEY; exec "$@"`,
      "bash",
      Deno.execPath(),
      "run",
      "-A",
      join(ROOT, "main.ts"),
      "tool",
      "Bash",
      input,
    ],
    cwd: workspace,
    clearEnv: true,
    env: {
      ...ENV,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME")!, ".cache/deno"),
      NARNAT_DENO_DIR: "",
      NARNAT_KEYS: "9",
      KEY: key,
      FILE: file,
    },
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert.match(said, /^0\n/);
  assert.ok(!said.includes("sk-") && !said.includes("NARNAT_KEYS"), said);
});

slow("the commands work without network", async () => {
  assert.equal((await run(["doctor", "--model", "demo"]))[0], 0);
  assert.match((await run(["prompt"]))[1], /Grep/);
  assert.match((await run(["check-command", "rm -rf x"]))[1], /"verdict":"ask"/);
  assert.equal((await run(["sessions"]))[0], 0);
});

slow("the main job is done over both protocols", async () => {
  const built: Program = {
    name: "built",
    command: "/usr/bin/env",
    args: [`NARNAT_CACHE=${cache}`, executable],
  };
  await mainJob(built, "openai");
  await mainJob(built, "messages");
});
