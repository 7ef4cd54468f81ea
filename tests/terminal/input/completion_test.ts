import assert from "node:assert/strict";
import { join } from "node:path";
import { createSearcher } from "../../../src/search/mod.ts";
import type { Command, Servers, Skill } from "../../../src/base/types.ts";
import { Completion, FileIndex } from "../../../src/terminal/input/completion.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { threadMs } from "../../support/processes.ts";
import { fakeCommands, fakeController } from "../fake_bus.ts";
import { KEY, onPrompt, type PromptStage } from "../prompt_stage.ts";
import { slow } from "../../support/soak.ts";

const entry = import.meta.resolve("../../../main.ts");
const searcher = () => createSearcher({ entry, workers: 1 });

/** Commands and files of `files` are completed in an editor. */
async function onCompletion(
  files: Files,
  play: (
    stage: PromptStage & { readonly root: string; readonly index: FileIndex },
  ) => Promise<void>,
  commands: readonly Command[] = fakeCommands,
  servers: Servers = fakeController.servers,
): Promise<void> {
  await withWorkspace(files, async (root) => {
    const search = searcher();
    const index = new FileIndex(search, root, () => performance.now());
    try {
      await onPrompt(async (stage) => {
        index.onMore = () => stage.editor.suggestAgain();
        const controller = { ...fakeController, servers, workspace: root };
        stage.editor.completer = new Completion({
          commands: () => commands,
          controller,
          files: index,
          home: root,
        });
        await play({ ...stage, root, index });
      });
    } finally {
      index.close();
      search.close();
    }
  });
}

async function accept(s: PromptStage, typed: string, shown: string): Promise<string> {
  s.editor.put("");
  s.terminal.type(typed);
  await s.terminal.shows(shown);
  s.keys(KEY.tab);
  return s.editor.getText();
}

// ---------------------------------------------------------------- commands

Deno.test("commands are offered with their help, also by letters within the name", async () => {
  await onCompletion({}, async (s) => {
    s.terminal.type("/");
    const all = await s.terminal.shows("list sessions");
    assert.ok(all.includes("/save [name]") && all.includes("show help"));
    assert.equal(await accept(s, "/sv", "save the session"), "/save ");
    assert.equal(await accept(s, "/ow", "list sessions"), "/show ");
  });
});

Deno.test("commands of a folder and with Chinese names are offered too", async () => {
  const commands = ["git:msg", "审查"].map((name): Command => ({
    ...fakeCommands[0]!,
    name,
    help: () => `helps with ${name}`,
  }));
  await onCompletion({}, async (s) => {
    assert.equal(await accept(s, "/git:m", "helps with git:msg"), "/git:msg ");
    assert.equal(await accept(s, "/审", "helps with 审查"), "/审查 ");
  }, commands);
});

Deno.test("the menu leaves the prompt its place, and shows help below where it is narrow", async () => {
  const commands = Array.from({ length: 14 }, (_, n): Command => ({
    ...fakeCommands[0]!,
    name: `c${n}`,
    help: () => `helps with ${n} and with much more than fits into so few columns`,
  }));
  for (const size of [[40, 12], [12, 5], [60, 12], [80, 12]] as const) {
    await onPrompt(async (s) => {
      s.editor.completer = new Completion({ commands: () => commands, controller: fakeController });
      s.terminal.type("/");
      const rows = (await s.terminal.shows("(1/14)")).split("\n");
      assert.equal(rows[0], "❯ /");
      assert.ok(rows.length <= Math.max(3, size[1] - 2), rows.join("\n"));
      if (size[0] === 40) assert.match(rows.at(-1)!, /helps with 0 .*…$/);
      if (size[0] > 40) assert.match(rows[1]!, size[0] === 60 ? /helps with 0 .*…$/ : /columns$/);
    }, { size: [...size] });
  }
});

Deno.test("a help that fits has no mark of a cut", async () => {
  await onCompletion({}, async (s) => {
    s.terminal.type("/he");
    assert.match(await s.terminal.shows("show help"), /show help$/);
  });
});

Deno.test("enter on a command runs it", async () => {
  await onCompletion({}, async (s) => {
    s.terminal.type("/he");
    await s.terminal.shows("show help");
    s.keys(KEY.enter);
    assert.deepEqual(s.sent.map((line) => line.text), ["/help"]);
  });
});

