/** What undo and redo bring back is held against a listing of all that Python's lstat tells. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { bash, keep } from "./checkpoints.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

/** Content, mode, owner, names of the same file and holes, of each path. */
const LIST = `
import hashlib, os, stat, sys
groups, out = {}, []
for top, dirs, files in os.walk("."):
  dirs[:] = sorted(d for d in dirs if d not in (".git", ".narnat"))
  for name in sorted(files):
    p = os.path.join(top, name); s = os.lstat(p)
    if s.st_nlink > 1: groups.setdefault((s.st_dev, s.st_ino), []).append(p)
    data = hashlib.sha1(open(p, "rb").read()).hexdigest() if stat.S_ISREG(s.st_mode) else ""
    holes = stat.S_ISREG(s.st_mode) and s.st_size > 4096 and s.st_blocks * 512 < s.st_size
    out.append((p, data, oct(s.st_mode), s.st_uid, s.st_gid, s.st_nlink, holes))
print(sorted(out), sorted(groups.values()))`;

async function listing(root: string): Promise<string> {
  const { success, stdout } = await new Deno.Command("python3", { args: ["-c", LIST], cwd: root })
    .output();
  assert.ok(success);
  return new TextDecoder().decode(stdout);
}

const HOLES = "truncate -s 200000 s; printf end >> s";
const CASES: readonly (readonly [what: string, before: string, turn: string])[] = [
  ["deletes one of two names of a file", "echo x > a; ln a b", "rm b"],
  ["deletes the other one", "echo x > a; ln a b", "rm a"],
  ["deletes all names of a file", "echo x > a; mkdir d; ln a d/b; ln a c", "rm -r a d c"],
  ["makes a name of a file", "echo x > a", "ln a b; ln a 0"],
  ["breaks a link by writing anew", "echo x > a; ln a b", "sed -i s/x/y/ a"],
  ["breaks a link and changes nothing else", "echo x > a; ln a b", "cp a t; mv t b"],
  ["makes two files one", "echo x > a; echo x > b", "ln -f a b"],
  ["writes into a file with two names", "echo x > a; ln a b", "echo yy > a"],
  ["writes into a file with a name outside", "echo x > a; ln a ../out", "echo yy > a"],
  ["deletes a file with holes", HOLES, "rm s"],
  ["writes into a file with holes", HOLES, "printf x >> s"],
  ["makes a file with holes", "echo x > a", HOLES],
];
const OWNERS: typeof CASES = [
  ["gives a file away", "echo x > a", "chown 1234:2345 a"],
  ["deletes another's file", "echo x > a; chown 1234:2345 a; chmod 4750 a", "rm a"],
  ["writes another's file anew", "echo x > a; chown 1234 a", "rm a; echo yy > a"],
];

for (const [what, before, turn] of [...CASES, ...Deno.uid() === 0 ? OWNERS : []]) {
  slow(`a turn that ${what} is undone and redone to the last link and owner`, async () => {
    await withWorkspace({ "w/other": "other\n" }, async (outer) => {
      const root = `${outer}/w`;
      await bash(root, before);
      const kept = keep(root);
      try {
        const was = await listing(root);
        await kept.turn(() => bash(root, turn));
        const is = await listing(root);
        assert.notEqual(is, was);
        for (let round = 0; round < 2; round++) {
          assert.deepEqual(kept.take({ what: "undo" }).failed, []);
          assert.equal(await listing(root), was);
          assert.deepEqual(kept.take({ what: "redo" }).failed, []);
          assert.equal(await listing(root), is);
        }
      } finally {
        kept.close();
      }
    });
  });
}

Deno.test("an owner that cannot be given back is named, keeps no rights of its programs, and is no conflict later", async () => {
  await withWorkspace({ "a": "x" }, async (root) => {
    await bash(root, "chmod 6755 a");
    const kept = keep(root);
    try {
      await kept.turn(() => bash(root, "rm a; echo yy > a"));
      const turns = join(root, ".narnat/checkpoints/turns");
      const [record] = [...Deno.readDirSync(turns)].map(({ name }) => join(turns, name));
      // chown takes the highest number for "leave it", and only root may give a file to root
      const other = Deno.uid() === 0 ? "4294967295:4294967295" : "0:0";
      const text = Deno.readTextFileSync(record!);
      Deno.writeTextFileSync(record!, text.replace(/"owner":"[^"]*"/, `"owner":"${other}"`));
      const { paths, failed } = kept.take({ what: "undo" });
      assert.deepEqual([paths, failed], [["a"], [{ path: "a", why: "owner" }]]);
      assert.equal(Deno.readTextFileSync(join(root, "a")), "x");
      assert.equal(Deno.statSync(join(root, "a")).mode! & 0o7777, 0o755);
      const again = kept.take({ what: "redo" });
      assert.deepEqual([again.paths, again.failed, again.kept], [["a"], [], []]);
      assert.equal(Deno.readTextFileSync(join(root, "a")), "yy\n");
    } finally {
      kept.close();
    }
  });
});

Deno.test("a file too large to be kept is named, whatever a turn puts in its place", async () => {
  for (
    const turn of ["head -c 100 /dev/zero > big", "rm big", "printf x >> big", "rm big; mkdir big"]
  ) {
    await withWorkspace({ "big": "x".repeat(3000), "a": "a" }, async (root) => {
      const kept = keep(root, { fileBytes: 2000 });
      try {
        await kept.turn(() => bash(root, "echo b > a"));
        const named = [{ path: "big", why: "large", touched: true }];
        await kept.turn(() => bash(root, turn));
        assert.deepEqual(kept.preview({ what: "undo" }).uncovered, named, turn);
        await kept.turn(() => bash(root, "echo c > a"));
        assert.deepEqual(kept.preview({ what: "undo", count: 2 }).uncovered, named, turn);
      } finally {
        kept.close();
      }
    });
  }
});

Deno.test("a change by one name of a file is one of its other names too, where only that one is looked at", async () => {
  await withWorkspace({ "a": "a" }, async (root) => {
    await bash(root, "ln a b");
    const kept = keep(root);
    try {
      kept.begin("k", { session: "s", turn: 1, text: "" }, false);
      kept.start("k");
      await Deno.writeTextFile(join(root, "a"), "more");
      assert.deepEqual(kept.lookAt("k", ["a"]).map(({ path }) => path).sort(), ["a", "b"]);
      kept.end("k");
    } finally {
      kept.close();
    }
  });
});

Deno.test("a turn that touches only what is not covered, and not too large, is none to undo", async () => {
  await withWorkspace(
    { ".gitignore": "out/\n", "out/o": "1", "big": "x".repeat(3000) },
    async (root) => {
      const kept = keep(root, { fileBytes: 2000 });
      try {
        await kept.turn(() => bash(root, "echo 22 >> out/o; mkdir out/p; touch -d 2001-01-01 out"));
        assert.deepEqual(kept.records.list(), []);
        await kept.turn(() => bash(root, "printf x >> big"));
        assert.equal(kept.records.list().length, 1);
      } finally {
        kept.close();
      }
    },
  );
});
