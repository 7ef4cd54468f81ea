import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globTool } from "../../../src/tools/glob/glob.ts";
import type { Tool, ToolInput } from "../../../src/base/types.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;

async function withGlob(
  files: Files,
  use: (
    run: (input: ToolInput) => Promise<string>,
    runner: ToolRunner,
    root: string,
  ) => Promise<void>,
): Promise<void> {
  const searcher = createSearcher({ entry, workers: 1 });
  const tool: Tool = globTool(searcher);
  try {
    await withWorkspace(files, async (root) => {
      const runner = new ToolRunner(root);
      await use(async (input) => (await runner.run(tool, tool.adapt!(input))).text, runner, root);
    });
  } finally {
    searcher.close();
  }
}

Deno.test("Glob finds names by every kind of pattern", async () => {
  const files = {
    "a.ts": "",
    "src/b.ts": "",
    "src/deep/er/c.test.ts": "",
    "src/d.js": "",
    ".github/e.yml": "",
    "docs/文档 一.md": "",
    "x[1].txt": "",
  };
  await withGlob(files, async (run) => {
    const sorted = async (input: ToolInput) => (await run(input)).split("\n").sort();
    assert.deepEqual(await sorted({ pattern: "**/*.ts" }), [
      "a.ts",
      "src/b.ts",
      "src/deep/er/c.test.ts",
    ]);
    assert.deepEqual(await sorted({ pattern: "*.ts" }), await sorted({ pattern: "**/*.ts" }));
    assert.deepEqual(await sorted({ pattern: "./*.ts" }), ["a.ts"]);
    assert.deepEqual(await sorted({ pattern: "src/*.{ts,js}" }), ["src/b.ts", "src/d.js"]);
    assert.deepEqual(await sorted({ pattern: "*.ts", path: "src" }), [
      "src/b.ts",
      "src/deep/er/c.test.ts",
    ]);
    assert.deepEqual(await sorted({ pattern: "文档*" }), ["docs/文档 一.md"]);
    assert.deepEqual(await sorted({ pattern: "x\\[1\\].txt" }), ["x[1].txt"]);
  });
});

Deno.test("Glob leaves dotfiles out unless asked, and says how many", async () => {
  const files = { "a.yml": "", ".github/b.yml": "", "src/.cache/c.yml": "", ".d.yml": "" };
  await withGlob(files, async (run) => {
    assert.equal(
      await run({ pattern: "**/*.yml" }),
      "a.yml\n(3 hidden files (a name begins with a dot) left out; hidden: true shows them.)",
    );
    assert.match(await run({ pattern: "**/b.*" }), /^No files.*\n1 hidden file /);
    assert.equal(await run({ pattern: ".github/*" }), ".github/b.yml");
    assert.equal(await run({ pattern: "**/.d*" }), ".d.yml");
    const all = (await run({ pattern: "*.yml", hidden: true })).split("\n").sort();
    assert.deepEqual(all, [".d.yml", ".github/b.yml", "a.yml", "src/.cache/c.yml"]);
  });
});

Deno.test("Glob takes several patterns, some of which take away", async () => {
  const files = { "a.ts": "", "a.test.ts": "", "src/b.tsx": "", "c.md": "" };
  await withGlob(files, async (run, _runner, root) => {
    const sorted = async (input: ToolInput) => (await run(input)).split("\n").sort();
    assert.deepEqual(await sorted({ pattern: ["*.ts", "*.tsx", "!*.test.ts"] }), [
      "a.ts",
      "src/b.tsx",
    ]);
    assert.deepEqual(await sorted({ patterns: ["*.md"] }), ["c.md"]);
    assert.deepEqual(await sorted({ pattern: "!*.ts*" }), ["c.md"]);
    const two = { pattern: [`${root}/src/*.tsx`, "*.md"] };
    assert.match(await run(two), /different folders; call Glob once for each/);
  });
});

Deno.test("Glob names what was not found and where", async () => {
  await withGlob({ "a.ts": "", "src/b.ts": "" }, async (run) => {
    assert.equal(
      await run({ pattern: "*.rs" }),
      "No files in . match *.rs (ignored files are not listed).",
    );
    assert.match(await run({ pattern: "*", path: "scr" }), /does not exist\. Did you mean: src/);
    assert.match(await run({ pattern: "*", path: "a.ts" }), /not a folder/);
  });
});

