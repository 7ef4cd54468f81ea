import assert from "node:assert/strict";
import { join } from "node:path";
import { compile } from "../../scripts/compile.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

/** Any ELF program may stand in for the base binary as long as nobody starts the result. */
const STAND_IN = "/bin/sleep";

const files = {
  "main.ts": `import words from "./words.md" with { type: "text" };\nconsole.log(words);\n` +
    `if (Deno.args[0]) console.log((await import("./lazy.ts")).late);\n`,
  "words.md": "words that must be embedded\n",
  "lazy.ts": `export const late = "late words, too";\n`,
};

Deno.test({
  name: "embeds the program with its texts and lazy parts, and bakes the permissions in",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace(files, async (root) => {
      const out = join(root, "narnat");
      await compile(join(root, "main.ts"), Deno.build.target, out, { DENORT_BIN: STAND_IN });
      const text = new TextDecoder("latin1").decode(await Deno.readFile(out));
      assert.ok(text.includes("words that must be embedded"));
      assert.ok(text.includes("late words, too"));
      const json = /"permissions":(\{.*?\}),"location"/.exec(text)?.[1];
      const baked = JSON.parse(json ?? "null");
      for (const kind of ["read", "write", "net", "run", "env", "sys"]) {
        assert.deepEqual(baked[`allow_${kind}`], [], kind);
        assert.equal(baked[`deny_${kind}`], null, kind);
      }
      assert.equal(baked.allow_ffi, null);
      assert.equal(baked.prompt, false);
      for (const flag of ["--max-semi-space-size=2", "--heap-growing-percent=20"]) {
        assert.ok(text.includes(flag), flag);
      }
      assert.ok(!text.includes(root), "a path of the build machine is inside");
    }),
});

slow("without a base binary it says why, and what to do instead", async () => {
  await withWorkspace(files, async (root) => {
    // the bundler is there, the base binary is not, and a proxy nobody listens at stands for the network
    const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
    const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout));
    await Deno.mkdir(join(root, "deno/dl"), { recursive: true });
    for await (const { name } of Deno.readDir(join(denoDir, "dl"))) {
      if (!name.startsWith("esbuild-")) continue;
      await Deno.symlink(join(denoDir, "dl", name), join(root, "deno/dl", name));
    }
    const proxy = "http://127.0.0.1:9";
    const env = { DENO_DIR: join(root, "deno"), HTTPS_PROXY: proxy, https_proxy: proxy };
    await assert.rejects(
      compile(join(root, "main.ts"), Deno.build.target, join(root, "narnat"), env),
      /Cannot compile for .*base binary.*Connection refused.*deno task build/s,
    );
    assert.deepEqual([...Deno.readDirSync(root)].filter(({ name }) => name === "narnat"), []);
  });
});
