import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { globTool } from "../../../src/tools/glob/glob.ts";
import { grepTool } from "../../../src/tools/grep/grep.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import type { ToolInput, ToolResult } from "../../../src/base/types.ts";
import { createSearcher, type Searcher } from "../../../src/search/mod.ts";
import type { GrepQuery } from "../../../src/search/types.ts";
import { encodeText } from "../../../src/files/text_file.ts";
import { newWalkReport } from "../../../src/search/walk/walk.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { runs, slow } from "../../support/soak.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;

type Run = (input: ToolInput, name?: string) => Promise<ToolResult>;

/** Calls go through a toolbox, as a model's do. */
async function withGrep(
  files: Files,
  use: (run: Run, runner: ToolRunner, root: string) => Promise<void>,
): Promise<void> {
  const searcher = createSearcher({ entry, workers: 1 });
  // a busy machine must not run out of time for a hint
  const toolbox = createToolbox([grepTool(searcher, () => 10_000)]);
  try {
    await withWorkspace(files, async (root) => {
      const runner = new ToolRunner(root);
      const run: Run = async (input, name = "Grep") => {
        const call = toolbox.prepare(name, JSON.stringify(input), runner.context().t);
        return typeof call === "string"
          ? { ok: false, text: call }
          : await runner.run(call.tool, call.input);
      };
      await use(run, runner, root);
    });
  } finally {
    searcher.close();
  }
}

Deno.test("Grep returns path:line:text by default", async () => {
  const files = { "src/main.py": "x\nclass Foo:\n", "src/utils.py": "class FooBar:\r\n" };
  await withGrep(files, async (run) => {
    const result = await run({ pattern: "class Foo", path: "src/", output_mode: "content" });
    assert.equal(result.text, "src/main.py:2:class Foo:\nsrc/utils.py:1:class FooBar:");
    const match = { col: 1, match: "class Foo" };
    assert.deepEqual(result.detail, {
      kind: "matches",
      count: 2,
      files: 2,
      hits: [
        { path: "src/main.py", line: 2, ...match },
        { path: "src/utils.py", line: 1, ...match },
      ],
    });
    const one = await run({ pattern: "class", path: "src/main.py" });
    assert.equal(one.text, "src/main.py:2:class Foo:");
  });
});

Deno.test("Grep's modes list files and count matches", async () => {
  await withGrep({ "a.ts": "x\nx\n", "b.ts": "x\n", "c.ts": "y\n" }, async (run) => {
    const text = async (output_mode: string) => (await run({ pattern: "x", output_mode })).text;
    assert.equal(await text("files_with_matches"), "a.ts\nb.ts");
    for (const mode of ["files", "filesWithMatches", "files_only"]) {
      assert.equal(await text(mode), "a.ts\nb.ts");
    }
    for (const mode of ["count", "count_matches"]) assert.equal(await text(mode), "a.ts:2\nb.ts:1");
    assert.equal(await text("lines"), "a.ts:1:x\na.ts:2:x\nb.ts:1:x");
    assert.match(await text("tree"), /^Error: Invalid parameters: 'output_mode' must be one of/);
  });
});

Deno.test("Grep understands case, literal text, context and several patterns", async () => {
  const files = { "a": "one\nTwo (2)\nthree\nfour\n", "b": "ONE\n" };
  await withGrep(files, async (run) => {
    const text = async (input: ToolInput) => (await run(input)).text;
    assert.equal(await text({ pattern: "one", "-i": true }), "a:1:one\nb:1:ONE");
    assert.equal(await text({ pattern: "(2)", literal: "true" }), "a:2:Two (2)");
    assert.equal(await text({ pattern: "Two|four" }), "a:2:Two (2)\na:4:four");
    assert.equal(await text({ pattern: "Two", "-C": 1 }), "a-1-one\na:2:Two (2)\na-3-three");
    assert.equal(await text({ pattern: "Two", "-A": 1 }), "a:2:Two (2)\na-3-three");
    assert.equal(await text({ pattern: "three", "-B": "1" }), "a-2-Two (2)\na:3:three");
    assert.equal(
      await text({ pattern: "one|four", "-i": true, context: 1, path: "a" }),
      "a:1:one\na-2-Two (2)\na-3-three\na:4:four",
    );
  });
});

