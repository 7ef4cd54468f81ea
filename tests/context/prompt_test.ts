import assert from "node:assert/strict";
import { join } from "node:path";
import { english, type T } from "../../src/base/t.ts";
import { FILE_CAP } from "../../src/context/files.ts";
import { createContextManager, joinParts, promptParts } from "../../src/context/mod.ts";
import { projectAbove } from "../../src/context/prompt.ts";
import { sessionSkills } from "../../src/features/skills/skill_parts.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { chinese } from "../support/chinese.ts";
import { promptOptions, promptOptions as options } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

/** Every rule of seed 000 §5.1, each by words that only its own sentence has. */
const BASE_RULES: readonly (readonly [string, RegExp])[] = [
  [
    "identity with the model's name",
    /^You are narnat, a code agent .*; your model is deepseek-v4-pro\./,
  ],
  ["truth before agreement", /truth before agreeing/],
  ["no praise", /no needless praise/],
  ["investigate when uncertain", /uncertain, investigate first/],
  ["never 'absolutely right'", /never "You are absolutely right"/],
  [
    "Read the whole file unless over 500 lines",
    /whole file in one call.*unless it has over 500 lines/,
  ],
  ["never read in segments", /Never read one file piece by piece/],
  ["Write full content", /always the full content, never a part/],
  ["prefer Edit to Write", /prefer Edit, an exact replacement.*\n.*never to change a few lines/],
  ["Edit is exact; Read first", /Never guess the content: Read first/],
  ["Glob by name", /Glob finds files by name \(\*\*\/\*\.py\)/],
  ["Grep by regex, never glob", /regular expression, never glob syntax/],
  ["Bash for commands", /Bash runs commands \(git, pip, npm, docker/],
  ["Bash never for files", /Never for reading, writing or searching files/],
  ["no interactive commands", /never interactive programs \(vim, top\)/],
  ["Bash timeout", /600000 ms/],
  ["WebSearch sparingly", /WebSearch: sparingly/],
  ["WebSearch when", /real-time facts, knowledge you lack, or when the user corrects you/],
  ["WebSearch never for local code", /never to search local code/],
  ["WebFetch after WebSearch", /WebFetch: a page in full, when the snippets are not enough/],
  ["do not trust the web", /Do not trust the web blindly/],
  [
    "TodoWrite required",
    /TodoWrite: required for multi-step tasks; never track progress in plain text/,
  ],
  ["one in_progress", /Exactly one task in_progress/],
  ["complete at once", /mark each completed at once, never in batches/],
  ["keep in_progress when blocked", /unfinished work keep the task in_progress/],
  ["a task for the blocker", /add a task that says what must be resolved/],
  ["never completed while failing", /Never mark a task completed while tests fail/],
  ["only what was asked", /Change only what was asked/],
  ["no extra features", /No extra features, refactoring or improvements/],
  [
    "no docstrings on untouched code",
    /No docstrings, comments or type annotations on code you did not change/,
  ],
  ["no needless validation", /validate only at the system's borders/],
  ["no one-time abstractions", /No helpers or abstractions for one-time use/],
  ["delete the unused", /Delete what is unused; no backwards-compatibility hacks/],
  ["1 plan first", /1\. Plan first, put the plan into TodoWrite/],
  ["2 read before modifying", /2\. Read the current content before changing it/],
  ["3 one thing at a time", /3\. Change one thing at a time and verify it/],
  ["4 no side changes", /4\. Only the requested changes/],
  ["5 no repeated thoughts", /5\. Do not repeat similar thoughts/],
  ["6 final summary", /6\. .*complete summary in the final answer/],
  ["7 root cause, twice then another way", /7\. .*root cause.*fails twice, try another/],
  ["8 compression", /8\. Long conversations may be compressed.*re-read the key files/],
  ["9 concise, markdown, no emojis", /9\. Keep final answers short, in markdown\. No emojis/],
  ["10 no needless files", /10\. Create no file unless it is needed/],
  [
    "11 no vulnerabilities",
    /11\. Introduce no vulnerabilities \(command injection, XSS, SQL injection/,
  ],
];

/** Seed 000 §5.2. */
const IRON_RULES = [
  /- Read before Edit\./,
  /- Verify every change/,
  /- Edit rather than Write\./,
  /- Bash only executes; files belong to the file tools\./,
  /- Grep to locate → Read to confirm → Edit to change\./,
];

Deno.test("the headings are in the prompt's language; seed 001's is for changing files", () => {
  const base = (t: T) => promptParts(options("/w", { t }))[0]!.text;
  assert.match(base(chinese), /\n## 文件修改策略\n/);
  assert.match(base(english), /\n# Changing files\n/);
  assert.doesNotMatch(base(english), /\p{Script=Han}/u);
});

Deno.test("the base prompt holds every rule of the seed, and the iron rules once", () => {
  const prompt = joinParts(promptParts(options("/w")));
  for (const [rule, words] of BASE_RULES) assert.match(prompt, words, rule);
  for (const words of IRON_RULES) {
    assert.equal(prompt.match(new RegExp(words, "g"))?.length, 1, String(words));
  }
});

Deno.test("system prompt and nine tools stay within 10 KB", () => {
  const tools = createToolbox(builtinTools({ searcher: createSearcher(), searxngUrl: undefined }))
    .definitions;
  const sent = JSON.stringify(tools.map(({ name, description, input }) => ({
    type: "function",
    function: { name, description, parameters: input },
  })));
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  const total = bytes(joinParts(promptParts(options("/home/somebody/space")))) + bytes(sent);
  assert.ok(total <= 10_240, `${total} bytes`);
});

Deno.test("the parts come in their order, and nothing changes within a day", async () => {
  await withWorkspace({
    ".narnat/rules/b.md": "second rule",
    ".narnat/rules/a.md": "first rule",
    ".agent/rules/c.md": "third rule",
    ".narnat/rules/ignored.txt": "no",
    "AGENTS.md": "from agents",
    ".narnat/narnat.md": "from the project",
    ".narnat/memory/MEMORY.md": "a fact",
    ".narnat/memory/SOUL.md": "a soul",
    ".narnat/memory/USER.md": "a user",
    ".narnat/skills/steady/SKILL.md": "---\ndescription: d\nalways: true\n---\nalways so",
    ".agents/skills/now-and-then/SKILL.md": "---\ndescription: when needed\n---\nlong",
    "home/.narnat/narnat.md": "from the user",
    "home/.narnat/AGENTS.md": "from the user's agents",
    "home/.narnat/rules/z.md": "the user's rule",
    "home/.narnat/memory/MEMORY.md": "a fact of the user's",
  }, async (root) => {
    const o = options(root, {
      userDir: `${root}/home/.narnat`,
      append: "appended",
      summary: "at the very end",
    });
    const contextManager = createContextManager(o);
    await contextManager.ready();
    const parts = promptParts(o, await sessionSkills(o));
    assert.deepEqual(parts.map((p) => p.name), [
      "base",
      "environment",
      "iron rules",
      "rules",
      "~/.narnat/AGENTS.md",
      "AGENTS.md",
      "~/.narnat/narnat.md",
      ".narnat/narnat.md",
      ".narnat/memory/SOUL.md",
      ".narnat/memory/USER.md",
      "~/.narnat/memory/MEMORY.md",
      ".narnat/memory/MEMORY.md",
      "skills",
      "skill index",
      "--append-system-prompt",
      "last session",
    ]);
    assert.equal(contextManager.system(), joinParts(parts));
    assert.ok(contextManager.system().endsWith("\n\nat the very end"));
    assert.equal(joinParts(parts), joinParts(promptParts(o, await sessionSkills(o))));
  });
});

Deno.test("a huge instruction file is cut at its cap and says so", async () => {
  await withWorkspace({ "AGENTS.md": "汉".repeat(FILE_CAP) }, (root) => {
    const part = promptParts(options(root)).find((p) => p.name === "AGENTS.md")!;
    assert.equal(part.cut, 2 * FILE_CAP);
    assert.ok(!part.text.includes("\ufffd"));
    assert.match(
      part.text,
      /\(65536 more bytes of AGENTS\.md did not fit; Read it for the rest\)\n<\/file>$/,
    );
    const [notice] = createContextManager(options(root)).beforeTurn(1);
    assert.match(notice!, /^AGENTS\.md is long: 65536 bytes of it are not in the prompt/);
  });
});

Deno.test("blank or missing instruction files leave no part", async () => {
  await withWorkspace({ "AGENTS.md": " \n\n" }, (root) => {
    assert.deepEqual(promptParts(options(root)).map((p) => p.name), [
      "base",
      "environment",
      "iron rules",
    ]);
  });
});

/** "全用" and "规则：回答用中文。" in GB18030. */
const GBK_SHORT = Uint8Array.of(0xc8, 0xab, 0xd3, 0xc3);
const GBK_LINE = Uint8Array.of(
  ...[0xb9, 0xe6, 0xd4, 0xf2, 0xa3, 0xba, 0xbb, 0xd8, 0xb4, 0xf0],
  ...[0xd3, 0xc3, 0xd6, 0xd0, 0xce, 0xc4, 0xa1, 0xa3],
);

Deno.test("rules and AGENTS.md in GBK or UTF-16 are read as what they say", async () => {
  await withWorkspace({ ".narnat/rules/z.md": "last" }, async (root) => {
    await Deno.writeFile(`${root}/.narnat/rules/a.md`, GBK_SHORT);
    await Deno.writeFile(`${root}/.narnat/rules/b.md`, GBK_LINE);
    await Deno.writeFile(
      `${root}/AGENTS.md`,
      Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e, 0x87, 0x65),
    );
    const parts = promptParts(options(root));
    assert.match(
      parts[3]!.text,
      /# a\n规则 1: 全用\n# b\n规则 2: 规则：回答用中文。\n# z\n规则 3: last$/,
    );
    assert.equal(parts[4]!.text, `<file name="AGENTS.md">\n中文\n</file>`);
    assert.deepEqual(createContextManager(options(root)).beforeTurn(1), []);
  });
});

Deno.test("an instruction file that is no text is named in the prompt and in one notice", async () => {
  await withWorkspace({ ".narnat/rules/a.md": "first" }, async (root) => {
    const binary = Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3);
    await Deno.writeFile(`${root}/.narnat/rules/0.md`, binary);
    await Deno.writeFile(`${root}/AGENTS.md`, binary);
    const parts = promptParts(options(root));
    assert.match(
      parts[3]!.text,
      /规则 1: first\n\(\.narnat\/rules\/0\.md is not text and was left out of the prompt\)$/,
    );
    const agents = "AGENTS.md is not text and was left out of the prompt";
    assert.equal(parts[4]!.text, `<file name="AGENTS.md">\n(${agents})\n</file>`);
    const contextManager = createContextManager(options(root));
    assert.deepEqual(contextManager.beforeTurn(7), [
      ".narnat/rules/0.md is not text and was left out of the prompt",
      agents,
    ]);
    assert.deepEqual(contextManager.beforeTurn(8), []);
    assert.match(createContextManager(options(root, { t: chinese })).beforeTurn(1)[0]!, /不是文本/);
  });
});

Deno.test("an instruction file that cannot be read is named, not overlooked", async () => {
  await withWorkspace({ "AGENTS.md/x.txt": "a folder", ".narnat/rules": "a file" }, (root) => {
    assert.deepEqual(createContextManager(options(root)).beforeTurn(1), [
      "AGENTS.md cannot be read and was left out of the prompt",
    ]);
  });
});

Deno.test("a cut in the middle of a GBK character leaves no mark", async () => {
  await withWorkspace({}, async (root) => {
    const pairs = Uint8Array.from({ length: FILE_CAP + 3 }, (_, at) => GBK_SHORT[(at + 3) % 4]!);
    pairs[0] = 0x61;
    await Deno.writeFile(`${root}/AGENTS.md`, pairs);
    const part = promptParts(options(root)).find((p) => p.name === "AGENTS.md")!;
    assert.match(
      part.text,
      /^<file name="AGENTS\.md">\na(全用)+全?\n\(3 more bytes of AGENTS\.md did not fit; Read it for the rest\)\n<\/file>$/,
    );
    assert.equal(part.cut, 3);
  });
});

Deno.test("of a very long file only the beginning is read, in its encoding, without a mark at the cut", async () => {
  await withWorkspace({
    "AGENTS.md": "x" + "汉".repeat(100_000),
    ".narnat/narnat.md": "é".repeat(200_000),
  }, async (root) => {
    const gbk = Uint8Array.from({ length: 200_001 }, (_, at) => GBK_SHORT[(at + 3) % 4]!);
    gbk[0] = 0x61;
    await Deno.mkdir(`${root}/.narnat/memory`);
    await Deno.writeFile(`${root}/.narnat/memory/USER.md`, gbk);
    const parts = promptParts(options(root));
    const text = (name: string) => parts.find((one) => one.name === name)!.text.split("\n")[1]!;
    assert.match(text("AGENTS.md"), /^x汉+$/);
    assert.match(text(".narnat/narnat.md"), /^é+$/);
    assert.match(text(".narnat/memory/USER.md"), /^a(全用)+全?$/);
  });
});

Deno.test("limits.turns moves the handover, and no notice names turns beyond it", async () => {
  await withWorkspace({}, (root) => {
    const contextManager = createContextManager({ ...options(root), mostTurns: 60 });
    assert.equal(contextManager.mostTurns, 60);
    assert.match(contextManager.beforeTurn(50).join(), /question 61 is compressed first/);
    assert.deepEqual(contextManager.beforeTurn(100), []);
    const usual = createContextManager(options(root));
    assert.equal(usual.mostTurns, 120);
    assert.match(usual.beforeTurn(100).join(), /Question 121 is compressed first/);
    return Promise.resolve();
  });
});

const above = (workspace: string, userDir?: string) =>
  projectAbove(promptOptions(workspace, { userDir }))?.dir;

Deno.test("a project above a folder without settings of its own is told once", () =>
  withWorkspace({
    "p/.narnat/rules/a.md": "x",
    "p/.git/HEAD": "",
    "p/sub/deep/x.ts": "",
    "p/own/.narnat/narnat.md": "mine",
    "p/used/.narnat/sessions/x.jsonl": "",
  }, async (root) => {
    const project = join(root, "p");
    for (const sub of ["p/sub", "p/sub/deep", "p/used"]) {
      assert.equal(above(join(root, sub)), project, sub);
    }
    for (const sub of ["p", "p/own"]) assert.equal(above(join(root, sub)), undefined, sub);
    const contextManager = createContextManager(promptOptions(join(root, "p/sub")));
    await contextManager.ready();
    assert.deepEqual(contextManager.beforeTurn(1), [
      `.narnat of ${project} is not used here; narnat -C ${project} uses it`,
    ]);
    assert.deepEqual(contextManager.beforeTurn(2), []);
  }));

Deno.test("servers, commands and agents of a project above are told of too", () =>
  withWorkspace({
    "p/.git/HEAD": "",
    "p/.mcp.json": "{}",
    "p/.narnat/commands/a.md": "x",
    "p/sub/x.ts": "",
    "p/own/.mcp.json": "{}",
    "p/own/sub/x.ts": "",
  }, async (root) => {
    const told = async (sub: string) => {
      const contextManager = createContextManager(promptOptions(join(root, sub)));
      await contextManager.ready();
      return contextManager.beforeTurn(1);
    };
    const [project, own] = [join(root, "p"), join(root, "p/own")];
    assert.deepEqual(await told("p/sub"), [
      `.narnat, .mcp.json of ${project} are not used here; narnat -C ${project} uses them`,
    ]);
    assert.deepEqual(await told("p/own/sub"), [
      `.mcp.json of ${own} is not used here; narnat -C ${own} uses it`,
    ]);
    assert.deepEqual([await told("p"), await told("p/own")], [[], []]);
  }));

Deno.test("beyond the root of a repository and in the home nothing is looked for", () =>
  withWorkspace({
    "home/.narnat/narnat.json": "{}",
    "home/a/x": "",
    "home/repo/.git/HEAD": "",
    "home/repo/a/x": "",
    "home/p/.narnat/sessions/x.jsonl": "",
    "home/p/a/x": "",
  }, (root) => {
    const userDir = join(root, "home/.narnat");
    for (const sub of ["a", "repo/a", "p/a"]) {
      assert.equal(above(join(root, "home", sub), userDir), undefined, sub);
    }
    assert.equal(above(join(root, "home/repo/a")), undefined);
    assert.equal(above(join(root, "home/a")), join(root, "home"));
  }));
