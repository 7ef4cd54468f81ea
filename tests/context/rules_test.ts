import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createKeeper, joinParts, promptParts } from "../../src/context/mod.ts";
import { RULES_CAP } from "../../src/context/rules.ts";
import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import { promptOptions } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

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
    const keeper = createKeeper(promptOptions(root));
    await keeper.ready();
    const system = keeper.system();
    assert.deepEqual(keeper.beforeTurn(1), []);
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
        keeper.beforeTurn(2),
        names === "" ? [] : [
          english(
            "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
            { names },
          ),
        ],
      );
      assert.deepEqual(keeper.beforeTurn(3), []);
    }
    assert.equal(keeper.system(), system);
    const next = createKeeper(promptOptions(root));
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
    const keeper = createKeeper(promptOptions(root));
    await keeper.ready();
    const nested =
      "What lies in .narnat/rules/nested/ was left out of the prompt: rules are rules/*.md, not in folders below";
    const link =
      ".narnat/rules/link.md is a link to a file that is not there and was left out of the prompt";
    assert.deepEqual(keeper.beforeTurn(1), [link, nested]);
    assert.ok(keeper.system().includes(`规则 1: rule\n(${link})\n(${nested})`));
  });
});

Deno.test("a first rule is told of too", async () => {
  await withWorkspace({}, async (root) => {
    const keeper = createKeeper(promptOptions(root, { t: chinese }));
    await keeper.ready();
    assert.deepEqual(keeper.beforeTurn(1), []);
    await Deno.mkdir(join(root, ".agent/rules"), { recursive: true });
    await Deno.writeTextFile(join(root, ".agent/rules/a.md"), "x");
    assert.deepEqual(keeper.beforeTurn(2), [
      "有变化：.agent/rules/a.md（新）。从下一个会话起生效：/compact 带着总结立即开始一个；退出后用 narnat -c 回来时，会告诉模型去读",
    ]);
  });
});

async function reminders(root: string, steps: number): Promise<string[]> {
  const keeper = createKeeper(promptOptions(root, { t: chinese }));
  await keeper.ready();
  return Array.from({ length: steps }, () => keeper.afterCalls()).filter((one) =>
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
