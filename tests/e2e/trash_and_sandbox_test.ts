/** What rm deletes comes back, and a sandbox holds what Bash runs, from the command line. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { sandboxRuns } from "../shell/sandboxed.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

type Env = { readonly [name: string]: string };

const narnatIn = (root: string, more: Env = {}) => (...args: string[]) =>
  runNarnat(BUNDLED, args, {
    cwd: join(root, "ws"),
    env: { ...cleanEnv(join(root, "home")), NARNAT_MODEL: "demo", ...more },
    stdin: "",
  });

slow(
  "an ignored folder that a model deletes comes back by its id, and nothing is overwritten",
  async () => {
    const files = {
      "w/.gitignore": "build\n",
      "w/build/deep/x": "x",
      "w/y": "y",
      "home/.keep": "",
    };
    const script = [
      { calls: [{ name: "Bash", input: { command: "rm -rf build y && echo gone" } }] },
      { text: "Done." },
    ];
    await stage(script, async ({ root, asked, ...on }) => {
      const narnat = (...args: string[]) => on.narnat(args);
      const ran = await narnat("--allow-delete", "-p", "clean up");
      assert.equal(ran.code, 0, ran.stderr);
      const [, id = ""] = /narnat trash restore ([0-9a-f]{6}) \(2 files/.exec(asked()) ?? [];
      const list = await narnat("trash");
      assert.ok(list.stdout.startsWith(`${id}  `), list.stdout);
      assert.match(list.stdout, /2 files, 2 B {2}rm -rf build y[^\n]*\n +build, y\n/);
      await Deno.writeTextFile(join(root, "y"), "new");
      const part = await narnat("trash", "restore", id);
      assert.deepEqual([part.code, part.stdout.split("\n")[0]], [1, "Brought back: build"]);
      assert.match(part.stdout, /something else is there now[^\n]*: y\n/);
      assert.equal(await Deno.readTextFile(join(root, "build/deep/x")), "x");
      assert.equal(await Deno.readTextFile(join(root, "y")), "new");
      const unasked = await narnat("trash", "empty");
      assert.deepEqual([unasked.code, /--yes/.test(unasked.stderr)], [2, true]);
      assert.equal((await narnat("trash", "restore", "zz")).code, 2);
      const missing = await narnat("trash", "restore", id, "../../x", "nope");
      assert.deepEqual([missing.code, missing.stdout], [
        1,
        `There is no ../../x, nope in ${id}\n`,
      ]);
      const wrong = await narnat("trash", "drop");
      assert.deepEqual([wrong.code, /Usage: narnat trash \[list/.test(wrong.stderr)], [2, true]);
      const emptied = await narnat("trash", "empty", "--yes");
      assert.deepEqual([emptied.code, emptied.stdout], [0, "Emptied (1 entry)\n"]);
      assert.equal((await narnat("--lang", "zh", "trash")).stdout, "回收站是空的\n");
    }, files);
  },
);

Deno.test({
  name:
    'with "sandbox" Bash writes in the workspace only, doctor and /status say so, and without bubblewrap it refuses',
  ignore: !sandboxRuns,
  async fn() {
    const files = {
      "ws/.narnat/narnat.json": '{"sandbox": {"network": false}}',
      "home/.bashrc": "",
    };
    await withWorkspace(files, async (root) => {
      const narnat = narnatIn(root);
      const typed =
        "!touch ok; touch /etc/narnat-x; touch .narnat/x; touch ~/.bashrc2; ls; curl -sS http://1.1.1.1";
      const ran = await narnat("-p", typed);
      assert.equal(ran.stdout.match(/Read-only file system/g)?.length, 3, ran.stdout);
      assert.match(ran.stdout, /\nok\n[^]*\[sandbox\]/);
      assert.match(
        (await narnat("doctor")).stdout,
        /✓ sandbox: on; .*\/ws, \/tmp.*without network/,
      );
      assert.match((await narnat("-p", "/status")).stdout, /sandbox: on, without network/);
      assert.deepEqual(
        [...Deno.readDirSync(join(root, "ws"))].map(({ name }) => name).sort(),
        [".narnat", "ok"],
      );
      const bin = join(root, "bin");
      await Deno.mkdir(bin);
      await Deno.symlink("/bin/sh", join(bin, "sh"));
      const bare = narnatIn(root, { PATH: bin });
      await Deno.mkdir(join(root, "home/.narnat"), { recursive: true });
      await Deno.writeTextFile(join(root, "home/.narnat/narnat.json"), '{"sandbox": true}');
      const begun = await bare("-p", "/status");
      assert.match(begun.stderr, /Commands are to run in a sandbox [^\n]*bubblewrap/);
      const refused = await bare("-p", "!touch never");
      assert.match(refused.stdout + refused.stderr, /Not run: [^\n]*bubblewrap/);
      assert.ok(![...Deno.readDirSync(join(root, "ws"))].some(({ name }) => name === "never"));
      const doctor = await bare("doctor");
      assert.equal(doctor.code, 1);
      assert.match(doctor.stdout, /✗ sandbox: [^\n]*install bubblewrap/);
    });
  },
});
