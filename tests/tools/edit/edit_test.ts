import { chinese } from "../../support/chinese.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolInput } from "../../../src/base/types.ts";
import { type Coding, encodeText } from "../../../src/files/text_file.ts";
import { versionOf } from "../../../src/files/open_regular.ts";
import { edit } from "../../../src/tools/edit/edit.ts";
import { read } from "../../../src/tools/read/read.ts";
import { runs, slow } from "../../support/soak.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { threadMs } from "../../support/processes.ts";
import { ToolRunner } from "../../support/tool_context.ts";

const withRunner = (files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) =>
  withWorkspace(files, async (root) => {
    const runner = new ToolRunner(root);
    for (const file_path of Object.keys(files)) await runner.run(read, { file_path });
    await use(runner, root);
  });
const go = (
  runner: ToolRunner,
  file_path: string,
  old_string: string,
  new_string: string,
  more = {},
) => runner.run(edit, edit.adapt!({ file_path, old_string, new_string, ...more } as ToolInput));

Deno.test("Edit replaces the one place and shows it", async () => {
  await withRunner({ "a.ts": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" }, async (runner, root) => {
    const result = await go(runner, "a.ts", "5\n", "five\nsix\n");
    assert.equal(
      result.text,
      "Edited a.ts (1 replaced).\n2 | 2\n3 | 3\n4 | 4\n5 | five\n6 | six\n7 | 6\n8 | 7\n9 | 8",
    );
    assert.deepEqual(result.changed, ["a.ts"]);
    assert.deepEqual(result.detail, {
      kind: "diff",
      path: "a.ts",
      added: 2,
      removed: 1,
      diff: "@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+six\n 6\n 7\n 8",
    });
    assert.equal(
      await Deno.readTextFile(join(root, "a.ts")),
      "1\n2\n3\n4\nfive\nsix\n6\n7\n8\n9\n",
    );
    assert.equal((await go(runner, "a.ts", "six", "6")).ok, true, "what it wrote it has seen");
  });
});

Deno.test("Edit refuses several places, names their lines, and replaces all when asked", async () => {
  await withRunner({ "a": "x = 1\ny\nx = 1\nx = 1\n" }, async (runner, root) => {
    const many = await go(runner, "a", "x = 1", "z");
    assert.equal(many.ok, false);
    assert.match(many.text, /^3 matches found.*\nThey are at lines 1, 3, 4\./);
    runner.overrides = { t: chinese };
    const inChinese = await go(runner, "a", "x = 1", "z");
    assert.match(inChinese.text, /^找到 3 处匹配，请提供更多上下文以唯一定位\n/);
    runner.overrides = {};
    assert.match((await go(runner, "a", "x = 1", "z", { replaceAll: true })).text, /3 replaced/);
    assert.equal(await Deno.readTextFile(join(root, "a")), "z\ny\nz\nz\n");
  });
});

Deno.test("Edit names the lines of places that overlap", async () => {
  await withRunner({ a: "x\n\n\ny\n", b: "{}\n{}\n{}\n" }, async (runner) => {
    assert.match((await go(runner, "a", "\n\n", "\n")).text, /^2 matches.*\n.*at lines 1, 2\./);
    assert.match((await go(runner, "b", "{}\n{}\n", "")).text, /^2 matches.*\n.*at lines 1, 2\./);
  });
});

Deno.test("Edit that finds nothing shows the nearest place and why", async () => {
  await withRunner(
    { "a.py": "def run(x):\n    return x\n\ndef stop(x):\n    pass\n" },
    async (runner) => {
      const result = await go(runner, "a.py", "def Run(x):\n    return x", "y");
      assert.equal(
        result.text,
        "No match found; check that old_string is right\n" +
          "The nearest place is lines 1–2 (- is old_string, + is the file). " +
          "Only upper and lower case differ.\n-def Run(x):\n+def run(x):\n     return x",
      );
      runner.overrides = { t: chinese };
      const inChinese = await go(runner, "a.py", "完全不存在的内容", "y");
      assert.match(inChinese.text, /^未找到匹配内容，请检查旧文本是否正确\n/);
      const again = await go(runner, "a.py", "def go(x):\n    return y", "def stop(x):");
      assert.match(again.text, /new_string 已经在文件第 4 行/);
    },
  );
});

