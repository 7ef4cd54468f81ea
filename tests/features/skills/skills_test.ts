import assert from "node:assert/strict";
import { join } from "node:path";
import type { PromptOptions } from "../../../src/context/mod.ts";
import {
  findSkills,
  type FoundSkill,
  isLoadable,
  skillBody,
} from "../../../src/features/skills/skills.ts";
import { promptOptions } from "../../support/parts.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { threadMs } from "../../support/processes.ts";

const ENV = { PATH: "/usr/bin:/bin", SET: "1" };

/** The skills of a workspace with these files; its folder `home` is the user's home. */
async function found(
  files: Files,
  more: Partial<PromptOptions> = {},
): Promise<readonly FoundSkill[]> {
  let skills: readonly FoundSkill[] = [];
  await withWorkspace(files, async (root) => {
    skills = await findSkills(
      promptOptions(root, { userDir: join(root, "home/.narnat"), env: ENV, ...more }),
    );
  });
  return skills;
}

/** The one skill whose SKILL.md this is. */
async function one(text: string | Uint8Array): Promise<FoundSkill> {
  const [skill] = await found({ ".narnat/skills/folder/SKILL.md": text });
  return skill!;
}

const front = (yaml: string, body = "body") => `---\n${yaml}\n---\n${body}\n`;

Deno.test("of two skills with one name the project goes before the user, the earlier folder before the later", async () => {
  const of = (description: string) => front(`name: twice\ndescription: ${description}`);
  const all = await found({
    "home/.narnat/skills/twice/SKILL.md": of("user"),
    "home/.agents/skills/own/SKILL.md": front("description: the user's"),
    ".claude/skills/twice/SKILL.md": of("claude"),
    ".agents/skills/twice/SKILL.md": of("agents"),
    ".narnat/skills/other-folder/SKILL.md": of("narnat"),
    ".agent/skills/twice.json": `{"name":"twice","description":"json"}`,
  });
  assert.deepEqual(all.map(({ name, description, path, off }) => [name, description, path, off]), [
    ["twice", "narnat", ".narnat/skills/other-folder/SKILL.md", undefined],
    ["twice", "agents", ".agents/skills/twice/SKILL.md", "shadowed"],
    ["twice", "claude", ".claude/skills/twice/SKILL.md", "shadowed"],
    ["twice", "json", ".agent/skills/twice.json", "shadowed"],
    ["twice", "user", "~/.narnat/skills/twice/SKILL.md", "shadowed"],
    ["own", "the user's", "~/.agents/skills/own/SKILL.md", undefined],
  ]);
});

Deno.test("a disabled skill is off, and gives way to none of its name", async () => {
  const all = await found({
    ".narnat/skills/a/SKILL.md": front("description: x"),
    ".agents/skills/a/SKILL.md": front("description: y"),
    ".agent/skills/j.json": `{"name":"j","description":"x","enabled":false}`,
  }, { disabledSkills: ["a", "nowhere"] });
  assert.deepEqual(all.map(({ off }) => off), ["disabled", "disabled", "not_enabled"]);
});

for (
  const [what, text] of [
    ["a plain one", front("description: d")],
    ["a byte order mark", "\ufeff" + front("description: d")],
    ["CRLF", front("description: d").replaceAll("\n", "\r\n")],
    ["blanks behind the fences", "---  \ndescription: d\n---\t\nbody"],
    ["no text behind", "---\ndescription: d\n---\nbody"],
    ["blank lines before", "\n\n---\ndescription: d\n---\n\nbody"],
    ["UTF-16", utf16(front("description: d"))],
  ] as const
) {
  Deno.test(`front matter is split from the body: ${what}`, async () => {
    await withWorkspace({ ".narnat/skills/folder/SKILL.md": text }, async (root) => {
      const [skill] = await findSkills(promptOptions(root));
      assert.equal(skill!.description, "d");
      assert.deepEqual(skillBody(skill!), { text: "body", cut: 0 });
    });
  });
}

function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0));
  return new Uint8Array(units.buffer);
}

