import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { keepInTrash } from "../../../src/features/trash/bash.ts";
import { listTrash, settle } from "../../../src/files/trash/record.ts";
import { emptyTrash, pruneTrash, restoreFromTrash } from "../../../src/files/trash/restore.ts";
import { runs } from "../../support/soak.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";

const NEVER = new AbortController().signal;
const MARK = { session: "s", turn: 1, command: "rm x" };

interface Yard {
  readonly root: string;
  readonly trash: string;
  at(...names: string[]): string;
  keep(...names: string[]): ReturnType<typeof keepInTrash>;
}

function withTrash(files: Files, use: (yard: Yard) => Promise<void>): Promise<void> {
  return withWorkspace(files, async (root) => {
    const trash = join(root, ".narnat", "trash");
    const at = (...names: string[]) => join(root, ...names);
    await use({
      root,
      trash,
      at,
      keep: (...names) => keepInTrash(trash, names.map((name) => at(name)), MARK, NEVER),
    });
  });
}

/** All of a tree but narnat's own: kind, mode, time of files, content. */
function tree(folder: string, inner = ""): string[] {
  return [...Deno.readDirSync(join(folder, inner))].map(({ name }) => join(inner, name)).sort()
    .filter((way) => way !== ".narnat")
    .flatMap((way) => {
      const path = join(folder, way);
      const info = Deno.lstatSync(path);
      if (info.isSymlink) return [`${way} -> ${Deno.readLinkSync(path)}`];
      const mode = (info.mode! & 0o7777).toString(8);
      if (info.isDirectory) return [`${way}/ ${mode}`, ...tree(folder, way)];
      return [`${way} ${mode} ${info.mtime?.getTime()} ${Deno.readTextFileSync(path)}`];
    });
}

/** Where a link is in the way it deletes nothing. */
const rm = async (...paths: string[]) =>
  void await new Deno.Command("rm", { args: ["-rf", ...paths] }).output();

Deno.test("what was deleted comes back as it was: content, modes, times, links, empty folders", async () => {
  await withTrash({ "d/a.txt": "a", "d/in/b": new Uint8Array([0, 1]), "x": "x" }, async (yard) => {
    const { root, trash, at, keep } = yard;
    Deno.mkdirSync(at("d", "empty"));
    Deno.symlinkSync("../nowhere", at("d", "link"));
    Deno.chmodSync(at("d", "a.txt"), 0o750);
    Deno.utimeSync(at("d", "a.txt"), 1e9, 1e9);
    Deno.chmodSync(at("d", "in"), 0o555);
    Deno.mkdirSync(at("d", "new\nline 中"));
    const before = tree(root);
    const ino = Deno.lstatSync(at("d", "a.txt")).ino;
    const kept = await keep("d", "x");
    assert.deepEqual(tree(root), before);
    await rm(at("d"), at("x"));
    const record = (await kept!.settle())!;
    assert.deepEqual([record.files, record.bytes, record.lost, record.open], [4, 4, [], undefined]);
    assert.deepEqual(listTrash(trash), [record]);
    const restored = restoreFromTrash(trash, record.id, root)!;
    assert.deepEqual(restored, { ...restored, back: [at("d"), at("x")], taken: [], failed: [] });
    assert.deepEqual(tree(root), before);
    assert.equal(Deno.lstatSync(at("d", "a.txt")).ino, ino);
    assert.equal(Deno.lstatSync(at("d", "a.txt")).nlink, 1);
    assert.deepEqual(listTrash(trash), []);
    assert.deepEqual([...Deno.readDirSync(trash)], []);
  });
});

Deno.test("what the command left in its place is forgotten, and never tied to the trash", async () => {
  await withTrash({ "d/a": "a", "d/b": "b", "c": "c" }, async ({ trash, at, keep }) => {
    const kept = await keep("d", "c");
    Deno.removeSync(at("d", "a"));
    const record = (await kept!.settle())!;
    assert.deepEqual([record.files, record.bytes], [1, 1]);
    assert.equal(Deno.lstatSync(at("d", "b")).nlink, 1);
    // what stayed is changed in place: the trash has nothing of it
    Deno.writeTextFileSync(at("d", "b"), "changed");
    const { back, taken } = restoreFromTrash(trash, record.id, at())!;
    assert.deepEqual([back, taken], [[at("d", "a")], []]);
    assert.equal(Deno.readTextFileSync(at("d", "b")), "changed");
    const nothing = await keep("d", "c");
    assert.equal(await nothing!.settle(), undefined);
    assert.deepEqual([...Deno.readDirSync(trash)], []);
    assert.equal(await keep("nosuch"), undefined);
  });
});

