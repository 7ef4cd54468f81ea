import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { FileList, newWalkReport, walk } from "../../src/search/walk/walk.ts";
import { random, slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const MUTATIONS = 600;

/** The paths a list gives now. */
function pathsOf(list: FileList, enter?: (folder: string) => boolean): string[] {
  const paths: string[] = [];
  for (const { files, links } of list.walk(newWalkReport(), enter)) {
    for (const block of files) paths.push(...block.split("\0"));
    paths.push(...links);
  }
  return paths.sort();
}

const NAMES = ["a", "b", "c.log", "d.txt", ".e", "文", "build", "node_modules", "x y"];
const RULES = ["*.log", "build/", "!c.log", "/a", "d.*", "**/b", ".e", "x*", ""];

/** Changes the tree in one small way; what cannot be done is left. */
async function mutate(root: string, next: () => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const path = () =>
    join(root, ...Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(NAMES)));
  const rules = () => Array.from({ length: 3 }, () => pick(RULES)).join("\n") + "\n";
  const ignoreFile = () =>
    join(
      next() < 0.4 ? root : dirname(path()),
      pick([".gitignore", ".gitignore", ".ignore", ".rgignore"]),
    );
  const mutations: (() => Promise<unknown>)[] = [
    () => Deno.writeTextFile(path(), "x"),
    () => Deno.writeTextFile(path(), "x"),
    () => Deno.mkdir(path(), { recursive: true }),
    () => Deno.mkdir(path(), { recursive: true }),
    () => Deno.remove(path()),
    () => Deno.remove(path(), { recursive: true }),
    () => Deno.rename(path(), path()),
    () => Deno.rename(path(), path()),
    () => Deno.writeTextFile(ignoreFile(), rules()),
    () => Deno.writeTextFile(ignoreFile(), rules()),
    () => Deno.remove(ignoreFile()),
    () => Deno.writeTextFile(join(root, ".git/info/exclude"), rules()),
    () => Deno.writeTextFile(join(dirname(root), "excludes"), rules()),
    async () => {
      // a link in the place of a folder, and back
      const place = path();
      await Deno.remove(place, { recursive: true });
      await Deno.symlink(path(), place);
    },
    () => Deno.mkdir(join(path(), ".git")),
    () => Deno.chmod(path(), pick([0o700, 0o755])),
    async () => {
      // a change that hides itself: the time of the folder put back
      const place = path();
      const { mtime } = await Deno.stat(dirname(place));
      await Deno.writeTextFile(place, "x");
      await Deno.utime(dirname(place), mtime!, mtime!);
    },
    async () => {
      // a folder of the same age in the place of another
      const [one, other] = [path(), path()];
      const { mtime } = await Deno.stat(other);
      await Deno.remove(other, { recursive: true });
      await Deno.rename(one, other);
      await Deno.utime(other, mtime!, mtime!);
    },
  ];
  await pick(mutations)().catch(() => {});
}

slow("after each of many changes the list is what a fresh walk finds", async () => {
  const files = { "r/.git/HEAD": "", "r/.git/info/exclude": "", "excludes": "*.tmp\n" };
  await withWorkspace(files, async (top) => {
    const root = join(top, "r");
    const next = random(20_260_301);
    const places = { configs: [], home: undefined, excludes: join(top, "excludes") };
    const kept = new FileList(root, places);
    const below = new FileList(join(root, "a"), places);
    for (let i = 0; i < 60; i++) await mutate(root, next);
    for (let i = 0; i < MUTATIONS; i++) {
      await mutate(root, next);
      // so that older folders come to be trusted between changes
      if (i % 300 === 0) await new Promise((resolve) => setTimeout(resolve, 2150));
      assert.deepEqual(pathsOf(kept), pathsOf(new FileList(root, places)), `change ${i}`);
      const inB = (folder: string) => folder === "b" || folder.startsWith("b/");
      assert.deepEqual(pathsOf(kept, inB), pathsOf(new FileList(root, places), inB));
      assert.deepEqual(
        pathsOf(below),
        pathsOf(new FileList(join(root, "a"), places)),
        `change ${i}, below`,
      );
    }
  });
});

slow("a folder that has not changed is not read again", async () => {
  await withWorkspace({ ".ignore": "c\n", "a/b": "", "c": "" }, async (root) => {
    const list = new FileList(root);
    const settled = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2150));
      return [...list.walk(newWalkReport())];
    };
    const first = await settled();
    const again = [...list.walk(newWalkReport())];
    assert.deepEqual(again, first);
    assert.ok(again.every((listing, i) => listing === first[i]), "the very same listings");
    await Deno.writeTextFile(join(root, ".ignore"), "a\n");
    assert.deepEqual(pathsOf(list), [".ignore", "c"]);
    assert.deepEqual(pathsOf(list), [...walk(root, newWalkReport())].sort());
  });
});

slow(
  "rules that come and go above the root count at once, though nothing there had changed for long",
  async () => {
    await withWorkspace({ "top/mid/root/a.log": "", "top/mid/root/b": "" }, async (base) => {
      const list = new FileList(join(base, "top/mid/root"));
      await new Promise((resolve) => setTimeout(resolve, 2150));
      const both = ["a.log", "b"];
      assert.deepEqual([pathsOf(list), pathsOf(list)], [both, both]);
      await Deno.writeTextFile(join(base, "top/.ignore"), "b\n");
      assert.deepEqual(pathsOf(list), ["a.log"]);
      await Deno.remove(join(base, "top/.ignore"));
      await Deno.writeTextFile(join(base, "top/mid/.gitignore"), "*.log\n");
      assert.deepEqual(pathsOf(list), both);
      await Deno.mkdir(join(base, "top/.git"));
      assert.deepEqual(pathsOf(list), ["b"]);
      await Deno.remove(join(base, "top/.git"));
      assert.deepEqual(pathsOf(list), both);
    });
  },
);