Deno.test("a command's arguments are offered where it knows them, by value and by help", async () => {
  const enter: Command = {
    name: "enter",
    usage: () => "<id>",
    help: () => "switch",
    run: () => "",
    complete: () =>
      Promise.resolve([
        { value: "20261120-a1", help: "fix the parser" },
        { value: "20261121-b2", help: "write docs" },
      ]),
  };
  await onCompletion({}, async (s) => {
    assert.equal(await accept(s, "/enter ", "write docs"), "/enter 20261120-a1 ");
    assert.equal(await accept(s, "/enter docs", "write docs"), "/enter 20261121-b2 ");
    s.editor.put("");
    s.terminal.type("/save x");
    assert.ok(!(await s.terminal.text()).includes("fix the parser"));
    s.keys(KEY.enter);
    assert.equal(s.sent[0]!.text, "/save x");
    // `2` is the second session, not whatever has a 2 in its id.
    s.terminal.type("/enter 2");
    await s.terminal.shows("fix the parser");
    s.keys(KEY.enter);
    assert.equal(s.sent[1]!.text, "/enter 2");
    s.terminal.type("/enter 2");
    await s.terminal.shows("fix the parser");
    s.keys(KEY.down, KEY.enter);
    assert.equal(s.editor.getText(), "/enter 20261121-b2 ");
  }, [...fakeCommands, enter]);
});

// ---------------------------------------------------------------- files

Deno.test("files are found by letters anywhere; those whose name begins so come first", async () => {
  const files = {
    "src/parser/mod.ts": "",
    "src/main.ts": "",
    "docs/parser.md": "",
    "a/xparser": "",
  };
  await onCompletion(files, async (s) => {
    s.terminal.type("see @parser");
    const all = await s.terminal.shows("xparser");
    assert.ok(all.indexOf("docs/parser.md") < all.indexOf("a/xparser"), all);
    assert.equal(await accept(s, "see @smain", "src/main.ts"), "see @src/main.ts ");
  });
});

Deno.test("ignored files are not offered", async () => {
  const files = { ".git/HEAD": "", ".gitignore": "out/\n", "out/made.txt": "", "made.ts": "" };
  await onCompletion(files, async (s) => {
    s.terminal.type("@made");
    assert.ok(!(await s.terminal.shows("made.ts")).includes("made.txt"));
  });
});

Deno.test("of equals the newest comes first", async () => {
  const names = ["one.txt", "two.txt", "six.txt"];
  await withWorkspace(Object.fromEntries(names.map((name) => [name, ""])), async (root) => {
    await Deno.utime(join(root, "one.txt"), 1000, 1000);
    await Deno.utime(join(root, "two.txt"), 3000, 3000);
    await Deno.utime(join(root, "six.txt"), 2000, 2000);
    const search = searcher();
    const index = new FileIndex(search, root, () => performance.now());
    const known = Promise.withResolvers<void>();
    index.onMore = async () => {
      const found = await index.find(".txt", 9, new AbortController().signal);
      if (found.join() === "two.txt,six.txt,one.txt") known.resolve();
    };
    index.refresh();
    await known.promise;
    const { signal } = new AbortController();
    assert.deepEqual(await index.find("", 2, signal), ["two.txt", "six.txt"]);
    search.close();
  });
});

Deno.test("a folder is offered and one goes on within it", async () => {
  await onCompletion({ "src/deep/a.ts": "", "src/b.ts": "" }, async (s) => {
    assert.equal(await accept(s, "@dee", "src/deep/"), "@src/deep/");
    await s.terminal.shows("src/deep/a.ts");
    s.keys(KEY.tab);
    assert.equal(s.editor.getText(), "@src/deep/a.ts ");
  });
});

Deno.test("names with blanks are quoted, folders too; Chinese names are not", async () => {
  const files = { "my docs/a b.txt": "", "文档/说明.md": "", 'say "hi".md': "" };
  await onCompletion(files, async (s) => {
    assert.equal(await accept(s, "@b.txt", "a b.txt"), '@"my docs/a b.txt" ');
    assert.equal(await accept(s, "@my", "my docs/"), '@"my docs/');
    await s.terminal.shows("a b.txt");
    s.keys(KEY.tab);
    assert.equal(s.editor.getText(), '@"my docs/a b.txt" ');
    assert.equal(await accept(s, "看看@说明", "文档/说明.md"), "看看@文档/说明.md ");
    assert.equal(await accept(s, "@hi", "say"), '@"say \\"hi\\".md" ');
  });
});

