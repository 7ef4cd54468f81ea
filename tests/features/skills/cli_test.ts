import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../../support/bundled.ts";
import { runNarnat } from "../../support/narnat.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const front = (yaml: string) => `---\n${yaml}\n---\nThe guidance.\n`;
const FILES: Files = {
  "w/.narnat/skills/review/SKILL.md": front("description: Use when: a change is reviewed"),
  "w/.narnat/skills/always/SKILL.md": front("description: d\nalways: true"),
  "w/.narnat/skills/broken/SKILL.md": "---\na: [\n---\nx",
  "w/.agents/skills/review/SKILL.md": front("description: another"),
  "w/.claude/skills/off/SKILL.md": front("description: d"),
  "w/.claude/skills/lame/SKILL.md": front(
    `description: d\nmetadata: {"nanobot":{"requires":{"bins":["no-such-program"]}}}`,
  ),
  "w/.narnat/narnat.json": `{"disabled_skills":["off"]}`,
  "home/.agents/skills/mine/SKILL.md": front("description: d\ndisable-model-invocation: true"),
};

const run = (root: string, ...args: string[]) =>
  runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "" });

Deno.test("narnat skills shows where each skill is and how it stands", async () => {
  await withWorkspace(FILES, async (root) => {
    const { code, stdout, stderr } = await run(root, "skills");
    assert.equal(code, 0, stderr);
    const rows = [
      [
        "always",
        "wants to be always loaded and is not trusted with it (narnat trust): listed only",
        ".narnat/skills/always/SKILL.md",
      ],
      [
        "broken",
        "its front matter is no YAML; loaded by you only",
        ".narnat/skills/broken/SKILL.md",
      ],
      ["review", "available", ".narnat/skills/review/SKILL.md"],
      [
        "review",
        ".narnat/skills/review/SKILL.md of this name goes first",
        ".agents/skills/review/SKILL.md",
      ],
      ["lame", "needs no-such-program", ".claude/skills/lame/SKILL.md"],
      ["off", "disabled (disabled_skills)", ".claude/skills/off/SKILL.md"],
      ["mine", "loaded by you only", "~/.agents/skills/mine/SKILL.md"],
    ];
    assert.deepEqual(stdout.trimEnd().split("\n").map((row) => row.split(/ {2,}/)), [
      ["name", "state", "bytes", "where"],
      ...rows.map(([name, state, where]) => {
        const file = where!.startsWith("~") ? where!.replace("~", "home") : `w/${where}`;
        return [name, state, String(FILES[file]!.length), where];
      }),
    ]);
  });
});

slow("narnat skills show prints one; what cannot be shown is an error of usage", async () => {
  await withWorkspace(FILES, async (root) => {
    const shown = await run(root, "skills", "show", "review");
    assert.equal(
      shown.stdout,
      ".narnat/skills/review/SKILL.md\navailable\nUse when: a change is reviewed\n\nThe guidance.\n",
    );
    const wrong = await run(root, "skills", "show", "reviw");
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    assert.match(wrong.stderr, /There is no skill reviw\. Did you mean review\?/);
    const none = await run(root, "skills", "show", "xyzzyx");
    assert.match(none.stderr, /There is no skill xyzzyx; narnat skills lists them/);
    for (const words of [["show"], ["list", "x"], ["lst"], ["show", "a", "b"]]) {
      const { code, stderr } = await run(root, "skills", ...words);
      assert.equal(code, 2);
      assert.match(stderr, /Usage: narnat skills \[list \| show NAME \|/);
    }
  });
});

Deno.test("a name in disabled_skills that is no skill's is told", async () => {
  await withWorkspace(
    { ...FILES, "w/.narnat/narnat.json": `{"disabled_skills":["off","reviw","zzzzzz"]}` },
    async (root) => {
      const { stdout } = await run(root, "skills");
      assert.deepEqual(stdout.trimEnd().split("\n").slice(-2), [
        "reviw in disabled_skills is no skill's name. Did you mean review?",
        "zzzzzz in disabled_skills is no skill's name",
      ]);
    },
  );
});

Deno.test("without skills narnat skills says where they would be", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const { code, stdout } = await run(root, "skills", "--lang", "zh");
    assert.equal(code, 0);
    assert.match(stdout, /^没有技能。技能是 \.narnat\/skills\/名称\/SKILL\.md/);
  });
});