Deno.test("Grep chooses files by glob and type", async () => {
  const files = { "a.ts": "x", "b.py": "x", "lib/c.ts": "x", "lib/d.test.ts": "x" };
  await withGrep(files, async (run) => {
    const names = async (input: ToolInput) =>
      (await run({ pattern: "x", output_mode: "files", ...input })).text.split("\n");
    assert.deepEqual(await names({ glob: "*.ts" }), ["a.ts", "lib/c.ts", "lib/d.test.ts"]);
    assert.deepEqual(await names({ glob: "*.{ts,py}, !*.test.ts" }), ["a.ts", "b.py", "lib/c.ts"]);
    assert.deepEqual(await names({ glob: "lib/*.ts", path: "lib" }), ["lib/c.ts", "lib/d.test.ts"]);
    assert.deepEqual(await names({ type: "python" }), ["b.py"]);
    assert.deepEqual(await names({ exclude: "lib/**" }), ["a.ts", "b.py"]);
    assert.deepEqual(await names({ type: "py,typescript", glob: ["*.py", "lib/*"] }), [
      "b.py",
      "lib/c.ts",
      "lib/d.test.ts",
    ]);
    const { ok, text } = await run({ pattern: "x", type: "pyy" });
    assert.equal(ok, false);
    assert.match(text, /^No file type pyy\. ripgrep's names are known, such as py, /);
  });
});

Deno.test("Grep says what is wrong with a regular expression, and where", async () => {
  await withGrep({ "a": "f(x\n" }, async (run, runner) => {
    const { ok, text } = await run({ pattern: "函数f(x" });
    assert.equal(ok, false);
    assert.equal(
      text,
      "Regular expression syntax error: this ( is never closed; for the character itself write \\( (column 4)\n" +
        "函数f(x\n\u3000\u3000 ^\nTo search for the text itself set literal.",
    );
    const second = await run({ pattern: ["f", "a\n|*b"] });
    assert.match(second.text, /nothing before \* to repeat.* \(column 4\)\n\|\*b\n \^\n/);
    runner.overrides = { t: chinese };
    const inChinese = await run({ pattern: "a[b" });
    assert.match(
      inChinese.text,
      /^正则表达式语法错误: 方括号 \[ 没有闭合.*（第 2 列）\na\[b\n \^\n搜索原文/,
    );
  });
});

slow("every reason to refuse a regular expression is worded in both languages", async () => {
  const refused = [
    ..."f(x|a)|[a|[b-a]|a{2,1}|*a|\\y|\\xz|a\\|\\p{Nope}|[[:no:]]|(?y)|(?<>a)|\\k<a>|(?:(?R))"
      .split(
        "|",
      ),
    "(?:a{300}){300}",
    "(".repeat(300),
  ];
  await withGrep({ "a": "x" }, async (run, runner) => {
    const told = { zh: new Set<string>(), en: new Set<string>() };
    for (const t of [chinese, english]) {
      runner.overrides = { t };
      for (const pattern of refused) {
        const { ok, text } = await run({ pattern });
        assert.equal(ok, false, pattern);
        const [why = ""] = text.split("\n");
        assert.match(
          why,
          t.lang === "zh" ? /^正则表达式语法错误: .*（第 \d+ 列）$/ : / \(column \d+\)$/,
        );
        told[t.lang].add(why);
      }
      assert.equal(told[t.lang].size, refused.length);
    }
  });
});

Deno.test("Grep takes several patterns at once", async () => {
  await withGrep({ "a": "one\ntwo\nthree\nfo(ur\n" }, async (run) => {
    const text = async (input: ToolInput) => (await run(input)).text;
    assert.equal(await text({ pattern: ["^o", "ee$"] }), "a:1:one\na:3:three");
    assert.equal(await text({ patterns: ["two"] }), "a:2:two");
    assert.equal(await text({ patterns: ["o(u", "two"], literal: true }), "a:2:two\na:4:fo(ur");
    assert.equal(await text({ pattern: "one", patterns: ["two"] }), "a:1:one\na:2:two");
    assert.match(await text({ pattern: ["x", "y"] }), /^No matches in \. for x \| y/);
    assert.match(await text({ pattern: [] }), /Invalid parameters/);
    assert.match(await text({ pattern: [""] }), /Invalid parameters/);
  });
});

Deno.test("Grep that found nothing tells what would have been found", async () => {
  const files = { "a.ts": "Needle(x)\n", "b.ts": "Needle\nfoo\n" };
  await withGrep(files, async (run, runner) => {
    const hint = async (input: ToolInput) =>
      (await run(input)).text.split("\n").slice(1).join("\n");
    assert.equal(
      await hint({ pattern: "needle" }),
      "With -i there are matches, such as in a.ts.",
    );
    assert.equal(
      await hint({ pattern: "needle(x)", literal: true }),
      "With -i there are matches, such as in a.ts.",
    );
    assert.equal(
      await hint({ pattern: "needle", path: "b.ts" }),
      "With -i there are matches, such as in b.ts.",
    );
    assert.equal(
      await hint({ pattern: "Needle(x)" }),
      "As plain text (literal) there are matches, such as in a.ts.",
    );
    assert.equal(
      await hint({ pattern: "bar\\|foo" }),
      "Here \\| is the character itself; with | for “or” there are matches, such as in b.ts.",
    );
    assert.equal(await hint({ pattern: "nowhere.*x" }), "");
    // read with | it would be no expression at all
    assert.equal(await hint({ pattern: "no\\|*" }), "");
    runner.overrides = { t: chinese };
    assert.equal(await hint({ pattern: "needle" }), "不区分大小写（-i）时有匹配，例如在 a.ts 中。");
  });
});

slow("Grep names multiline where a pattern across lines would match, and only there", async () => {
  const files = { "a.ts": "import {\n  b,\n} from 'c';\nexport b;\n", "dos.txt": "x\r\ny\r\n" };
  await withGrep(files, async (run) => {
    const named = async (input: ToolInput) => /multiline: true/.test((await run(input)).text);
    const across = ["x\\r", "x\\r$", "import[\\s\\S]*?export", "(?s)import.*export", "b.*\\n}"];
    for (const pattern of [...across, "x\r\ny", "\\{\\s*b"]) {
      assert.ok(await named({ pattern }), pattern);
    }
    assert.ok(await named({ pattern: "b,\n}", literal: true }));
    for (const pattern of ["q\\r", "(?s)import.*nowhere", "q\\n", "import.*export"]) {
      assert.ok(!await named({ pattern }), pattern);
    }
    assert.ok(!await named({ pattern: "q\\n", multiline: true }));
  });
});

Deno.test("Grep asks once for all that a pattern may have meant, files only, in the time it is given", async () => {
  const asked: GrepQuery[] = [];
  const searcher = createSearcher({ entry, workers: 1 });
  const spy = {
    grep: (query: GrepQuery, signal: AbortSignal) => {
      asked.push(query);
      return searcher.grep(query, signal);
    },
  } as unknown as Searcher;
  try {
    await withWorkspace({ "a.ts": "ZZZZ\n", "b/c.ts": "x\n" }, async (root) => {
      const runner = new ToolRunner(root);
      const tool = grepTool(spy, () => 77);
      const searches = async (pattern: string) => {
        asked.length = 0;
        await runner.run(tool, { pattern });
        return asked.length;
      };
      assert.equal(await searches("1234"), 1);
      assert.equal(await searches("nowhere"), 2);
      assert.equal(await searches("now\\|here(q"), 1, "refused");
      assert.equal(await searches("now\\|[h]ere"), 2);
      const { mode, limit, deadlineMs, patterns } = asked[1]!;
      assert.deepEqual([mode, limit, deadlineMs, patterns.length], ["files", 1, 77, 3]);
      assert.equal(await searches("zzzz"), 3);
      assert.deepEqual([asked[2]!.root, asked[2]!.folder], [join(root, "a.ts"), false]);
    });
  } finally {
    searcher.close();
  }
});

Deno.test("Grep searches whole words, Unicode's", async () => {
  await withGrep({ "a": "id\nidle\nid中\n(id)\nÉtat état\n" }, async (run) => {
    assert.equal((await run({ pattern: "id", "-w": true })).text, "a:1:id\na:4:(id)");
    assert.equal((await run({ pattern: "\\bÉTAT\\b", "-i": true })).text, "a:5:État état");
  });
});

Deno.test("Grep answers regular expressions that explode elsewhere at once", async () => {
  const line = "a".repeat(50_000) + "中文".repeat(1000) + "!";
  await withGrep({ "a": line }, async (run) => {
    for (
      const pattern of ["(a+)+$", "(a|a)*b", "(\\w+\\s?)+$", "(a+a+)+y", "^(([a-z])+.)+[A-Z]$"]
    ) {
      const { ok, text } = await run({ pattern });
      assert.ok(ok, text);
      assert.match(text, /^No matches in \. for /);
      assert.doesNotMatch(text, /time limit|Gave up/);
    }
  });
});

Deno.test("Grep tells why there is nothing", async () => {
  const files = { "a.ts": "x\ny\n", "b.bin": Uint8Array.from([0, 120]) };
  await withGrep(files, async (run) => {
    const text = async (input: ToolInput) => (await run(input)).text;
    assert.equal(
      await text({ pattern: "zzz" }),
      "No matches in . for zzz\nSkipped 1 binary file.",
    );
    assert.match(await text({ pattern: "x", glob: "*.rs" }), /no file to search/);
    assert.match(await text({ pattern: "x\\ny", multiline: true }), /^a\.ts:1:x\na\.ts:2:y/);
    assert.match(await text({ pattern: "x", path: "a.tx" }), /Did you mean: a\.ts/);
    assert.match(await text({ pattern: "x", path: "/dev/null" }), /not a regular file/);
  });
});

Deno.test("Grep reads the files of Chinese Windows and cuts long lines around the match", async () => {
  const files = {
    "gbk.txt": encodeText("这里有查询词\r\n", { encoding: "gb18030", bom: false }),
    "min.js": "a".repeat(10_000) + "needle" + "b".repeat(10_000),
  };
  await withGrep(files, async (run) => {
    assert.equal((await run({ pattern: "查询" })).text, "gbk.txt:1:这里有查询词");
    const { text } = await run({ pattern: "needle" });
    assert.match(text, /^min\.js:1:…a+needleb+…$/);
    assert.ok(text.length < 500);
  });
});

slow({
  name: "Grep counts files that open and cannot be read, and searches the rest",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withGrep({}, async (grep) => {
      // /proc/self/clear_refs and the like answer a read with EINVAL
      const { ok, text } = await grep({ pattern: "^Name:", path: "/proc/self" });
      assert.ok(ok, text);
      assert.match(text, /status:1:Name:/);
      assert.match(text, /files could not be read/);
    }),
});

Deno.test("Grep pages through many matches", async () => {
  await withGrep({ "a": "x\n".repeat(120) }, async (run) => {
    const page = async (offset: number) => (await run({ pattern: "x", offset })).text.split("\n");
    const first = await page(0);
    assert.equal(first[49], "a:50:x");
    assert.equal(
      first[50],
      "(Truncated: matches 1–50 of 120 in 1 file; narrow the search, or go on with offset=50.)",
    );
    const last = await page(100);
    assert.deepEqual([last[0], last[19], last.length], ["a:101:x", "a:120:x", 21]);
    assert.equal(last[20], "(Matches 101–120 of 120 in 1 file; nothing is left.)");
    assert.deepEqual(await page(119), [
      "a:120:x",
      "(Matches 120–120 of 120 in 1 file; nothing is left.)",
    ]);
    const none = "(Nothing is left after offset 120: there are 120 matches in 1 file.)";
    assert.deepEqual(await page(120), [none]);
    assert.deepEqual(await page(10_000_000), [none.replace("offset 120", "offset 10000000")]);
  });
});

Deno.test("Grep pages through many files", async () => {
  const files = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`f${i + 10}`, "x"]));
  await withGrep(files, async (run) => {
    const page = async (input: ToolInput) =>
      (await run({ pattern: "x", output_mode: "files", ...input })).text.split("\n");
    assert.equal((await page({})).length, 16);
    assert.equal(
      (await page({ head_limit: 10 }))[10],
      "(Truncated: files 1–10 of 16; narrow the search, or go on with offset=10.)",
    );
    assert.equal((await page({ offset: 10 }))[6], "(Files 11–16 of 16; nothing is left.)");
    assert.deepEqual(await page({ offset: 500 }), [
      "(Nothing is left after offset 500: there are 16 files.)",
    ]);
  });
});

