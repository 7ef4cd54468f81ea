import assert from "node:assert/strict";
import { join } from "node:path";
import { readBy } from "../../../src/features/undo/files.ts";
import { readTree, treePieces } from "../../../src/features/undo/store/runs.ts";
import { bash, keep, snapshot } from "./checkpoints.ts";
import { withSmallDisk, withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b.sh": "#!/bin/sh\n",
  "src/c.txt": "c\n",
  "src/deep/d.txt": "d\n",
  "文件 名.txt": "中文\n",
};

Deno.test("what is not covered is named, and a single ignored file is covered", async () => {
  const files = {
    ".gitignore": "dist/\n.env\n*.log\n",
    ".env": "KEY=1\n",
    "dist/out.js": "built",
    "node_modules/x/index.js": "x",
    "pkg/node_modules/y.js": "y",
    "target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55",
    "target/big": "b",
    "large.bin": "x".repeat(2000),
    ".narnat/rules/one.md": "rule",
    ".narnat/sessions/s.jsonl": "{}",
  };
  await withWorkspace(files, async (root) => {
    await bash(root, "git init -q && mkfifo pipe");
    await bash(root, "printf x > $'not\\xffutf8'");
    const kept = keep(root, { fileBytes: 1000 });
    await kept.turn(() => {});
    const paths = await kept.turn(() =>
      bash(
        root,
        "echo KEY=2 > .env && echo new > dist/out.js && echo more > dist/more.js && " +
          "rm -r node_modules && echo y >> large.bin && echo r > .narnat/rules/one.md && " +
          "echo s > .narnat/sessions/s.jsonl",
      )
    );
    assert.deepEqual(paths, [".env", ".narnat/rules/one.md"]);
    const { preview } = kept.take({ what: "undo" });
    const rows = preview.uncovered.map(({ path, why, touched }) => [path, why, touched ?? false]);
    assert.deepEqual(rows.sort(), [
      ["dist", "ignored", true],
      ["large.bin", "large", true],
      ["node_modules", "rule", true],
      ["not\ufffdutf8", "unnameable", false],
      ["pipe", "special", false],
      ["pkg/node_modules", "rule", false],
      ["target", "rule", false],
    ]);
    assert.equal(Deno.readTextFileSync(join(root, ".env")), "KEY=1\n");
    assert.equal(Deno.readTextFileSync(join(root, ".narnat/rules/one.md")), "rule");
    assert.equal(Deno.readTextFileSync(join(root, "dist/out.js")), "new\n");
    kept.close();
  });
});

Deno.test("what .ignore and .rgignore name, here or above, is covered", async () => {
  const files = {
    ".ignore": "above\n",
    "w/.ignore": "one\n",
    "w/.rgignore": "two\n",
    "w/above/a": "",
    "w/one/b": "",
    "w/two/c": "",
  };
  await withWorkspace(files, async (top) => {
    const root = join(top, "w");
    const kept = keep(root);
    await kept.turn(() => {});
    const paths = await kept.turn(() => bash(root, "for f in */?; do echo x > $f; done"));
    assert.deepEqual(paths, ["above/a", "one/b", "two/c"]);
    kept.close();
  });
});

Deno.test("beyond the bound of all files the rest is not covered, and what was stays so", async () => {
  const files = { a: "a".repeat(600), b: "b".repeat(600), c: "c" };
  await withWorkspace(files, async (root) => {
    const kept = keep(root, { totalBytes: 1000 });
    await kept.turn(() => {});
    await kept.turn(() => bash(root, "for f in a b c; do echo $f > $f; done"));
    const [turn] = kept.turns();
    assert.equal(turn!.paths.length, 2);
    const { uncovered } = kept.take({ what: "undo" }).preview;
    const lost = uncovered.map(({ why, touched }) => [why, touched]);
    assert.deepEqual(lost, [["total", true]], "what it held was not kept");
    await kept.turn(() => bash(root, "echo again > c"));
    const next = kept.preview({ what: "undo" });
    assert.deepEqual(next.uncovered, [], "now that it is small it is covered");
    kept.close();
  });
});

Deno.test("rules that a turn changes neither drop what was covered nor claim what was not", async () => {
  const files = { ".gitignore": "data/\n", "data/mine": "mine", "src/a": "a", "src/b": "b" };
  await withWorkspace(files, async (root) => {
    await bash(root, "git init -q");
    const kept = keep(root);
    await kept.turn(() => {});
    const before = snapshot(root);
    await kept.turn(() => bash(root, "echo src/ > .gitignore && echo x > src/a && rm src/b"));
    assert.deepEqual(kept.turns()[0]!.paths, [".gitignore", "src/a", "src/b"]);
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before, "data/mine was there before, and stays");
    kept.close();
  });
});