slow("narnat prompt names each part's size, what was cut and what was left out", async () => {
  await withWorkspace({
    ...FILES,
    "w/AGENTS.md": "a".repeat(40_000),
    "w/.narnat/rules/bin.md": Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3),
  }, async (root) => {
    const { stdout } = await run(root, "prompt");
    assert.match(stdout, /^prompt {2}AGENTS\.md +\d+ +\d+ {2}\(7232 bytes cut\)$/m);
    assert.match(stdout, /^prompt {2}skill index +\d+ +\d+$/m);
    assert.match(stdout, /^prompt {2}iron rules +\d+ +\d+$/m);
    assert.deepEqual(stdout.split("\n").filter((line) => line.startsWith("left out: ")), [
      "left out: .narnat/rules/bin.md is not text and was left out of the prompt",
      "left out: .narnat/skills/broken/SKILL.md: its front matter is no YAML; loaded by you only",
      "left out: .agents/skills/review/SKILL.md: .narnat/skills/review/SKILL.md of this name goes first",
      "left out: .claude/skills/off/SKILL.md: disabled (disabled_skills)",
      "left out: ~/.agents/skills/mine/SKILL.md: loaded by you only",
    ]);
    const json = JSON.parse((await run(root, "prompt", "--output-format", "json")).stdout);
    assert.equal(json.left.length, 5);
    const bytes = (name: string) =>
      json.parts.find((row: { name: string }) => row.name === name).bytes;
    assert.ok(bytes("AGENTS.md") > 32_768);
    assert.match(json.system, /Skill index[^]*\n- always: d/);
    await run(root, "trust", "add");
    const trusted = JSON.parse((await run(root, "prompt", "--output-format", "json")).stdout);
    assert.match(trusted.system, /\n## Skills 编程指导\n[^]*### always\n/);
    assert.match((await run(root, "skills")).stdout, /^always +always loaded/m);
  });
});

Deno.test("disabled_skills takes a list of names, a project adds to the user's, and its wrong value is ignored", async () => {
  await withWorkspace({
    ...FILES,
    "home/.narnat/narnat.json": `{"disabled_skills":["review"]}`,
  }, async (root) => {
    const { stdout } = await run(root, "skills");
    assert.equal(stdout.match(/disabled \(/g)?.length, 3);
    await Deno.writeTextFile(join(root, "w/.narnat/narnat.json"), `{"disabled_skills":"review"}`);
    const wrong = await run(root, "skills");
    assert.match(wrong.stderr, /disabled_skills.*a list of names.*it is ignored/);
    assert.equal(wrong.stdout.match(/disabled \(/g)?.length, 2);
  });
});

Deno.test("narnat prompt's sizes are in the user's language", async () => {
  await withWorkspace({ ...FILES, "w/AGENTS.md": "a".repeat(40_000) }, async (root) => {
    const { stdout } = await run(root, "prompt", "--lang", "zh");
    const table = stdout.slice(stdout.lastIndexOf("\n种类"));
    assert.match(table, /^\n种类 +名称 +字节 +~tokens$/m);
    assert.match(table, /^提示词 +硬性规则 +\d+ +\d+$/m);
    assert.match(table, /^提示词 +AGENTS\.md +\d+ +\d+ +（截去 7232 字节）$/m);
    assert.match(table, /^工具 +Read +\d+ +\d+$/m);
    assert.match(table, /^合计 +\d+ +\d+$/m);
    assert.match(table, /^没有放进：\.claude\/skills\/off\/SKILL\.md: 已停用（disabled_skills）$/m);
  });
});