Deno.test("Glob leaves ignored folders out, but enters one named as path", async () => {
  const files = { ".git/HEAD": "", ".gitignore": "dist/\n", "dist/a.js": "", "b.js": "" };
  await withGlob(files, async (run) => {
    assert.equal(await run({ pattern: "**/*.js" }), "b.js");
    assert.equal(await run({ pattern: "*.js", path: "dist" }), "dist/a.js");
  });
  await withGlob({ "node_modules/a.js": "", "b.js": "" }, async (run) => {
    assert.match(await run({ pattern: "**/*.js" }), /^b\.js\n\(.*node_modules was skipped/);
  });
});

Deno.test("Glob refuses extended globs instead of reading them as something else", async () => {
  await withGlob({ "foo.ts": "", "bar.ts": "", "a (1).ts": "", "(x)/y.ts": "" }, async (run) => {
    for (const pattern of ["!(foo).ts", "+(a|b).ts", "*(a|b).ts", "?(a|b).ts", "+([0-9]).ts"]) {
      assert.match(
        await run({ pattern }),
        /^Cannot read .*: extended globs such as .*\{a,b\}/,
        pattern,
      );
      assert.match(await run({ pattern: "*.ts", exclude: pattern }), /^Cannot read /, pattern);
    }
    assert.equal(await run({ pattern: "*(1).ts" }), "a (1).ts");
    assert.equal(await run({ pattern: "@(foo|baz).ts" }), "foo.ts");
    assert.equal(await run({ pattern: "(x)/*.ts" }), "(x)/y.ts");
    assert.equal(await run({ pattern: "!\\(x)/**" }).then((text) => text.includes("y.ts")), false);
  });
});

Deno.test("Glob that matches only folders names them and what to send", async () => {
  const files = {
    "packages/a/x.ts": "",
    "packages/b/y/z.ts": "",
    "src/b.ts": "",
    "c/src/d.ts": "",
  };
  await withGlob(files, async (run) => {
    const why = async (pattern: string) => (await run({ pattern })).split("\n")[1];
    assert.equal(
      await why("packages/*"),
      "Only folders match: packages/a, packages/b. For the files in them send pattern: packages/*/**.",
    );
    const src = "Only folders match: c/src, src. For the files in them send pattern: **/src/**.";
    assert.equal(await why("src"), src);
    assert.equal(await why("**/src"), src);
    assert.equal(await why("nothing"), undefined);
    const sent = (await run({ pattern: "packages/*/**" })).split("\n").sort();
    assert.deepEqual(sent, ["packages/a/x.ts", "packages/b/y/z.ts"]);
  });
});

Deno.test("Glob says that what it was asked for is ignored, and how to reach it", async () => {
  const files = {
    ".git/HEAD": "",
    ".gitignore": "node_modules/\n*.log\n",
    "node_modules/lodash/index.js": "",
    "node_modules/lodash/fp/a.js": "",
    "b.log": "",
  };
  await withGlob(files, async (run) => {
    const why = async (pattern: string) => (await run({ pattern })).split("\n")[1];
    assert.equal(
      await why("node_modules/lodash/index.js"),
      "1 file would match but is ignored; to reach them send path: node_modules/lodash, pattern: ./index.js.",
    );
    assert.equal(
      await run({ path: "node_modules/lodash", pattern: "./index.js" }),
      "node_modules/lodash/index.js",
    );
    assert.match((await why("node_modules/**/*.js"))!, /^2 files would match but are ignored/);
    assert.equal(
      await why("b.log"),
      "b.log exists but is ignored and so not listed; Read opens it by its name.",
    );
    assert.equal(await why("c.log"), undefined);
    assert.match(
      await run({ pattern: "*.md", no_ignore: true }),
      /\nIgnored files are left out; naming an ignored folder as path reaches it\.$/,
    );
  });
});

Deno.test("Glob honours other agents' parameters or refuses them", async () => {
  const files = { "a.ts": "", "b.ts": "", "lib/c.ts": "", "gen/d.ts": "", "gen/e/f.ts": "" };
  await withGlob(files, async (run) => {
    const sorted = async (input: ToolInput) =>
      (await run({ pattern: "**/*.ts", ...input })).split("\n").sort();
    assert.deepEqual(await sorted({ ignore: ["gen", "b.ts"] }), ["a.ts", "lib/c.ts"]);
    assert.deepEqual(await sorted({ exclude: "gen/**, lib/**" }), ["a.ts", "b.ts"]);
    assert.deepEqual(await sorted({ pattern: ["**/*.ts", "!gen"] }), ["a.ts", "b.ts", "lib/c.ts"]);
    const two = (await run({ pattern: "*.ts", head_limit: 2 })).split("\n");
    assert.equal(two[2], "(The newest 2 of 5 are listed; narrow pattern or path.)");
    assert.match(await run({ pattern: "*.ts", case_sensitive: false }), /always minds case/);
    assert.deepEqual(
      await sorted({ case_sensitive: true, explanation: "why" }).then((all) => all.length),
      5,
    );
    assert.match(
      await run({ pattern: "*", sort: "name" }),
      /unknown parameter 'sort', valid ones are/,
    );
  });
});

Deno.test("Glob reads several patterns in one string where no file has such a name", async () => {
  const files = { "a.ts": "", "b.tsx": "", "c.d.ts": "", "x, y.md": "" };
  await withGlob(files, async (run) => {
    const sorted = async (pattern: string) => (await run({ pattern })).split("\n").sort();
    assert.deepEqual(await sorted("**/*.ts **/*.tsx"), ["a.ts", "b.tsx", "c.d.ts"]);
    assert.deepEqual(await sorted("*.ts,*.tsx"), ["a.ts", "b.tsx", "c.d.ts"]);
    assert.deepEqual(await sorted("**/*.ts, !**/*.d.ts"), ["a.ts"]);
    assert.deepEqual(await sorted("x, y.md"), ["x, y.md"]);
  });
});

Deno.test("Glob reads Windows' separators and names what cannot be read", async () => {
  await withGlob({ "src/lib/a.ts": "", "b.ts": "" }, async (run) => {
    assert.equal(await run({ pattern: "src//lib/./*.ts" }), "src/lib/a.ts");
    assert.equal(await run({ pattern: "src\\lib\\*.ts" }), "src/lib/a.ts");
    assert.equal(await run({ pattern: "[\\b].ts" }), "b.ts");
    assert.match(await run({ pattern: "*.{ts" }), /\nIn \*\.\{ts a \{ is never closed;/);
    assert.match(
      await run({ pattern: "*.ts", path: "src/*" }),
      /no folder src\/\*: wildcards belong into pattern, such as pattern: src\/\*\/\*\.ts/,
    );
  });
});

Deno.test("Glob caps the list and tells the true total", async () => {
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`f${i}.txt`, ""]));
  await withGlob(files, async (run) => {
    const lines = (await run({ pattern: "*.txt" })).split("\n");
    assert.equal(lines.length, 101);
    assert.match(lines[100]!, /newest 100 of 130/);
  });
});

