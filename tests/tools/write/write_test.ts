import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { edit } from "../../../src/tools/edit/edit.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { read } from "../../../src/tools/read/read.ts";
import { write } from "../../../src/tools/write/write.ts";
import { encodeText } from "../../../src/files/text_file.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const withRunner = (files: Files, use: (runner: ToolRunner, root: string) => Promise<void>) =>
  withWorkspace(files, (root) => use(new ToolRunner(root), root));

Deno.test("Write creates a file and its folders, also an empty one", async () => {
  await withRunner({}, async (runner, root) => {
    const made = await runner.run(write, { file_path: "a/b c/中文.txt", content: "x\ny\n" });
    assert.equal(made.text, "Created a/b c/中文.txt (2 lines, 4 bytes).");
    assert.deepEqual(made.changed, ["a/b c/中文.txt"]);
    assert.deepEqual(made.detail, {
      kind: "diff",
      path: "a/b c/中文.txt",
      added: 2,
      removed: 0,
      diff: "@@ -0,0 +1,2 @@\n+x\n+y",
    });
    assert.equal(await Deno.readTextFile(join(root, "a/b c/中文.txt")), "x\ny\n");
    assert.equal((await runner.run(write, { file_path: "-e", content: "" })).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "-e")), "");
  });
});

Deno.test("Write over a file needs a Read of its current content", async () => {
  await withRunner({ "a.txt": "old\n" }, async (runner, root) => {
    const input = { file_path: "a.txt", content: "new\n" };
    const unread = await runner.run(write, input);
    assert.equal(unread.ok, false);
    assert.match(unread.text, /you have not Read it.*Edit/);
    await runner.run(read, { file_path: "a.txt" });
    await Deno.writeTextFile(join(root, "a.txt"), "other\n");
    const changed = await runner.run(write, input);
    assert.match(changed.text, /has changed since you Read it/);
    assert.equal(await Deno.readTextFile(join(root, "a.txt")), "other\n");
    await runner.run(read, { file_path: "a.txt" });
    assert.equal((await runner.run(write, input)).text, "Replaced a.txt (1 line, 4 bytes).");
    assert.equal(
      (await runner.run(write, { ...input, content: "newer\n" })).ok,
      true,
      "what it wrote itself it has seen",
    );
  });
});

Deno.test("Write keeps encoding, mark, line ends and mode", async () => {
  const files = {
    "gbk.txt": encodeText("旧\r\n", { encoding: "gb18030", bom: false }),
    "bom.txt": encodeText("旧\n", { encoding: "utf-8", bom: true }),
  };
  await withRunner(files, async (runner, root) => {
    await Deno.chmod(join(root, "gbk.txt"), 0o755);
    for (const file_path of Object.keys(files)) {
      await runner.run(read, { file_path });
      const result = await runner.run(write, { file_path, content: "新\n内容\n" });
      assert.equal(result.ok, true, result.text);
    }
    const bytes = (name: string) => Deno.readFile(join(root, name));
    const text = "新\n内容\n";
    assert.deepEqual(
      await bytes("gbk.txt"),
      encodeText(text.replaceAll("\n", "\r\n"), { encoding: "gb18030", bom: false }),
    );
    assert.equal((await Deno.stat(join(root, "gbk.txt"))).mode! & 0o777, 0o755);
    assert.deepEqual(await bytes("bom.txt"), encodeText(text, { encoding: "utf-8", bom: true }));
  });
});

