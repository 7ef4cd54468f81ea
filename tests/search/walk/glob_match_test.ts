import assert from "node:assert/strict";
import { globTest } from "../../../src/search/walk/glob_match.ts";
import { random, slow } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const PATHS = [
  "a.ts",
  "b.tsx",
  ".env",
  "src/a.ts",
  "src/a.test.ts",
  "src/.hidden/a.ts",
  "src/deep/er/a.ts",
  "app/(auth)/[id]/page.tsx",
  ".github/workflows/ci.yml",
  "docs/文档 1.md",
  "docs/😀.md",
  "x[1].txt",
  "file1",
  "file2",
  "file10",
];

const matching = (globs: string[], hidden = true) => PATHS.filter(globTest(globs, hidden));

Deno.test("a pattern without a slash matches a name at any depth, with one from the root", () => {
  assert.deepEqual(matching(["a.ts"]), [
    "a.ts",
    "src/a.ts",
    "src/.hidden/a.ts",
    "src/deep/er/a.ts",
  ]);
  assert.deepEqual(matching(["/a.ts"]), ["a.ts"]);
  assert.deepEqual(matching(["./a.ts"]), ["a.ts"]);
  assert.deepEqual(matching(["src/*.ts"]), ["src/a.ts", "src/a.test.ts"]);
  assert.deepEqual(matching(["docs/"]), ["docs/文档 1.md", "docs/😀.md"]);
  assert.deepEqual(matching(["src/**/er/*"]), ["src/deep/er/a.ts"]);
});

Deno.test("braces, ranges, sets, bars and question marks", () => {
  assert.deepEqual(matching(["{a,b}.{ts,tsx}"]), matching(["a.ts", "b.tsx"]));
  assert.deepEqual(matching(["src/{a,deep/{x,er/a}}.ts"]), ["src/a.ts", "src/deep/er/a.ts"]);
  assert.deepEqual(matching(["file{1..3}"]), ["file1", "file2"]);
  assert.deepEqual(matching(["{a..b}.{ts,tsx}"]), matching(["a.ts", "b.tsx"]));
  assert.deepEqual(matching(["file{10..1..9}"]), ["file1", "file10"]);
  assert.deepEqual(matching(["file[[:word:]]"]), ["file1", "file2"]);
  assert.deepEqual(matching(["x[[:punct:]]1[[:punct:]]*"]), ["x[1].txt"]);
  assert.deepEqual(matching(["fil[[:letters:]]*"]), []);
  assert.deepEqual(matching(["fil[e[:constructor:]]*"]), ["file1", "file2", "file10"]);
  assert.deepEqual(matching(["file[!1]"]), ["file2"]);
  assert.deepEqual(matching(["file[[:digit:]]?"]), ["file10"]);
  assert.deepEqual(matching(["?.md"]), ["docs/😀.md"]);
  assert.deepEqual(matching(["*.(yml|md)"]), matching(["*.{yml,md}"]));
  assert.deepEqual(matching(["*.@(yml|md)"]), matching(["*.{yml,md}"]));
  assert.deepEqual(matching(["a{b"]), []);
  for (const glob of ["src/{deep/er,}/a.ts", "src/{deep//er,.}/a.ts", "./src/{,deep/er/}a.ts"]) {
    assert.deepEqual(matching([glob]), ["src/a.ts", "src/deep/er/a.ts"], glob);
  }
});

Deno.test("folders with brackets and parentheses in their names are found as they are spelled", () => {
  const page = ["app/(auth)/[id]/page.tsx"];
  assert.deepEqual(matching(["app/(auth)/[id]/*.tsx"]), page);
  assert.deepEqual(matching(["**/[id]/page.tsx"]), page);
  assert.deepEqual(matching(["x[1].txt"]), ["x[1].txt"]);
  assert.deepEqual(matching(["x\\[1\\].txt"]), ["x[1].txt"]);
});