Deno.test("Edit tells similar lines apart", async () => {
  const text = "foo(1);\nfoo(10);\nfoo(100);\n";
  await withRunner({ "a": text }, async (runner, root) => {
    assert.equal((await go(runner, "a", "foo(10)", "bar(10)")).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "a")), "foo(1);\nbar(10);\nfoo(100);\n");
  });
});

Deno.test("Edit needs a Read of the current content", async () => {
  await withRunner({ "a": "x\n" }, async (runner, root) => {
    runner.seen.clear();
    assert.match((await go(runner, "a", "x", "y")).text, /you have not Read it/);
    await runner.run(read, { file_path: "a" });
    await Deno.writeTextFile(join(root, "a"), "x\nmore\n");
    assert.match((await go(runner, "a", "x", "y")).text, /changed since you Read it/);
    assert.equal(await Deno.readTextFile(join(root, "a")), "x\nmore\n");
  });
});

Deno.test("Edit refuses what cannot be meant", async () => {
  const files = { "a": "x\n", "bin": Uint8Array.from([0, 1]), "d/e": "" };
  await withRunner(files, async (runner, root) => {
    const text = async (path: string, from: string, to: string) =>
      (await go(runner, path, from, to)).text;
    assert.match(await text("a", "x", "x"), /are the same/);
    assert.match(await text("a", "", "y"), /old_string is empty/);
    assert.match(await text("a", "x", "x\n// ... existing code ...\n"), /leaves something out/);
    assert.match(await text("bin", "x", "y"), /it is binary/);
    assert.match(await text("d", "x", "y"), /it is a folder/);
    assert.match(await text("b", "x", "y"), /does not exist/);
    assert.equal(await Deno.readTextFile(join(root, "a")), "x\n");
  });
});

Deno.test("Edit fills an empty file", async () => {
  await withRunner({ "a": "" }, async (runner, root) => {
    assert.equal((await go(runner, "a", "", "hello\n")).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "a")), "hello\n");
  });
});

Deno.test("Edit forgives and reports pasted numbers, line ends, spaces, indentation and quotes", async () => {
  const file = "class A:\r\n    def f(self):  \r\n        return “x”\r\n";
  const edits: [string, string, RegExp, string][] = [
    [
      "2 |     def f(self):  ",
      "2 |     def g(self):  ",
      /Line numbers .* were taken off/,
      "    def g(self):  \r\n",
    ],
    ["class A:\n    def f(self):  ", "class B:\n    def f(self):  ", /line ends/, "class B:\r\n"],
    [
      "def f(self):\n        return",
      "def g(self):\n        return",
      /trailing spaces/,
      "g(self):\r\n",
    ],
    [
      "def f(self):\n    return “x”",
      "def f(self):\n    return 1",
      /indentation/,
      "        return 1\r\n",
    ],
    ['return "x"', 'return "x" + 1', /quotes/, "return “x” + 1\r\n"],
  ];
  for (const [from, to, report, part] of edits) {
    await withRunner({ "a.py": file }, async (runner, root) => {
      const result = await go(runner, "a.py", from, to);
      assert.match(result.text, report);
      const after = await Deno.readTextFile(join(root, "a.py"));
      assert.ok(after.includes(part), after);
      assert.equal(after.replaceAll("\r\n", "").includes("\n"), false);
    });
  }
});

Deno.test("Edit keeps encoding, mark, mode and link, and every other byte", async () => {
  const codings: Coding[] = [
    { encoding: "utf-8", bom: true },
    { encoding: "utf-16le", bom: true },
    { encoding: "utf-16be", bom: true },
    { encoding: "gb18030", bom: false },
  ];
  for (const coding of codings) {
    await withRunner({ "f": encodeText("第一\r\n第二\n第三", coding) }, async (runner, root) => {
      await Deno.chmod(join(root, "f"), 0o640);
      await Deno.symlink("f", join(root, "link"));
      assert.equal((await go(runner, "link", "第二", "改过")).ok, true);
      const bytes = await Deno.readFile(join(root, "f"));
      assert.deepEqual(bytes, encodeText("第一\r\n改过\n第三", coding));
      assert.equal((await Deno.stat(join(root, "f"))).mode! & 0o777, 0o640);
      assert.equal((await Deno.lstat(join(root, "link"))).isSymlink, true);
    });
  }
});

