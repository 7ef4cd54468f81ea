import assert from "node:assert/strict";
import { join } from "node:path";
import { bash, keep, snapshot } from "../checkpoints.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b.sh": "#!/bin/sh\n",
  "src/c.txt": "c\n",
  "src/deep/d.txt": "d\n",
  "文件 名.txt": "中文\n",
};

/** What one turn's Bash may do. */
const TURNS: readonly (readonly [what: string, script: string])[] = [
  ["creates and fills", "mkdir -p new/folder && echo x > new/folder/x && echo y > y"],
  ["changes in place", "sed -i s/two/2/ a.txt && echo more >> src/c.txt"],
  ["changes in place by the same size", "printf 'eno\\ntwo\\nthree\\n' > a.txt"],
  [
    "changes and puts the time back",
    "cp -p a.txt r && echo ONE > a.txt && touch -r r a.txt && rm r",
  ],
  ["deletes", "rm a.txt && rm -r src"],
  ["renames", "mv a.txt z.txt && mv src lib"],
  ["swaps", "mv a.txt t && mv b.sh a.txt && mv t b.sh"],
  ["changes modes", "chmod +x b.sh && chmod 600 a.txt && chmod 700 src"],
  ["makes a folder read-only", "echo x >> src/c.txt && chmod 555 src"],
  ["links", "ln -s src/c.txt link && ln -s nowhere broken && ln -s .. src/up"],
  ["replaces a file by a link", "rm a.txt && ln -s b.sh a.txt"],
  ["replaces a folder by a file", "rm -r src && echo file > src"],
  ["replaces a file by a folder", "rm a.txt && mkdir -p a.txt/in && echo x > a.txt/in/it"],
  [
    "replaces a folder by a link",
    "mv src elsewhere && ln -s elsewhere src && echo new > src/c.txt",
  ],
  ["makes and removes empty folders", "mkdir -p e/m/p/t && rm src/deep/d.txt"],
  ["uses odd names", "echo x > $'new\\nline' && mv '文件 名.txt' $'tab\\t.txt' && echo - > ./-rf"],
  ["links hard", "ln a.txt twin && echo more >> twin"],
  ["changes letters of a name", "mv a.txt A.TXT"],
];

for (const git of [true, false]) {
  for (const [what, script] of TURNS) {
    Deno.test(`a turn that ${what} is undone and redone, ${git ? "with" : "without"} git`, async () => {
      await withWorkspace(FILES, async (root) => {
        if (git) {
          await bash(root, "git init -q && git add . && git commit -qm first && echo s >> b.sh");
        }
        const kept = keep(root);
        await kept.turn(() => {});
        const before = snapshot(root);
        const paths = await kept.turn(() => bash(root, script));
        const after = snapshot(root);
        assert.notDeepEqual(after, before);
        const differ = [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .filter((path) => before[path] !== after[path]).sort();
        assert.deepEqual(paths, differ);
        const index = git ? Deno.readFileSync(join(root, ".git/index")) : undefined;
        for (const what of ["undo", "redo", "undo"] as const) {
          const { failed, preview } = kept.take({ what });
          assert.deepEqual([failed, preview.conflicts], [[], []]);
          assert.deepEqual(snapshot(root), what === "undo" ? before : after);
        }
        if (git) assert.deepEqual(Deno.readFileSync(join(root, ".git/index")), index);
        kept.close();
      });
    });
  }
}

Deno.test("a turn that changes nothing leaves no record, also when it puts all back", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    await kept.turn(() => bash(root, "touch a.txt && cp a.txt t && rm a.txt && mv t a.txt"));
    assert.deepEqual(kept.turns(), []);
    assert.throws(() => kept.preview({ what: "undo" }), { why: "undo" });
    kept.close();
  });
});

Deno.test("a turn that is looked at several times goes back to what it began with", async () => {
  await withWorkspace({ a: "0", b: "0" }, async (root) => {
    const kept = keep(root);
    kept.begin("main 1", { session: "s", turn: 1, text: "go" }, false);
    kept.start("main 1");
    for (const script of ["echo 1 > a && echo 1 > b", "echo 2 > a && printf 0 > b"]) {
      await bash(root, script);
      assert.deepEqual(kept.look("main 1").map(({ path }) => path).sort(), ["a", "b"]);
    }
    kept.end("main 1");
    assert.deepEqual(kept.turns()[0]!.paths, ["a"]);
    kept.take({ what: "undo" });
    assert.equal(Deno.readTextFileSync(join(root, "a")), "0");
    kept.close();
  });
});

Deno.test("what the user changes between turns is nobody's, and is not lost", async () => {
  await withWorkspace(FILES, async (root) => {
    const at = join(root, "a.txt");
    const kept = keep(root);
    await kept.turn(() => Deno.writeTextFileSync(at, "first"));
    Deno.writeTextFileSync(at, "by hand");
    await kept.turn(() => Deno.writeTextFileSync(at, "second"));
    kept.take({ what: "undo" });
    assert.equal(Deno.readTextFileSync(at), "by hand");
    const again = kept.preview({ what: "undo" });
    assert.deepEqual(again.conflicts.map(({ path }) => path), ["a.txt"]);
    kept.take({ what: "undo" }, ["a.txt"]);
    assert.equal(Deno.readTextFileSync(at), "one\ntwo\nthree\n");
    kept.take({ what: "redo" });
    assert.equal(Deno.readTextFileSync(at), "by hand");
    kept.take({ what: "redo" });
    assert.equal(Deno.readTextFileSync(at), "second");
    kept.close();
  });
});