Deno.test("without hidden a dot must be spelled out", () => {
  assert.deepEqual(matching(["**/*.yml"], false), []);
  assert.deepEqual(matching(["*.yml"], false), []);
  assert.deepEqual(matching([".github/**"], false), [".github/workflows/ci.yml"]);
  assert.deepEqual(matching([".e*"], false), [".env"]);
  assert.deepEqual(matching(["**/.hidden/*.ts"], false), ["src/.hidden/a.ts"]);
  assert.deepEqual(matching(["src/**"], false), ["src/a.ts", "src/a.test.ts", "src/deep/er/a.ts"]);
  assert.deepEqual(matching([], false), PATHS.filter((path) => !/(^|\/)\./.test(path)));
});

Deno.test("a pattern with ! takes away", () => {
  assert.deepEqual(matching(["*.ts", "!*.test.ts", "!src/.hidden/**"]), [
    "a.ts",
    "src/a.ts",
    "src/deep/er/a.ts",
  ]);
  assert.ok(!matching(["!**/*.ts"], false).includes("a.ts"));
});

slow("random patterns match the files that bash finds", async () => {
  const next = random(20_260_301);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const some = <T>(most: number, make: () => T) =>
    Array.from({ length: 1 + Math.floor(next() * most) }, make);
  const names = (
    "a b c ab a.b .a .b.c ba A1 文 b文 1 2 01 02 10 -1 - a-b _ a_1 A [ ] ^"
  ).split(" ").concat("a b", "a\tb");
  const pieces = (
    "a b * * ? . [ab] [!a] {a,b*} {.a,文} 1 文 {a..c} {c..a} {1..3} {01..10} {2..-1} {1..9..2} {a..c..2} " +
    "{a..1} [[:punct:]] [[:blank:]] [[:print:]] [[:graph:]] [[:cntrl:]] [[:space:]_] [![:alnum:]] " +
    "[[:nope:]] [[:nope:]a] [![:nope:]] [[:alpha:]-] [[:digit:]-z] [z-a] [!z-a] [z-a1] [a-] [-1] " +
    "[[:upper:][:digit:]] [a-c-] []a] [!]a] [][] [\\a] [a\\-c] [^^] [\\^]"
  ).split(" ");
  const part = () => next() < 0.25 ? "**" : some(3, () => pick(pieces)).join("");
  const globs = Array.from({ length: 1200 }, () => "./" + some(3, part).join("/"))
    // bash takes these for the folder's own names
    .filter((glob) => !/(^|\/)\.{1,2}(\/|$)/.test(glob.slice(2)) && !/\/\.[*?]/.test(glob));
  const files = Object.fromEntries(
    Array.from({ length: 200 }, () => [some(3, () => pick(names)).join("/"), ""]),
  );
  const paths = Object.keys(files).filter((path) =>
    !Object.keys(files).some((other) => path.startsWith(other + "/"))
  );
  let matches = 0;
  await withWorkspace(Object.fromEntries(paths.map((path) => [path, ""])), async (root) => {
    for (const hidden of [false, true]) {
      const script = `shopt -s globstar nullglob ${hidden ? "dotglob" : ""}
        for glob; do eval 'for f in '"$glob"'; do [ -f "$f" ] && printf "%s\\0" "$f"; done'
        printf "\\n"; done`;
      const { stdout } = await new Deno.Command("bash", {
        args: ["-c", script, "bash", ...globs],
        cwd: root,
        env: { LC_ALL: "C.UTF-8" },
      }).output();
      const found = new TextDecoder().decode(stdout).split("\n");
      for (const [i, glob] of globs.entries()) {
        const wanted = new Set(found[i]!.split("\0").filter(Boolean).map((path) => path.slice(2)));
        matches += wanted.size;
        const test = globTest([glob], hidden);
        assert.deepEqual(paths.filter(test).sort(), [...wanted].sort(), `${glob}, ${hidden}`);
      }
    }
  });
  assert.ok(matches > 1000, `only ${matches} matches`);
});

Deno.test("a glob with many wildcards is decided at once, however a path could be shared among them", () => {
  const name = "a".repeat(255);
  const wide = Array(15).fill(name).join("/");
  const deep = Array(1000).fill("a").join("/");
  for (const hidden of [true, false]) {
    for (const [piece, path] of [["*a", name], ["**/a/", deep], ["**/*a*a*a/", wide]] as const) {
      assert.ok(!globTest([piece.repeat(9) + "*b"], hidden)(path));
      assert.ok(globTest([piece.repeat(9) + "*a"], hidden)(path));
    }
  }
});
