import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { read } from "../../src/tools/read.ts";
import type { ToolInput } from "../../src/types.ts";
import { encodeText } from "../../src/workspace/text_file.ts";
import { TestDesk } from "../support/tool_context.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";

const withDesk = (files: Files, use: (desk: TestDesk, root: string) => Promise<void>) =>
  withWorkspace(files, (root) => use(new TestDesk(root), root));
const go = (desk: TestDesk, input: ToolInput) => desk.run(read, read.adapt!(input));
const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `${from + i} | line ${from + i}`).join("\n");
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("Read shows each line with its number and remembers the file", async () => {
  await withDesk({ "src/a.ts": "one\r\n\ttwo\n\nfour" }, async (desk, root) => {
    const result = await go(desk, { file_path: "src/a.ts" });
    assert.equal(result.text, "1 | one\n2 | \ttwo\n3 | \n4 | four");
    assert.deepEqual(result.detail, { kind: "lines", count: 4, path: "src/a.ts" });
    assert.equal(desk.seen.get(join(root, "src/a.ts"))?.hash.length, 64);
    const absolute = await go(desk, { path: join(root, "src/a.ts") });
    assert.equal(absolute.text, result.text);
  });
});

Deno.test("Read shows a file of 500 lines whole and pages a large one", async () => {
  await withDesk({ "small": lines(500), "large": lines(2500) }, async (desk) => {
    assert.equal((await go(desk, { file_path: "small" })).text, numbered(500));
    const first = await go(desk, { file_path: "large" });
    assert.equal(
      first.text,
      `${numbered(2000)}\n\n(Lines 1–2000 of 2500. Go on with offset=2001.)`,
    );
    const second = await go(desk, { file_path: "large", offset: 2001 });
    assert.equal(second.text, `${numbered(500, 2001)}\n\n(Lines 2001–2500 of 2500.)`);
  });
});

