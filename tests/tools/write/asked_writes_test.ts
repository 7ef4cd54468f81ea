import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { edit } from "../../../src/tools/edit/edit.ts";
import { read } from "../../../src/tools/read/read.ts";
import { write } from "../../../src/tools/write/write.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";

const withRunner = (files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) =>
  withWorkspace(files, async (root) => {
    const runner = new ToolRunner(join(root, "w"));
    runner.overrides = { env: { HOME: join(root, "home") } };
    await use(runner, join(root, "w"));
  });

const EMPTYING = [
  ["an empty Write", write, { content: "" }],
  ["a Write of blanks", write, { content: " \n\t\n" }],
  ["a Write of a mark", write, { content: "\ufeff" }],
  ["an Edit of all of it", edit, { old_string: "one\ntwo\n", new_string: "" }],
  ["an Edit that leaves blanks", edit, { old_string: "one\ntwo", new_string: " " }],
  ["Edits that take all of it together", edit, {
    edits: [{ old_string: "one\n", new_string: "" }, { old_string: "two\n", new_string: "" }],
  }],
] as const;

for (const [what, tool, given] of EMPTYING) {
  Deno.test(`${what} is asked about as a delete, and does nothing after a No`, async () => {
    await withRunner({ "w/a.txt": "one\ntwo\n", "home/x": "" }, async (runner, root) => {
      const input = { file_path: "a.txt", ...given };
      await runner.run(read, input);
      const refused = await runner.run(tool, input);
      assert.deepEqual([refused.ok, refused.detail?.kind], [false, "declined"]);
      assert.match(refused.text, /^Not confirmed.*a\.txt is as it was.*go on without it/);
      assert.equal(await Deno.readTextFile(join(root, "a.txt")), "one\ntwo\n");
      const [question] = runner.questions;
      assert.deepEqual([question!.kind, question!.targets], ["delete", [join(root, "a.txt")]]);
      assert.equal(question!.question, "This empties a.txt (8 bytes). Empty it?");
      runner.answer = true;
      const done = await runner.run(tool, input);
      assert.equal(done.ok, true, done.text);
      assert.equal((await Deno.readTextFile(join(root, "a.txt"))).trim(), "");
    });
  });
}

Deno.test("a file that was empty, or keeps something, is written unasked", async () => {
  await withRunner({ "w/none": "", "w/blank": "\n \n", "w/a": "one\ntwo\n" }, async (runner) => {
    for (const name of ["none", "blank", "a"]) await runner.run(read, { file_path: name });
    const inputs = [{ file_path: "none", content: "\n" }, { file_path: "blank", content: "" }, {
      file_path: "a",
      content: "1",
    }, { file_path: "new", content: "" }];
    for (const input of inputs) {
      assert.equal((await runner.run(write, input)).ok, true, input.file_path);
      assert.deepEqual(runner.questions, []);
    }
  });
});

const GUARDED = [
  ".git/hooks/pre-commit",
  ".git/config",
  ".git/info/new",
  "sub/.git",
  ".narnat/narnat.md",
  ".narnat/narnat.json",
  ".narnat/mcp.json",
  ".narnat/rules/a.md",
  ".narnat/rules/deep/b.md",
  "sub/.narnat/narnat.json",
  "~/.narnat/narnat.md",
  "~/.narnat/rules/all.md",
  "sym.md",
  "symdir/new.md",
  "hard.json",
  "hard.md",
  "hard-hook",
];