Deno.test("Write takes the line ends of the file, whichever are given, and says so", async () => {
  const files = { "lf": "a\nb\n", "crlf": "a\r\nb\r\n", "mixed": "a\r\nb\n", "one": "a" };
  await withRunner(files, async (runner, root) => {
    const put = async (file_path: string, content: string) => {
      await runner.run(read, { file_path });
      const { ok, text } = await runner.run(write, { file_path, content });
      assert.equal(ok, true);
      return [await Deno.readTextFile(join(root, file_path)), text.split(". ").slice(1).join(". ")];
    };
    assert.deepEqual(await put("lf", "x\r\ny\r\n"), ["x\ny\n", "Its line ends stay LF."]);
    assert.deepEqual(await put("crlf", "x\ny\n"), ["x\r\ny\r\n", "Its line ends stay CRLF."]);
    assert.deepEqual(await put("crlf", "1\r\n2\r\n"), ["1\r\n2\r\n", ""]);
    assert.deepEqual(await put("crlf", "1\n2\n"), ["1\r\n2\r\n", "Its line ends stay CRLF."]);
    assert.deepEqual(await put("mixed", "x\ny\r\n"), ["x\ny\r\n", ""]);
    assert.deepEqual(await put("one", "x\r\ny"), ["x\r\ny", ""]);
  });
});

Deno.test("Write refuses a character the file's encoding lacks, and its way out works", async () => {
  const old = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x0a]);
  await withRunner({ "it's a.txt": old }, async (runner, root) => {
    const path = join(root, "it's a.txt");
    const input = { file_path: "it's a.txt", content: "新\n" };
    await runner.run(read, { file_path: input.file_path });
    const { ok, text } = await runner.run(write, input);
    assert.equal(ok, false);
    assert.match(text, /^Cannot write .*“新” in content .*windows-1252; nothing was written/);
    assert.deepEqual(await Deno.readFile(path), old);
    const command = /with Bash first: (.+) — then Read it again/.exec(text)![1]!;
    const run = (code: string) =>
      new Deno.Command("bash", { args: ["-c", code], cwd: root }).output();
    // a bare system may have no iconv
    if (!(await run("command -v iconv")).success) return;
    assert.equal((await run(command)).success, true, command);
    assert.equal(await Deno.readTextFile(path), "café \n");
    await runner.run(read, { file_path: input.file_path });
    assert.equal((await runner.run(write, input)).ok, true);
    assert.equal(await Deno.readTextFile(path), "新\n");
  });
});

Deno.test("Write takes what other agents' tools are told besides, and names itself in its errors", async () => {
  await withRunner({ "a": "old\n" }, async (runner, root) => {
    const { prepare } = createToolbox([write]);
    const input = { path: "a", content: "x\n", line_count: 1, explanation: "y", command: "create" };
    const call = prepare("write_to_file", JSON.stringify(input), english);
    assert.ok(typeof call !== "string", String(call));
    assert.deepEqual(call.input, { file_path: "a", content: "x\n" });
    const other = prepare("write_file", JSON.stringify({ ...input, command: "insert" }), english);
    assert.match(String(other), /unknown parameter 'command'/);
    await runner.run(read, { file_path: "a" });
    await Deno.writeTextFile(join(root, "a"), "new\n");
    assert.match((await runner.run(write, call.input)).text, /^Cannot write a: it has changed/);
  });
});

Deno.test("Write refuses what would lose something", async () => {
  const files = { "a.bin": Uint8Array.from([0, 1, 2]), "d/x": "", "a.ts": "code\n", "ro": "x" };
  await withRunner(files, async (runner, root) => {
    await Deno.chmod(join(root, "ro"), 0o444);
    for (const file_path of ["a.ts", "ro"]) await runner.run(read, { file_path });
    const text = async (file_path: string, content = "y") =>
      (await runner.run(write, { file_path, content })).text;
    assert.match(await text("a.bin"), /a binary file/);
    assert.match(await text("d"), /it is a folder/);
    assert.match(await text("new/"), /it is a folder/);
    assert.match(await text("a.ts/b"), /not a folder/);
    assert.match(await text("ro"), /permission denied/);
    assert.match(await text("a.ts", "x\n// ... rest of file unchanged\n"), /leaves something out/);
    assert.match(await text("x".repeat(300)), /too long/);
    assert.equal(await Deno.readTextFile(join(root, "a.ts")), "code\n");
  });
});

