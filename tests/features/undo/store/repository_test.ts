import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  hadContent,
  indexStamps,
  stampText,
} from "../../../../src/features/undo/store/repository.ts";
import { slow } from "../../../support/soak.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";
import { bash } from "../checkpoints.ts";

const SOON = Date.now() + 1e9;

async function hashOf(root: string, what: string): Promise<string> {
  const args = ["-C", root, "rev-parse", what];
  const { stdout } = await new Deno.Command("git", { args }).output();
  return new TextDecoder().decode(stdout).trim();
}

slow(
  "a content is found loose, packed, borrowed and in a second work tree, by either hash",
  async () => {
    for (const format of ["sha1", "sha256"]) {
      await withWorkspace({ "one/a": "first\n" }, async (root) => {
        const one = join(root, "one");
        await bash(one, `git init -q --object-format=${format}; git add a; git commit -qm one`);
        const hash = await hashOf(one, "HEAD:a");
        const none = hash.replace(/^../, hash.startsWith("00") ? "01" : "00");
        const has = (gitDir: string) => {
          assert.equal(hadContent(join(root, gitDir), none, SOON), false, gitDir);
          return hadContent(join(root, gitDir), hash, SOON);
        };
        assert.equal(has("one/.git"), true, "loose");
        assert.equal(hadContent(join(one, ".git"), hash, 0), false, "it is younger");
        await bash(one, "seq 300 | while read n; do echo $n > f$n; done; git add .; git gc -q");
        assert.equal(has("one/.git"), true, "packed");
        await bash(root, "git -C one worktree add -q ../two; git clone -qs one three");
        assert.equal(has("one/.git/worktrees/two"), true, "another work tree");
        assert.equal(has("three/.git"), true, "borrowed");
      });
    }
  },
);

Deno.test("spoilt packs, pipes and repositories that borrow from each other hold no content and nothing up", async () => {
  await withWorkspace({ "a/f": "f", "b/f": "g" }, async (root) => {
    await bash(
      root,
      "for r in a b; do git -C $r init -q; git -C $r add f; git -C $r commit -qm f; git -C $r gc -q; done;" +
        "echo $PWD/b/.git/objects > a/.git/objects/info/alternates;" +
        "echo $PWD/a/.git/objects > b/.git/objects/info/alternates",
    );
    const hash = await hashOf(join(root, "a"), "HEAD:f");
    const had = (one: string) => hadContent(join(root, one, ".git"), hash, SOON);
    assert.equal(had("b"), true);
    await bash(
      root,
      "for i in a/.git/objects/pack/*.idx; do chmod u+w $i; truncate -s 1050 $i; done",
    );
    assert.equal(had("a"), false);
    await bash(root, "for i in */.git/objects/pack/*.idx; do rm -f $i; mkfifo $i; done");
    assert.equal(had("b"), false);
  });
});

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
