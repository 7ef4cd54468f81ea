import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { indexStamps, stampText } from "../../../../src/features/undo/store/git_index.ts";
import { bash } from "../checkpoints.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";

const NAMES = ["a", "folder/deep/er/b", "äö 文", "x".repeat(200), "folder/deep/other", "z\ny", "-"];

async function read(root: string) {
  return indexStamps(await Deno.readFile(join(root, ".git/index")));
}

/** As git tells it of files that have not changed. */
function expected(root: string, names: readonly string[]): Map<string, string> {
  return new Map(
    names.toSorted().map((name) => {
      const { mtime, ctime, ino, size } = Deno.lstatSync(join(root, name));
      return [name, stampText(mtime!.getTime(), ctime!.getTime(), ino!, size)];
    }),
  );
}

for (const version of [2, 3, 4]) {
  Deno.test(`an index of version ${version} tells how its files were`, async () => {
    const files = Object.fromEntries(NAMES.map((name, i) => [name, "x".repeat(i)]));
    await withWorkspace(files, async (root) => {
      await bash(
        root,
        `git init -q; git config index.version ${version}; git add .; git update-index --index-version ${version}`,
      );
      // only with one of these there are longer entries
      if (version === 3) await bash(root, "git update-index --skip-worktree a");
      const stamps = await read(root);
      assert.deepEqual(new Map([...stamps!].sort()), new Map([...expected(root, NAMES)].sort()));
    });
  });
}

Deno.test("an index of another kind, or none, is not read", async () => {
  await withWorkspace({ a: "a", b: "b" }, async (root) => {
    await bash(root, "git init -q --object-format=sha256; git add .");
    assert.equal(await read(root), undefined);
    await bash(root, "rm -rf .git; git init -q; git add .; git update-index --split-index");
    assert.equal(await read(root), undefined);
    assert.equal(indexStamps(new Uint8Array()), undefined);
  });
});

Deno.test("a spoilt index is not read, and breaks nothing", async () => {
  await withWorkspace({ a: "a", "b/c": "b" }, async (root) => {
    await bash(root, "git init -q; git add .; git update-index --index-version 4");
    const whole = Deno.readFileSync(join(root, ".git/index"));
    for (let end = 0; end < whole.length; end++) {
      assert.equal(indexStamps(whole.subarray(0, end)), undefined, `${end}`);
    }
    const place = fc.nat(whole.length - 1);
    fc.assert(fc.property(fc.array(fc.tuple(place, fc.nat(255)), { maxLength: 4 }), (changes) => {
      const bytes = whole.slice();
      for (const [at, byte] of changes) bytes[at] = byte;
      indexStamps(bytes);
    }));
  });
});