Deno.test("Write goes through a link and leaves the link", async () => {
  await withRunner({ "real.txt": "old\n" }, async (runner, root) => {
    await Deno.symlink("real.txt", join(root, "link"));
    await runner.run(read, { file_path: "link" });
    await runner.run(write, { file_path: "link", content: "new\n" });
    assert.equal(await Deno.readTextFile(join(root, "real.txt")), "new\n");
    assert.equal((await Deno.lstat(join(root, "link"))).isSymlink, true);
  });
});

Deno.test("Write says so when nothing changes", async () => {
  await withRunner({ "a": "same\n" }, async (runner) => {
    await runner.run(read, { file_path: "a" });
    const result = await runner.run(write, { file_path: "a", content: "same\n" });
    assert.match(result.text, /nothing changed/);
    assert.equal(result.changed, undefined);
  });
});

Deno.test("Write through a link that leads nowhere makes its target and says so", async () => {
  await withWorkspace({}, async (root) => {
    const runner = new ToolRunner(root);
    await Deno.symlink("real.txt", join(root, "link"));
    const { ok, text } = await runner.run(write, { file_path: "link", content: "x\n" });
    assert.equal(ok, true);
    assert.match(text, /^Created link .*a symbolic link; what was created is its target real\.txt/);
    assert.equal(await Deno.readTextFile(join(root, "real.txt")), "x\n");
  });
});

Deno.test({
  name: "Write names the kernel's folders as the cause",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace({}, async (root) => {
      const runner = new ToolRunner(root);
      for (
        const file_path of ["/proc/narnat", "/proc/self/comm", "/sys/a/b", "/dev/sda", "/dev/null"]
      ) {
        const { ok, text } = await runner.run(write, { file_path, content: "x" });
        assert.equal(ok, false);
        assert.match(text, /^Cannot write \/\S+: \/proc, \/sys and \/dev are the kernel's own/);
      }
    }),
});

Deno.test({
  name: "Write gives a new file the mode the umask leaves",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withRunner({}, async (runner, root) => {
      await runner.run(write, { file_path: "deep/a", content: "x" });
      const redactAlways = Deno.umask();
      assert.equal((await Deno.stat(join(root, "deep/a"))).mode! & 0o777, 0o666 & ~redactAlways);
      assert.equal((await Deno.stat(join(root, "deep"))).mode! & 0o777, 0o777 & ~redactAlways);
    }),
});

Deno.test("Write refuses half a character", async () => {
  await withRunner({}, async (runner, root) => {
    const { ok, text } = await runner.run(write, { file_path: "a", content: "x\udc80" });
    assert.equal(ok, false);
    assert.match(text, /half a character/);
    await assert.rejects(Deno.stat(join(root, "a")), Deno.errors.NotFound);
  });
});

slow("Write of a large file is followed by an Edit and another Write without a Read", async () => {
  await withRunner({}, async (runner, root) => {
    const content = "line of text\n".repeat(800_000) + "end\n";
    assert.equal((await runner.run(write, { file_path: "a", content })).ok, true);
    const input = { file_path: "a", old_string: "end", new_string: "END" };
    const edited = await runner.run(edit, input);
    assert.match(edited.text, /\n800001 \| END$/);
    assert.equal((await runner.run(write, { file_path: "a", content: "short\n" })).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "a")), "short\n");
  });
});

Deno.test("Write does not take a file that came up meanwhile for its own", async () => {
  await withRunner({}, async (runner, root) => {
    const texts = await Promise.all(
      ["1", "2"].map(async (content) =>
        (await runner.run(write, { file_path: "a", content })).text
      ),
    );
    const made = texts.filter((text) => text.startsWith("Created"));
    assert.equal(made.length, 1, texts.join("\n"));
    assert.match(
      texts.find((text) => !made.includes(text))!,
      /changed at this very moment|Read|Replaced/,
    );
    assert.match(await Deno.readTextFile(join(root, "a")), /^[12]$/);
  });
});

