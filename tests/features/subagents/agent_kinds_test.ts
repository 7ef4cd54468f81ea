import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { findAgentKinds, type FoundKinds } from "../../../src/features/subagents/agent_kinds.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

/** The kinds of a workspace with these files; its folder `home` is the user's home. */
async function found(files: Files): Promise<FoundKinds> {
  return await withWorkspace(
    files,
    (root) => findAgentKinds({ workspace: root, userDir: join(root, "home/.narnat"), t: english }),
  );
}

const file = (front: string, body = "Do it well.") => `---\n${front}\n---\n${body}\n`;

Deno.test("a kind has its name, purpose, tools, model and prompt of its file", async () => {
  const { kinds, problems } = await found({
    ".narnat/agents/a.md": file(
      "name: reviewer\ndescription: Reads code\ntools: Read, Grep,Bash\nmodel: fast-1",
      "# You review\n\nBe strict.",
    ),
    ".claude/agents/b.md": file(
      "name: tester\ndescription: |\n  Writes tests.\n  Use it often.\ntools:\n  - Read\n  - Write\nmodel: inherit\ncolor: red",
    ),
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(kinds, [
    {
      name: "reviewer",
      description: "Reads code",
      tools: ["Read", "Grep", "Bash"],
      model: "fast-1",
      prompt: "# You review\n\nBe strict.",
    },
    {
      name: "tester",
      description: "Writes tests. Use it often.",
      tools: ["Read", "Write"],
      prompt: "Do it well.",
    },
  ]);
});

Deno.test("of two with one name the project goes before the user, .narnat before .claude", async () => {
  const of = (who: string) => file(`name: same\ndescription: ${who}`);
  const { kinds } = await found({
    "home/.narnat/agents/same.md": of("user"),
    "home/.claude/agents/other.md": file("description: the user's own"),
    ".claude/agents/same.md": of("claude"),
    ".narnat/agents/z.md": of("narnat"),
  });
  assert.deepEqual(kinds.map(({ name, description }) => [name, description]), [
    ["same", "narnat"],
    ["other", "the user's own"],
  ]);
});

Deno.test("what is left out of a front matter has a good default", async () => {
  const { kinds } = await found({ ".narnat/agents/中文-helper.md": "# 你是助手\n\n做事。" });
  assert.deepEqual(kinds, [
    { name: "中文-helper", description: "你是助手", prompt: "# 你是助手\n\n做事。" },
  ]);
});

Deno.test("descriptions with colons and examples, as others write them, are read", async () => {
  const { kinds, problems } = await found({
    ".claude/agents/x.md": file(
      'name: x\ndescription: Use this when: the user asks. Examples: <example>user: "hi"\\nassistant: "ho"</example>',
    ),
  });
  assert.deepEqual(problems, []);
  assert.match(kinds[0]!.description, /^Use this when: the user asks/);
});

Deno.test("broken files are told, each by its name and reason, and the others stay", async () => {
  const { kinds, problems } = await found({
    ".narnat/agents/unclosed.md": "---\nname: a\nNo end",
    ".narnat/agents/yaml.md": file("name: [a\n  b: }"),
    ".narnat/agents/empty.md": file("name: empty", ""),
    ".narnat/agents/name.md": file("name: a/b"),
    ".narnat/agents/binary.md": new Uint8Array([0, 1, 2, 255, 254, 0, 7, 0, 0, 0]),
    ".narnat/agents/long.md": file("name: long", "x".repeat(40_000)),
    ".narnat/agents/good.md": file("name: good"),
  });
  assert.deepEqual(kinds.map(({ name }) => name), ["good"]);
  const told = (name: string, why: RegExp) =>
    assert.match(problems.find((text) => text.includes(`.narnat/agents/${name}.md`)) ?? "", why);
  told("unclosed", /never ends/);
  told("yaml", /no YAML/);
  told("empty", /no text/);
  told("name", /a\/b/);
  told("binary", /cannot be read/);
  told("long", /32 KiB/);
  assert.equal(problems.length, 6);
});

Deno.test("a part of a tool is not widened to all of it", async () => {
  const { kinds, problems } = await found({
    ".claude/agents/git.md": file("name: git\ntools: Read, Bash(git log:*, git show:*), Grep"),
  });
  assert.deepEqual(kinds[0]!.tools, ["Read", "Grep"]);
  assert.match(problems[0]!, /Bash\(git log:\*, git show:\*\)/);
});

Deno.test("whatever a file holds, reading it never fails and a kind is usable", async () => {
  const piece = fc.constantFrom(
    "---",
    "name: x",
    "tools: [",
    "model: {a",
    ": :",
    "\0",
    "正文",
    "- a",
    "",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.array(piece).map((lines) => lines.join("\n"))),
      async (text) => {
        const { kinds } = await found({ ".narnat/agents/any.md": text });
        for (const { name, prompt } of kinds) {
          assert.notEqual(name, "");
          assert.notEqual(prompt, "");
        }
      },
    ),
    { numRuns: runs(100) },
  );
});