Deno.test("rules that a turn changed in which narnat was killed do not claim what was not covered", async () => {
  const files = { ".gitignore": "data/\n", "data/mine": "mine", "src/a": "a" };
  await withWorkspace(files, async (root) => {
    await bash(root, "git init -q");
    const before = snapshot(root);
    const killed = keep(root);
    killed.begin("main 1", { session: "s", turn: 1, text: "go" }, false);
    killed.start("main 1");
    await bash(root, "echo src/ > .gitignore && echo x > src/a");
    killed.close();
    const kept = keep(root);
    assert.deepEqual(kept.turns()[0]!.paths, [".gitignore", "src/a"]);
    kept.take({ what: "undo" });
    assert.deepEqual(snapshot(root), before, "data/mine was there before, and stays");
    kept.close();
  });
});

Deno.test("a file that could not be kept for its size is told of, and not claimed when it is small again", async () => {
  await withWorkspace({ a: "a" }, async (root) => {
    const kept = keep(root, { fileBytes: 1000 });
    await kept.turn(() => Deno.writeTextFileSync(join(root, "a"), "x".repeat(2000)));
    await kept.turn(() => Deno.writeTextFileSync(join(root, "a"), "b"));
    assert.deepEqual(kept.turns().map(({ turn }) => turn), [1]);
    const { preview } = kept.take({ what: "undo" });
    assert.deepEqual(preview.conflicts.map(({ path }) => path), ["a"]);
    assert.equal(Deno.readTextFileSync(join(root, "a")), "b");
    kept.close();
  });
});

Deno.test("a file on its way to its place is no file of the turn's", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    const script = "echo x > .a.txt.12-0123abcd.tmp && echo x > .a.txt.tmp";
    assert.deepEqual(await kept.turn(() => bash(root, script)), [".a.txt.tmp"]);
    kept.close();
  });
});

Deno.test("a new narnat reads only what has changed since", async () => {
  await withWorkspace(FILES, async (root) => {
    const kept = keep(root);
    await kept.turn(() => {});
    kept.close();
    const later = keep(root);
    assert.deepEqual(await later.turn(() => bash(root, "echo x > a.txt")), ["a.txt"]);
    later.take({ what: "undo" });
    assert.equal(Deno.readTextFileSync(join(root, "a.txt")), FILES["a.txt"]);
    later.close();
  });
});

slow(
  "a change of the same size whose time was put back long after a look is seen all the same",
  async () => {
    await withWorkspace(FILES, async (root) => {
      const kept = keep(root);
      await kept.turn(() => {});
      kept.close();
      const runs = join(root, ".narnat/checkpoints/runs");
      for (const { name } of Deno.readDirSync(runs)) {
        const file = join(runs, name, "tree");
        const { entries, left } = readBy(file, readTree)!;
        for (const [path, entry] of entries) {
          entries.set(path, { ...entry, readAt: entry.readAt + 60_000 });
        }
        const why = [...left].map(([path, why]) => [path, { why }] as const);
        Deno.writeTextFileSync(file, [...treePieces(entries, why)].join(""));
      }
      const later = keep(root);
      // that time has whole seconds
      const script = "sleep 1.01 && " +
        "cp -p a.txt r && printf 'ONE\\ntwo\\nthree\\n' > a.txt && touch -r r a.txt && rm r";
      assert.deepEqual(await later.turn(() => bash(root, script)), ["a.txt"]);
      later.take({ what: "undo" });
      assert.equal(Deno.readTextFileSync(join(root, "a.txt")), FILES["a.txt"]);
      later.close();
    });
  },
);

for (const mode of ["000", "600"]) {
  Deno.test(`what lies in a folder that a turn has given the mode ${mode} is not taken for deleted`, async () => {
    await withWorkspace(FILES, async (root) => {
      const before = snapshot(root);
      const script = join(import.meta.dirname!, "turn_hidden.ts");
      // the administrator may look anywhere
      const barred = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
      const [command, ...args] = [
        ...Deno.uid() === 0 ? barred : [],
        ...[Deno.execPath(), "run", "-A", script, root, `chmod ${mode} src`],
      ];
      const { stdout } = await new Deno.Command(command!, { args, stderr: "inherit" }).output();
      assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
        paths: ["src"],
        failed: [],
      });
      assert.deepEqual(snapshot(root), before);
    });
  });
}

Deno.test("a disk that is too small for copies of all there is gets its room back", async () => {
  await withSmallDisk(400_000, async ({ root: disk }) => {
    await withWorkspace({}, async (root) => {
      for (let i = 0; i < 8; i++) {
        const bytes = crypto.getRandomValues(new Uint8Array(60_000));
        Deno.writeFileSync(join(root, `f${i}`), bytes);
      }
      const kept = keep(root, {}, Date.now, join(disk, "checkpoints"));
      await assert.rejects(kept.turn(() => {}), { code: "ENOSPC" });
      await Deno.writeFile(join(disk, "room"), new Uint8Array(150_000));
      kept.close();
    });
  });
});