Deno.test("Glob reaches outside the workspace by absolute pattern and path", async () => {
  await withWorkspace({ "x/y.conf": "" }, async (other) => {
    await withGlob({}, async (run) => {
      const path = join(other, "x/y.conf");
      assert.equal(await run({ pattern: `${other}/**/*.conf` }), path);
      assert.equal(await run({ pattern: "*.conf", path: other }), path);
      assert.equal(await run({ pattern: path }), path);
      assert.equal(await run({ pattern: `${other}//x/./*.conf` }), path);
      assert.match(await run({ pattern: `${other}/*.conf` }), /^No files/);
    });
  });
});

Deno.test("Glob finds files many folders deep and survives a link in a circle", async () => {
  const deep = Array.from({ length: 60 }, (_, i) => `d${i}`).join("/");
  await withGlob({ [`${deep}/leaf.txt`]: "" }, async (run, _runner, root) => {
    await Deno.symlink(root, join(root, "d0/loop"));
    assert.equal(await run({ pattern: "**/leaf.txt" }), `${deep}/leaf.txt`);
  });
});

slow("Glob names a folder that may not be listed and lists the rest", async () => {
  await withWorkspace({ "a.txt": "", "sub/secret/b.txt": "" }, async (root) => {
    const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        `--config=${fileURLToPath(import.meta.resolve("../../../deno.json"))}`,
        "--allow-read",
        `--deny-read=${join(root, "sub/secret")}`,
        entry,
        ...["tool", "Glob", '{"pattern":"**/*.txt"}'],
      ],
      cwd: root,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    assert.equal(
      new TextDecoder().decode(stdout).trim(),
      "a.txt\n(1 folder could not be listed: sub/secret.)",
    );
  });
});

Deno.test("Glob answers an abort", async () => {
  await withGlob({ "a": "" }, async (run, runner) => {
    runner.overrides = { signal: AbortSignal.abort() };
    assert.equal(await run({ pattern: "*" }), "interrupted");
  });
});