Deno.test("the turn that came last is undone first, also when the clock was put back", async () => {
  await withWorkspace({ a: "0" }, async (root) => {
    let now = Date.now();
    const at = join(root, "a");
    const kept = keep(root, {}, () => now);
    for (const text of ["1", "2", "3"]) {
      await kept.turn(() => Deno.writeTextFileSync(at, text));
      now -= 3600_000;
    }
    for (const text of ["2", "1", "0"]) {
      const { preview } = kept.take({ what: "undo" });
      assert.deepEqual([preview.conflicts, Deno.readTextFileSync(at)], [[], text]);
      now -= 3600_000;
    }
    kept.take({ what: "redo" });
    assert.equal(Deno.readTextFileSync(at), "1");
    kept.close();
  });
});

Deno.test("several turns at once stop at what the user did between them unless it is asked for", async () => {
  await withWorkspace(FILES, async (root) => {
    const at = join(root, "a.txt");
    const kept = keep(root);
    await kept.turn(() => Deno.writeTextFileSync(at, "first"));
    Deno.writeTextFileSync(at, "by hand");
    await kept.turn(() => Deno.writeTextFileSync(at, "second"));
    const preview = kept.preview({ what: "undo", count: 2 });
    assert.deepEqual(preview.conflicts.map(({ path }) => path), ["a.txt"]);
    kept.restore(preview.id, []);
    assert.equal(Deno.readTextFileSync(at), "by hand");
    kept.take({ what: "redo" });
    kept.take({ what: "undo", count: 2 }, ["a.txt"]);
    assert.equal(Deno.readTextFileSync(at), FILES["a.txt"]);
    kept.close();
  });
});

Deno.test("agents' changes go with the turn that they were started in", async () => {
  await withWorkspace(FILES, async (root) => {
    const before = snapshot(root);
    const kept = keep(root);
    const mark = (turn: number) => ({ session: "s", turn, text: `turn ${turn}` });
    kept.begin("main 1", mark(1), false);
    kept.start("main 1");
    kept.begin("sub:x 2", mark(1), true);
    kept.start("sub:x 2");
    await bash(root, "echo main > a.txt");
    kept.look("main 1");
    kept.end("main 1");
    assert.throws(() => kept.preview({ what: "undo" }), { why: "busy" });
    await bash(root, "echo agent > b.sh");
    assert.deepEqual(kept.look("sub:x 2").map(({ path }) => path), ["b.sh"]);
    kept.end("sub:x 2");
    const turns = kept.turns();
    assert.deepEqual(turns.map(({ turn, paths }) => [turn, paths]), [[1, ["a.txt", "b.sh"]]]);
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before);
    kept.close();
  });
});

Deno.test("what an agent has changed before the next turn begins is the earlier turn's", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    const mark = (turn: number) => ({ session: "s", turn, text: `turn ${turn}` });
    kept.begin("main 1", mark(1), false);
    kept.start("main 1");
    kept.begin("sub:x 2", mark(1), true);
    kept.start("sub:x 2");
    kept.look("main 1");
    kept.end("main 1");
    await bash(root, "echo agent > b.sh");
    kept.begin("main 3", mark(2), false);
    kept.start("main 3");
    await bash(root, "echo main > a.txt");
    assert.deepEqual(
      kept.look("sub:x 2").map(({ path }) => path),
      ["a.txt"],
      "of two at once it is the person's turn",
    );
    kept.look("main 3");
    kept.end("main 3");
    kept.end("sub:x 2");
    const turns = kept.turns();
    assert.deepEqual(turns.map(({ turn, paths }) => [turn, paths]), [[2, ["a.txt"]], [
      1,
      ["b.sh"],
    ]]);
    kept.close();
  });
});

Deno.test("of two narnats each has its own baseline, and the preview tells of the other", async () => {
  await withWorkspace(FILES, async (root) => {
    const [one, two] = [keep(root), keep(root)];
    const mark = (session: string) => ({ session, turn: 1, text: session });
    one.begin("main 1", mark("s1"), false);
    one.start("main 1");
    two.begin("main 1", mark("s2"), false);
    two.start("main 1");
    Deno.writeTextFileSync(join(root, "a.txt"), "by one");
    await new Promise((resolve) => setTimeout(resolve, 5));
    one.look("main 1");
    one.end("main 1");
    Deno.writeTextFileSync(join(root, "b.sh"), "by two");
    two.look("main 1");
    two.end("main 1");
    assert.deepEqual(one.turns("s1").map(({ session }) => session), ["s1"]);
    assert.deepEqual(two.turns("s2").map(({ session }) => session), ["s2"]);
    const { preview } = one.take({ what: "undo", session: "s1" });
    assert.equal(preview.others, true);
    two.begin("main 2", mark("s2"), false);
    two.start("main 2");
    assert.equal(one.preview({ what: "redo", session: "s1" }).others, true);
    two.end("main 2");
    assert.equal(Deno.readTextFileSync(join(root, "a.txt")), FILES["a.txt"]);
    assert.equal(Deno.readTextFileSync(join(root, "b.sh")), "by two");
    one.close();
    two.close();
  });
});

Deno.test("who throws the kept contents away loses the past, not the present", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => bash(root, "echo 1 > a.txt"));
    for (const gone of ["checkpoints/objects", "checkpoints", "."]) {
      Deno.removeSync(join(root, ".narnat", gone), { recursive: true });
      await kept.turn(() => bash(root, "echo 2 > a.txt"));
      kept.take({ what: "undo" });
      assert.equal(Deno.readTextFileSync(join(root, "a.txt")), "1\n");
    }
    kept.close();
  });
});