Deno.test("values that lack their quotes are read all the same", async () => {
  for (
    const [yaml, expected] of [
      ["description: Use when: x", "Use when: x"],
      ["description: @foo does it", "@foo does it"],
      ["description: *foo", "*foo"],
      ["description: @", "@"],
      ["description: `tick` it", "`tick` it"],
      ["name: folder\r\ndescription: Use: x\r", "Use: x"],
      [`description: say "hi": now`, `say "hi": now`],
      ["description: >\n  folded\n  lines", "folded lines"],
      ["description: |\n  two\n  lines", "two lines"],
      ["description: 2024-01-01", "2024-01-01"],
      ["description: 42", "42"],
      ["metadata: {nanobot: {always: true}}\ndescription: Use when: y", "Use when: y"],
    ] as const
  ) {
    const skill = await one(front(yaml));
    assert.equal(skill.description, expected, yaml);
    assert.equal(skill.problem, undefined, yaml);
  }
});

Deno.test("nothing in a skill's file is executed by loading it", async () => {
  const mark = await Deno.makeTempFile();
  await Deno.remove(mark);
  const code = `Deno.writeTextFileSync(${JSON.stringify(mark)}, "run")`;
  const texts = [
    `---js\n${code}\n---\nbody`,
    front(`description: !!js/function 'function () { ${code} }'`),
    front(`description: d\n__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}`),
    front(`description: $(touch ${mark})`),
  ];
  for (const text of texts) await one(text);
  await assert.rejects(Deno.stat(mark));
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

Deno.test("a front matter that is no YAML costs little, whatever it holds", async () => {
  const began = threadMs();
  await one(front(`description: a: b\ta${" \t".repeat(30_000)}x: y\nz: *`));
  assert.ok(threadMs() - began < 500);
});

Deno.test("an alias bomb costs nothing", async () => {
  const levels = Array.from({ length: 30 }, (_, i) => {
    const inner = i === 0 ? "x" : `*a${i - 1}`;
    return `a${i}: &a${i} [${Array(9).fill(inner).join(", ")}]`;
  });
  const skill = await one(front(`description: d\n${levels.join("\n")}\nmetadata: *a29`));
  assert.equal(skill.description, "d");
});

Deno.test("nanobot's metadata is an object or a JSON string, under nanobot or openclaw", async () => {
  for (
    const metadata of [
      `{"nanobot": {"always": true, "requires": {"bins": ["sh"], "env": ["SET"]}}}`,
      `'{"nanobot": {"always": true, "requires": {"bins": ["sh"], "env": ["SET"]}}}'`,
      `'{"openclaw": {"always": true, "requires": {"bins": "sh"}}}'`,
      `\n  nanobot:\n    always: true\n    os: [${Deno.build.os}, plan9]`,
    ]
  ) {
    const skill = await one(front(`description: d\nmetadata: ${metadata}`));
    assert.deepEqual([skill.always, skill.missing], [true, []], metadata);
  }
  assert.equal((await one(front("description: d\nalways: true"))).always, true);
  assert.equal((await one(front("description: d\nmetadata: not json"))).always, false);
});

Deno.test("what is needed may stand in the front matter itself, beside what the metadata says", async () => {
  const missing = async (yaml: string) => (await one(front(`description: d\n${yaml}`))).missing;
  assert.deepEqual(await missing("requires: {bins: [sh, no-such-program]}"), ["no-such-program"]);
  assert.deepEqual(await missing("requires:\n  env: [SET, UNSET]"), ["$UNSET"]);
  assert.deepEqual(await missing("os: [plan9]"), ["plan9"]);
  assert.deepEqual(
    await missing(
      'requires: {bins: no-such}\nmetadata: {"nanobot":{"requires":{"env":["UNSET"]}}}',
    ),
    ["no-such", "$UNSET"],
  );
});

Deno.test("what is missing is named: programs, variables, another system", async () => {
  const requires = `{"bins":["sh","no-such-program"],"env":["SET","UNSET"]}`;
  const skill = await one(
    front(`description: d\nmetadata: {"nanobot":{"requires":${requires},"os":["plan9"]}}`),
  );
  assert.deepEqual(skill.missing, ["no-such-program", "$UNSET", "plan9"]);
});

Deno.test("where one may not look, no program is known to be missing", async () => {
  const text = front(`description: d\nmetadata: {"nanobot":{"requires":{"bins":["no-such"]}}}`);
  const [skill] = await found({ ".narnat/skills/folder/SKILL.md": text }, { env: {} });
  assert.deepEqual(skill!.missing, []);
});

Deno.test("a skill that says too little is for the user's own hand only", async () => {
  const files = {
    ".narnat/skills/bad-yaml/SKILL.md": "---\na: [1\n---\nbody",
    ".narnat/skills/empty/SKILL.md": "---\n---\nbody",
    ".narnat/skills/hidden/SKILL.md": front("description: d\ndisable-model-invocation: true"),
    ".narnat/skills/no-front/SKILL.md": "only text",
    ".narnat/skills/never-closed/SKILL.md": `---\ndescription: d\n${"x\n".repeat(9000)}`,
  };
  const all = await found(files);
  assert.deepEqual(all.map(({ name, problem, hidden }) => [name, problem, hidden]), [
    ["bad-yaml", "yaml", true],
    ["empty", "no_description", true],
    ["hidden", undefined, true],
    ["never-closed", "unclosed", true],
    ["no-front", "no_description", true],
  ]);
  assert.ok(all.every(isLoadable));
});

Deno.test("JSON skills have name, description and triggers; a broken one cannot be loaded", async () => {
  const all = await found({
    ".agent/skills/docker.json":
      `{"name":"docker-deploy","description":"Deploy it","triggers":["deploy","容器"]}`,
    ".agent/skills/broken.json": `{"name":`,
    ".agent/skills/list.json": `[1]`,
    ".agent/skills/readme.txt": "no",
  });
  assert.deepEqual(
    all.map((skill) => [skill.name, skill.description, skill.problem, isLoadable(skill)]),
    [
      ["broken", "", "json", false],
      ["docker-deploy", "Deploy it (deploy, 容器)", undefined, true],
      ["list", "", "json", false],
    ],
  );
});

/** The body of the one JSON skill that holds this. */
async function jsonBody(value: unknown): Promise<string | undefined> {
  let body: string | undefined;
  await withWorkspace({ ".agent/skills/x.json": JSON.stringify(value) }, async (root) => {
    const [skill] = await findSkills(promptOptions(root));
    body = isLoadable(skill!) ? skillBody(skill!)?.text : undefined;
  });
  return body;
}

Deno.test("a JSON skill is loaded with all that it says, as it stands", async () => {
  const long = "Deploy it.\n1) build\n" + "x".repeat(2000);
  assert.equal(
    await jsonBody({
      name: "x",
      description: long,
      triggers: ["deploy"],
      enabled: true,
      requires: { env: ["SET"] },
      content: "do json things\n  as they stand",
      steps: ["Check the Dockerfile", "Run docker-compose build"],
      examples: [{ run: "make" }],
      empty: "",
    }),
    `${long}\n\ncontent:\ndo json things\n  as they stand\n\nsteps:\n- Check the Dockerfile\n` +
      `- Run docker-compose build\n\nexamples:\n- {"run":"make"}`,
  );
  assert.equal(await jsonBody({ prompt: "only this" }), "prompt:\nonly this");
  assert.equal(await jsonBody([1]), undefined);
});

Deno.test("of a JSON skill longer than a skill may be the beginning is loaded; one too long to read says so", async () => {
  await withWorkspace({
    ".agent/skills/long.json": JSON.stringify({ description: "d", content: "中".repeat(20_000) }),
    ".agent/skills/much.json": JSON.stringify({ description: "d", content: "y".repeat(70_000) }),
  }, async (root) => {
    const [long, much] = await findSkills(promptOptions(root));
    const { text, cut } = skillBody(long!)!;
    assert.match(text, /^d\n\ncontent:\n中+$/);
    assert.equal(new TextEncoder().encode(text).length + cut, 60_000 + "d\n\ncontent:\n".length);
    assert.ok(cut > 27_000, `${cut}`);
    assert.deepEqual([much!.problem, isLoadable(much!)], ["too_long", false]);
  });
});

Deno.test("a name is such that a line can say it, whatever the file says", async () => {
  const of = async (name: string) => (await one(front(`name: ${name}\ndescription: d`))).name;
  assert.equal(await of("Code Review!"), "Code-Review");
  assert.equal(await of("审查"), "审查");
  assert.equal(await of('"a\\nb"'), "a-b");
  assert.equal(await of('"***"'), "folder");
  assert.equal(await of("[1]"), "folder");
  assert.equal((await of("x".repeat(300))).length, 64);
});

Deno.test("of a long skill only the beginning is read until it is used", async () => {
  const body = "中".repeat(100_000);
  await withWorkspace(
    { ".narnat/skills/long/SKILL.md": front("description: 长", body) },
    async (root) => {
      const [skill] = await findSkills(promptOptions(root));
      assert.deepEqual([skill!.description, skill!.bytes > 300_000], ["长", true]);
      const { text, cut } = skillBody(skill!)!;
      assert.match(text, /^中+$/);
      assert.equal(cut, skill!.bytes - 32 * 1024);
      await Deno.remove(skill!.file);
      assert.equal(skillBody(skill!), undefined);
    },
  );
});

Deno.test("a front matter is read however long it is, up to 64 KB", async () => {
  for (const bytes of [900, 1000, 1024, 8150, 8192, 60_000]) {
    const skill = await one(
      front(`license: ${"x".repeat(bytes)}\ndescription: d`, "b".repeat(9000)),
    );
    assert.deepEqual([skill.description, skill.problem], ["d", undefined], `${bytes}`);
  }
  const skill = await one(front(`license: ${"x".repeat(65_536)}\ndescription: d`));
  assert.deepEqual([skill.description, skill.problem], ["", "unclosed"]);
});

Deno.test("folders without SKILL.md and links that lead nowhere are no skills; a binary one is told", async () => {
  await withWorkspace({
    ".narnat/skills/empty/x.md": "",
    ".narnat/skills/binary/SKILL.md": Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3),
    ".narnat/skills/loose.md": "x",
    ".narnat/skills/folder/SKILL.md/x": "",
    "shared/linked/SKILL.md": front("description: through a link"),
  }, async (root) => {
    await Deno.symlink(join(root, "gone"), join(root, ".narnat/skills/dangling"));
    await Deno.symlink(join(root, "shared/linked"), join(root, ".narnat/skills/linked"));
    const all = await findSkills(promptOptions(root));
    assert.deepEqual(
      all.map((skill) => [skill.name, skill.problem, skill.bytes, isLoadable(skill)]),
      [["binary", "not_text", 8, false], ["linked", undefined, 41, true]],
    );
  });
});

Deno.test({
  name: "of skills that are looked for twice only those are read again that have changed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const bytesRead = () =>
      Number(/^rchar: (\d+)/m.exec(Deno.readTextFileSync("/proc/thread-self/io"))![1]);
    const files = Array.from({ length: 40 }, (_, n) => [
      `.narnat/skills/s${n}/SKILL.md`,
      front(n % 2 ? "description: plain" : "description: >\n  folded", "body ".repeat(200)),
    ]);
    await withWorkspace(Object.fromEntries(files), async (root) => {
      const o = promptOptions(root, { userDir: undefined, skillsRead: new Map() });
      const look = async () => {
        const before = bytesRead();
        const all = (await Promise.all([findSkills(o), findSkills(o)])).flat();
        return { all: all.map(({ description }) => description), bytes: bytesRead() - before };
      };
      await look();
      await Deno.writeTextFile(join(root, files[3]![0]!), front("description: changed"));
      const { all, bytes } = await look();
      assert.equal(all.filter((said) => said === "changed").length, 2);
      assert.equal(all.filter((said) => said === "folded").length, 40);
      assert.ok(bytes < 4000, `${bytes} bytes`);
    });
  },
});
