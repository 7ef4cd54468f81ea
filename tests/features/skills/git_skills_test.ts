import { sessionSkills } from "../../../src/features/skills/skill_parts.ts";
import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { SkillItem } from "../../../src/config/check.ts";
import { CACHE } from "../../../src/features/skills/clones.ts";
import type { GitSkills } from "../../../src/context/part.ts";
import { createGitSkills } from "../../../src/features/skills/git_skills.ts";
import {
  createContextManager,
  joinParts,
  type PromptOptions,
  promptParts,
} from "../../../src/context/mod.ts";
import { findSkills, skillBody } from "../../../src/features/skills/skills.ts";
import { bareRepo } from "./bare_repo.ts";
import { promptOptions } from "../../support/parts.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const ENV = {
  PATH: Deno.env.get("PATH")!,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

interface Stage {
  readonly o: PromptOptions;
  readonly gitSkills: GitSkills;
  /** What was told while it was fetched. */
  readonly begun: string[];
  fetch(): Promise<string[]>;
}

function stage(root: string, items: readonly SkillItem[], env = ENV, home = "home"): Stage {
  const userDir = join(root, home, ".narnat");
  const now = () => new Date(5000);
  const gitSkills = createGitSkills({ userDir, t: english, env, now, items: () => items });
  const begun: string[] = [];
  return {
    o: promptOptions(join(root, "w"), { userDir, gitSkills }),
    gitSkills,
    begun,
    fetch: () =>
      gitSkills.fetch({ signal: new AbortController().signal, begin: (t) => begun.push(t) }),
  };
}

/** The contents of all skills of the items, cloned where they are missing. */
async function loadAll({ o, fetch }: Stage) {
  const told = await fetch();
  const found = (await findSkills(o)).filter((skill) => skill.off === undefined);
  const skills = found.map((skill) => ({
    name: skill.name,
    content: skillBody(skill)?.text,
    source: skill.source?.repo,
    loadedAt: skill.source?.loadedAt,
  }));
  return { told, skills };
}

const BODY = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 })
  .map((text) => text.replaceAll(/[\p{Cc}\ufeff]/gu, " ").trim())
  .filter((text) => text !== "" && !text.startsWith("---"));