Deno.test("a quote that is typed as part of a name goes on narrowing", async () => {
  await onCompletion({ '说明"初稿".md': "", "it's.md": "" }, async (s) => {
    assert.equal(await accept(s, '看@说明"', "初稿"), '看@"说明\\"初稿\\".md" ');
    assert.equal(await accept(s, "@it's", "it's.md"), `@"it's.md" `);
  });
});

Deno.test("a name with control characters is neither offered nor drawn", async () => {
  await onCompletion({ "x\x1b[31mred": "", "xplain": "" }, async (s) => {
    s.terminal.type("@x");
    assert.ok(!(await s.terminal.shows("xplain")).includes("red"));
  });
});

Deno.test("an e-mail address brings up nothing, escape closes the popup only", async () => {
  await onCompletion({ "example.com": "" }, async (s) => {
    s.terminal.type("me@exam");
    assert.ok(!(await s.terminal.text()).includes("example.com"));
    s.editor.put("");
    s.terminal.type("@exam");
    await s.terminal.shows("example.com");
    s.keys(KEY.escape);
    assert.equal(await s.terminal.text(), "❯ @exam");
    assert.equal(s.editor.getText(), "@exam");
    s.terminal.type("p");
    await s.terminal.shows("example.com");
  });
});

Deno.test("enter takes the file and does not send", async () => {
  await onCompletion({ "a.ts": "" }, async (s) => {
    s.terminal.type("@a");
    await s.terminal.shows("a.ts");
    s.keys(KEY.enter);
    assert.equal(s.editor.getText(), "@a.ts ");
    assert.deepEqual(s.sent, []);
  });
});

Deno.test("paths outside are looked up where they lie", async () => {
  await onCompletion({ "notes.md": "" }, async (s) => {
    assert.equal(await accept(s, `@${s.root}/no`, "notes.md"), `@${s.root}/notes.md `);
    assert.equal(await accept(s, "@~/no", "notes.md"), "@~/notes.md ");
  });
});

Deno.test("what is found later joins the popup; a choice already made stays", async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const source = {
    async *walk() {
      await first.promise;
      yield ["b/late1.ts"];
      await second.promise;
      yield ["a/late0.ts"];
    },
    glob: () => Promise.reject(new Error("not here")),
  };
  const index = new FileIndex(source, "/space", () => performance.now());
  await onPrompt(async (s) => {
    index.onMore = () => s.editor.suggestAgain();
    s.editor.completer = new Completion({
      commands: () => [],
      controller: fakeController,
      files: index,
    });
    s.terminal.type("@late");
    assert.equal(await s.terminal.text(), "❯ @late");
    first.resolve();
    await s.terminal.shows("b/late1.ts");
    s.keys(KEY.down);
    second.resolve();
    await s.terminal.text();
    assert.ok(!(await s.terminal.text()).includes("late0"));
    s.terminal.type("0");
    await s.terminal.shows("a/late0.ts");
  });
});

Deno.test("a list grown old is made anew: a new file turns up", async () => {
  await withWorkspace({ "old.ts": "" }, async (root) => {
    const search = searcher();
    let now = 0;
    const index = new FileIndex(search, root, () => now);
    const find = async (typed: string) => await index.find(typed, 9, new AbortController().signal);
    const settled = () =>
      new Promise<void>((resolve) => {
        index.onMore = async () => {
          if ((await find("new")).length > 0 || now === 0) resolve();
        };
      });
    const first = settled();
    index.refresh();
    await first;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Deno.writeTextFile(join(root, "new.ts"), "");
    index.refresh();
    assert.deepEqual(await find("new"), []);
    now = 6000;
    const again = settled();
    index.refresh();
    await again;
    assert.deepEqual(await find("new"), ["new.ts"]);
    search.close();
  });
});