Deno.test("what came in its place meanwhile is not replaced, file by file, and the trash keeps its own", async () => {
  await withTrash({ "d/a": "a", "d/b": "b", "d/in/c": "c", "f": "f" }, async (yard) => {
    const { root, trash, at, keep } = yard;
    const kept = await keep("d", "f");
    await rm(at("d"), at("f"));
    // the very command made a new one
    Deno.writeTextFileSync(at("f"), "new f");
    const { id } = (await kept!.settle())!;
    Deno.mkdirSync(at("d"));
    Deno.writeTextFileSync(at("d", "a"), "new a");
    Deno.writeTextFileSync(at("d", "in"), "a file now");
    const first = restoreFromTrash(trash, id, root)!;
    assert.deepEqual(first.back, [at("d", "b")]);
    assert.deepEqual([...first.taken].sort(), [at("d", "a"), at("d", "in"), at("f")]);
    assert.deepEqual(
      ["d/a", "d/in", "f", "d/b"].map((name) => Deno.readTextFileSync(at(name))),
      ["new a", "a file now", "new f", "b"],
    );
    // what is back by another way, with the same content, is in nobody's way
    Deno.writeTextFileSync(at("d", "a"), "a");
    await rm(at("d", "in"), at("f"));
    const rest = restoreFromTrash(trash, id, root)!;
    assert.deepEqual([rest.back.length, rest.taken], [2, []]);
    assert.equal(Deno.readTextFileSync(at("d", "in", "c")), "c");
    assert.equal(restoreFromTrash(trash, id, root), undefined);
  });
});

Deno.test("a file with another name is copied: a change through that name reaches no trash", async () => {
  await withTrash({ "a": "first", "d/c": "c" }, async ({ root, trash, at, keep }) => {
    Deno.linkSync(at("a"), at("other"));
    const kept = await keep("a");
    Deno.writeTextFileSync(at("other"), "changed in place");
    Deno.removeSync(at("a"));
    const { id } = (await kept!.settle())!;
    assert.deepEqual(restoreFromTrash(trash, id, root)!.back, [at("a")]);
    assert.equal(Deno.readTextFileSync(at("a")), "first");
    assert.equal(Deno.readTextFileSync(at("other")), "changed in place");
    // one that stays is forgotten as well
    const again = await keep("other");
    assert.equal(await again!.settle(), undefined);
    // both names go: both come back
    Deno.linkSync(at("d", "c"), at("d", "c2"));
    const both = await keep("d");
    await rm(at("d"));
    restoreFromTrash(trash, (await both!.settle())!.id, root);
    assert.deepEqual(["c", "c2"].map((name) => Deno.readTextFileSync(at("d", name))), ["c", "c"]);
  });
});

Deno.test("part of it can be brought back, by a path at, in or above it", async () => {
  await withTrash(
    { "d/a": "a", "d/in/b": "b", "d/in/c": "c" },
    async ({ root, trash, at, keep }) => {
      const kept = await keep("d");
      await rm(at("d"));
      const { id } = (await kept!.settle())!;
      const back = (...names: string[]) =>
        restoreFromTrash(trash, id, root, names.map((name) => at(name)))!.back;
      assert.deepEqual(back("elsewhere"), []);
      const some = ["d/in/no", "../x", "d/in", "d"].map((name) => at(name));
      assert.deepEqual(restoreFromTrash(trash, id, root, some.slice(0, 2))!.missing, [
        at("d/in/no"),
        at("../x"),
      ]);
      assert.deepEqual(back("d/in/b"), [at("d", "in", "b")]);
      assert.deepEqual(back("d/in/b"), []);
      assert.deepEqual(restoreFromTrash(trash, id, root, [at("d/in/b")])!.missing, [at("d/in/b")]);
      assert.deepEqual(back("d/in"), [at("d", "in", "c")]);
      assert.deepEqual(back("."), [at("d", "a")]);
      assert.deepEqual(listTrash(trash), []);
    },
  );
});

