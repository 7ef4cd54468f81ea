/** What narnat keeps is its user's alone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SOURCE } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

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
    stage([
      { calls: [{ name: "Bash", input: { command: "seq 20000; rm -r d" } }] },
      { calls: [{ name: "Write", input: { file_path: "new.txt", content: "x" } }] },
      { text: "done" },
    ], async ({ root, home, narnat }) => {
      const ran = await narnat(["-p", "go", "--allow-delete"], { program: SOURCE });
      assert.equal(ran.code, 0, ran.stderr);
      const kept = join(root, ".narnat");
      const names = [...Deno.readDirSync(kept)].map(({ name }) => name);
      for (const name of ["sessions", "logs", "outputs", "checkpoints", "trash"]) {
        assert.ok(names.includes(name), name);
      }
      const open = [...openBelow(kept), ...openBelow(join(home, ".narnat"))];
      assert.deepEqual(open.filter((path) => !path.endsWith("/.gitignore")), []);
    }, { "w/a.txt": "a\n", "w/d/b.txt": "b\n", "home/.keep": "" }),
});
