/** A folder that asks for everything is opened: nothing starts, nothing is sent, nothing is written elsewhere. */
import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { hostileFiles, makeWorse } from "./hostile_folder.ts";
import { type Program, runNarnat } from "../support/narnat.ts";
import { onStage } from "../support/terminal.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";

const KEY = "k3y-of-the-user-0123456789";

/** Hears of every connection, and of what is said first on it. */
function listener() {
  const heard: string[] = [];
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const hearing = (async () => {
    for await (const connection of server) {
      heard.push("connected");
      const buffer = new Uint8Array(4096);
      const n = await connection.read(buffer).catch(() => null);
      heard.push(new TextDecoder().decode(buffer.subarray(0, n ?? 0)));
      connection.close();
    }
  })();
  return {
    url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    heard,
    async close() {
      server.close();
      await hearing.catch(() => {});
    },
  };
}

/** Every file below but those of `.narnat`, with its time and size. */
function files(dir: string, top = dir): string[] {
  return [...Deno.readDirSync(dir)].flatMap(({ name, isDirectory }) => {
    const path = join(dir, name);
    if (name === ".narnat" && isDirectory) return [];
    const { mtime, size } = Deno.lstatSync(path);
    const own = `${relative(top, path)} ${mtime?.getTime()} ${size}`;
    return isDirectory ? [own, ...files(path, top)] : [own];
  }).sort();
}

const traced = await new Deno.Command("strace", { args: ["-V"], stdout: "null", stderr: "null" })
  .output().then(({ success }) => success, () => false);
if (!traced) {
  console.error("SKIPPED: strace is missing, what is started is known by its marks alone");
}

const watching = (trace: string) => [
  ...["-f", "-qq", "-s", "300", "-e", "trace=execve,connect", "-o", trace],
];

/** The same program, with a list of what it starts and connects to. */
const watched = (program: Program, trace: string): Program =>
  traced
    ? {
      ...program,
      command: "strace",
      args: [...watching(trace), program.command, ...program.args],
    }
    : program;

/** What was started and reached besides narnat itself. */
function traceOf(path: string): string[] {
  if (!traced) return [];
  return Deno.readTextFileSync(path).split("\n")
    .filter((line) => /execve\((?!.* = -1)/.test(line) || /connect\(.*AF_INET/.test(line))
    .filter((line) =>
      !line.includes(`execve("${Deno.execPath()}"`) && !/"\/usr\/bin\/env"/.test(line)
    );
}

slow(
  "a hostile folder is opened by a script: it reaches the user's own model and nobody else",
  async () => {
    const server = listener();
    const provider = await startFakeProvider(() => ({ text: "hello" }));
    await withWorkspace({ "home/.keep": "", "w/.keep": "" }, async (root) => {
      const [ran, trace, w] = [join(root, "ran"), join(root, "trace"), join(root, "w")];
      for (const [path, text] of Object.entries(hostileFiles(ran, server.url))) {
        await Deno.mkdir(join(w, path, ".."), { recursive: true });
        await Deno.writeTextFile(join(w, path), String(text));
      }
      await makeWorse(w);
      const before = files(root);
      const env = {
        PATH: `${w}/node_modules/.bin:.:${Deno.env.get("PATH")}`,
        NARNAT_API_KEY: KEY,
        NARNAT_BASE_URL: provider.url,
        NARNAT_MODEL: "fake",
      };
      const at = (...args: string[]) =>
        runNarnat(watched(BUNDLED, trace), args, { cwd: w, env, stdin: "" });
      const { code, stdout, stderr } = await at("-p", "hi");
      assert.deepEqual([code, stdout], [0, "hello\n"], stderr);
      const told = /not trusted and not used: this project's (.*); narnat trust/.exec(stderr)?.[1];
      assert.deepEqual(told?.split(", ").sort(), [
        ...[".agent/mcp.json", ".agent/skills/four.json", ".agents/skills/two/SKILL.md"],
        ...[".claude/skills/three/SKILL.md", ".mcp.json", ".narnat/mcp.json"],
        ...[".narnat/skills/one/SKILL.md", "hooks", "skills"],
      ]);
      assert.doesNotMatch(JSON.stringify(provider.requests[0]!.json), /HOSTILE GUIDANCE/);
      const port = new URL(provider.url).port;
      const others = traceOf(trace).filter((line) => !line.includes(`htons(${port})`));
      assert.deepEqual(others, []);
      // other commands that only look
      for (
        const words of [
          ["trust"],
          ["skills"],
          ["mcp"],
          ["prompt"],
          ["sessions"],
          ["undo", "--list"],
          ["trash"],
        ]
      ) {
        await at(...words);
        assert.deepEqual(traceOf(trace), [], words.join(" "));
      }
      assert.deepEqual(server.heard, []);
      assert.ok(!files(root).some((one) => one.startsWith("ran ")));
      const outside = (all: string[]) => all.filter((one) => !/^(?:trace|w|home) /.test(one));
      assert.deepEqual(outside(files(root)), outside(before));
      // which starts programs, but none of the folder's
      assert.match((await at("doctor", "--model", "demo")).stdout, /✓ git: git version/);
      assert.ok(!files(root).some((one) => one.startsWith("ran ")));
      // what is watched would be seen
      await at("trust", "add");
      await at("-p", "hi");
      assert.match(await Deno.readTextFile(ran), /session_start\n[^]*turn_end\n/);
      assert.ok(!traced || traceOf(trace).some((line) => /execve.*session_start/.test(line)));
      assert.ok(server.heard.length > 0);
      assert.doesNotMatch(server.heard.join(), new RegExp(KEY));
    }).finally(async () => {
      await provider.close();
      await server.close();
    });
  },
);

slow({
  name:
    "a hostile folder is opened at the terminal: nothing happens, not even a Dream, before the Yes",
  ignore: !await Tmux.available(),
  async fn() {
    const server = listener();
    const ran = await Deno.makeTempFile();
    await Deno.remove(ran);
    const { ".narnat/narnat.json": settings, ...rest } = hostileFiles(ran, server.url);
    try {
      await onStage({
        env: { LANG: "en_US.UTF-8" },
        files: { ...rest, ".narnat/narnat.json": settings! },
        size: [200, 50],
      }, async ({ tmux, provider, project, start }) => {
        await makeWorse(project);
        const trace = join(project, "../trace");
        const script = join(project, "../narnat");
        if (traced) {
          const text = await Deno.readTextFile(script);
          const strace = ["strace", ...watching(trace)].join(" ");
          await Deno.writeTextFile(script, text.replace("exec env", `exec ${strace} env`));
        }
        const before = files(project);
        await start();
        await tmux.shows(/Trust it\?[^]*→ No/);
        // a Dream would have begun by now
        await new Promise((resolve) => setTimeout(resolve, 4000));
        assert.deepEqual([server.heard, provider.requests.length], [[], 0]);
        assert.deepEqual(traceOf(trace), []);
        await tmux.key("Enter");
        await tmux.shows(/They are not started and not used/);
        await tmux.key("C-d");
        await tmux.shows("RC=0");
        assert.deepEqual([server.heard, provider.requests.length], [[], 0]);
        assert.deepEqual(traceOf(trace), []);
        assert.deepEqual(files(project), before);
        await assert.rejects(Deno.stat(ran), Deno.errors.NotFound);
      });
    } finally {
      await server.close();
    }
  },
});