Deno.test({
  name: "Write names a full disk and a read-only one, and leaves the old content",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  fn: () =>
    withRunner({}, async (runner, root) => {
      const run = (...args: string[]) =>
        new Deno.Command(args[0]!, { args: args.slice(1) }).output();
      const mounted = await run("mount", "-t", "tmpfs", "-o", "size=64k", "narnat", root);
      // a container may not be allowed to mount
      if (!mounted.success) return;
      try {
        await runner.run(write, { file_path: "a", content: "old\n" });
        const input = { file_path: "a", content: "x".repeat(200_000) };
        assert.equal(
          (await runner.run(write, input)).text,
          "Cannot write a: the disk is full.",
        );
        const grow = { file_path: "a", old_string: "old", new_string: "y".repeat(200_000) };
        assert.equal((await runner.run(edit, grow)).text, "Cannot edit a: the disk is full.");
        await run("mount", "-o", "remount,ro", root);
        const readOnly = [
          await runner.run(write, { file_path: "a", content: "new\n" }),
          await runner.run(write, { file_path: "new/b", content: "new\n" }),
          await runner.run(edit, { file_path: "a", old_string: "old", new_string: "new" }),
        ];
        for (const { ok, text } of readOnly) {
          assert.equal(ok, false);
          assert.match(text, /^Cannot (write|edit) \S+: the file system is read-only\.$/);
        }
        assert.equal(await Deno.readTextFile(join(root, "a")), "old\n");
      } finally {
        await run("umount", "-l", root);
      }
    }),
});

Deno.test("Write to a path of blanks, or of none, is refused and shows it", async () => {
  await withRunner({}, async (runner, root) => {
    for (const file_path of ["", " ", "\t"]) {
      const { ok, text } = await runner.run(write, { file_path, content: "x" });
      const named = `Cannot write ${JSON.stringify(file_path)}: the path is empty`;
      assert.deepEqual([ok, text.startsWith(named)], [false, true], text);
    }
    assert.deepEqual([...Deno.readDirSync(root)], []);
  });
});

Deno.test("the user's own settings are written after a Yes only, by whatever way they are named", async () => {
  const files = { "home/.narnat/narnat.json": "{}\n", "dots/mcp.json": "{}\n", "w/a.txt": "a\n" };
  await withWorkspace(files, async (root) => {
    await Deno.symlink(join(root, "dots/mcp.json"), join(root, "home/.narnat/mcp.json"));
    await Deno.symlink(join(root, "home/.narnat"), join(root, "w/there"));
    const runner = new ToolRunner(join(root, "w"));
    runner.overrides = { env: { HOME: join(root, "home") } };
    const targets = [
      ["~/.narnat/narnat.json", "home/.narnat/narnat.json"],
      ["there/narnat.json", "home/.narnat/narnat.json"],
      ["~/.narnat/mcp.json", "dots/mcp.json"],
      [join(root, "dots/mcp.json"), "dots/mcp.json"],
      ["there/trust.json", "home/.narnat/trust.json"],
    ] as const;
    for (const [file_path, place] of targets) {
      const real = join(root, place);
      const before = await Deno.readTextFile(real).catch(() => undefined);
      if (before !== undefined) await runner.run(read, { file_path });
      const input = { file_path, content: '{"hooks":{}}\n' };
      assert.equal(await write.asks!(input, runner.context()), true, file_path);
      runner.questions.length = 0;
      const refused = await runner.run(write, input);
      assert.deepEqual([refused.ok, refused.detail?.kind], [false, "declined"], file_path);
      assert.match(refused.text, /Not confirmed/);
      const change = { file_path, old_string: "{}", new_string: "{ }" };
      if (before !== undefined) assert.equal((await runner.run(edit, change)).ok, false);
      assert.equal(await Deno.readTextFile(real).catch(() => undefined), before);
      const kinds = runner.questions.map(({ kind, targets }) => [kind, targets]);
      assert.deepEqual(kinds, Array(before === undefined ? 1 : 2).fill(["danger", [real]]));
    }
    runner.answer = true;
    const [file_path, place] = targets[1];
    assert.equal((await runner.run(write, { file_path, content: "{ }\n" })).ok, true);
    assert.equal(await Deno.readTextFile(join(root, place)), "{ }\n");
    runner.questions.length = 0;
    for (const name of ["a.txt", "~/.narnat/notes.md", ".narnat/skills/x/SKILL.md"]) {
      await runner.run(read, { file_path: name });
      const input = { file_path: name, content: "b\n" };
      assert.equal(await write.asks!(input, runner.context()), false);
      assert.equal((await runner.run(write, input)).ok, true);
    }
    assert.deepEqual(runner.questions, []);
  });
});