// Feature: agent-system-optimization, Property 1: Skill 内容注入完整性
Deno.test("Feature: agent-system-optimization, Property 1: of repositories' skills the text of each enabled one is in the prompt, of a disabled one none", async () => {
  const bodies = fc.sample(BODY, 60).map((body, i) => `${body} <${i}>`);
  await withWorkspace({ "w/x": "" }, async (root) => {
    const files = Object.fromEntries(bodies.map((body, i) => [`s${i}.md`, body]));
    const repo = await bareRepo(root, "many.git", files);
    await stage(root, [{ name: "a", repo }]).fetch();
    const chosen = fc.uniqueArray(
      fc.record({ i: fc.nat({ max: bodies.length - 1 }), enabled: fc.boolean() }),
      { selector: ({ i }) => i, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(chosen, async (all) => {
        const items = all.map(({ i, enabled }) => ({
          name: `Skill ${i}`,
          repo,
          skill: `s${i}`,
          enabled,
        }));
        const { o } = stage(root, items);
        const prompt = joinParts(promptParts(o, await sessionSkills(o)));
        const heading = "## Skills 编程指导\n以下是已加载的编程技能指导，请在相关场景中遵循：\n";
        assert.equal(prompt.includes(heading), all.some(({ enabled }) => enabled));
        for (const { i, enabled } of all) {
          assert.equal(prompt.includes(`\n### Skill ${i}\n`), enabled);
          assert.equal(prompt.includes(bodies[i]!), enabled);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

// Feature: agent-system-optimization, Property 2: Skill 加载容错性
Deno.test(
  "Feature: agent-system-optimization, Property 2: all skills that can be loaded are, whatever the others are",
  async () => {
    await withWorkspace({ "w/x": "", "folder/README.md": "no repository" }, async (root) => {
      const good = [
        await bareRepo(root, "one.git", { "README.md": "one" }),
        await bareRepo(root, "two.git", { "README.md": "two", "guide.md": "guide" }),
      ];
      const bad = [
        join(root, "nowhere.git"),
        join(root, "folder"),
        await bareRepo(root, "code.git", { "a.c": "int a;" }),
        "ext::sh -c false",
        "-u",
        "https://",
        "not an address",
        "http://127.0.0.1:1/x.git",
      ];
      const some = fc.array(
        fc.oneof(
          fc.record({ repo: fc.constantFrom(...good), valid: fc.constant(true) }),
          fc.record({ repo: fc.constantFrom(...bad), valid: fc.constant(false) }),
        ),
        { maxLength: 4 },
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(some, async (all) => {
          const items = all.map(({ repo }, i) => ({ name: `s${i}`, repo, skill: "guide" }));
          const { skills } = await loadAll(stage(root, items, ENV, `home${run++}`));
          assert.deepEqual(
            skills,
            all.flatMap(({ repo, valid }, i) =>
              valid
                ? [{
                  name: `s${i}`,
                  content: repo === good[0] ? "one" : "guide",
                  source: repo,
                  loadedAt: 5000,
                }]
                : []
            ),
          );
        }),
        { numRuns: runs(100) },
      );
    });
  },
);

// Feature: agent-system-optimization, Property 3: Skill 缓存幂等性
Deno.test(
  "Feature: agent-system-optimization, Property 3: loaded again a skill is the same, and no git runs",
  async () => {
    await withWorkspace({ "w/x": "" }, async (root) => {
      const bodies = fc.sample(BODY, 5);
      const repos = await Promise.all(
        bodies.map((body, i) =>
          bareRepo(root, `r${i}.git`, { "README.md": body, "s/SKILL.md": "s" })
        ),
      );
      const item = fc.record({
        name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((s) =>
          s.trim() !== ""
        ),
        repo: fc.constantFrom(...repos),
        skill: fc.constantFrom("s", "README", "none", "s/SKILL.md"),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(item, async (item) => {
          // a few homes for all, so that most first loads too find their repository cloned
          const home = `home${run++ % 5}`;
          const first = await loadAll(stage(root, [item], ENV, home));
          assert.equal(first.skills.length, 1);
          // what came meanwhile is not asked for
          const blind = stage(root, [item], { ...ENV, PATH: join(root, "no-git-here") }, home);
          const second = await loadAll(blind);
          assert.deepEqual([second.skills, second.told, blind.begun], [first.skills, [], []]);
        }),
        { numRuns: runs(100) },
      );
    });
  },
);

Deno.test("the file that skill names goes before README.md, and that before the first .md", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const files = {
      "b.md": "b",
      "a.md": "a",
      "exact.txt": "exact",
      "named.md": "named",
      "folder/SKILL.md": "---\ndescription: d\n---\nin a folder",
      "skills/deep/SKILL.md": "in skills",
      "far/away/SKILL.md": "far away",
    };
    const without = await bareRepo(root, "without.git", files);
    const repo = await bareRepo(root, "with.git", { ...files, "README.md": "readme" });
    const names = [
      "exact.txt",
      "named",
      "folder",
      "deep",
      "far/away",
      "none",
      "../w/x",
      "/etc/passwd",
    ];
    const { skills } = await loadAll(stage(root, [
      ...names.map((skill) => ({ name: `n ${skill}`, repo, skill })),
      { name: "first", repo: without, skill: "none" },
    ]));
    assert.deepEqual(skills.map(({ content }) => content), [
      ...["exact", "named", "in a folder", "in skills", "far away", "readme", "readme", "readme"],
      "a",
    ]);
  });
});

Deno.test("a whole repository brings its skills to the index; without any its README.md in full", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const front = (text: string) => `---\n${text}\n---\nThe guidance of it.\n`;
    const repo = await bareRepo(root, "skills.git", {
      "README.md": "readme",
      "skills/pdf/SKILL.md": front("name: pdf\ndescription: Makes PDFs"),
      "skills/pdf/inner/SKILL.md": front("description: belongs to pdf"),
      "plugins/x/skills/deep/SKILL.md": front("description: Deep down"),
      "node_modules/no/SKILL.md": front("description: d"),
      ".github/no/SKILL.md": front("description: d"),
      ".claude/skills/yes/SKILL.md": front("description: Hidden away\nalways: true"),
    });
    const plain = await bareRepo(root, "guide.git", { "README.md": "how to guide" });
    const { o, fetch } = stage(root, [{ name: "all", repo }, { name: "Guide", repo: plain }]);
    const told = await fetch();
    assert.equal(told.length, 2);
    assert.match(
      told[0]!,
      /^The skill all was cloned from .*skills\.git \([0-9a-f]{7}, \d+ bytes\)$/,
    );
    const parts = promptParts(o, await sessionSkills(o));
    const text = (name: string) => parts.find((part) => part.name === name)?.text ?? "";
    assert.match(text("skills"), /\n### Guide\n\(.*guide\)\nhow to guide\n\n### yes\n/);
    const index = text("skill index").replaceAll(/[0-9a-f]{16}/g, "HASH").split("\n").slice(4);
    assert.deepEqual(index, [
      "~/.narnat/skills-cache/HASH/skills/plugins/x/skills/<name>/SKILL.md:",
      "- deep: Deep down",
      "",
      "~/.narnat/skills-cache/HASH/skills/skills/<name>/SKILL.md:",
      "- pdf: Makes PDFs",
    ]);
  });
});

Deno.test("a skill asked for by name is in full, though its whole repository is there too", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", {
      "pdf/SKILL.md": "---\ndescription: Makes PDFs\n---\nThe guidance.",
    });
    const { o, fetch } = stage(root, [{ name: "r", repo }, { name: "pdf", repo, skill: "pdf" }]);
    await fetch();
    const prompt = joinParts(promptParts(o, await sessionSkills(o)));
    assert.match(prompt, /\n### pdf\n.*\nThe guidance\./);
    assert.doesNotMatch(prompt, /- pdf: /);
  });
});

Deno.test("a folder's own skill of the same name goes first, and disabled_skills counts", async () => {
  await withWorkspace({
    "w/.narnat/skills/pdf/SKILL.md": "---\ndescription: mine\n---\nmine",
  }, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "theirs" });
    const items = [{ name: "pdf", repo }, { name: "off", repo }, {
      name: "gone",
      repo: "/no/repo",
    }];
    const { o, fetch } = stage(root, items);
    await fetch();
    const found = await findSkills({ ...o, disabledSkills: ["off"] });
    assert.deepEqual(found.map(({ name, off }) => [name, off]), [
      ["pdf", undefined],
      ["pdf", "shadowed"],
      ["off", "disabled"],
      ["gone", "absent"],
    ]);
  });
});

