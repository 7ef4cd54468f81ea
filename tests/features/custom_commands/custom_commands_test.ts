import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { commandsWith } from "../../../src/app/commands.ts";
import {
  commandFacts,
  customCommands,
  expand,
} from "../../../src/features/custom_commands/custom_commands.ts";
import { wordsOf } from "../../../src/base/strings.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import type { Searcher } from "../../../src/search/mod.ts";
import type { Asking, Command } from "../../../src/base/types.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { testController } from "../../support/test_controller.ts";
import { runs } from "../../support/soak.ts";

const { signal } = new AbortController();
const ask = async (command: Command | undefined, args = ""): Promise<Asking> => {
  const asking = await command?.asks?.(args, testController().controller, signal);
  assert.ok(asking, command?.name);
  return asking;
};

/** A project `w` and a home beside it. */
async function stage(
  files: Files,
  use: (list: () => readonly Command[], root: string) => Promise<void>,
): Promise<void> {
  await withWorkspace({ "w/.keep": "", ...files }, async (dir) => {
    const root = join(dir, "w");
    const taken = ["help", "plan"];
    const userDir = join(dir, "home/.narnat");
    await use(customCommands({ workspace: root, userDir, t: english, taken }), root);
  });
}

const named = (list: () => readonly Command[], name: string) =>
  list().find((one) => one.name === name);

Deno.test("commands come from the project's and the user's folders, a project's before a user's", async () => {
  await stage({
    "w/.narnat/commands/review.md": "narnat's of the project",
    "w/.claude/commands/review.md": "claude's of the project",
    "w/.claude/commands/git/commit msg.md": "in a folder",
    "w/.claude/commands/审查.md": "看 $1",
    "w/.claude/commands/.hidden.md": "no",
    "w/.claude/commands/notes.txt": "no",
    "w/.claude/commands/empty.md": "",
    "w/.claude/commands/no_text.md": new Uint8Array([0, 255, 0, 1, 254, 0]),
    "w/.claude/commands/a/b/c/d/too_deep.md": "no",
    "home/.narnat/commands/review.md": "the user's",
    "home/.narnat/commands/mine.md": "the user's own",
    "home/.claude/commands/old.md": "claude's of the user",
  }, async (list) => {
    assert.deepEqual(list().map((one) => one.name), [
      "review",
      "git:commit-msg",
      "审查",
      "mine",
      "old",
    ]);
    const [text] = (await ask(named(list, "review"))).behind!;
    assert.equal(
      text,
      "[narnat] /review is a command of the user's (.narnat/commands/review.md); do what it says:\n\nnarnat's of the project",
    );
    assert.match((await ask(named(list, "mine"))).behind![0]!, /~\/\.narnat\/commands\/mine\.md/);
  });
});

Deno.test("the front matter is understood as people write it", () => {
  const facts = commandFacts([
    "---",
    'description: "Review: a pull request"',
    "argument-hint: [number] [priority]",
    "allowed-tools: Bash(git add:*), Bash(git status:*), Read",
    "model: opus",
    "---",
    "Look at $1.",
  ].join("\n"));
  assert.deepEqual(facts, {
    description: "Review: a pull request",
    hint: "[number] [priority]",
    tools: ["Bash", "Read"],
    model: true,
    body: "Look at $1.",
  });
  const list = commandFacts(
    "---\r\ntools:\r\n  - Grep\r\n  - Glob\r\nmodel: inherit\r\n---\r\n# Find it\r\n",
  );
  assert.deepEqual(list.tools, ["Grep", "Glob"]);
  assert.equal(list.model, false);
  assert.equal(list.description, "Find it", "the first line where it has none");
  assert.deepEqual(commandFacts("---\nallowed-tools: [Read, 'Edit']\n---\nx").tools, [
    "Read",
    "Edit",
  ]);
  assert.equal(commandFacts("---\nallowed-tools: '*'\n---\nx").tools, undefined);
  assert.equal(commandFacts("---\nallowed-tools:\n---\nx").tools, undefined);
  assert.equal(
    commandFacts("---\ndescription: a\x1b[2J\x07b\n---\nx").description,
    "a [2J b",
    "nothing of it steers a terminal",
  );
  assert.equal(
    commandFacts("---\ndescription: >\n  two\n  lines\n---\nx").description,
    "two lines",
  );
});

