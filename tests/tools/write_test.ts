import assert from "node:assert/strict";
import { join } from "node:path";
import { read } from "../../src/tools/read.ts";
import { write } from "../../src/tools/write.ts";
import { encodeText } from "../../src/workspace/text_file.ts";
import { TestDesk } from "../support/tool_context.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";

const withDesk = (files: Files, use: (desk: TestDesk, root: string) => Promise<void>) =>
  withWorkspace(files, (root) => use(new TestDesk(root), root));

Deno.test("Write creates a file and its folders, also an empty one", async () => {
  await withDesk({}, async (desk, root) => {
    const made = await desk.run(write, { file_path: "a/b c/中文.txt", content: "x\ny\n" });
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
    assert.equal((await desk.run(write, { file_path: "-e", content: "" })).ok, true);
    assert.equal(await Deno.readTextFile(join(root, "-e")), "");
  });
});

Deno.test("Write over a file needs a Read of its current content", async () => {
  await withDesk({ "a.txt": "old\n" }, async (desk, root) => {
    const input = { file_path: "a.txt", content: "new\n" };
    const unread = await desk.run(write, input);
    assert.equal(unread.ok, false);
    assert.match(unread.text, /you have not Read it.*Edit/);
    await desk.run(read, { file_path: "a.txt" });
    await Deno.writeTextFile(join(root, "a.txt"), "other\n");
    const changed = await desk.run(write, input);
    assert.match(changed.text, /has changed since you Read it/);
    assert.equal(await Deno.readTextFile(join(root, "a.txt")), "other\n");
    await desk.run(read, { file_path: "a.txt" });
    assert.equal((await desk.run(write, input)).text, "Replaced a.txt (1 line, 4 bytes).");
    assert.equal(
      (await desk.run(write, { ...input, content: "newer\n" })).ok,
      true,
      "what it wrote itself it has seen",
    );
  });
});

Deno.test("Write keeps encoding, mark, line ends and mode", async () => {
  const files = {
    "gbk.txt": encodeText("旧\r\n", { encoding: "gb18030", bom: false }),
    "bom.txt": encodeText("旧\n", { encoding: "utf-8", bom: true }),
    "latin.txt": Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x0a]),
  };
  await withDesk(files, async (desk, root) => {
    await Deno.chmod(join(root, "gbk.txt"), 0o755);
    for (const file_path of Object.keys(files)) {
      await desk.run(read, { file_path });
      const result = await desk.run(write, { file_path, content: "新\n内容\n" });
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
    assert.deepEqual(await bytes("latin.txt"), new TextEncoder().encode(text));
  });
});

Deno.test("Write refuses what would lose something", async () => {
  const files = { "a.bin": Uint8Array.from([0, 1, 2]), "d/x": "", "a.ts": "code\n", "ro": "x" };
  await withDesk(files, async (desk, root) => {
    await Deno.chmod(join(root, "ro"), 0o444);
    for (const file_path of ["a.ts", "ro"]) await desk.run(read, { file_path });
    const text = async (file_path: string, content = "y") =>
      (await desk.run(write, { file_path, content })).text;
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
  await withDesk({ "real.txt": "old\n" }, async (desk, root) => {
    await Deno.symlink("real.txt", join(root, "link"));
    await desk.run(read, { file_path: "link" });
    await desk.run(write, { file_path: "link", content: "new\n" });
    assert.equal(await Deno.readTextFile(join(root, "real.txt")), "new\n");
    assert.equal((await Deno.lstat(join(root, "link"))).isSymlink, true);
  });
});

Deno.test("Write says so when nothing changes", async () => {
  await withDesk({ "a": "same\n" }, async (desk) => {
    await desk.run(read, { file_path: "a" });
    const result = await desk.run(write, { file_path: "a", content: "same\n" });
    assert.match(result.text, /nothing changed/);
    assert.equal(result.changed, undefined);
  });
});

Deno.test("Write through a link that leads nowhere makes its target and says so", async () => {
  await withWorkspace({}, async (root) => {
    const desk = new TestDesk(root);
    await Deno.symlink("real.txt", join(root, "link"));
    const { ok, text } = await desk.run(write, { file_path: "link", content: "x\n" });
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
      const desk = new TestDesk(root);
      for (const file_path of ["/proc/narnat", "/proc/self/comm", "/sys/a/b"]) {
        const { ok, text } = await desk.run(write, { file_path, content: "x" });
        assert.equal(ok, false);
        assert.match(text, /^Cannot write \/\S+: \/proc and \/sys are the kernel's own/);
      }
    }),
});