const HUNDRED = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("Write replaces a file of which all lines were shown, and names those that were not", async () => {
  const cases = [
    [[{ limit: 1 }], "1", 2],
    [[{ offset: 999 }], "100", 1],
    [[{ offset: 2 }], "2–100", 1],
    [[{ limit: 40 }, { offset: 61 }], "1–40, 61–100", 41],
    [[{ limit: 40 }, { limit: 40, offset: 30 }], "1–69", 70],
  ] as const;
  for (const [reads, ranges, next] of cases) {
    await withRunner({ "a.txt": HUNDRED }, async (runner, root) => {
      const input = { file_path: "a.txt", content: "new\n" };
      for (const range of reads) await runner.run(read, { file_path: "a.txt", ...range });
      const { ok, text } = await runner.run(write, input);
      assert.equal(ok, false);
      assert.ok(text.includes(`of its 100 lines you have seen ${ranges} only`), text);
      assert.ok(text.includes(`(offset ${next})`), text);
      assert.equal(await Deno.readTextFile(join(root, "a.txt")), HUNDRED);
      await runner.run(read, { file_path: "a.txt" });
      assert.equal((await runner.run(write, input)).ok, true);
    });
  }
});

Deno.test("lines shown in pieces, in any order, count as the file, also after an Edit and a compaction", async () => {
  await withRunner({ "a.txt": HUNDRED }, async (runner) => {
    for (let at = 97; at >= 1; at -= 3) {
      await runner.run(read, { file_path: "a.txt", offset: at, limit: 4 });
    }
    const change = { file_path: "a.txt", old_string: "line 50\n", new_string: "50\n" };
    assert.equal((await runner.run(edit, change)).ok, true);
    for (const [path, { shown: _, ...file }] of runner.seen) runner.seen.set(path, file);
    assert.equal((await runner.run(write, { file_path: "a.txt", content: "new\n" })).ok, true);
  });
});

Deno.test("an Edit in lines that were shown needs no others, and makes no whole of them", async () => {
  await withRunner({ "a.txt": HUNDRED }, async (runner) => {
    await runner.run(read, { file_path: "a.txt", limit: 10 });
    const change = { file_path: "a.txt", old_string: "line 5\n", new_string: "5\n" };
    assert.equal((await runner.run(edit, change)).ok, true);
    assert.equal((await runner.run(write, { file_path: "a.txt", content: "new\n" })).ok, false);
  });
});

Deno.test("a file changed to the same size and times since its Read is neither written nor edited", async () => {
  await withRunner({ "a.txt": "one\n" }, async (runner, root) => {
    const path = join(root, "a.txt");
    await runner.run(read, { file_path: "a.txt" });
    const { atime, mtime } = await Deno.stat(path);
    await Deno.writeTextFile(path, "two\n");
    await Deno.utime(path, atime!, mtime!);
    const change = { file_path: "a.txt", old_string: "o", new_string: "0" };
    assert.match((await runner.run(edit, change)).text, /has changed since you Read it/);
    const whole = { file_path: "a.txt", content: "x\n" };
    assert.match((await runner.run(write, whole)).text, /has changed since you Read it/);
  });
});

Deno.test("a path with half a character is refused in words, by each of the file tools", async () => {
  await withRunner({}, async (runner) => {
    for (const tool of [read, write, edit]) {
      const file_path = "a\ud800";
      const input = { file_path, content: "x", old_string: "a", new_string: "b" };
      const { ok, text } = await runner.run(tool, input);
      assert.equal(ok, false);
      assert.match(text, /^Cannot \w+ "a\\\\?ud800": the path .* characters that are not allowed/);
    }
  });
});