Deno.test("arguments stand where the text wants them", () => {
  const cases: readonly [string, string, string][] = [
    ["mend $1 in $2", 'parser "src/a b.ts"', "mend parser in src/a b.ts"],
    ["all: $ARGUMENTS.", "a 'b c'", "all: a 'b c'."],
    ["first of $ARGUMENTS: $ARGUMENTS[0], $ARGUMENTS[3].", "a b", "first of a b: a, ."],
    ["costs $10 and $0, $HOME, $ARGUMENTSX", "a", "costs $10 and $0, $HOME, $ARGUMENTSX"],
    ["$1$2", "it's \"fine", "it's\"fine"],
    ["$1", "", "$1"],
    ["$1 and $2", "a", "a and $2"],
    ["$ARGUMENTS, $1", "a", "a, $1"],
    ["pay $5 with it", "a b c d e", "pay $5 with it"],
    [
      "up to $1,000, $1.5, $1M or $2 million for $1",
      "a b",
      "up to $1,000, $1.5, $1M or $2 million for a",
    ],
    ["$1/month, $1-$5, $1+ and src/$1/x-$2", "a b", "$1/month, $1-$5, $1+ and src/a/x-b"],
    ["run `awk '{print $1, $2}' $1` on $2.", "a b", "run `awk '{print $1, $2}' a` on b."],
    ["!`npm test $1`, \\$1, v$1", "a", "!`npm test a`, \\$1, va"],
    [
      "$1:\n  - ```sql\n    WHERE id = $1\n    ```\nthen $1",
      "a",
      "a:\n  - ```sql\n    WHERE id = $1\n    ```\nthen a",
    ],
    ["~~~~\n~~~\n$1\n~~~~\n$1", "a", "~~~~\n~~~\n$1\n~~~~\na"],
  ];
  for (const [body, args, expected] of cases) assert.equal(expand(body, args), expected, body);
  const hinted: readonly [string, string, string][] = [
    ["$1 by $2", "a", "a by "],
    ["$ARGUMENTS: $1", "a b", "a b: a"],
    ["only $2", "a b", "only b"],
    ["$3 each", "a b", "$3 each"],
    ["```\n$1\n```", "a", "```\n$1\n```"],
  ];
  for (const [body, args, expected] of hinted) {
    assert.equal(expand(body, args, "[what] [who]"), expected, body);
  }
  assert.deepEqual(wordsOf(`a "b \\" c" 'd e'f \\ g`), ["a", 'b " c', "d ef", " g"]);
});

