import { english } from "../../../src/base/t.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { FileError } from "../../../src/base/errors.ts";
import type { ToolInput } from "../../../src/base/types.ts";
import { encodeText } from "../../../src/files/text_file.ts";
import { createSearcher } from "../../../src/search/mod.ts";
import { edit } from "../../../src/tools/edit/edit.ts";
import { grepTool } from "../../../src/tools/grep/grep.ts";
import { isVirtual, read, readTool, readVirtual } from "../../../src/tools/read/read.ts";
import { parseInput } from "../../../src/tools/toolbox.ts";
import { runs, slow } from "../../support/soak.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { ToolRunner } from "../../support/tool_context.ts";

const withRunner = (files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) =>
  withWorkspace(files, (root) => use(new ToolRunner(root), root));
const go = (runner: ToolRunner, input: ToolInput) => runner.run(read, read.adapt!(input));
const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `${from + i} | line ${from + i}`).join("\n");
/** Numbers below a bound, always the same ones. */
const lcg = (seed: number) => (below: number) => {
  seed = Math.imul(seed, 1_664_525) + 1_013_904_223 >>> 0;
  return Math.floor(seed / 2 ** 32 * below);
};
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("Read shows each line with its number and remembers the file", async () => {
  await withRunner({ "src/a.ts": "one\r\n\ttwo\n\nfour" }, async (runner, root) => {
    const result = await go(runner, { file_path: "src/a.ts" });
    assert.equal(result.text, "1 | one\n2 | \ttwo\n3 | \n4 | four");
    assert.deepEqual(result.detail, { kind: "lines", count: 4, path: "src/a.ts" });
    assert.equal(runner.seen.get(join(root, "src/a.ts"))?.hash.length, 64);
    const absolute = await go(runner, { path: join(root, "src/a.ts") });
    assert.equal(absolute.text, result.text);
  });
});

Deno.test("Read shows a file of 500 lines whole and pages a large one", async () => {
  await withRunner({ "small": lines(500), "large": lines(2500) }, async (runner) => {
    assert.equal((await go(runner, { file_path: "small" })).text, numbered(500));
    const first = await go(runner, { file_path: "large" });
    assert.equal(
      first.text,
      `${numbered(2000)}\n\n(Lines 1–2000 of 2500. Go on with offset=2001.)`,
    );
    const second = await go(runner, { file_path: "large", offset: 2001 });
    assert.equal(second.text, `${numbered(500, 2001)}\n\n(Lines 2001–2500 of 2500.)`);
  });
});

