import { sessionSkills } from "../../../src/features/skills/skill_parts.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import {
  createContextManager,
  joinParts,
  type PromptOptions,
  promptParts,
} from "../../../src/context/mod.ts";
import { ALWAYS_CAP, INDEX_CAP } from "../../../src/features/skills/skill_parts.ts";
import { promptOptions } from "../../support/parts.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;

async function partsOf(root: string, more: Partial<PromptOptions> = {}) {
  const o = promptOptions(root, more);
  return promptParts(o, await sessionSkills(o));
}

const part = async (files: Files, name: string, more: Partial<PromptOptions> = {}) => {
  let text: string | undefined;
  await withWorkspace(files, async (root) => {
    const all = await partsOf(root, { userDir: join(root, "home/.narnat"), ...more });
    text = all.find((one) => one.name === name)?.text;
  });
  return text;
};

/** A body that is no other's part. */
const BODY = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 })
  .map((text) => text.replaceAll(/[\p{Cc}\ufeff]/gu, " ").trim())
  .filter((text) => text !== "" && !text.startsWith("---"));
const SKILLS = fc.array(fc.record({ body: BODY, enabled: fc.boolean() }), { maxLength: 6 });

// Feature: agent-system-optimization, Property 1: Skill 内容注入完整性
Deno.test("Feature: agent-system-optimization, Property 1: the text of each enabled skill is in the prompt, of a disabled one none", async () => {
  await fc.assert(
    fc.asyncProperty(SKILLS, async (skills) => {
      const all = skills.map(({ body, enabled }, i) => ({
        name: `skill-${i}`,
        body: `${body} <${i}>`,
        enabled,
      }));
      const files = Object.fromEntries(all.map(({ name, body }) => [
        `.narnat/skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: d\nalways: true\n---\n${body}\n`,
      ]));
      await withWorkspace(files, async (root) => {
        const disabledSkills = all.filter(({ enabled }) => !enabled).map(({ name }) => name);
        const prompt = joinParts(await partsOf(root, { disabledSkills }));
        const enabled = all.filter((one) => one.enabled);
        assert.equal(prompt.includes("## Skills 编程指导"), enabled.length > 0);
        for (const { name, body, enabled } of all) {
          const full = `### ${name}\n(.narnat/skills/${name})\n${body}`;
          assert.equal(prompt.includes(full), enabled, name);
          assert.equal(prompt.includes(body), enabled, name);
        }
      });
    }),
    { numRuns: runs(100) },
  );
});

const skill = (yaml: string, body = "body") => `---\n${yaml}\n---\n${body}`;

Deno.test("the index tells name, description, place, and what is missing", async () => {
  const text = await part(
    {
      ".narnat/skills/review/SKILL.md": skill("description: Reviews a change"),
      ".narnat/skills/odd-folder/SKILL.md": skill("name: odd\ndescription: Other name"),
      ".narnat/skills/hidden/SKILL.md": skill("description: d\ndisable-model-invocation: true"),
      ".agents/skills/deploy/SKILL.md": skill(
        `description: Deploys\nmetadata: {"nanobot":{"requires":{"bins":["nope"],"env":["TOKEN"]}}}`,
      ),
      ".agent/skills/docker.json": `{"name":"docker","description":"Docker","triggers":["up"]}`,
      "home/.agents/skills/notes/SKILL.md": skill("description: Keeps notes"),
    },
    "skill index",
    { env: { PATH: "/bin" } },
  );
  assert.equal(
    text,
    `## Skill index

Guidance for kinds of tasks. When a task fits one, Read its file first and follow it; paths in it are relative to its folder.

.narnat/skills/<name>/SKILL.md:
- odd: Other name (.narnat/skills/odd-folder/SKILL.md)
- review: Reviews a change

.agents/skills/<name>/SKILL.md:
- deploy: Deploys (unavailable: needs nope, $TOKEN)

.agent/skills/<name>.json:
- docker: Docker (up)

~/.agents/skills/<name>/SKILL.md:
- notes: Keeps notes`,
  );
});