Deno.test("nothing is put outside of the workspace, whatever stands in the way or in the record", async () => {
  await withTrash({ "d/a": "a" }, async ({ root, trash, at, keep }) => {
    const outside = await Deno.makeTempDir();
    try {
      const kept = await keep("d/a");
      await rm(at("d"));
      const record = (await kept!.settle())!;
      Deno.symlinkSync(outside, at("d"));
      assert.deepEqual(restoreFromTrash(trash, record.id, root)!.taken, [at("d", "a")]);
      const path = join(trash, record.id, "record.json");
      const targets = [join(outside, "x"), join(root, "..", "x"), `${root}/../../x`];
      for (const target of [...targets, `${root}/no/../..${outside}/x`, `${root}/no/../../x`]) {
        Deno.writeTextFileSync(path, JSON.stringify({ ...record, targets: [target] }));
        assert.deepEqual(restoreFromTrash(trash, record.id, root)?.back ?? [], []);
      }
      assert.equal(Deno.lstatSync(at()).isDirectory, true);
      assert.ok(![...Deno.readDirSync(root)].some(({ name }) => name === "no"));
      assert.deepEqual([...Deno.readDirSync(outside)], []);
      for (const bad of ["../x", "", "abcdef/..", "zzzzzz"]) {
        assert.equal(restoreFromTrash(trash, bad, root), undefined);
      }
      Deno.writeTextFileSync(path, "{");
      assert.deepEqual(listTrash(trash), []);
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  });
});

Deno.test("what cannot be kept is named, and the rest is kept", async () => {
  await withTrash({ "d/a": "a", "big/1": "1", "big/2": "2", "big/3": "3" }, async (yard) => {
    const { root, trash, at } = yard;
    await new Deno.Command("mkfifo", { args: [at("d", "pipe")] }).output();
    const limits = { entries: 4, bytes: 1000, copyBytes: 10 };
    Deno.writeTextFileSync(at("last"), "l");
    const paths = [at("d"), at("big"), at("last")];
    Deno.mkdirSync(trash, { recursive: true });
    const kept = await keepInTrash(trash, paths, MARK, NEVER, limits);
    assert.deepEqual(kept!.record.lost, [
      { path: at("d", "pipe"), why: "kind" },
      { path: at("big"), why: "many" },
    ]);
    await rm(...paths);
    const { id, files } = (await kept!.settle())!;
    assert.equal(files, 2);
    assert.deepEqual(restoreFromTrash(trash, id, root)!.back, [at("d"), at("last")]);
    Deno.writeTextFileSync(at("large"), "x".repeat(2000));
    const large = await keepInTrash(trash, [at("large")], MARK, NEVER, limits);
    assert.deepEqual([large!.record.lost[0]?.why, large!.record.files], ["large", 0]);
    assert.equal(await large!.settle(), undefined);
    // another file system
    const other = await Deno.makeTempDir({ dir: "/dev/shm" }).catch(() => undefined);
    if (other === undefined) return;
    try {
      Deno.writeTextFileSync(join(other, "x"), "x");
      const far = await keepInTrash(trash, [join(other, "x")], MARK, NEVER);
      assert.deepEqual(far!.record.lost.map(({ why }) => why), ["device"]);
    } finally {
      await Deno.remove(other, { recursive: true });
    }
  });
});

Deno.test("a stop amid the work leaves nothing behind", async () => {
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`d/${i}`, "x"]));
  await withTrash(files, async ({ trash, at }) => {
    const controller = new AbortController();
    controller.abort(new Error("stopped"));
    await assert.rejects(keepInTrash(trash, [at("d")], MARK, controller.signal), /stopped/);
    assert.deepEqual([...Deno.readDirSync(trash)], []);
    assert.equal(Deno.lstatSync(at("d", "0")).nlink, 1);
  });
});