Deno.test("Read clamps a range that does not fit, and says so", async () => {
  await withRunner({ "a": lines(5) }, async (runner) => {
    const beyond = await go(runner, { file_path: "a", offset: 9, limit: 2 });
    assert.match(
      beyond.text,
      /^5 \| line 5\n\n\(offset 9 is beyond the end; the file has 5 lines\./,
    );
    assert.equal(beyond.ok, true);
    const zero = await go(runner, { file_path: "a", offset: 0, limit: 99 });
    assert.equal(zero.text, numbered(5));
    const range = await go(runner, { file_path: "a", startLine: "2", endLine: 3 });
    assert.match(range.text, /^2 \| line 2\n3 \| line 3\n\n\(Lines 2–3 of 5\./);
  });
});

Deno.test("Read cuts long lines with a mark and bounds the whole", async () => {
  const files = {
    "long": "x".repeat(5000) + "\nshort\n",
    "huge": "z".repeat(20_000),
    "wide": ("y".repeat(999) + "\n").repeat(900),
  };
  await withRunner(files, async (runner) => {
    const long = await go(runner, { file_path: "long" });
    assert.equal(
      long.text,
      `1 | ${"x".repeat(2000)}…[line cut, its length is 5000]\n2 | short\n\n` +
        "(Of a cut line, Grep shows what stands around a match.)",
    );
    const huge = await go(runner, { file_path: "huge" });
    assert.match(huge.text, /^1 \| z{2000}…\[line cut, its length is 19\.5 KB\]\n\n\(/);
    const wide = await go(runner, { file_path: "wide" });
    assert.ok(wide.text.length < 51_000);
    assert.match(wide.text, /\(Lines 1–\d+ of 900\. Go on with offset=\d+\.\)$/);
  });
});

Deno.test("Read tells the encoding and shows Chinese in GBK and UTF-16", async () => {
  const files = {
    "gbk.txt": encodeText("你好\n世界\n", { encoding: "gb18030", bom: false }),
    "u16.txt": encodeText("你好\r\n", { encoding: "utf-16be", bom: true }),
    "bom.txt": encodeText("a\n", { encoding: "utf-8", bom: true }),
  };
  await withRunner(files, async (runner) => {
    const gbk = await go(runner, { file_path: "gbk.txt" });
    assert.match(gbk.text, /^1 \| 你好\n2 \| 世界\n\n\(The encoding is gb18030/);
    assert.match((await go(runner, { file_path: "u16.txt" })).text, /^1 \| 你好\n\n\(.*utf-16be/);
    assert.match(
      (await go(runner, { file_path: "bom.txt" })).text,
      /^1 \| a\n\n\(The encoding is utf-8 with BOM; Edit and Write keep it\.\)$/,
    );
  });
});

Deno.test("Read names what it cannot show", async () => {
  const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0]);
  await withRunner({ "a.zip": zip, "empty": "", "README.md": "x" }, async (runner, root) => {
    const text = async (path: string) => (await go(runner, { file_path: path })).text;
    assert.equal(await text("a.zip"), "Cannot read a.zip: it is binary (ZIP archive, 11 bytes).");
    assert.equal(await text("empty"), "empty is empty.");
    assert.equal(
      await text("readme.md"),
      "Cannot read readme.md: it does not exist. Did you mean: README.md",
    );
    assert.match(await text("no/such.txt"), /it does not exist\. Nothing nearby/);
    await Deno.writeTextFile(join(root, "two\nlines.md"), "x");
    assert.match(await text("two lines.md"), /Did you mean: "two\\nlines\.md"$/);
    assert.match(await text("/dev/zero"), /device, pipe or socket/);
    await new Deno.Command("mkfifo", { args: [join(root, "fifo")] }).output();
    assert.match(await text("fifo"), /device, pipe or socket/);
    assert.match(await text("README.md/x"), /not a folder/);
    assert.match(await text("a\0b"), /^Cannot read "a\\u0000b": .* not allowed/);
  });
});

Deno.test({
  name: "a pipe that has a name but no place is told as what it is",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const child = new Deno.Command("cat", { stdin: "piped", stdout: "null" }).spawn();
    const path = `/proc/${child.pid}/fd/0`;
    const searcher = createSearcher({ workers: 0 });
    try {
      await withRunner({}, async (runner) => {
        const strings = { old_string: "a", new_string: "b" };
        const results = [
          await runner.run(read, { file_path: path }),
          await runner.run(edit, { file_path: path, ...strings }),
          await runner.run(grepTool(searcher), { path, pattern: "a" }),
        ];
        for (const { text } of results) assert.match(text, /fd\/0: it is a device, pipe or socket/);
      });
    } finally {
      searcher.close();
      await child.stdin.close();
      await child.status;
    }
  },
});

Deno.test("Read says when permission is missing", async () => {
  await withRunner({ "secret": "x" }, async (runner, root) => {
    await Deno.chmod(join(root, "secret"), 0);
    const module = new URL("../../../src/tools/read/read.ts", import.meta.url).href;
    const support = new URL("../../support/tool_context.ts", import.meta.url).href;
    const code = `import { read } from "${module}"; import { ToolRunner } from "${support}";
      const runner = new ToolRunner(${JSON.stringify(root)});
      runner.overrides = { env: {} };
      console.log((await runner.run(read, { file_path: "secret" })).text);`;
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    await Deno.writeTextFile(join(root, "ask.ts"), code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--config", config, "--no-prompt", "--allow-env", join(root, "ask.ts")],
      stderr: "null",
    }).output();
    assert.match(new TextDecoder().decode(stdout), /started without this permission/);
    if (Deno.uid() !== 0) {
      assert.match((await go(runner, { file_path: "secret" })).text, /permission denied/);
    }
  });
});

Deno.test("Read lists a folder", async () => {
  await withRunner({ "d/b.txt": "", "d/a/c": "" }, async (runner) => {
    const { text, ok } = await go(runner, { file_path: "d" });
    assert.deepEqual([text, ok], ["d is a folder with 2 entries:\na/\nb.txt", true]);
  });
});

slow("Read pages through a file too large to hold", async () => {
  await withRunner({}, async (runner, root) => {
    const line = `${"z".repeat(99)}\n`;
    const block = new TextEncoder().encode(line.repeat(10_000));
    using file = await Deno.create(join(root, "big"));
    for (let i = 0; i < 70; i++) await file.write(block);
    const { text } = await go(runner, { file_path: "big", offset: 600_000, limit: 2 });
    const shown = `600000 | ${line}600001 | ${line}`;
    assert.equal(
      text,
      `${shown}\n(Lines 600000–600001 of a 66.8 MB file. Go on with offset=600002.)`,
    );
    assert.equal(runner.seen.get(join(root, "big"))?.shown?.[0]?.[1], 600_001);
  });
});

Deno.test("Read describes images and PDFs and says what to do", async () => {
  const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const files = {
    "a.png": latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02"),
    "torn.png": latin("\x89PNG\r\n\x1a\n\0\0"),
    "it's.pdf": latin("%PDF-1.4\n<< /Type /Page >> << /Type /Page >>\n"),
  };
  await withRunner(files, async (runner) => {
    const image = await go(runner, { file_path: "a.png" });
    assert.equal(
      image.text,
      "a.png: PNG image, 640 × 480 pixels, 26 bytes. Its picture cannot be shown here.",
    );
    assert.equal(image.ok, true);
    assert.match(
      (await go(runner, { file_path: "torn.png" })).text,
      /^torn\.png: PNG image, 10 bytes/,
    );
    const pdf = await go(runner, { file_path: "it's.pdf" });
    assert.equal(pdf.ok, false);
    assert.match(pdf.text, /a PDF \(version 1\.4, 2 pages, 45 bytes\)/);
    assert.ok(pdf.text.includes("pdftotext -layout 'it'\\''s.pdf' -"));
  });
});

Deno.test("Read shows a notebook as cells, its lines on request, and how to edit it", async () => {
  const outputs = [
    { output_type: "stream", name: "stdout", text: ["o".repeat(3000)] },
    { output_type: "display_data", data: { "image/png": "A".repeat(4000) } },
  ];
  const cells = [
    { cell_type: "markdown", metadata: {}, source: ["# Title\n", "text"] },
    { cell_type: "code", execution_count: 3, metadata: {}, source: ["x = 1\n", "x"], outputs },
  ];
  const metadata = { language_info: { name: "python" } };
  const text = JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1) + "\n";
  await withRunner({ "a.ipynb": text, "broken.ipynb": "{\n" }, async (runner, root) => {
    const shown = await go(runner, { file_path: "a.ipynb" });
    const parts = shown.text.split("\n\n");
    assert.equal(parts[0], "[cell 1 · markdown · lines 3–10]\n# Title\ntext");
    assert.match(
      parts[1]!,
      /^\[cell 2 · code \[3\] · lines 11–\d+\]\nx = 1\nx\n→ o{1000}… \(2000 more/,
    );
    assert.match(parts[1]!, /\n\[output: image\/png, 2\.9 KB\]$/);
    assert.match(parts[2]!, /^\(Jupyter notebook \(python\) with 2 cells; .*before editing, Read/);
    assert.ok(runner.seen.has(join(root, "a.ipynb")));
    const raw = await go(runner, { file_path: "a.ipynb", offset: 6, limit: 2 });
    assert.match(raw.text, /^6 \| {4}"source": \[\n7 \| {5}"# Title\\n",\n/);
    const line = '  "source": ["x = "a"\\n"]\n';
    await Deno.writeTextFile(join(root, "broken.ipynb"), `{\n${line}}\n`);
    assert.equal(
      (await go(runner, { file_path: "broken.ipynb" })).text,
      `1 | {\n2 | ${line}3 | }\n\n(This notebook is broken, it is not valid JSON: see line 2, ` +
        'column 20, at `a"\\n"]`. Shown is the file\'s text.)',
    );
    const part = await go(runner, { file_path: "broken.ipynb", offset: 3, limit: 1 });
    assert.match(part.text, /^3 \| \}\n\n\(This notebook is broken/);
  });
});

Deno.test("Read understands other agents' ranges, -1 for the end", async () => {
  await withRunner({ "a.txt": lines(30) }, async (runner) => {
    const shown = async (input: ToolInput) => {
      const parsed = parseInput(read, JSON.stringify({ path: "a.txt", ...input }), english);
      assert.ok(typeof parsed !== "string", String(parsed));
      const { text } = await runner.run(read, parsed);
      const numbers = [...text.matchAll(/^(\d+) \|/gm)].map((found) => Number(found[1]));
      return [numbers[0], numbers.at(-1)];
    };
    assert.deepEqual(await shown({ view_range: [5, 9] }), [5, 9]);
    assert.deepEqual(await shown({ command: "view", view_range: [5, 9] }), [5, 9]);
    assert.deepEqual(await shown({ view_range: [28, -1] }), [28, 30]);
    assert.deepEqual(await shown({ startLine: 3, endLine: -1 }), [3, 30]);
    assert.deepEqual(await shown({ start_line: 3, end_line: 4 }), [3, 4]);
    assert.deepEqual(await shown({ end_line: 2 }), [1, 2]);
  });
});

Deno.test("Read of an empty path says what was empty", async () => {
  await withRunner({}, async (runner) => {
    assert.equal(
      (await go(runner, { file_path: "" })).text,
      'Cannot read "": the path is empty, too long or has characters that are not allowed.',
    );
  });
});

Deno.test("Read names Cyrillic encodings, and says when an encoding is not certain", async () => {
  const russian = (encoding: "windows-1251" | "koi8-r") =>
    encodeText("Не удалось открыть файл\n", { encoding, bom: false });
  const mixed = Uint8Array.from([
    ...encodeText("打开文件失败", { encoding: "gb18030", bom: false }),
    0xff,
    0x0a,
  ]);
  const files = { a: russian("windows-1251"), b: russian("koi8-r"), c: mixed };
  await withRunner(files, async (runner) => {
    const text = async (path: string) => (await go(runner, { file_path: path })).text;
    assert.equal(
      await text("a"),
      "1 | Не удалось открыть файл\n\n(The encoding is windows-1251; Edit and Write keep it.)",
    );
    assert.match(await text("b"), /^1 \| Не удалось[^]*koi8-r; Edit/);
    assert.match(
      await text("c"),
      /打开文件失败\ufffd[^]*not certain: it is most like gb18030, but/,
    );
  });
});

Deno.test("Read points to what it has shown, names the lines, and shows them again when asked again", async () => {
  await withRunner({ "a": lines(300), "small": "x\n" }, async (runner, root) => {
    const full = await go(runner, { file_path: "a" });
    const short = await go(runner, { file_path: "a" });
    assert.match(short.text, /^a is unchanged since you read it: lines 1–300 of 300 stand above/);
    assert.equal((await go(runner, { file_path: "a" })).text, full.text);
    assert.notEqual((await go(runner, { file_path: "a", limit: 250 })).text, full.text);
    assert.match((await go(runner, { file_path: "a" })).text, /unchanged/);
    // too little to be worth a pointer
    for (let i = 0; i < 3; i++) {
      assert.equal((await go(runner, { file_path: "small" })).text, "1 | x");
    }
    await go(runner, { file_path: "a" });
    await Deno.writeTextFile(join(root, "a"), lines(299) + "changed\n");
    assert.match((await go(runner, { file_path: "a" })).text, /300 \| changed$/);
  });
});

Deno.test("Read gives the kernel's files and refuses those that wait, without waiting", async () => {
  await withRunner({}, async (runner) => {
    if (Deno.build.os !== "linux") return;
    const status = await go(runner, { file_path: "/proc/self/status" });
    assert.match(status.text, /^1 \| Name:\t/);
    assert.equal(runner.seen.size, 0);
    const log = await go(runner, { file_path: "/proc/kmsg" });
    assert.match(log.text, /keeps its reader waiting/);
    for (const device of ["/dev/zero", "/dev/tty", "/dev/random"]) {
      if (await Deno.stat(device).catch(() => undefined) === undefined) continue;
      assert.match((await go(runner, { file_path: device })).text, /device, pipe or socket/);
    }
  });
});

Deno.test("Read lists folders first, marks links, and quotes names that break lines", async () => {
  await withRunner(
    { "d/b.txt": "", "d/z/c": "", "d/.hidden": "", "d/two\nlines": "" },
    async (runner, root) => {
      await Deno.symlink("b.txt", join(root, "d/link"));
      const { text } = await go(runner, { file_path: "d" });
      assert.equal(
        text,
        'd is a folder with 5 entries:\nz/\n"two\\nlines"\n.hidden\nb.txt\nlink@',
      );
    },
  );
});

Deno.test("Read tells of bytes that are not of the encoding and of lone CR", async () => {
  const files = {
    "bad.txt": Uint8Array.from([...new TextEncoder().encode("中文中文中文 "), 0xff, 0x0a]),
    "mac.txt": "one\rtwo\rthree\r",
    "late.txt": "a".repeat(9000) + "\nx\0y\n",
  };
  await withRunner(files, async (runner) => {
    const bad = await go(runner, { file_path: "bad.txt" });
    assert.match(bad.text, /^1 \| 中文中文中文 \ufffd\n\n\(Some bytes are not valid utf-8/);
    assert.match((await go(runner, { file_path: "mac.txt" })).text, /lone CR \(old Mac\)/);
    const late = await go(runner, { file_path: "late.txt" });
    assert.match(late.text, /\n2 \| x\ufffdy\n\n\(Some bytes are not valid utf-8/);
  });
});

/** Differences from sed that are meant: a mark and CR before LF are no text, an offset beyond the end gives the last line. */
slow(
  "Read gives the lines that sed gives, for 1,000 files in every form of line ends",
  async () => {
    await withRunner({}, async (runner, root) => {
      const ends = ["\n", "\r\n", "\r"];
      const words = [
        "plain",
        "",
        " ",
        "\tx = 1;",
        "打开文件失败，请检查路径",
        "naïve café",
        "a | b",
        "(end)",
      ];
      const random = lcg(20_240_607);
      const cases = Array.from({ length: 1000 }, (_, at) => {
        const form = random(5);
        const count = random(30);
        let text = "";
        for (let i = 0; i < count; i++) {
          const last = i === count - 1 && random(2) === 0;
          text += words[random(words.length)]! +
            (last ? "" : ends[form < 3 ? form : random(form - 1)]!);
        }
        const encoding = random(4) === 0 ? "gb18030" : "utf-8";
        return { at, text, encoding, offset: 1 + random(35), limit: 1 + random(20) } as const;
      });
      let script = "";
      for (const { at, text, encoding, offset, limit } of cases) {
        await Deno.writeFile(join(root, `f${at}`), encodeText(text, { encoding, bom: false }));
        script += `sed -n '${offset},${offset + limit - 1}p' f${at} > o${at}\n`;
      }
      await Deno.writeTextFile(join(root, "all.sh"), script);
      await new Deno.Command("sh", { args: ["all.sh"], cwd: root, env: { LC_ALL: "C" } }).output();
      for (const { at, offset, limit, encoding } of cases) {
        const given = new TextDecoder(encoding, { ignoreBOM: true })
          .decode(await Deno.readFile(join(root, `o${at}`)));
        const { text } = await go(runner, { file_path: `f${at}`, offset, limit });
        const wanted = given.split("\n").map((line) => line.replace(/\r$/, ""));
        if (given === "" || given.endsWith("\n")) wanted.pop();
        const body = text.replace(/\n\n\([^\n]*\)$/, "");
        if (given === "") assert.match(text, /is empty\.|is beyond the end/);
        else {assert.equal(
            body,
            wanted.map((line, i) => `${offset + i} | ${line}`).join("\n"),
            `f${at}`,
          );}
      }
    });
  },
);

Deno.test("Read answers an abort", async () => {
  await withRunner({ "a": "x" }, async (runner) => {
    runner.overrides = { signal: AbortSignal.abort() };
    const { ok, text } = await go(runner, { file_path: "a" });
    assert.deepEqual([ok, text], [false, "interrupted"]);
  });
});

// Feature: agent-system-optimization, Property 10: read_file 行号格式
Deno.test("Feature: agent-system-optimization, Property 10: each line has its number and its text", async () => {
  await withRunner({}, async (runner, root) => {
    const line = fc.string({ maxLength: 30 }).map((text) => text.replace(/[\n\r\0]/g, ""));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (texts) => {
        await Deno.writeTextFile(join(root, "f"), texts.join("\n") + "\n");
        const { text } = await go(runner, { file_path: "f" });
        assert.equal(text, texts.map((each, i) => `${i + 1} | ${each}`).join("\n"));
      }),
      { numRuns: runs(100) },
    );
  });
});

// Feature: agent-system-optimization, Property 11: read_file 行范围读取
Deno.test("Feature: agent-system-optimization, Property 11: a range gives exactly its lines", async () => {
  await withRunner({}, async (runner, root) => {
    const range = fc.array(fc.string({ unit: fc.constantFrom("a", "中", " "), maxLength: 8 }), {
      minLength: 1,
      maxLength: 60,
    }).chain((texts) =>
      fc.tuple(
        fc.constant(texts),
        fc.integer({ min: 1, max: texts.length }),
        fc.integer({ min: 1, max: texts.length }),
      )
    );
    await fc.assert(
      fc.asyncProperty(range, async ([texts, a, b]) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        await Deno.writeTextFile(join(root, "f"), texts.join("\n") + "\n");
        const { text } = await go(runner, { path: "f", startLine: start, endLine: end });
        const body = text.split("\n").filter((each) => /^\d+ \| /.test(each));
        assert.deepEqual(
          body,
          texts.slice(start - 1, end).map((each, i) => `${start + i} | ${each}`),
        );
      }),
      { numRuns: runs(100) },
    );
  });
});

Deno.test("Read says that a link leads nowhere, also on the way, and names an unknown binary once", async () => {
  await withWorkspace({ "bin.dat": Uint8Array.from([0, 1, 2]), "dir/a": "" }, async (root) => {
    const runner = new ToolRunner(root);
    await Deno.symlink("gone", join(root, "broken"));
    await Deno.symlink("dir", join(root, "good"));
    const text = async (file_path: string) => (await runner.run(read, { file_path })).text;
    const link = "broken is a symbolic link to gone, which does not exist.";
    assert.equal(await text("broken"), `Cannot read broken: ${link}`);
    assert.equal(await text("broken/a.txt"), `Cannot read broken/a.txt: ${link}`);
    assert.match(await text("good/b"), /it does not exist/);
    assert.equal(
      await text("bin.dat"),
      "Cannot read bin.dat: it is binary (unknown format, 3 bytes).",
    );
    assert.match(await text("dir"), /^dir is a folder with 1 entry:/);
  });
});

Deno.test("read_chars bounds every answer, that of a small file too", async () => {
  await withRunner({ "a": lines(400) }, async (runner) => {
    const whole = await runner.run(read, { file_path: "a" });
    const short = await runner.run(readTool(1000), { file_path: "a" });
    assert.ok(whole.text.length > 2000 && short.text.length < 1200, short.text);
    assert.match(short.text, /go on with offset|offset/i);
  });
});

const signal = new AbortController().signal;
const linux = { ignore: Deno.build.os !== "linux" };

Deno.test("what the kernel makes up is read although its size is 0", linux, async () => {
  assert.ok(isVirtual("/proc/self/status"));
  assert.ok(!isVirtual("/process/a"));
  const bytes = await readVirtual("/proc/self/status", 10_000, signal);
  assert.match(new TextDecoder().decode(bytes), /^Name:\thead\n/);
  assert.equal((await readVirtual("/proc/self/status", 5, signal)).length, 5);
});

Deno.test(
  "a file that keeps its reader waiting is given up, and so is one on an abort",
  linux,
  async () => {
    await withWorkspace({}, async (root) => {
      // a pipe nobody writes into waits just as /proc/kmsg does
      const fifo = join(root, "fifo");
      await new Deno.Command("mkfifo", { args: [fifo] }).output();
      await assert.rejects(
        readVirtual(fifo, 10, signal, 100),
        (error) => error instanceof FileError && error.reason === "waiting",
      );
      const stop = new AbortController();
      const reading = readVirtual(fifo, 10, stop.signal, 60_000);
      stop.abort(new Error("stop"));
      await assert.rejects(reading, /stop/);
    });
  },
);

Deno.test("what even head cannot read is refused with its reason", linux, async () => {
  await assert.rejects(
    readVirtual("/proc/self/mem", 10, signal),
    (error) =>
      error instanceof FileError && error.reason === "other" && /error/i.test(error.message),
  );
});
