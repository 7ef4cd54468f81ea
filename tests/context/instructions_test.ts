import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { english } from "../../src/base/t.ts";
import { FILE_CAP } from "../../src/context/files.ts";
import { RULES_CAP } from "../../src/context/instructions.ts";
import { createContextManager, joinParts, promptParts } from "../../src/context/mod.ts";
import { chinese } from "../support/chinese.ts";
import { promptOptions } from "../support/parts.ts";
import { runs, slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const mod = import.meta.resolve("../../src/context/mod.ts");
const texts = import.meta.resolve("../../src/base/t.ts");
const environment = import.meta.resolve("../../src/app/environment.ts");

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
      createContextManager(promptOptions(root)).beforeTurn(1)[0]!.startsWith(
        "docs/style.md: named",
      ),
    );
  });
});

Deno.test("a CLAUDE.md beside an AGENTS.md may change and nothing is said", () =>
  withWorkspace({ "AGENTS.md": "ours", "CLAUDE.md": "theirs" }, async (root) => {
    const contextManager = createContextManager(promptOptions(root));
    await contextManager.ready();
    Deno.writeTextFileSync(join(root, "CLAUDE.md"), "theirs, longer");
    assert.deepEqual(contextManager.beforeTurn(1), []);
    Deno.removeSync(join(root, "AGENTS.md"));
    assert.match(
      contextManager.beforeTurn(2).join(),
      /^Changed: AGENTS\.md \(gone\), CLAUDE\.md \(new\)\. /,
    );
  }));

Deno.test("AGENTS.md and narnat.md that change during a session are named, once per change", () =>
  withWorkspace({ "AGENTS.md": "old" }, async (root) => {
    const contextManager = createContextManager(promptOptions(root));
    await contextManager.ready();
    const system = contextManager.system();
    assert.deepEqual(contextManager.beforeTurn(1), []);
    Deno.writeTextFileSync(join(root, "AGENTS.md"), "newer");
    Deno.mkdirSync(join(root, ".narnat"));
    Deno.writeTextFileSync(join(root, ".narnat", "narnat.md"), "first");
    assert.deepEqual(contextManager.beforeTurn(2), [
      english(
        "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
        { names: "AGENTS.md, .narnat/narnat.md (new)" },
      ),
    ]);
    assert.deepEqual(contextManager.beforeTurn(3), []);
    Deno.removeSync(join(root, "AGENTS.md"));
    assert.match(contextManager.beforeTurn(4).join(), /^Changed: AGENTS\.md \(gone\)\. /);
    assert.equal(contextManager.system(), system);
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
      const { createContextManager } = await import(${JSON.stringify(mod)});
      const options = ${JSON.stringify(promptOptions(root))};
      const { english } = await import(${JSON.stringify(texts)});
      const { PROMPT_SOURCES: sources } = await import(${JSON.stringify(environment)});
      const given = { ...options, sources, t: english, now: () => new Date(0) };
      const contextManager = createContextManager(given);
      await contextManager.ready();
      console.log(JSON.stringify([contextManager.system(), contextManager.beforeTurn(1), contextManager.skills]));`;
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

const HEADING =
  "## 工作规则（必须严格遵守）\n以下规则是用户设定的强制要求，你必须在每次操作中遵守：\n";

/** A rule that is no other's part: what stands in the files below. */
const RULE = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .map((text) => text.replaceAll(/[\p{Cc}\ufeff]/gu, "").trim())
  .filter((text) => text !== "");
const RULES = fc.uniqueArray(RULE, { maxLength: 8 })
  .map((rules) => rules.map((rule, i) => `${rule} <${i}>`));

async function writeRules(root: string, rules: readonly string[]): Promise<void> {
  const dir = join(root, ".narnat/rules");
  await Deno.remove(dir, { recursive: true }).catch(() => {});
  await Deno.mkdir(dir, { recursive: true });
  for (const [i, rule] of rules.entries()) {
    await Deno.writeTextFile(join(dir, `${String(i).padStart(3, "0")}.md`), rule);
  }
}

const promptOf = (root: string) => joinParts(promptParts(promptOptions(root)));

// Feature: agent-system-optimization, Property 6: Rules 结构化注入
Deno.test("Feature: agent-system-optimization, Property 6: the prompt holds every rule, numbered from 1 without a gap", async () => {
  await withWorkspace({}, async (root) => {
    await fc.assert(
      fc.asyncProperty(RULES, async (rules) => {
        await writeRules(root, rules);
        const prompt = promptOf(root);
        assert.equal(prompt.includes("## 工作规则"), rules.length > 0);
        const numbered = rules.map((rule, i) =>
          `# ${String(i).padStart(3, "0")}\n规则 ${i + 1}: ${rule}`
        ).join("\n");
        assert.ok(rules.length === 0 || prompt.includes(HEADING + numbered), prompt);
      }),
      { numRuns: runs(100) },
    );
  });
});