Deno.test("a narnat that was killed leaves what can be brought back, and no harm where nothing was deleted", async () => {
  await withTrash({ "d/a": "a", "d/b": "b" }, async ({ root, trash, at, keep }) => {
    const kept = await keep("d");
    Deno.removeSync(at("d", "a"));
    // never settled
    const [open] = listTrash(trash);
    assert.deepEqual([open?.open, open?.targets], [true, [at("d")]]);
    await pruneTrash(trash, Date.now());
    assert.equal(listTrash(trash).length, 1);
    await pruneTrash(trash, Date.now() + 2 * 86_400_000);
    assert.deepEqual(listTrash(trash).map(({ files, open }) => [files, open]), [[1, undefined]]);
    assert.equal(Deno.lstatSync(at("d", "b")).nlink, 1);
    assert.deepEqual(restoreFromTrash(trash, kept!.record.id, root)!.back, [at("d", "a")]);
    await keep("d");
    const both = restoreFromTrash(trash, listTrash(trash)[0]!.id, root)!;
    assert.deepEqual([both.back, both.taken], [[], []]);
    assert.deepEqual(listTrash(trash), []);
  });
});

Deno.test("all is removed at once, folders that may not be written too", async () => {
  await withTrash({ "d/in/a": "a", b: "b" }, async ({ trash, at, keep }) => {
    Deno.chmodSync(at("d", "in"), 0o500);
    for (const name of ["d", "b"]) {
      const kept = await keep(name);
      await rm(at(name));
      await kept!.settle();
    }
    assert.deepEqual(listTrash(trash).map(({ turn, session }) => [session, turn]), [
      ["s", 1],
      ["s", 1],
    ]);
    assert.equal(await emptyTrash(trash), 2);
    assert.deepEqual([...Deno.readDirSync(trash)], []);
    assert.equal(await emptyTrash(trash), 0);
  });
});

Deno.test("the oldest goes when it is too old or too much", async () => {
  const text = "x".repeat(100);
  await withTrash({ a: text, b: text, c: text }, async ({ trash, at, keep }) => {
    for (const name of ["a", "b", "c"]) {
      const kept = await keep(name);
      Deno.removeSync(at(name));
      const record = (await kept!.settle())!;
      const time = new Date(Date.now() - 1000 * (100 - name.charCodeAt(0))).toISOString();
      const path = join(trash, record.id, "record.json");
      Deno.writeTextFileSync(path, JSON.stringify({ ...record, time, command: name }));
    }
    const left = () => listTrash(trash).map(({ command }) => command).sort().join("");
    await pruneTrash(trash, Date.now(), { ageMs: 86_400_000, bytes: 200 });
    assert.equal(left(), "bc");
    await pruneTrash(trash, Date.now() + 86_400_000, { ageMs: 3600_000, bytes: 200 });
    assert.equal(left(), "");
  });
});

Deno.test("whatever part of a tree is deleted, the way back makes it whole", async () => {
  const way = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ way, kind: fc.constantFrom("file", "folder", "link", "twin") }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.array(way, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(20), { maxLength: 6 }),
      async (entries, targets, cuts) => {
        await withTrash({}, async ({ root, trash, at }) => {
          for (const { way, kind } of entries) {
            try {
              Deno.mkdirSync(at(...way.slice(0, -1)), { recursive: true });
              const path = at(...way);
              if (kind === "folder") Deno.mkdirSync(path);
              else if (kind === "link") Deno.symlinkSync("a/b", path);
              else Deno.writeTextFileSync(path, way.join(), { createNew: true });
              if (kind === "twin") Deno.linkSync(path, `${path}-twin`);
            } catch { /* something is there already */ }
          }
          const before = tree(root);
          const paths = [...new Set(targets.map((names) => at(...names)))];
          const tops = paths.filter((path) => !paths.some((one) => path.startsWith(`${one}/`)));
          const kept = await keepInTrash(trash, tops, MARK, NEVER);
          // all of the targets goes, or parts of what is there
          if (cuts.length === 0) await rm(...tops);
          const below = tops.flatMap((top) => {
            try {
              return Deno.lstatSync(top).isDirectory
                ? tree(root, top.slice(root.length + 1)).map((row) => at(row.split(/\/? /)[0]!))
                : [top];
            } catch {
              return [];
            }
          });
          for (const cut of cuts) if (below[cut]) await rm(below[cut]!);
          const record = await kept?.settle();
          if (record) {
            const restored = restoreFromTrash(trash, record.id, root)!;
            assert.deepEqual([restored.taken, restored.failed], [[], []]);
          }
          assert.deepEqual(tree(root), before);
          if (Deno.lstatSync(root) && kept) assert.deepEqual(listTrash(trash), []);
        });
      },
    ),
    { numRuns: runs(100) },
  );
});