Deno.test("Grep whose result is too long goes on where it really ended", async () => {
  const text = Array.from({ length: 3000 }, (_, i) => `x ${i} ${"y".repeat(30)}\n`).join("");
  await withGrep({ "a": text, "b": "x\n" }, async (run) => {
    const seen: number[] = [];
    for (let offset = 0, calls = 0; calls < 10; calls++) {
      const { text } = await run({ pattern: "x", path: "a", head_limit: 3000, offset });
      assert.ok(text.length < 51_000);
      seen.push(...[...text.matchAll(/^a:(\d+):/gm)].map((found) => Number(found[1])));
      const [, first, last, next] = /matches (\d+)–(\d+) of 3000 .*offset=(\d+)/.exec(text) ?? [];
      if (next === undefined) {
        assert.match(text, /Matches \d+–3000 of 3000 in 1 file; nothing is left/);
        break;
      }
      assert.deepEqual([Number(first), Number(last)], [offset + 1, seen.length]);
      offset = Number(next);
    }
    assert.deepEqual(seen, Array.from({ length: 3000 }, (_, i) => i + 1));
  });
});

Deno.test("Grep takes other agents' switches, or says what is done instead", async () => {
  const files = {
    ".git/HEAD": "",
    ".gitignore": "dist/\n",
    "a": "One\n",
    "b": "one\n",
    ".c": "one\n",
    "dist/d": "one\n",
  };
  await withGrep(files, async (run) => {
    const text = async (input: ToolInput) => (await run({ pattern: "one", ...input })).text;
    assert.equal(await text({ case_sensitive: false }), ".c:1:one\na:1:One\nb:1:one");
    assert.equal(await text({ case_sensitive: true, "-r": true, "-E": true }), ".c:1:one\nb:1:one");
    assert.equal(await text({ "-l": true }), ".c\nb");
    assert.equal(await text({ "-c": "true" }), ".c:1\nb:1");
    assert.equal(
      await text({ hidden: true }),
      ".c:1:one\nb:1:one\n(Files whose name begins with a dot are always searched; exclude leaves them out.)",
    );
    assert.match(
      await text({ no_ignore: true }),
      /\n\(Ignored files are left out; naming .*path/,
    );
    assert.match(await text({ "-o": true }), /\n\(Whole lines are shown; there is no -o\.\)$/);
    const { ok, text: why } = await run({ pattern: "one", "-v": true });
    assert.deepEqual([ok, why], [
      false,
      "Grep has no -v (lines that do not match); use grep -v in Bash.",
    ]);
    assert.equal(await text({ "-v": false, "-l": false }), ".c:1:one\nb:1:one");
  });
});

Deno.test("Grep's glob may be absolute, Windows', or a folder; what cannot be meant is named", async () => {
  const files = { "src/lib/a.ts": "x", "src/b.ts": "x", "docs/src/c.md": "x", "d.ts": "x" };
  await withGrep(files, async (run, _runner, root) => {
    const names = async (input: ToolInput) =>
      (await run({ pattern: "x", output_mode: "files", ...input })).text.split("\n");
    assert.deepEqual(await names({ glob: `${root}/src/*.ts` }), ["src/b.ts"]);
    assert.deepEqual(await names({ glob: `${root}/src/**/*.ts`, path: "src" }), [
      "src/b.ts",
      "src/lib/a.ts",
    ]);
    assert.deepEqual(await names({ glob: "src\\lib\\*.ts" }), ["src/lib/a.ts"]);
    assert.deepEqual(await names({ glob: "src" }), ["docs/src/c.md", "src/b.ts", "src/lib/a.ts"]);
    assert.deepEqual(await names({ glob: "src/lib" }), ["src/lib/a.ts"]);
    assert.deepEqual(await names({ exclude: "src" }), ["d.ts"]);
    assert.deepEqual(await names({ glob: "!src/lib, *.ts" }), ["d.ts", "src/b.ts"]);
    const why = async (input: ToolInput) => (await run({ pattern: "x", ...input })).text;
    assert.match(
      await why({ glob: "/etc/*.conf" }),
      /glob \/etc\/\*\.conf leads out of what is searched/,
    );
    assert.match(await why({ glob: "*.{ts" }), /In \*\.\{ts a \{ is never closed/);
    assert.match(await why({ glob: "!(b).ts" }), /^Cannot read !\(b\)\.ts: extended globs/);
    assert.match(await why({ path: "src/lib/*.ts" }), /wildcards belong into the glob parameter/);
  });
});

Deno.test({
  name: "a line end in a file's name does not split its line",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withGrep({ "a\nb": "x" }, async (run) => {
      assert.equal((await run({ pattern: "x" })).text, '"a\\nb":1:x');
    }),
});

Deno.test("Grep refuses a parameter it does not know", async () => {
  await withGrep({ "a": "x" }, async (run) => {
    const { ok, text } = await run({ pattern: "x", output_mod: "count" });
    assert.equal(ok, false);
    assert.match(text, /unknown parameter 'output_mod', valid ones are: output_mode/);
  });
});

Deno.test("Grep answers an abort", async () => {
  await withGrep({ "a": "x" }, async (run, runner) => {
    runner.overrides = { signal: AbortSignal.abort() };
    assert.equal((await run({ pattern: "x" })).text, "interrupted");
  });
});

// Feature: agent-system-optimization, Property 8: 搜索结果格式与上下文
Deno.test("Feature: agent-system-optimization, Property 8: path, line number, whole line and two lines of context", async () => {
  await withGrep({}, async (run, _runner, root) => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", ".", "中", " "), maxLength: 10 });
    const file = fc.array(line, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), fc.boolean(), async (lines, at, isRegex) => {
        lines[at % lines.length] += "needle.x";
        await Deno.writeTextFile(join(root, "f.txt"), lines.join("\n") + "\n");
        const query = isRegex ? "needle\\.x" : "needle.x";
        const { text } = await run({ query, pattern: "*.txt", isRegex }, "search_files");
        const shown = text.split("\n").filter((each) => each !== "--");
        const wanted = new Map<number, string>();
        lines.forEach((each, i) => {
          if (!each.includes("needle.x")) return;
          for (let n = Math.max(0, i - 2); n <= Math.min(lines.length - 1, i + 2); n++) {
            const mark = lines[n]!.includes("needle.x") ? ":" : "-";
            wanted.set(n, `f.txt${mark}${n + 1}${mark}${lines[n]}`);
          }
        });
        const ordered = [...wanted].sort(([a], [b]) => a - b).map(([, each]) => each);
        assert.deepEqual(shown, ordered);
      }),
      { numRuns: runs(100) },
    );
  });
});

