import assert from "node:assert/strict";
import { join } from "node:path";
import { createKeeper, promptParts } from "../../src/context/mod.ts";
import { FILE_CAP } from "../../src/context/files.ts";
import { english } from "../../src/base/t.ts";
import { promptOptions } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const mod = import.meta.resolve("../../src/context/mod.ts");
const texts = import.meta.resolve("../../src/base/t.ts");

const agentsOf = (workspace: string, userDir?: string) =>
  promptParts(promptOptions(workspace, { userDir }))
    .filter(({ name }) => name.endsWith("AGENTS.md"));

Deno.test("AGENTS.md is read from the repository's root down to the workspace, the nearest last", async () => {
  await withWorkspace({
    "AGENTS.md": "above the repository",
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/AGENTS.md": "of the root",
    "repo/a/b/AGENTS.md": "of the workspace",
    "repo/a/b/c/AGENTS.md": "below",
    "home/AGENTS.md": "of the user",
  }, (root) => {
    assert.deepEqual(
      agentsOf(join(root, "repo/a/b"), join(root, "home")).map(({ text }) => text),
      [
        `<file name="~/.narnat/AGENTS.md">\nof the user\n</file>`,
        `<file name="../../AGENTS.md">\nof the root\n</file>`,
        `<file name="AGENTS.md">\nof the workspace\n</file>`,
      ],
    );
    assert.deepEqual(agentsOf(join(root, "repo")).map(({ text }) => text), [
      `<file name="AGENTS.md">\nof the root\n</file>`,
    ]);
  });
});

Deno.test("a worktree's .git file is a root too; without a repository nothing above is read", async () => {
  await withWorkspace({
    "AGENTS.md": "above",
    "tree/.git": "gitdir: /elsewhere\n",
    "tree/AGENTS.md": "root",
    "tree/a/x": "",
    "plain/a/AGENTS.md": "own",
  }, (root) => {
    assert.deepEqual(agentsOf(join(root, "tree/a")).map(({ text }) => text), [
      `<file name="../AGENTS.md">\nroot\n</file>`,
    ]);
    assert.deepEqual(agentsOf(join(root, "plain/a")).map(({ text }) => text), [
      `<file name="AGENTS.md">\nown\n</file>`,
    ]);
  });
});