Deno.test("a skill that always applies stands in full, unless something is missing", async () => {
  const files = {
    ".narnat/skills/on/SKILL.md": skill("description: d\nalways: true", "the guidance"),
    ".narnat/skills/lame/SKILL.md": skill(
      `description: d\nmetadata: {"nanobot":{"always":true,"requires":{"env":["UNSET"]}}}`,
      "not loaded",
    ),
  };
  assert.equal(
    await part(files, "skills"),
    "## Skills 编程指导\n以下是已加载的编程技能指导，请在相关场景中遵循：\n\n" +
      "### on\n(.narnat/skills/on)\nthe guidance",
  );
  assert.match((await part(files, "skill index"))!, /\n- lame: d \(unavailable: needs \$UNSET\)$/);
});

Deno.test("skills that always apply share a cap; those beyond it stand in the index, which is said", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      `.narnat/skills/s${i}/SKILL.md`,
      skill("description: d\nalways: true", `${i} `.repeat(10_000)),
    ]),
  );
  await withWorkspace(files, async (root) => {
    const parts = await partsOf(root);
    const full = parts.find(({ name }) => name === "skills")!;
    assert.ok(bytes(full.text) <= ALWAYS_CAP + 1000 && full.cut > 40_000);
    assert.match(full.text, /\n\n\(s6, s7, s8 did not fit; Read their files first\)$/);
    const index = parts.find(({ name }) => name === "skill index")!;
    assert.match(index.text, /\n- s6: d\n- s7: d\n- s8: d$/);
  });
});

Deno.test("200 skills share 8 KB: descriptions are shortened first, and it is said", async () => {
  const many = (count: number, nameChars: number, description: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => {
        const name = `${i}-`.padEnd(nameChars, "x");
        return [`.narnat/skills/${name}/SKILL.md`, skill(`description: ${description}`)];
      }),
    );
  const fits = (await part(many(200, 8, "短说明，".repeat(20)), "skill index"))!;
  assert.ok(bytes(fits) <= INDEX_CAP + 200, `${bytes(fits)}`);
  assert.ok(bytes(fits) > INDEX_CAP - 800, `${bytes(fits)}`);
  assert.equal(fits.match(/^- \d+-x+: 短.*…$/gm)?.length, 200);
  assert.match(fits, /\(descriptions shortened; the files have them in full\)$/);
  const names = (await part(many(300, 40, "d"), "skill index"))!;
  assert.ok(bytes(names) <= INDEX_CAP + 200, `${bytes(names)}`);
  assert.match(
    names,
    /\(descriptions left out, and \d+ more skills, from \.narnat\/skills\/\d+-x+/,
  );
  const [, more] = /and (\d+) more/.exec(names)!;
  assert.equal(names.match(/^- \d+-x+$/gm)!.length + Number(more), 300);
});

Deno.test("what the session before had loaded is in the new prompt in full", async () => {
  const files = {
    ".narnat/skills/used/SKILL.md": skill("description: d", "how it goes"),
    ".narnat/skills/huge/SKILL.md": skill("description: d", "x".repeat(40_000)),
  };
  const loadedSkills = ["used", "huge", "gone"];
  assert.match((await part(files, "skills", { loadedSkills }))!, /### used\n.*\nhow it goes$/);
  assert.match((await part(files, "skill index", { loadedSkills }))!, /\n- huge: d$/);
});

Deno.test("a line's skill is its text, its folder and what it lacks", async () => {
  await withWorkspace({
    ".narnat/skills/one/SKILL.md": skill(
      `description: d\nmetadata: {"nanobot":{"requires":{"env":["UNSET"]}}}`,
      "Do it.\nRun scripts/x.sh",
    ),
  }, async (root) => {
    const contextManager = createContextManager(promptOptions(root));
    assert.deepEqual(contextManager.skills, []);
    await contextManager.ready();
    assert.equal(
      contextManager.skillText(contextManager.skills[0]!),
      "[narnat] Skill one (.narnat/skills/one/SKILL.md), to be followed for this. Relative paths " +
        "in it start from .narnat/skills/one.\n(What it needs and was not found: $UNSET)\n" +
        "Do it.\nRun scripts/x.sh",
    );
  });
});