Deno.test("what git runs, and what narnat obeys, is written after a Yes only, by whatever name", async () => {
  const files = {
    "w/.git/hooks/pre-commit": "x\n",
    "w/.git/config": "x\n",
    "w/.git/info/exclude": "x\n",
    "w/sub/.git": "x\n",
    "w/.narnat/narnat.json": "x\n",
    "w/.narnat/rules/r.md": "x\n",
    "home/.narnat/narnat.json": "x\n",
    "home/.narnat/narnat.md": "x\n",
  };
  await withRunner(files, async (runner, root) => {
    await Deno.symlink(join(root, ".narnat/narnat.md"), join(root, "sym.md"));
    await Deno.symlink(join(root, ".narnat/rules"), join(root, "symdir"));
    await Deno.link(join(root, "../home/.narnat/narnat.json"), join(root, "hard.json"));
    await Deno.link(join(root, ".narnat/rules/r.md"), join(root, "hard.md"));
    await Deno.link(join(root, ".git/hooks/pre-commit"), join(root, "hard-hook"));
    for (const [at, file_path] of GUARDED.entries()) {
      await runner.run(read, { file_path });
      const input = { file_path, content: "y\n" };
      assert.equal(await write.asks!(input, runner.context()), true, file_path);
      const { ok, text } = await runner.run(write, input);
      assert.equal(ok, false, file_path);
      assert.match(text, /^Not confirmed.*was not written.*tell the user/, file_path);
      assert.equal(runner.questions.length, at + 1, file_path);
      assert.equal(runner.questions.at(-1)!.kind, "danger");
    }
    await runner.run(read, { file_path: "hard.json" });
    const change = { file_path: "hard.json", old_string: "x", new_string: "y" };
    assert.equal((await runner.run(edit, change)).ok, false);
    for (const name of ["hard.json", "hard.md", "hard-hook", ".git/config"]) {
      assert.equal(await Deno.readTextFile(join(root, name)), "x\n");
    }
    runner.answer = true;
    const [file_path] = GUARDED;
    assert.equal((await runner.run(write, { file_path, content: "y\n" })).ok, true);
  });
});

Deno.test("rules that a link leads to are rules where they lie, too", async () => {
  await withRunner({ "w/docs/rules/a.md": "x\n", "w/.narnat/x": "" }, async (runner, root) => {
    await Deno.symlink("../docs/rules", join(root, ".narnat/rules"));
    const { ok } = await runner.run(write, { file_path: "docs/rules/new.md", content: "y\n" });
    assert.deepEqual([ok, runner.questions[0]?.kind], [false, "danger"]);
  });
});

Deno.test("what narnat obeys is so where links lead to it, also to what is not there yet", async () => {
  for (
    const [link, target, written] of [
      [".narnat", "shared", "shared/narnat.json"],
      [".narnat", "shared", "shared/rules/new.md"],
      [".narnat", "nowhere/yet", "nowhere/yet/narnat.md"],
      [".narnat/narnat.md", "../shared/notes.md", "shared/notes.md"],
      [".narnat/narnat.md", "../nowhere/yet.md", "nowhere/yet.md"],
      [".narnat/rules", "../nowhere", "nowhere/rule.md"],
      ["~/.narnat", "W/shared", "shared/mcp.json"],
      ["~/.narnat/narnat.json", "W/nowhere/home.json", "nowhere/home.json"],
    ] as const
  ) {
    await withRunner({ "w/shared/notes.md": "x\n", "home/h": "" }, async (runner, root) => {
      const at = link.startsWith("~") ? join(root, "../home", link.slice(2)) : join(root, link);
      await Deno.mkdir(dirname(at), { recursive: true });
      await Deno.symlink(target.replace(/^W/, root), at);
      if (link !== ".narnat" && link !== "~/.narnat") {
        await Deno.symlink("mcp.json", join(dirname(at), "mcp.json"));
      }
      await runner.run(read, { file_path: written });
      const { ok } = await runner.run(write, { file_path: written, content: "y\n" });
      assert.deepEqual([ok, runner.questions.map(({ kind }) => kind)], [false, ["danger"]], link);
      const beside = await runner.run(write, { file_path: "shared/new.md", content: "y\n" });
      assert.equal(beside.ok, true, beside.text);
    });
  }
});

Deno.test("what people ask agents to write is written unasked", async () => {
  await withRunner({ "w/twin": "x\n" }, async (runner, root) => {
    await Deno.link(join(root, "twin"), join(root, "other"));
    await runner.run(read, { file_path: "twin" });
    const names = ["AGENTS.md", "CLAUDE.md", ".gitignore", ".github/workflows/a.yml", "twin"];
    names.push(".narnat/skills/a/SKILL.md", ".narnat/commands/a.md", "narnat.md", "rules/a.md");
    for (const file_path of names) {
      const { ok, text } = await runner.run(write, { file_path, content: "y\n" });
      assert.equal(ok, true, text);
    }
    assert.deepEqual(runner.questions, []);
  });
});
