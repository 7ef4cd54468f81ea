import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globTool } from "../../src/tools/glob.ts";
import type { Tool, ToolInput } from "../../src/types.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { TestDesk } from "../support/tool_context.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";

const entry = new URL("../../main.ts", import.meta.url).href;

async function withGlob(
  files: Files,
  use: (run: (input: ToolInput) => Promise<string>, desk: TestDesk, root: string) => Promise<void>,
): Promise<void> {
  const searcher = createSearcher({ entry });
  const tool: Tool = globTool(searcher);
  try {
    await withWorkspace(files, async (root) => {
      const desk = new TestDesk(root);
      await use(async (input) => (await desk.run(tool, tool.adapt!(input))).text, desk, root);
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
  await withGlob(files, async (run, _desk, root) => {
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
      "No files in . match *.rs (files ignored by git are not listed).",
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
      assert.match(await run({ pattern: `${other}/*.conf` }), /^No files/);
    });
  });
});

Deno.test("Glob finds files many folders deep and survives a link in a circle", async () => {
  const deep = Array.from({ length: 60 }, (_, i) => `d${i}`).join("/");
  await withGlob({ [`${deep}/leaf.txt`]: "" }, async (run, _desk, root) => {
    await Deno.symlink(root, join(root, "d0/loop"));
    assert.equal(await run({ pattern: "**/leaf.txt" }), `${deep}/leaf.txt`);
  });
});

Deno.test("Glob names a folder that may not be listed and lists the rest", async () => {
  await withWorkspace({ "a.txt": "", "sub/secret/b.txt": "" }, async (root) => {
    const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        `--config=${fileURLToPath(import.meta.resolve("../../deno.json"))}`,
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
  await withGlob({ "a": "" }, async (run, desk) => {
    desk.overrides = { signal: AbortSignal.abort() };
    assert.equal(await run({ pattern: "*" }), "interrupted");
  });
});