Deno.test("settling twice does no harm", async () => {
  await withTrash({ a: "a" }, async ({ root, trash, at, keep }) => {
    const kept = await keep("a");
    Deno.removeSync(at("a"));
    const record = (await kept!.settle())!;
    assert.deepEqual(await settle(join(trash, record.id), record), record);
    assert.equal(restoreFromTrash(trash, record.id, root)!.back.length, 1);
  });
});

Deno.test("where the trash goes too nothing is called kept", async () => {
  await withTrash({ a: "a", ".narnat/trash/old": "" }, async ({ trash, at, keep }) => {
    const kept = await keep("a", ".narnat");
    assert.deepEqual(kept!.record.lost, [
      { path: at("a"), why: "own" },
      { path: at(".narnat"), why: "own" },
    ]);
    assert.equal(await kept!.settle(), undefined);
    // what lies in the trash is deleted, the rest is kept
    const part = await keep("a", ".narnat/trash/old");
    assert.deepEqual(part!.record.lost, [{ path: at(".narnat/trash/old"), why: "own" }]);
    Deno.removeSync(at("a"));
    assert.equal((await part!.settle())!.files, 1);
    assert.equal(listTrash(trash).length, 1);
  });
});

Deno.test("a record or a trash that somebody else has made reaches nothing else", async () => {
  await withTrash({ "data/0/x": "x", "d": "d" }, async ({ root, trash, at, keep }) => {
    const kept = await keep("d");
    Deno.removeSync(at("d"));
    const record = (await kept!.settle())!;
    const path = join(trash, record.id, "record.json");
    const write = (more: object) =>
      Deno.writeTextFileSync(path, JSON.stringify({ ...record, ...more }));
    for (const bad of [{ files: "\x1b[31m1" }, { bytes: null }, { targets: ["d"] }]) {
      write(bad);
      assert.deepEqual(listTrash(trash), [], JSON.stringify(bad));
    }
    // `files` leads to what is not the trash's
    write({ targets: [at("data", "0")], open: true, time: new Date(0).toISOString() });
    Deno.removeSync(join(trash, record.id, "files"), { recursive: true });
    Deno.symlinkSync(at("data"), join(trash, record.id, "files"));
    await pruneTrash(trash, Date.now());
    assert.equal(Deno.readTextFileSync(at("data", "0", "x")), "x");
    // what was begun without a record is removed, what merely looks so is not
    Deno.mkdirSync(join(trash, "aaaaaa", "files"), { recursive: true });
    Deno.mkdirSync(join(trash, "bbbbbb", "mine"), { recursive: true });
    Deno.mkdirSync(join(trash, "cccccc", "files", "0"), { recursive: true });
    for (const id of ["aaaaaa", "bbbbbb", "cccccc"]) Deno.utimeSync(join(trash, id), 1e9, 1e9);
    await pruneTrash(trash, Date.now());
    assert.deepEqual(
      [...Deno.readDirSync(trash)].map(({ name }) => name).sort(),
      [
        "bbbbbb",
        "cccccc",
        record.id,
      ].sort(),
    );
    Deno.removeSync(trash, { recursive: true });
    Deno.mkdirSync(at("elsewhere", "abcdef"), { recursive: true });
    Deno.symlinkSync(at("elsewhere"), trash);
    Deno.utimeSync(at("elsewhere", "abcdef"), 1e9, 1e9);
    await pruneTrash(trash, Date.now());
    assert.equal(await emptyTrash(trash), 0);
    await assert.rejects(keepInTrash(trash, [at("data")], MARK, NEVER), /link/);
    assert.deepEqual([...Deno.readDirSync(at("elsewhere"))].map(({ name }) => name), ["abcdef"]);
    assert.ok(root);
  });
});

Deno.test("a record that is a pipe, or leads to what never ends, is none", async () => {
  await withWorkspace({ "abc123/files/.keep": "", "abc124/files/.keep": "" }, async (trash) => {
    await new Deno.Command("mkfifo", { args: [join(trash, "abc123", "record.json")] }).output();
    await Deno.symlink("/dev/zero", join(trash, "abc124", "record.json"));
    assert.deepEqual(listTrash(trash), []);
  });
});
