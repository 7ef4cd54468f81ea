/** Which lazily imported files are laid together. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { bundleNarnat, GROUPS } from "../../scripts/groups.ts";
import { layTogether } from "../../scripts/lay_together.ts";
import { loadedBy, ownOf } from "../support/loaded.ts";
import { ROOT } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";

slow("all that the first request imports lazily is laid together", async () => {
  const laid = await Deno.makeTempDir({ prefix: "narnat-test-" });
  const cwd = await Deno.makeTempDir({ prefix: "narnat-test-" });
  try {
    await layTogether(laid, GROUPS, "request");
    const lone = [...Deno.readDirSync(laid)].map(({ name }) => name)
      .filter((name) => name.startsWith("src_"))
      .map((name) => /from "\.\/(.+)"/.exec(Deno.readTextFileSync(join(laid, name)))![1]!);
    assert.ok(lone.includes("src/app/doctor.ts"));
    const { atRequest } = await loadedBy(join(ROOT, "main.ts"), ["-p", "go"], { cwd, home: cwd });
    const own = ownOf(atRequest);
    assert.ok(own.includes("src/cli/run_headless.ts"), String(own));
    assert.deepEqual(own.filter((path) => lone.includes(path)), []);
  } finally {
    await Deno.remove(laid, { recursive: true });
    await Deno.remove(cwd, { recursive: true });
  }
});

slow(
  "the code of a thread is in files of its own: a start opens no chunk that is cut for a thread's sake",
  async () => {
    const out = await Deno.makeTempDir({ prefix: "narnat-test-" });
    try {
      const main = await bundleNarnat(out);
      const threads = GROUPS.threads!.files.map((path) => `${path.replaceAll(/\W/g, "_")}.js`);
      const reached = (entry: string, besides: readonly string[] = []) => {
        const files = new Set([entry]);
        for (const file of files) {
          if (besides.includes(file)) continue;
          const text = Deno.readTextFileSync(join(out, file));
          for (const [, name] of text.matchAll(/"\.\/([^"/]+\.js)"/g)) files.add(name!);
        }
        return files;
      };
      const others = reached(main, threads);
      for (const thread of threads) {
        assert.ok(others.delete(thread), thread);
        assert.ok(reached(thread).isDisjointFrom(others), thread);
      }
    } finally {
      await Deno.remove(out, { recursive: true });
    }
  },
);

Deno.test("a file that nobody imports lazily, or that two groups name, is no group's", async () => {
  const folder = await Deno.makeTempDir({ prefix: "narnat-test-" });
  try {
    for (
      const files of [["src/base/types.ts", "src/base/path.ts"], [
        "src/cli/cli.ts",
        "src/cli/cli.ts",
      ]]
    ) {
      const groups = { request: { files } };
      await assert.rejects(layTogether(folder, groups, "request"), /Cannot group src/);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