Deno.test("a session clones what is missing before its prompt, tells it once, and tries no second time", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "the guidance" });
    const missing = join(root, "missing.git");
    const { o } = stage(root, [{ name: "good", repo }, { name: "bad", repo: missing }]);
    const logged: string[] = [];
    const log = { info: () => {}, warning: (_: string, text: string) => void logged.push(text) };
    const told: string[] = [];
    const contextManager = createContextManager({ ...o, log });
    const waiting = {
      signal: new AbortController().signal,
      tell: (t: string) => void told.push(t),
    };
    await contextManager.ready(waiting);
    assert.match(contextManager.system(), /### good\n.*\nthe guidance/);
    assert.deepEqual(told, [
      `Cloning skill repositories: ${repo}, ${missing} (ESC ends the wait)…`,
    ]);
    const notices = contextManager.beforeTurn(1);
    assert.equal(notices.length, 2);
    assert.match(
      notices[1]!,
      /^The skill bad was not loaded: Cannot clone .*: there is no such rep/,
    );
    assert.deepEqual(logged, [notices[1]]);
    assert.deepEqual(contextManager.beforeTurn(2), []);
    const next = createContextManager({ ...o, log });
    await next.ready(waiting);
    assert.deepEqual([told.length, logged.length, next.beforeTurn(1)], [1, 1, []]);
  });
});

Deno.test("a stop ends the wait for a server that does not answer", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { promise: asked, resolve } = Promise.withResolvers<Deno.Conn>();
    void silent.accept().then(resolve, () => {});
    const { port } = silent.addr as Deno.NetAddr;
    const { o } = stage(root, [{ name: "slow", repo: `http://127.0.0.1:${port}/x.git` }]);
    const contextManager = createContextManager(o);
    const stop = new AbortController();
    const ready = contextManager.ready({ signal: stop.signal, tell: () => {} });
    const connection = await asked;
    stop.abort();
    await ready;
    assert.match(
      contextManager.beforeTurn(1)[0]!,
      /^The skill slow was not loaded: .*: it was stopped$/,
    );
    connection.close();
    silent.close();
  });
});

Deno.test("without a home, and for items that are off, nothing is cloned", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "x" });
    const off = stage(root, [{ name: "off", repo, enabled: false }]);
    assert.deepEqual(await off.fetch(), []);
    assert.throws(() => Deno.statSync(join(root, "home/.narnat", CACHE)));
    const homeless = createGitSkills({
      userDir: undefined,
      t: english,
      env: ENV,
      now: () => new Date(),
      items: () => [{ name: "a", repo }],
    });
    const host = { signal: new AbortController().signal, begin: () => assert.fail() };
    assert.deepEqual(await homeless.fetch(host), []);
  });
});

Deno.test("two sessions that begin at once share one clone", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "shared" });
    const stages = Array.from({ length: 6 }, () => stage(root, [{ name: "a", repo }]));
    for (const { skills } of await Promise.all(stages.map(loadAll))) {
      assert.deepEqual(skills.map(({ content }) => content), ["shared"]);
    }
    const cache = join(root, "home/.narnat", CACHE);
    const names = [...Deno.readDirSync(cache)].filter(({ isDirectory }) => isDirectory);
    assert.equal(names.length, 1);
  });
});