Deno.test("32 KiB hold the nearest first; what did not fit is named", async () => {
  const half = FILE_CAP / 2;
  await withWorkspace({
    ".git/HEAD": "",
    "AGENTS.md": "r".repeat(FILE_CAP),
    "a/AGENTS.md": "m".repeat(FILE_CAP),
    "a/b/AGENTS.md": "n".repeat(half),
  }, (root) => {
    const [top, middle, nearest] = agentsOf(join(root, "a/b"));
    assert.equal(nearest!.cut, 0);
    assert.equal(middle!.cut, half);
    assert.ok(middle!.text.includes("m".repeat(half) + "\n"));
    assert.match(middle!.text, /\(16384 more bytes of \.\.\/AGENTS\.md did not fit; Read it/);
    assert.equal(top!.cut, FILE_CAP);
    assert.equal(
      top!.text,
      `<file name="../../AGENTS.md">\n(32768 more bytes of ../../AGENTS.md did not fit; Read it for the rest)\n</file>`,
    );
  });
});

Deno.test("in the home folder its narnat.md is read once", async () => {
  await withWorkspace({ ".narnat/narnat.md": "own" }, (root) => {
    const parts = promptParts(promptOptions(root, { userDir: join(root, ".narnat") }));
    assert.deepEqual(parts.map(({ name }) => name).filter((name) => name.includes("narnat.md")), [
      ".narnat/narnat.md",
    ]);
  });
});

Deno.test("a file of comments alone says nothing to the model", async () => {
  await withWorkspace({
    "AGENTS.md": "<!-- a -->\n\n<!--\nb -->\n",
    ".narnat/narnat.md": "<!-- what to write here -->\n",
    ".narnat/rules/example.md": "<!-- a rule -->",
    "home/narnat.md": "<!-- kept with what stands beside it --> said",
  }, (root) => {
    const parts = promptParts(promptOptions(root, { userDir: join(root, "home") }));
    const names = parts.map(({ name }) => name);
    for (const name of ["AGENTS.md", ".narnat/narnat.md", "rules"]) {
      assert.ok(!names.includes(name), name);
    }
    assert.ok(names.includes("~/.narnat/narnat.md"));
  });
});

Deno.test("a folder without AGENTS.md has its CLAUDE.md read, each folder for itself", async () => {
  await withWorkspace({
    "CLAUDE.md": "above the repository",
    "repo/.git/HEAD": "",
    "repo/CLAUDE.md": "of the root",
    "repo/a/AGENTS.md": "of the middle",
    "repo/a/CLAUDE.md": "for another program",
    "repo/a/b/CLAUDE.md": "of the workspace",
  }, (root) => {
    const parts = promptParts(promptOptions(join(root, "repo/a/b")))
      .filter(({ name }) => /(?:AGENTS|CLAUDE)\.md$/.test(name));
    assert.deepEqual(parts.map(({ text }) => text), [
      `<file name="../../CLAUDE.md">\nof the root\n</file>`,
      `<file name="../AGENTS.md">\nof the middle\n</file>`,
      `<file name="CLAUDE.md">\nof the workspace\n</file>`,
    ]);
  });
});

Deno.test("what a CLAUDE.md imports is named and never put in", async () => {
  await withWorkspace({
    ".git/HEAD": "",
    "CLAUDE.md": "See @docs/style.md, @none.md and @~/.claude/mine.md.\n- @/etc/passwd\n" +
      "Mail me@docs/style.md about `@docs/code.md` and @types/node.\n```\n@docs/code.md\n```\n",
    "docs/style.md": "the style",
    "docs/code.md": "the code",
    "sub/x": "",
  }, (root) => {
    const [part] = promptParts(promptOptions(root)).filter(({ name }) => name === "CLAUDE.md");
    const left = ["docs/style.md", "~/.claude/mine.md", "/etc/passwd"];
    assert.deepEqual(part!.left.map(({ file }) => file), left);
    assert.match(
      part!.text,
      /^\(docs\/style\.md: named with @ by CLAUDE\.md and not put in; Read it/m,
    );
    assert.doesNotMatch(part!.text, /the style|root:/);
    const [below] = promptParts(promptOptions(join(root, "sub")))
      .filter(({ name }) => name === "../CLAUDE.md");
    assert.equal(below!.left[0]!.file, "../docs/style.md");
    assert.ok(
      createKeeper(promptOptions(root)).beforeTurn(1)[0]!.startsWith("docs/style.md: named"),
    );
  });
});

Deno.test("a CLAUDE.md beside an AGENTS.md may change and nothing is said", () =>
  withWorkspace({ "AGENTS.md": "ours", "CLAUDE.md": "theirs" }, async (root) => {
    const keeper = createKeeper(promptOptions(root));
    await keeper.ready();
    Deno.writeTextFileSync(join(root, "CLAUDE.md"), "theirs, longer");
    assert.deepEqual(keeper.beforeTurn(1), []);
    Deno.removeSync(join(root, "AGENTS.md"));
    assert.match(
      keeper.beforeTurn(2).join(),
      /^Changed: AGENTS\.md \(gone\), CLAUDE\.md \(new\)\. /,
    );
  }));

Deno.test("AGENTS.md and narnat.md that change during a session are named, once per change", () =>
  withWorkspace({ "AGENTS.md": "old" }, async (root) => {
    const keeper = createKeeper(promptOptions(root));
    await keeper.ready();
    const system = keeper.system();
    assert.deepEqual(keeper.beforeTurn(1), []);
    Deno.writeTextFileSync(join(root, "AGENTS.md"), "newer");
    Deno.mkdirSync(join(root, ".narnat"));
    Deno.writeTextFileSync(join(root, ".narnat", "narnat.md"), "first");
    assert.deepEqual(keeper.beforeTurn(2), [
      english(
        "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
        { names: "AGENTS.md, .narnat/narnat.md (new)" },
      ),
    ]);
    assert.deepEqual(keeper.beforeTurn(3), []);
    Deno.removeSync(join(root, "AGENTS.md"));
    assert.match(keeper.beforeTurn(4).join(), /^Changed: AGENTS\.md \(gone\)\. /);
    assert.equal(keeper.system(), system);
  }));

Deno.test("a file that is denied in a folder that is granted is as if it were not there", async () => {
  await withWorkspace({
    ".narnat/rules/1.md": "shown",
    ".narnat/rules/2.md": "denied",
    ".narnat/memory/USER.md": "denied",
    ".narnat/skills/a/SKILL.md": "---\ndescription: denied\n---\nbody",
    "AGENTS.md": "denied",
  }, async (root) => {
    const denied = [".narnat/rules/2.md", ".narnat/memory", ".narnat/skills/a", "AGENTS.md"];
    const code = `
      const { createKeeper } = await import(${JSON.stringify(mod)});
      const options = ${JSON.stringify(promptOptions(root))};
      const { english } = await import(${JSON.stringify(texts)});
      const keeper = createKeeper({ ...options, t: english, now: () => new Date(0) });
      await keeper.ready();
      console.log(JSON.stringify([keeper.system(), keeper.beforeTurn(1), keeper.skills]));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        `--allow-read=${root}`,
        `--deny-read=${denied.map((path) => join(root, path))}`,
        `data:application/javascript,${encodeURIComponent(code)}`,
      ],
    }).output();
    const [system, notices, skills] = JSON.parse(new TextDecoder().decode(stdout));
    assert.match(system, /规则 1: shown/);
    assert.doesNotMatch(system, /denied/);
    assert.deepEqual([notices, skills], [[], []]);
  });
});