// Feature: agent-system-optimization, Property 7: Rules 动态更新
Deno.test("Feature: agent-system-optimization, Property 7: a new prompt holds the new rules and none that went", async () => {
  await withWorkspace({}, async (root) => {
    await fc.assert(
      fc.asyncProperty(RULES, RULES, async (first, second) => {
        await writeRules(root, first);
        const before = promptOf(root);
        await writeRules(root, second);
        const after = promptOf(root);
        for (const rule of first) assert.ok(before.includes(rule));
        for (const rule of second) assert.ok(after.includes(rule));
        // of rules alone: the base prompt may hold a short one's words
        const rest = promptOf("/nowhere");
        for (const rule of first) {
          const kept = second.some((one) => one.includes(rule)) || rest.includes(rule);
          assert.ok(kept || !after.includes(rule), rule);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

Deno.test("rules of the user, the project and .agent are numbered on, other files are none", async () => {
  await withWorkspace({
    ".narnat/rules/b.md": "second",
    ".narnat/rules/a.md": "first",
    ".agent/rules/c.md": "third",
    ".narnat/rules/ignored.txt": "no",
    ".narnat/rules/.hidden.md": "no",
    "home/.narnat/rules/z.md": "the user's",
  }, (root) => {
    const parts = promptParts(promptOptions(root, { userDir: join(root, "home/.narnat") }));
    assert.equal(
      parts.find(({ name }) => name === "rules")!.text,
      `${HEADING}# z\n规则 1: the user's\n# a\n规则 2: first\n# b\n规则 3: second\n# c\n规则 4: third`,
    );
  });
});

Deno.test("rules that change during a session are told once per change, and not obeyed in it", async () => {
  await withWorkspace({ ".narnat/rules/a.md": "old" }, async (root) => {
    const contextManager = createContextManager(promptOptions(root));
    await contextManager.ready();
    const system = contextManager.system();
    assert.deepEqual(contextManager.beforeTurn(1), []);
    const rule = join(root, ".narnat/rules/a.md");
    const empty = join(root, ".narnat/rules/c.md");
    const changes = [
      [".narnat/rules/a.md", () => Deno.writeTextFile(rule, "newer")],
      [".narnat/rules/a.md", () => Deno.utime(rule, 1, 1)],
      [
        ".narnat/rules/b.md (new)",
        () => Deno.writeTextFile(join(root, ".narnat/rules/b.md"), "another"),
      ],
      [".narnat/rules/a.md (gone)", () => Deno.remove(rule)],
      ["", () => Deno.writeTextFile(empty, "<!-- to be written -->")],
      [".narnat/rules/c.md (new)", () => Deno.writeTextFile(empty, "more than before, in words")],
      [".narnat/rules/c.md (gone)", () => Deno.writeTextFile(empty, "<!-- nothing -->")],
      ["", () => Deno.remove(empty)],
    ] as const;
    for (const [names, change] of changes) {
      await change();
      assert.deepEqual(
        contextManager.beforeTurn(2),
        names === "" ? [] : [
          english(
            "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
            { names },
          ),
        ],
      );
      assert.deepEqual(contextManager.beforeTurn(3), []);
    }
    assert.equal(contextManager.system(), system);
    const next = createContextManager(promptOptions(root));
    await next.ready();
    assert.match(next.system(), /规则 1: another/);
  });
});

Deno.test("links that lead nowhere and rules in folders below are named as left out", async () => {
  await withWorkspace({
    ".narnat/rules/a.md": "rule",
    ".narnat/rules/blank.md": "<!-- x -->",
    ".narnat/rules/nested/b.md": "deep",
    ".narnat/rules/other/x.txt": "no rule",
    ".narnat/rules/x.txt": "no rule",
  }, async (root) => {
    await Deno.symlink(join(root, "gone"), join(root, ".narnat/rules/link.md"));
    const contextManager = createContextManager(promptOptions(root));
    await contextManager.ready();
    const nested =
      "What lies in .narnat/rules/nested/ was left out of the prompt: rules are rules/*.md, not in folders below";
    const link =
      ".narnat/rules/link.md is a link to a file that is not there and was left out of the prompt";
    assert.deepEqual(contextManager.beforeTurn(1), [link, nested]);
    assert.ok(contextManager.system().includes(`规则 1: rule\n(${link})\n(${nested})`));
  });
});

Deno.test("a first rule is told of too", async () => {
  await withWorkspace({}, async (root) => {
    const contextManager = createContextManager(promptOptions(root, { t: chinese }));
    await contextManager.ready();
    assert.deepEqual(contextManager.beforeTurn(1), []);
    await Deno.mkdir(join(root, ".agent/rules"), { recursive: true });
    await Deno.writeTextFile(join(root, ".agent/rules/a.md"), "x");
    assert.deepEqual(contextManager.beforeTurn(2), [
      "有变化：.agent/rules/a.md（新）。从下一个会话起生效：/compact 带着总结立即开始一个；退出后用 narnat -c 回来时，会告诉模型去读",
    ]);
  });
});

async function reminders(root: string, steps: number): Promise<string[]> {
  const contextManager = createContextManager(promptOptions(root, { t: chinese }));
  await contextManager.ready();
  return Array.from({ length: steps }, () => contextManager.afterCalls()).filter((one) =>
    one !== undefined
  );
}

Deno.test("the rules are recalled every tenth step, in few bytes; without rules never", async () => {
  await withWorkspace({ "AGENTS.md": "no rule" }, async (root) => {
    assert.deepEqual(await reminders(root, 100), []);
  });
  const long = `# Style\n\n${"words ".repeat(5000)}`;
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`.narnat/rules/${i}.md`, i === 0 ? "用中文回答" : long]),
  );
  await withWorkspace(files, async (root) => {
    const all = await reminders(root, 200);
    assert.equal(all.length, 20);
    const [first] = all;
    assert.match(first!, /^\[narnat\] 规则回顾：.*全部 100 条/);
    assert.match(first!, /\n规则 1: 用中文回答\n规则 2: Style …\n/);
    assert.ok(new TextEncoder().encode(first).length < 900, first);
    assert.deepEqual(new Set(all).size, 1);
  });
});

Deno.test("all rules together have a cap; each one beyond it keeps its number and is pointed to", async () => {
  await withWorkspace({}, async (root) => {
    await writeRules(root, Array.from({ length: 20 }, (_, i) => `${i} `.repeat(12_000)));
    const rules = promptParts(promptOptions(root)).find(({ name }) => name === "rules")!;
    const bytes = new TextEncoder().encode(rules.text).length;
    assert.ok(bytes <= RULES_CAP + 20 * 100 && bytes > RULES_CAP, `${bytes}`);
    assert.ok(rules.cut > 100_000);
    assert.match(
      rules.text,
      /\n规则 20: \n\(\d+ more bytes of \.narnat\/rules\/019\.md did not fit; Read it for the rest\)$/,
    );
  });
});

slow(
  "of thousands of rules beyond the cap a hundred are pointed to one by one, the rest in one line",
  async () => {
    await withWorkspace({}, async (root) => {
      await writeRules(root, Array.from({ length: 3000 }, (_, i) => `${i} `.repeat(30)));
      const rules = promptParts(promptOptions(root)).find(({ name }) => name === "rules")!;
      const bytes = new TextEncoder().encode(rules.text).length;
      assert.ok(bytes <= RULES_CAP * 1.2, `${bytes}`);
      const [, left] =
        /\n\((\d+) more rule files, from \.narnat\/rules\/\d+\.md on, did not fit; Read them\)$/
          .exec(
            rules.text,
          )!;
      const numbers = [...rules.text.matchAll(/^规则 (\d+): /gm)].map(([, n]) => Number(n));
      assert.deepEqual(numbers, numbers.map((_, i) => i + 1));
      assert.equal(numbers.length + Number(left), 3000);
      assert.match(rules.reminder!, /3,?000/);
    });
  },
);

Deno.test("the rules of the settings stand before those of files, with numbers of their own", async () => {
  await withWorkspace({ ".narnat/rules/a.md": "from a file" }, (root) => {
    const rules = [{ text: "first", name: "~/.narnat/narnat.json rules[0]" }];
    const options = promptOptions(root, { rules });
    const prompt = joinParts(promptParts(options));
    const expected = "# narnat.json rules[0]\n规则 1: first\n# a\n规则 2: from a file";
    assert.ok(prompt.includes(HEADING + expected), prompt);
    assert.ok(joinParts(promptParts(promptOptions(root))).includes("规则 1: from a file"));
    return Promise.resolve();
  });
});