Deno.test("Edit leaves bytes alone that are no valid text", async () => {
  const bytes = (text: string) => Array.from(new TextEncoder().encode(text));
  const file = (word: string) =>
    Uint8Array.from([...bytes("中文中文中 "), 0xff, ...bytes(`${word}\n`)]);
  await withRunner({ "f": file("old") }, async (runner, root) => {
    assert.equal((await go(runner, "f", "old", "new")).ok, true);
    assert.deepEqual(await Deno.readFile(join(root, "f")), file("new"));
  });
});

Deno.test("Edit refuses a character the file's encoding lacks, and bytes it could not write back", async () => {
  const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x0a]);
  // 0x80 is read as the euro sign, which gb18030 writes otherwise
  const odd = Uint8Array.from([...[1, 2, 3].flatMap(() => [0xd6, 0xd0, 0xce, 0xc4]), 0x80, 10]);
  await withRunner({ latin, odd }, async (runner, root) => {
    assert.match((await go(runner, "latin", "caf", "中")).text, /“中”.*windows-1252/);
    assert.match(
      (await go(runner, "odd", "中", "国", { replace_all: true })).text,
      /could not be written back/,
    );
    assert.deepEqual(await Deno.readFile(join(root, "odd")), odd);
    assert.deepEqual(await Deno.readFile(join(root, "latin")), latin);
  });
});

Deno.test("Edits of one file at once: one wins, the other is told", async () => {
  await withRunner({ "a": "one\ntwo\n" }, async (runner, root) => {
    const results = await Promise.all([go(runner, "a", "one", "1"), go(runner, "a", "two", "2")]);
    const won = results.filter((result) => result.ok).length;
    const text = await Deno.readTextFile(join(root, "a"));
    assert.ok(won >= 1);
    const changes = Number(text.includes("1")) + Number(text.includes("2"));
    assert.equal(changes, won, "no edit that was reported as done is lost");
  });
});

// Feature: agent-system-optimization, Property 12: edit_file 查找替换正确性
Deno.test("Feature: agent-system-optimization, Property 12: the one occurrence is replaced and nothing else", async () => {
  await withRunner({}, async (runner, root) => {
    runner.answer = true;
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "\n", " ", "中", "$&", "\t"),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (before, after, replacement) => {
        const content = `${before}<old>${after}`;
        await Deno.writeTextFile(join(root, "f"), content);
        await runner.run(read, { file_path: "f" });
        const input = { path: "f", old_str: "<old>", new_str: replacement };
        const result = await runner.run(edit, edit.adapt!(input));
        assert.equal(result.ok, true, result.text);
        assert.equal(await Deno.readTextFile(join(root, "f")), before + replacement + after);
      }),
      { numRuns: runs(100) },
    );
  });
});

slow(
  "Edit names each line once, and one long line without an end takes no longer than many",
  async () => {
    const crowded = "var a=1;".repeat(100_000);
    await withRunner({ "one": crowded, "few": "x x\nx\ny\nx x" }, async (runner, root) => {
      const few = await go(runner, "few", "x", "z");
      assert.match(few.text, /^5 matches found.*\nThey are at lines 1, 2, 4\./);
      const started = threadMs();
      const many = await go(runner, "one", "var a=1;", "b");
      assert.match(many.text, /^100000 matches found.*\nAll of them are on line 1\./);
      assert.equal((await go(runner, "one", "var a=1;", "b();", { replace_all: true })).ok, true);
      // looking to the end of the line for each of them took 12 s
      assert.ok(threadMs() - started < 4000);
      assert.equal(await Deno.readTextFile(join(root, "one")), "b();".repeat(100_000));
    });
  },
);

Deno.test("Edit gives every replaced line the line ends of its place", async () => {
  await withRunner({ "mixed": "a\r\na\na\r\na" }, async (runner, root) => {
    assert.equal((await go(runner, "mixed", "a", "1\n2", { replace_all: true })).ok, true);
    const text = await Deno.readTextFile(join(root, "mixed"));
    assert.equal(text, "1\r\n2\r\n1\n2\n1\r\n2\r\n1\r\n2");
  });
});