Deno.test("Read clamps a range that does not fit, and says so", async () => {
  await withDesk({ "a": lines(5) }, async (desk) => {
    const beyond = await go(desk, { file_path: "a", offset: 9, limit: 2 });
    assert.match(
      beyond.text,
      /^5 \| line 5\n\n\(offset 9 is beyond the end; the file has 5 lines\./,
    );
    assert.equal(beyond.ok, true);
    const zero = await go(desk, { file_path: "a", offset: 0, limit: 99 });
    assert.equal(zero.text, numbered(5));
    const range = await go(desk, { file_path: "a", startLine: "2", endLine: 3 });
    assert.match(range.text, /^2 \| line 2\n3 \| line 3\n\n\(Lines 2–3 of 5\./);
  });
});

Deno.test("Read cuts long lines with a mark and bounds the whole", async () => {
  const files = {
    "long": "x".repeat(5000) + "\nshort\n",
    "wide": ("y".repeat(999) + "\n").repeat(900),
  };
  await withDesk(files, async (desk) => {
    const long = await go(desk, { file_path: "long" });
    assert.equal(long.text, `1 | ${"x".repeat(2000)}…[line cut, its length is 5000]\n2 | short`);
    const wide = await go(desk, { file_path: "wide" });
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
  await withDesk(files, async (desk) => {
    const gbk = await go(desk, { file_path: "gbk.txt" });
    assert.match(gbk.text, /^1 \| 你好\n2 \| 世界\n\n\(The encoding is gb18030/);
    assert.match((await go(desk, { file_path: "u16.txt" })).text, /^1 \| 你好\n\n\(.*utf-16be/);
    assert.equal((await go(desk, { file_path: "bom.txt" })).text, "1 | a");
  });
});

Deno.test("Read names what it cannot show", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]);
  await withDesk({ "a.png": png, "empty": "", "README.md": "x" }, async (desk, root) => {
    const text = async (path: string) => (await go(desk, { file_path: path })).text;
    assert.equal(await text("a.png"), "Cannot read a.png: it is binary (PNG image, 11 bytes).");
    assert.equal(await text("empty"), "empty is empty.");
    assert.equal(
      await text("readme.md"),
      "Cannot read readme.md: it does not exist. Did you mean: README.md",
    );
    assert.match(await text("no/such.txt"), /it does not exist\. Nothing nearby/);
    assert.match(await text("/dev/zero"), /device, pipe or socket/);
    await new Deno.Command("mkfifo", { args: [join(root, "fifo")] }).output();
    assert.match(await text("fifo"), /device, pipe or socket/);
    assert.match(await text("README.md/x"), /not a folder/);
    assert.match(await text("a\0b"), /not allowed/);
  });
});

Deno.test("Read says when permission is missing", async () => {
  await withDesk({ "secret": "x" }, async (desk, root) => {
    await Deno.chmod(join(root, "secret"), 0);
    const module = new URL("../../src/tools/read.ts", import.meta.url).href;
    const support = new URL("../support/tool_context.ts", import.meta.url).href;
    const code = `import { read } from "${module}"; import { TestDesk } from "${support}";
      const desk = new TestDesk(${JSON.stringify(root)});
      desk.overrides = { env: {} };
      console.log((await desk.run(read, { file_path: "secret" })).text);`;
    const config = new URL("../../deno.json", import.meta.url).pathname;
    await Deno.writeTextFile(join(root, "ask.ts"), code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--config", config, "--no-prompt", "--allow-env", join(root, "ask.ts")],
      stderr: "null",
    }).output();
    assert.match(new TextDecoder().decode(stdout), /started without this permission/);
    if (Deno.uid() !== 0) {
      assert.match((await go(desk, { file_path: "secret" })).text, /permission denied/);
    }
  });
});

Deno.test("Read lists a folder", async () => {
  await withDesk({ "d/b.txt": "", "d/a/c": "" }, async (desk) => {
    const { text, ok } = await go(desk, { file_path: "d" });
    assert.deepEqual([text, ok], ["d is a folder with 2 entries:\na/\nb.txt", true]);
  });
});

Deno.test("Read pages through a file too large to hold", async () => {
  await withDesk({}, async (desk, root) => {
    const line = `${"z".repeat(99)}\n`;
    const block = new TextEncoder().encode(line.repeat(10_000));
    using file = await Deno.create(join(root, "big"));
    for (let i = 0; i < 70; i++) await file.write(block);
    const { text } = await go(desk, { file_path: "big", offset: 600_000, limit: 2 });
    const shown = `600000 | ${line}600001 | ${line}`;
    assert.equal(
      text,
      `${shown}\n(Lines 600000–600001 of a 66.8 MB file. Go on with offset=600002.)`,
    );
    assert.equal(desk.seen.size, 0);
  });
});

Deno.test("Read answers an abort", async () => {
  await withDesk({ "a": "x" }, async (desk) => {
    desk.overrides = { signal: AbortSignal.abort() };
    const { ok, text } = await go(desk, { file_path: "a" });
    assert.deepEqual([ok, text], [false, "interrupted"]);
  });
});

// Feature: agent-system-optimization, Property 10: read_file 行号格式
Deno.test("Feature: agent-system-optimization, Property 10: each line has its number and its text", async () => {
  await withDesk({}, async (desk, root) => {
    const line = fc.string({ maxLength: 30 }).map((text) => text.replace(/[\n\r\0]/g, ""));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (texts) => {
        await Deno.writeTextFile(join(root, "f"), texts.join("\n") + "\n");
        const { text } = await go(desk, { file_path: "f" });
        assert.equal(text, texts.map((each, i) => `${i + 1} | ${each}`).join("\n"));
      }),
      { numRuns: 100 },
    );
  });
});

// Feature: agent-system-optimization, Property 11: read_file 行范围读取
Deno.test("Feature: agent-system-optimization, Property 11: a range gives exactly its lines", async () => {
  await withDesk({}, async (desk, root) => {
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
        const { text } = await go(desk, { path: "f", startLine: start, endLine: end });
        const body = text.split("\n").filter((each) => /^\d+ \| /.test(each));
        assert.deepEqual(
          body,
          texts.slice(start - 1, end).map((each, i) => `${start + i} | ${each}`),
        );
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("Read says that a link leads nowhere, also on the way, and names an unknown binary once", async () => {
  await withWorkspace({ "bin.dat": Uint8Array.from([0, 1, 2]), "dir/a": "" }, async (root) => {
    const desk = new TestDesk(root);
    await Deno.symlink("gone", join(root, "broken"));
    await Deno.symlink("dir", join(root, "good"));
    const text = async (file_path: string) => (await desk.run(read, { file_path })).text;
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