Deno.test("what is put in is never read as a place again, whatever it is", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("$1", "$ARGUMENTS", "$&", "$$", "$'"), (text, odd) => {
      const args = `${text}${odd}`;
      assert.equal(expand("<$ARGUMENTS>", args), `<${args}>`);
      const word = JSON.stringify(odd);
      assert.equal(expand("<$1>", word), `<${odd}>`);
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("an edited file counts at the next use, and one that has gone says so", async () => {
  const file = "w/.narnat/commands/a.md";
  await stage({ [file]: "first" }, async (list, root) => {
    const path = join(root, ".narnat/commands/a.md");
    const command = named(list, "a");
    assert.match((await ask(command)).behind![0]!, /first$/);
    await Deno.writeTextFile(path, "---\ndescription: new\n---\nsecond one");
    assert.match((await ask(command)).behind![0]!, /second one$/);
    assert.equal(named(list, "a")!.help(english), "new");
    await Deno.writeTextFile(join(root, ".narnat/commands/b.md"), "b");
    assert.ok(named(list, "b"));
    await Deno.remove(path);
    await assert.rejects(ask(command), /Cannot use \.narnat\/commands\/a\.md/);
    assert.equal(named(list, "a"), undefined);
  });
});

Deno.test("a built-in command keeps its name, and the list says so", async () => {
  await stage({ "w/.claude/commands/help.md": "mine" }, async (list) => {
    const all = commandsWith(list);
    const help = await all()[0]!.run("", testController().controller);
    assert.match(help, /\/help +list all commands\n/);
    assert.match(help, /\/help +\.claude\/commands\/help\.md cannot be used: a built-in command/);
    const model = new ScriptedModel([]);
    const t = new TestAgent({ model, commands: all });
    await t.say("/help");
    assert.equal(model.requests.length, 0);
  });
});

Deno.test("of several files with one name the first is used, and the others are told once", async () => {
  await stage({
    "w/.claude/commands/do it.md": "second",
    "w/.claude/commands/do\nit.md": "first",
    "home/.narnat/commands/do-it.md": "third",
    "home/.narnat/commands/mine.md": "alone",
  }, async (list) => {
    const first = await ask(named(list, "do-it"));
    assert.match(first.behind![0]!, /first$/);
    assert.deepEqual(first.notices, [
      "/do-it is .claude/commands/do?it.md; not used, as they have the same name: .claude/commands/do it.md, ~/.narnat/commands/do-it.md",
    ]);
    assert.deepEqual((await ask(named(list, "do-it"))).notices, []);
    assert.deepEqual((await ask(named(list, "mine"))).notices, []);
  });
});

Deno.test("at home a file is one command, not two of one name", async () => {
  await withWorkspace({ ".narnat/commands/mine.md": "alone" }, async (root) => {
    const userDir = join(root, ".narnat");
    const list = customCommands({ workspace: root, userDir, t: english, taken: [] });
    assert.deepEqual((await ask(named(list, "mine"))).notices, []);
  });
});

Deno.test("what Claude would run first is not run, and a model is not taken: said once", async () => {
  const text = "---\nmodel: opus\n---\nState: !`git status`\nGo on.";
  await stage({ "w/.claude/commands/a.md": text }, async (list) => {
    const first = await ask(named(list, "a"));
    assert.deepEqual(first.notices, [
      "/a: what stands in !`…` is not run by itself; the model runs what it needs",
      "/a names a model, which is not taken: the current one answers",
    ]);
    assert.match(first.behind![0]!, /was not run; run what you need\)\n\nState: !`git status`/);
    assert.deepEqual((await ask(named(list, "a"))).notices, []);
  });
});

Deno.test("a line with a command is asked as typed, the text behind it, with its files, and its tools alone", async () => {
  await stage({
    "w/.claude/commands/fix/all.md":
      "---\nallowed-tools: read_file, Look\n---\nFix $1 by @rules.md.",
    "w/rules.md": "be kind\n",
    "w/a.ts": "let a;\n",
  }, async (list, root) => {
    const read = builtinTools({ searcher: {} as Searcher })[0]!;
    const ran: string[] = [];
    const look = tool("Look", () => ({ ok: true, text: `${ran.push("Look")}` }));
    const touch = tool("Touch", () => ({ ok: true, text: `${ran.push("Touch")}` }));
    const model = new ScriptedModel((_r, i) =>
      i % 2 === 0 ? { calls: [{ name: "Look" }, { name: "Touch" }] } : { text: "ok" }
    );
    const tools = [read, look, touch];
    const t = new TestAgent({ model, tools, workspace: root, commands: commandsWith(list) });
    await t.say("/fix:all @a.ts");
    const texts = model.requests[0]!.messages.map((m) => m.text);
    assert.equal(texts[0], "/fix:all @a.ts");
    assert.match(texts[1]!, /only these tools may be called in this turn: read_file, Look/);
    assert.match(texts[1]!, /\n\nFix @a\.ts by @rules\.md\.$/);
    assert.match(texts[2]!, /let a;/);
    assert.match(texts[3]!, /be kind/);
    assert.equal(texts.length, 4);
    assert.deepEqual(ran, ["Look"]);
    const barred = t.of("tool_end").find((e) => e.name === "Touch")!;
    assert.match(barred.text, /allows only read_file, Look; Touch may not be called/);
    assert.equal(t.agent.controller.current().turns, 1);
    await t.say("and now?");
    assert.deepEqual(ran, ["Look", "Look", "Touch"], "the next turn has all tools again");
  });
});

Deno.test("a plan keeps the tools of the command that asked for it", async () => {
  await stage({ "w/.claude/commands/a.md": "---\ntools: Look\n---\nGo." }, async (list) => {
    const touch = tool("Touch", () => ({ ok: true, text: "touched" }));
    const model = new ScriptedModel((request) => {
      const last = request.messages.at(-1)!.text;
      if (last.includes("break the task")) return { text: '["a"]' };
      return last.startsWith("[Step") ? { calls: [{ name: "Touch" }] } : { text: "ok" };
    });
    const t = new TestAgent({
      model,
      tools: [touch],
      planFirst: true,
      commands: commandsWith(list),
    });
    await t.say("/a");
    assert.equal(t.of("tool_end")[0]!.ok, false);
  });
});

Deno.test("a name in Chinese is a command only where there is one; paths stay text", async () => {
  await stage({ "w/.claude/commands/审查.md": "看 $1" }, async (list) => {
    const model = new ScriptedModel(() => ({ text: "ok" }));
    const t = new TestAgent({ model, commands: commandsWith(list) });
    const last = () => model.requests.at(-1)!.messages.at(-1)!.text;
    await t.say("/审查 甲");
    assert.match(last(), /看 甲$/);
    await t.say("/tmp里有什么");
    assert.equal(last(), "/tmp里有什么");
    await t.say("/git:comit");
    assert.equal(model.requests.length, 2);
    assert.match(t.of("notice").at(-1)!.text, /git:comit/);
  });
});

Deno.test("what a file restricts itself to is never lost for the way it is written", async () => {
  for (const line of ["allowed-tools:Read", "Allowed-Tools : Read", "allowed_tools: Read # only"]) {
    assert.deepEqual(commandFacts(`---\n${line}\n---\nx`).tools, ["Read"], line);
  }
  await stage(
    { "w/.narnat/commands/a.md": "---\nallowed-tools: Read\nLook at it." },
    async (list) => {
      assert.match(
        named(list, "a")!.help(english),
        /^\.narnat\/commands\/a\.md cannot be used: .*never/,
      );
      await assert.rejects(ask(named(list, "a")), /put a line --- before the text/);
    },
  );
});

Deno.test("a folder with very many files leaves the others theirs", async () => {
  const many = Array.from({ length: 1100 }, (_, i) => [`w/.narnat/commands/c${i}.md`, "x"]);
  const files = { ...Object.fromEntries(many), "home/.claude/commands/zz.md": "mine" };
  await stage(files, (list) => {
    assert.equal(list().length, 1001);
    assert.ok(named(list, "zz"));
    return Promise.resolve();
  });
});

Deno.test("a mistyped name in other letters is answered with the near one, a sentence goes to the model", async () => {
  const files = { "w/.claude/commands/审阅.md": "看", "w/.claude/commands/前端/组件.md": "写" };
  await stage(files, async (list) => {
    const model = new ScriptedModel(() => ({ text: "ok" }));
    const t = new TestAgent({ model, commands: list });
    await t.say("/审约 x");
    await t.say("/前端：组件");
    assert.deepEqual(t.of("notice").map((e) => e.text), [
      "There is no command /审约; did you mean /审阅?",
      "There is no command /前端：组件; did you mean /前端:组件?",
    ]);
    assert.equal(model.requests.length, 0);
    for (const line of ["/项目 里有什么", "/文", "/数据目录在哪里？"]) await t.say(line);
    assert.equal(model.requests.length, 3);
    await t.agent.close();
  });
});

Deno.test("command files beyond the limit are told once, with how many they are", async () => {
  const files = Array.from({ length: 1004 }, (_, n) => [
    `w/.narnat/commands/c${String(n).padStart(4, "0")}.md`,
    "x",
  ]);
  await withWorkspace(Object.fromEntries(files), (root) => {
    const told: string[] = [];
    const list = customCommands({
      workspace: `${root}/w`,
      userDir: undefined,
      t: english,
      taken: [],
      tell: (text) => void told.push(text),
    });
    assert.deepEqual([list().length, list().length], [1000, 1000]);
    assert.equal(told.length, 1);
    assert.match(told[0]!, /1000 at most; not used are 4: \.narnat\/commands\/c1000\.md, .*, …$/);
  });
});