Deno.test("Edit says that a link leads nowhere, and names Write for a file to be made", async () => {
  await withRunner({ "a": "x" }, async (runner, root) => {
    await Deno.symlink("gone.txt", join(root, "broken"));
    assert.equal(
      (await go(runner, "broken", "x", "y")).text,
      "Cannot edit broken: broken is a symbolic link to gone.txt, which does not exist.",
    );
    assert.match((await go(runner, "broken", "", "y")).text, /is a symbolic link to gone\.txt/);
    assert.match((await go(runner, "new.txt", "", "y")).text, /To create it use Write\.$/);
    assert.match(
      (await go(runner, "new.txt", "x", "y")).text,
      /it does not exist\. Nothing nearby/,
    );
    runner.overrides = { t: chinese };
    assert.match((await go(runner, "new.txt", "x", "y")).text, /不存在。附近没有/);
  });
});

Deno.test("Edit takes a short new_string in the file for chance", async () => {
  await withRunner({ "a": "key = value\nlonger than ten\n" }, async (runner) => {
    const text = async (to: string) => (await go(runner, "a", "no such thing", to)).text;
    assert.doesNotMatch(await text("y"), /already stands/);
    assert.match(await text("longer than ten"), /already stands at line 2/);
    assert.match(await text("e\nlong"), /already stands at line 1/);
  });
});

Deno.test("Edit that finds nothing shows little of a long line", async () => {
  await withRunner({ "min.js": "var a=1;".repeat(5000) }, async (runner) => {
    const { text } = await go(runner, "min.js", "var a=2;", "b");
    assert.match(text, /nearest place is line 1 /);
    assert.ok(text.length < 2000);
  });
});