slow("200,000 known files: no slice of a search lasts long, and a newer key ends it", async () => {
  const paths = Array.from({ length: 200_000 }, (_, i) => `src/part${i % 97}/module_${i}/index.ts`);
  const source = {
    async *walk() {
      for (let at = 0; at < paths.length; at += 4000) yield paths.slice(at, at + 4000);
    },
    glob: () => Promise.reject(new Error("not here")),
  };
  const index = new FileIndex(source, "/space", () => performance.now());
  const find = (typed: string, signal = new AbortController().signal) =>
    index.find(typed, 20, signal);
  index.refresh();
  while ((await find("module_199999/i")).length === 0) await new Promise((r) => setTimeout(r, 20));

  let longest = 0;
  let last = threadMs();
  const beat = setInterval(() => {
    longest = Math.max(longest, threadMs() - last);
    last = threadMs();
  }, 1);
  assert.equal((await find("m9x")).length, 20);
  clearInterval(beat);
  assert.ok(longest < 100, `${longest} ms without a beat`);
  const stop = new AbortController();
  const searching = find("m9x", stop.signal);
  stop.abort(new Error("newer key"));
  await assert.rejects(searching, /newer key/);
});

// ---------------------------------------------------------------- skills

const SKILLS = ["review", "release", "审查"].map((name): Skill => ({
  name,
  description: `what ${name} does`,
  path: `.narnat/skills/${name}/SKILL.md`,
  always: false,
  missing: [],
}));

Deno.test("skills are offered behind a $ anywhere in a line, with what they do", async () => {
  await onPrompt(async (s) => {
    const controller = { ...fakeController, skills: () => Promise.resolve(SKILLS) };
    s.editor.completer = new Completion({ commands: () => fakeCommands, controller });
    s.terminal.type("use $");
    await s.terminal.shows("what release does");
    assert.equal(await accept(s, "use $rev", "what review does"), "use $review ");
    assert.equal(await accept(s, "用$审", "what 审查 does"), "用$审查 ");
    assert.equal(await accept(s, "one\n$rel", "what release does"), "one\n$release ");
  });
});

Deno.test("enter sends what was typed behind a $, unless a skill was chosen", async () => {
  await onPrompt(async (s) => {
    const controller = { ...fakeController, skills: () => Promise.resolve(SKILLS) };
    s.editor.completer = new Completion({ commands: () => fakeCommands, controller });
    const sent: string[] = [];
    s.editor.onLine = ({ text }) => sent.push(text);
    s.terminal.type("the price is $re");
    await s.terminal.shows("what release does");
    s.keys(KEY.enter);
    assert.deepEqual([sent, s.editor.getText()], [["the price is $re"], ""]);
    s.terminal.type("use $re");
    await s.terminal.shows("what release does");
    s.keys(KEY.down, KEY.enter);
    assert.equal(sent.length, 1);
    assert.match(s.editor.getText(), /^use \$(?:review|release) $/);
  });
});

Deno.test("a variable, a price and a skill typed in full open no menu", async () => {
  await onPrompt(() => {
    const controller = { ...fakeController, skills: () => Promise.resolve(SKILLS) };
    const completion = new Completion({ commands: () => fakeCommands, controller });
    const { signal } = new AbortController();
    const offered = async (line: string) =>
      (await completion.getSuggestions([line], 0, line.length, { signal }))?.items.length ?? 0;
    return Promise.all(["$HOME", "a$rev", "$$rev", "\\$rev", "$5", "$review", "$rev "].map(
      async (line) => assert.equal(await offered(line), 0, line),
    )).then(async () => assert.equal(await offered("$rev"), 1));
  });
});

Deno.test("what servers let be read is offered behind @server:, and the servers before their colon", async () => {
  const one = (server: string, uri: string, name: string, template = false) => ({
    server,
    uri,
    name,
    template,
  });
  const servers: Servers = {
    ...fakeController.servers,
    resources: () => [
      one("notes", "memo://first", "the first"),
      one("notes", "memo://second", "the second"),
      one("notes", "memo://by/{id}", "by number", true),
      one("other", "x:1", "else"),
    ],
  };
  await onCompletion(
    { "notes.txt": "", "notes.md": "" },
    async (s) => {
      s.terminal.type("@note");
      const shown = await s.terminal.shows("notes.md");
      assert.ok(shown.includes("notes:"), "files are offered beside the servers");
      assert.equal(await accept(s, "@not", "notes:"), "@notes:");
      assert.equal(await accept(s, "see @notes:sec", "the second"), "see @notes:memo://second ");
      assert.equal(await accept(s, "@notes:num", "by number"), "@notes:memo://by/{id}");
    },
    fakeCommands,
    servers,
  );
});