// Feature: agent-system-optimization, Property 9: 搜索结果截断
Deno.test("Feature: agent-system-optimization, Property 9: at most 50 matches and a note with the true total", async () => {
  await withGrep({}, async (run, _runner, root) => {
    const counts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
      .filter((each) => each.reduce((sum, n) => sum + n, 0) > 50);
    await fc.assert(
      fc.asyncProperty(counts, async (each) => {
        for (let i = 0; i < 5; i++) {
          await Deno.writeTextFile(join(root, `f${i}`), "match\n".repeat(each[i] ?? 0));
        }
        const total = each.reduce((sum, n) => sum + n, 0);
        const { text } = await run({ pattern: "match" });
        assert.equal(text.match(/^f\d:\d+:match$/gm)?.length, 50);
        assert.match(text, new RegExp(`Truncated: matches 1–50 of ${total} `));
      }),
      { numRuns: runs(100) },
    );
  });
});

Deno.test("Grep and Glob that found nothing in time say so first, not that there is nothing", async () => {
  await withWorkspace({ "a": "x" }, async (root) => {
    const runner = new ToolRunner(root);
    const report = newWalkReport();
    const stopped = "deadline" as const;
    const none = { matches: 0, matchedFiles: 0, searched: 0, binary: 0, unopened: 0, tooLarge: 0 };
    // a searcher whose time was up at once
    const searcher = {
      grep: () =>
        Promise.resolve({
          lines: [],
          rest: [],
          files: [],
          ...none,
          cut: 0,
          slow: 0,
          report,
          stopped,
        }),
      glob: () => Promise.resolve({ files: [], total: 0, report, stopped }),
    } as unknown as Searcher;
    for (const tool of [grepTool(searcher), globTool(searcher)]) {
      const { text } = await runner.run(tool, { pattern: "x" });
      assert.match(text, /^Stopped at the time limit with nothing found so far in \. for x;/);
      assert.doesNotMatch(text, /No (matches|files)/);
    }
  });
});
