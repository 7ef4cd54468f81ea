/** narnat as root in a folder of somebody else's, and as somebody else after that. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { asNobody, BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const ignore = Deno.build.os === "windows" || Deno.uid() !== 0;
if (ignore) console.warn("SKIPPED: only root can be another user");
const NOBODY = 65534;
const HELLO = ["--model", "demo", "--lang", "en", "-p", "hello"];

/** A folder and a home of the user nobody's. */
async function withTheirs(use: (root: string, cwd: string) => Promise<void>): Promise<void> {
  await withWorkspace({ "w/a.txt": "a\n", "home/.x": "" }, async (root) => {
    await Deno.chmod(root, 0o755);
    for (const path of ["w", "w/a.txt", "home"]) await Deno.chown(join(root, path), NOBODY, NOBODY);
    await use(root, join(root, "w"));
  });
}

function* below(path: string): Generator<string> {
  yield path;
  for (const { name, isDirectory } of Deno.readDirSync(path)) {
    if (isDirectory) yield* below(join(path, name));
    else yield join(path, name);
  }
}

slow({
  name: "what root's narnat keeps in another's folder is theirs, and they go on with it",
  ignore,
  async fn() {
    await withTheirs(async (root, cwd) => {
      const env = { HOME: join(root, "root") };
      const told = ["--allow-delete", "-p", "replace a with b in a.txt"];
      for (const args of [["init"], HELLO, [...HELLO.slice(0, 4), ...told]]) {
        assert.equal((await runNarnat(BUNDLED, args, { cwd, env, stdin: "" })).code, 0);
      }
      const paths = [...below(join(cwd, ".narnat"))];
      assert.ok(paths.length > 8, String(paths));
      for (const path of paths) assert.equal(Deno.lstatSync(path).uid, NOBODY, path);
      await Deno.mkdir(join(root, "nobody"));
      const nobody = await asNobody(join(root, "nobody"));
      if (!nobody) return;
      const next = await runNarnat(nobody, [...HELLO, "-c"], { cwd, stdin: "" });
      assert.deepEqual([next.code, next.stderr], [0, ""]);
      const { stdout } = await runNarnat(nobody, ["sessions"], { cwd, stdin: "" });
      assert.equal(stdout.match(/hello/g)?.length, 1, stdout);
    });
  },
});

Deno.test({
  name: "links in another's folder are not given away, nor what they lead to",
  ignore,
  async fn() {
    await withTheirs(async (root, cwd) => {
      await Deno.writeTextFile(join(root, "roots"), "");
      await Deno.mkdir(join(cwd, ".narnat/memory"), { recursive: true });
      await Deno.symlink(join(root, "roots"), join(cwd, ".narnat/memory/link"));
      await Deno.link(join(root, "roots"), join(cwd, ".narnat/memory/other"));
      await runNarnat(BUNDLED, HELLO, { cwd, env: { HOME: join(root, "root") }, stdin: "" });
      assert.equal(Deno.statSync(join(cwd, ".narnat/memory")).uid, NOBODY);
      assert.equal(Deno.statSync(join(root, "roots")).uid, 0);
    });
  },
});

slow({
  name: "a .narnat that is closed to the user is told, and the session goes on in memory",
  ignore,
  async fn() {
    await withTheirs(async (root, cwd) => {
      await Deno.mkdir(join(cwd, ".narnat/sessions"), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(join(cwd, ".narnat/narnat.json"), `{"model":"of-root"}`);
      await Deno.mkdir(join(root, "nobody"));
      const nobody = await asNobody(join(root, "nobody"));
      if (!nobody) return;
      const { code, stdout, stderr } = await runNarnat(nobody, HELLO, { cwd, stdin: "" });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /built-in demo model/);
      assert.match(stderr, /The \.narnat in .* is another user's .*chown -R/);
      assert.match(stderr, /goes on in memory/);
      for (const args of [["sessions"], ["prompt"], ["mcp"], ["trash"], ["skills"], ["trust"]]) {
        const ran = await runNarnat(nobody, args, { cwd, stdin: "" });
        assert.equal(ran.code, 0, `${args}: ${ran.stderr}`);
      }
    });
  },
});