Deno.test({
  name: "Edit names the kernel's folders as the cause",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withRunner({}, async (runner) => {
      const { text } = await go(runner, "/proc/self/comm", "deno", "x");
      assert.match(text, /^Cannot edit \S+: \/proc, \/sys and \/dev are the kernel's own/);
    }),
});

const several = (runner: ToolRunner, file_path: string, edits: unknown) =>
  runner.run(edit, edit.adapt!({ file_path, edits } as ToolInput));

Deno.test("Edit makes several edits in order, each on the result of the one before", async () => {
  await withRunner({ "a.ts": "one\ntwo\n\n\n\n\n\n\n\nnine\n" }, async (runner, root) => {
    const result = await several(runner, "a.ts", [
      { old_string: "one", new_string: "1\n1b" },
      { oldText: "1b\ntwo", newText: "2" },
      { old_str: "nine  ", new_str: "9  " },
    ]);
    assert.equal(
      result.text,
      "Edited a.ts (3 edits, 3 replaced). Edit 3: (Matched apart from trailing spaces.)\n" +
        "1 | 1\n2 | 2\n3 | \n4 | \n5 | \n…\n7 | \n8 | \n9 | \n10 | 9",
    );
    assert.equal(await Deno.readTextFile(join(root, "a.ts")), "1\n2\n\n\n\n\n\n\n\n9\n");
    assert.deepEqual([result.changed, result.detail?.kind], [["a.ts"], "diff"]);
  });
});

Deno.test("Edit with one edit that fails names it and leaves the file as it was", async () => {
  await withRunner({ "a": "one\ntwo\ntwo\n" }, async (runner, root) => {
    const before = await Deno.stat(join(root, "a"));
    const first = { old_string: "one", new_string: "1" };
    const failing: [unknown, RegExp][] = [
      [{ old_string: "three", new_string: "3" }, /No match found/],
      [{ old_string: "two", new_string: "2" }, /2 matches found.*\nThey are at lines 2, 3\./],
      [{ old_string: "one", new_string: "i" }, /No match found/],
      [{ old_string: "", new_string: "i" }, /old_string is empty/],
      [{ old_string: "two", new_string: "two" }, /are the same/],
      [{ old_string: "two", new_string: "// ... rest of file unchanged" }, /leaves something out/],
      [{ old_string: "two", new_string: "\ud83d" }, /half a character/],
    ];
    for (const [second, why] of failing) {
      const { ok, text } = await several(runner, "a", [first, second]);
      assert.equal(ok, false);
      assert.match(text, /^Edit 2 of 2 cannot be made, so none was; nothing was written:\n/);
      assert.match(text, why);
    }
    runner.overrides = { t: chinese };
    const { text } = await several(runner, "a", [first, failing[0]![0]]);
    assert.match(
      text,
      /^第 2 个修改（共 2 个）不成立，全部都没有写入：\n未找到匹配内容，请检查旧文本是否正确\n/,
    );
    const after = await Deno.stat(join(root, "a"));
    assert.deepEqual([after.mtime, after.ino], [before.mtime, before.ino]);
    assert.equal(await Deno.readTextFile(join(root, "a")), "one\ntwo\ntwo\n");
  });
});

Deno.test("Edit takes edits as text and other agents' names, and wants one form of them", async () => {
  await withRunner({ "a": "one\ntwo\n" }, async (runner, root) => {
    const list = JSON.stringify([{ oldString: "one", newString: "1", replaceAll: true }]);
    assert.equal((await several(runner, "a", list)).ok, true);
    assert.deepEqual(edit.adapt!({ path: "a", replacements: [{ search: "x", replace: "y" }] }), {
      file_path: "a",
      edits: [{ old_string: "x", new_string: "y" }],
    });
    const both = await runner.run(edit, {
      file_path: "a",
      old_string: "two",
      new_string: "2",
      edits: [{ old_string: "two", new_string: "2" }],
    });
    assert.match(both.text, /^Give either old_string and new_string or edits, not both/);
    const blank = { file_path: "a", old_string: "", new_string: "" };
    const edits = [{ old_string: "two", new_string: "2" }];
    assert.equal((await runner.run(edit, { ...blank, edits })).ok, true);
    for (const input of [{ file_path: "a" }, { file_path: "a", old_string: "1", edits: [] }]) {
      assert.match((await runner.run(edit, input)).text, /^Give old_string and new_string/);
    }
    assert.equal(await Deno.readTextFile(join(root, "a")), "1\n2\n");
  });
});

Deno.test("new lines in a file whose only line ends are CR get CR, and the model is told", async () => {
  await withRunner({ "f": "a\rb\rc" }, async (runner, root) => {
    const { ok, text } = await go(runner, "f", "b", "b\nnew");
    assert.ok(ok);
    assert.equal(await Deno.readTextFile(join(root, "f")), "a\rb\rnew\rc");
    assert.match(text, /New lines were given the file's line ends/);
  });
  // no line has ended yet
  await withRunner({ "f": "abc" }, async (runner, root) => {
    await go(runner, "f", "b", "b\nnew");
    assert.equal(await Deno.readTextFile(join(root, "f")), "ab\nnewc");
  });
});

Deno.test("Edit that finds nothing makes visible what cannot be seen", async () => {
  const file =
    "\tif (a) {\n\t\treturn “x”;  \n\t}\nlet\u00a0n = 1;\n名称：张三，年龄\nab\u200bc = 1\ncafe\u0301 x\n";
  const cases: [string, string[]][] = [
    ['    if (a) {\n        return "x";\n    }', [
      'line 1, column 1: old_string has " " (U+0020) there, the file has ⟨TAB⟩ (U+0009)',
      "+⟨TAB⟩⟨TAB⟩return “x”;··",
    ]],
    ["let n=1;", ["line 4, column 4", "⟨NBSP⟩ (U+00A0)", "-let n=1;\n+let⟨NBSP⟩n = 1;"]],
    ["张三,年龄", [
      'line 5, column 6: old_string has "," (U+002C) there, the file has "，" (U+FF0C)',
    ]],
    ["abc = 1", ["⟨U+200B⟩ (U+200B)", "+ab⟨U+200B⟩c = 1"]],
    ["caf\u00e9 x", ["composition (é as one or as two)", "the file's line 7, column 4"]],
    ["张三，\r年龄", ["old_string has ⟨CR⟩ (U+000D)", "-张三，⟨CR⟩年龄"]],
  ];
  await withRunner({ "f": file }, async (runner) => {
    for (const [wanted, parts] of cases) {
      const { ok, text } = await go(runner, "f", wanted, "y");
      assert.equal(ok, false);
      assert.match(text, /They look alike/);
      for (const part of parts) assert.ok(text.includes(part), `${text}\n---\n${part}`);
    }
    assert.match((await go(runner, "f", "Return", "y")).text, /Only upper and lower case differ/);
    assert.doesNotMatch((await go(runner, "f", "ax = 1", "y")).text, /look alike/);
  });
});

slow("Edit of a large file touches only the place, and knows its line", async () => {
  // beyond what is ever decoded whole
  const size = 70 * 1024 * 1024;
  await withWorkspace({}, async (root) => {
    const runner = new ToolRunner(root);
    const path = join(root, "big.log");
    const block = "2026-01-01 some line of a log\n".repeat(35_000);
    {
      using file = await Deno.open(path, { write: true, createNew: true });
      const bytes = new TextEncoder().encode(block);
      const place = new TextEncoder().encode("\tsay “hello”  \r\nodd \xff\n");
      let written = 0;
      while (written < size) {
        for (
          const part of written > size / 2 && written < size / 2 + bytes.length + 1
            ? [bytes, place]
            : [bytes]
        ) {
          for (let at = 0; at < part.length;) at += await file.write(part.subarray(at));
          written += part.length;
        }
      }
    }
    const { size: before } = await Deno.stat(path);
    const seen = async () => runner.seen.set(path, { path, hash: await versionOf(path) });
    assert.match((await go(runner, "big.log", "hello", "x")).text, /you have not Read it/);
    await seen();
    const exact = await go(runner, "big.log", "\tsay “hello”  ", "\tsay “goodbye”  ");
    assert.equal(exact.ok, true, exact.text);
    const line = 35_000 * Math.ceil(size / 2 / block.length + 0.5) + 1;
    assert.match(exact.text, new RegExp(`\\n${line} \\| \\tsay “goodbye”  \\n${line + 1} \\| odd`));
    assert.equal((await Deno.stat(path)).size, before + 2);
    assert.match(exact.seen![0]!.hash, /^stamp:/);
    const loose = await go(runner, "big.log", 'say "goodbye"', 'say "hello"');
    assert.match(loose.text, /apart from the form of quotes/);
    assert.equal((await Deno.stat(path)).size, before);
    const every = (await go(runner, "big.log", "some line", "x")).text;
    assert.match(every, /^2\d{6} matches found.*\nCannot edit .* more than 64 MB of text/);
    const all = (await go(runner, "big.log", "some line", "x", { replace_all: true })).text;
    assert.match(
      all,
      /^Cannot edit big\.log .*several smaller Edits.* && mv big\.log\.new big\.log/,
    );
    assert.match(
      (await go(runner, "big.log", "say “hallo”", "x")).text,
      /too large to be compared/,
    );
    using file = await Deno.open(path, { write: true });
    await file.write(new TextEncoder().encode("3"));
    assert.match((await go(runner, "big.log", "hello", "x")).text, /changed since you Read it/);
  });
});

Deno.test({
  name: "Edit keeps the owner",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  fn: () =>
    withRunner({ "a": "x\n" }, async (runner, root) => {
      await Deno.chown(join(root, "a"), 12345, 23456);
      await Deno.chmod(join(root, "a"), 0o4751);
      assert.equal((await go(runner, "a", "x", "y")).ok, true);
      const { uid, gid, mode } = await Deno.stat(join(root, "a"));
      assert.deepEqual([uid, gid, mode! & 0o7777], [12345, 23456, 0o4751]);
    }),
});

Deno.test("Edit gives lines in the place of mixed line ends each its own", async () => {
  await withRunner({ "a": "one\r\ntwo\nthree\r\nfour\n" }, async (runner, root) => {
    assert.equal((await go(runner, "a", "one\ntwo\nthree\n", "1\n2\n3\n3b\n")).ok, true);
    const text = await Deno.readTextFile(join(root, "a"));
    assert.equal(text, "1\r\n2\n3\r\n3b\r\nfour\n");
  });
});

Deno.test("Edit that would leave everything as it is says so", async () => {
  await withRunner({ "a": "x\n" }, async (runner) => {
    const undone = [{ old_string: "x", new_string: "y" }, { old_string: "y", new_string: "x" }];
    assert.match((await several(runner, "a", undone)).text, /would be the same as before/);
    assert.match((await go(runner, "a", "1 | x", "x")).text, /would be the same as before/);
  });
});

Deno.test("Edit that finds nothing never names a difference that is none", async () => {
  const near = async (text: string, old_string: string) =>
    await withWorkspace({ f: text }, async (root) => {
      const runner = new ToolRunner(root);
      await runner.run(read, { file_path: join(root, "f") });
      const result = await runner.run(edit, {
        file_path: join(root, "f"),
        old_string,
        new_string: "X",
      });
      assert.equal(result.ok, false, result.text);
      return result.text;
    });
  assert.match(await near("a\nb\nc\n", "\n\nb\n"), /line 2[^]*Only blank lines or line ends/);
  assert.match(await near("<p>one</p>\n", "&lt;p&gt;one&lt;/p&gt;"), /line 1[^]*HTML entities/);
  assert.match(await near("x = &quot;one&quot;\n", 'x = "one"'), /line 1[^]*HTML entities/);
  assert.match(await near("it's <b>\n", "it&apos;s &#x3c;b&#62;"), /line 1[^]*HTML entities/);
  assert.match(await near("a &amp; b < c\n", "a &amp;amp; b &lt; c"), /line 1[^]*HTML entities/);
  assert.match(await near('x = "one"\n', 'x = \\"one\\"'), /line 1[^]*escapes/);
  assert.match(await near("one < two\n", "one \\u003c two"), /line 1[^]*escapes/);
  assert.match(await near("one\ttwo\n", "one\\ttwo"), /line 1[^]*escapes/);
  const joined = await near("zero\none two\nthree\n", "one two\\nthree");
  assert.match(joined, /lines 2–3 .*escapes.*line 2, column 8: old_string has "\\"/);
  assert.match(joined, /\n-one two\\nthree\n\+one two\n\+three$/);
  assert.match(await near("Alpha\n", "alpha"), /Only upper and lower case/);
});

const notebook = (source: string) =>
  `{\n "cells": [\n  {\n   "cell_type": "code",\n   "source": [\n    ${source}\n   ]\n  }\n ],\n` +
  ` "metadata": {},\n "nbformat": 4\n}\n`;

async function withNotebook(
  source: string,
  use: (change: (from: string, to: string) => Promise<string>, path: string) => Promise<void>,
): Promise<void> {
  await withWorkspace({ "a.ipynb": notebook(source) }, async (root) => {
    const runner = new ToolRunner(root);
    await runner.run(read, { file_path: "a.ipynb" });
    const change = async (from: string, to: string) =>
      (await runner.run(edit, { file_path: "a.ipynb", old_string: from, new_string: to })).text;
    await use(change, join(root, "a.ipynb"));
  });
}

Deno.test("an edit after which a notebook is not JSON is refused with the place and the way out", async () => {
  await withNotebook('"x = 1\\n",\n    "y"', async (change, path) => {
    const refused = await change("x = 1", 'x = "a"');
    assert.match(refused, /^Cannot edit a\.ipynb: the notebook would no longer be valid JSON/);
    assert.ok(refused.includes('at line 6, column 11: `a"\\n",`'), refused);
    assert.ok(refused.includes('a quote as \\", a backslash as \\\\'), refused);
    assert.equal(await Deno.readTextFile(path), notebook('"x = 1\\n",\n    "y"'));
    await change("x = 1", 'x = \\"a\\"');
    assert.equal(await Deno.readTextFile(path), notebook('"x = \\"a\\"\\n",\n    "y"'));
  });
});

Deno.test("a notebook that is broken may be mended, step by step", async () => {
  await withNotebook('"x = "a"\\n"\n    "y"', async (change, path) => {
    await change('"x = "a"', '"x = \\"a\\"');
    await change('\\n"\n', '\\n",\n');
    assert.equal(await Deno.readTextFile(path), notebook('"x = \\"a\\"\\n",\n    "y"'));
  });
});
