import assert from "node:assert/strict";
import { join } from "node:path";
import { FileError, reasonOf } from "../../src/base/errors.ts";
import { displayPath, realTarget, resolvePath } from "../../src/files/paths.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("paths are resolved whatever they are made of", () => {
  const cases: [string, string][] = [
    ["src/a.ts", "/w/src/a.ts"],
    ["./a b/中文.txt", "/w/a b/中文.txt"],
    ["-rf", "/w/-rf"],
    ["/etc/hosts", "/etc/hosts"],
    ["../x", "/x"],
    ["~/notes", "/home/me/notes"],
    ["~", "/home/me"],
    ["~other", "/w/~other"],
    ['it\'s "q".md', '/w/it\'s "q".md'],
  ];
  for (const [given, wanted] of cases) assert.equal(resolvePath(given, "/w", "/home/me"), wanted);
  assert.throws(() => resolvePath("", "/w"), FileError);
  for (const none of [" ", "\t\n", "a\0b", "half \ud83d"]) {
    assert.throws(() => resolvePath(none, "/w"), FileError, JSON.stringify(none));
  }
});

Deno.test("paths are shown relative only inside the workspace", () => {
  assert.equal(displayPath("/w/src/a.ts", "/w"), "src/a.ts");
  assert.equal(displayPath("/w", "/w"), ".");
  assert.equal(displayPath("/w-evil/a", "/w"), "/w-evil/a");
  assert.equal(displayPath("/a", "/w"), "/a");
  assert.equal(displayPath("/w/..a/b", "/w"), "..a/b");
});

Deno.test("the real target follows links, also one whose file is not there yet", async () => {
  await withWorkspace({ "real/a.txt": "a" }, async (root) => {
    await Deno.symlink("real", join(root, "folder"));
    await Deno.symlink("real/new.txt", join(root, "dangling"));
    await Deno.symlink("loop", join(root, "loop"));
    assert.equal(await realTarget(join(root, "folder/a.txt")), join(root, "real/a.txt"));
    assert.equal(await realTarget(join(root, "folder/x/y.txt")), join(root, "real/x/y.txt"));
    assert.equal(await realTarget(join(root, "dangling")), join(root, "real/new.txt"));
    await assert.rejects(realTarget(join(root, "loop")), (error) => reasonOf(error) === "loop");
  });
});
