/** What narnat keeps is its user's alone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat, SOURCE } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

/** Everything below that others could read, or look into. */
function* openBelow(dir: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(dir)) {
    const path = join(dir, name);
    const shut = (Deno.lstatSync(path).mode! & 0o077) === 0;
    if (!shut) yield path;
    // behind a shut folder nothing is open
    if (isDirectory && !shut) yield* openBelow(path);
  }
}

slow({
  name:
    "sessions, logs, outputs, checkpoints, trash and what lies in the home are for their user only",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace({ "w/a.txt": "a\n", "w/d/b.txt": "b\n", "home/.keep": "" }, async (root) => {
      const provider = await startFakeProvider([
        { calls: [{ name: "Bash", input: { command: "seq 20000; rm -r d" } }] },
        { calls: [{ name: "Write", input: { file_path: "new.txt", content: "x" } }] },
        { text: "done" },
      ]);
      try {
        const [cwd, home] = [join(root, "w"), join(root, "home")];
        const env = {
          NARNAT_API_KEY: "k-123456",
          NARNAT_BASE_URL: provider.url,
          NARNAT_MODEL: "fake",
        };
        const ran = await runNarnat(SOURCE, ["-p", "go", "--allow-delete"], { cwd, env });
        assert.equal(ran.code, 0, ran.stderr);
        const kept = join(cwd, ".narnat");
        const names = [...Deno.readDirSync(kept)].map(({ name }) => name);
        for (const name of ["sessions", "logs", "outputs", "checkpoints", "trash"]) {
          assert.ok(names.includes(name), name);
        }
        const open = [...openBelow(kept), ...openBelow(join(home, ".narnat"))];
        assert.deepEqual(open.filter((path) => !path.endsWith("/.gitignore")), []);
      } finally {
        await provider.close();
      }
    }),
});
