import assert from "node:assert/strict";
import fc from "fast-check";
import { mentionOf, mentionsIn, resourceIn } from "../../../src/agent/lines/mentions.ts";
import { threadMs } from "../../support/processes.ts";

const first = (text: string) => mentionsIn(text).map((mention) => mention.paths[0]);

Deno.test("an @ at the beginning, behind a blank, a bracket or Chinese names a path", () => {
  assert.deepEqual(first("@a.ts and (@src/b.ts"), ["a.ts", "src/b.ts"]);
  assert.deepEqual(first("看看@说明.md"), ["说明.md"]);
});

Deno.test("an e-mail address names nothing", () => {
  assert.deepEqual(mentionsIn("write to me@example.com, a.b+c@x.org or a-b@c.de"), []);
});

Deno.test("what may follow a path is offered to be left off, the longest first", () => {
  assert.deepEqual(mentionsIn("is @a.ts, ok")[0]!.paths, ["a.ts,", "a.ts"]);
  assert.ok(mentionsIn("读一下@src/a.ts的内容。")[0]!.paths.includes("src/a.ts"));
  assert.ok(mentionsIn("see @src/a.ts...")[0]!.paths.includes("src/a.ts"));
  assert.ok(mentionsIn("at @a.ts:42")[0]!.paths.includes("a.ts"));
});

Deno.test("quotes hold blanks, and quotes behind a backslash", () => {
  assert.deepEqual(first('in @"a b.txt" and @"say \\"hi\\".md"'), ["a b.txt", 'say "hi".md']);
});

Deno.test("what has a slash, an ending or quotes surely means a file, and a word alone in prose", () => {
  const surely = (text: string) => mentionsIn(text)[0]!.surely;
  assert.equal(surely("@nonexist"), true);
  assert.equal(surely("看看 @文档。"), true);
  assert.equal(surely("请@张三看"), false);
  assert.equal(surely("`@decorator`"), false);
  assert.equal(surely("in `a @decorator b`"), false);
  assert.equal(surely("@Override\nvoid run()"), false);
  assert.equal(surely("@foo(1)"), false);
  assert.equal(surely("@src/x"), true);
  assert.equal(surely("@x.ts。"), true);
  assert.equal(surely('@"x"'), true);
});

Deno.test("a mention is called by the name that was meant, not by what stands around it", () => {
  for (
    const [text, name] of [
      ["@不存在的文件.md 看一下", "不存在的文件.md"],
      ["@不存在.md看一下", "不存在.md"],
      ["看看@src/不存在，谢谢", "src/不存在"],
      ["@文档。", "文档"],
      ["@src/a.test.ts的第3行", "src/a.test.ts"],
      ["at @a.ts:42", "a.ts"],
      ["see @src/a.ts...", "src/a.ts"],
      ["@conf.d/hosts", "conf.d/hosts"],
      ["@my.foo-bar/", "my.foo-bar/"],
      ['@"a b，c"', "a b，c"],
    ] as const
  ) {
    const mention = mentionsIn(text)[0]!;
    assert.deepEqual([mention.name, mention.surely], [name, true], text);
  }
});

Deno.test("every path written as a mention is read as that path, whatever stands around it", () => {
  const name = fc.stringMatching(/^[a-z.文 "\\()@，1-]{1,12}$/).filter((text) =>
    text.trim() !== ""
  );
  fc.assert(fc.property(name, fc.constantFrom("", "看 ", "（", "see "), (path, before) => {
    const written = mentionOf(path)!;
    const [mention] = mentionsIn(`${before}${written} and so on`);
    assert.ok(mention?.paths.includes(path), `${written} → ${mention?.paths}`);
  }));
  assert.equal(mentionOf("two\nlines"), undefined);
});

Deno.test("a megabyte of @ is read at once", () => {
  const began = threadMs();
  mentionsIn("@a(".repeat(350_000));
  mentionsIn('@"' + "x".repeat(1_000_000));
  mentionsIn("@" + "，".repeat(1_000_000));
  assert.ok(threadMs() - began < 1000);
});

Deno.test("a mention of a server's names a resource: the listed one, else what can be an address", () => {
  const listed = () => [
    { server: "notes", uri: "memo://one" },
    { server: "notes", uri: "memo://one/中文" },
    { server: "notes", uri: "memo://two words" },
  ];
  const named = (text: string) =>
    mentionsIn(text).map((mention) => resourceIn(mention, ["notes", "other"], listed)?.uri);
  assert.deepEqual(named("see @notes:memo://one."), ["memo://one"]);
  assert.deepEqual(named("看@notes:memo://one，再说"), ["memo://one"]);
  assert.deepEqual(named("@notes:memo://one/中文 ?"), ["memo://one/中文"]);
  assert.deepEqual(named('@"notes:memo://two words"'), ["memo://two words"]);
  assert.deepEqual(named("(@other:test://a/b?c=1#d), 好"), ["test://a/b?c=1#d"]);
  assert.deepEqual(named("@other:test://a，请看"), ["test://a"]);
  assert.deepEqual(named("@nobody:memo://one @src/a.ts @notes: @notes"), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
