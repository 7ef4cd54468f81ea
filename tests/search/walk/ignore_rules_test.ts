import { IgnoreRules } from "../../../src/search/walk/ignore_rules.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { FileList, newWalkReport } from "../../../src/search/walk/walk.ts";
import { gitPlaces } from "../../../src/search/walk/git_settings.ts";
import { random, slow } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const HERMETIC = { GIT_CONFIG_NOSYSTEM: "1" };

async function git(
  cwd: string,
  env: { [name: string]: string },
  args: readonly string[],
  input = "",
): Promise<string> {
  const child = new Deno.Command("git", {
    args: [...args],
    cwd,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(input)).then(() => writer.close());
  const { code, stdout, stderr } = await child.output();
  await written;
  // check-ignore ends with 1 when nothing is ignored
  assert.ok(code <= 1, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

function listed(root: string, env: { [name: string]: string }): string[] {
  const list = new FileList(root, gitPlaces((name) => env[name]));
  const paths: string[] = [];
  for (const { files, links } of list.walk(newWalkReport())) {
    for (const block of files) paths.push(...block.split("\0"));
    paths.push(...links);
  }
  return paths.sort();
}

const split = (text: string) => text.split("\0").filter(Boolean).sort();

const NAMES = [
  "a",
  "b",
  "ab",
  "a.b",
  ".c",
  "#x",
  "A",
  "aB",
  "a b",
  "é",
  "文",
  "文b",
  "[a]",
  "a]",
  "[ab]",
  ":a]",
];
const PIECES = (
  "a b A * * * ? ** / [ab] [!a] [^a-c] [A-C] [A] [[:upper:]] [[:alpha:]b] [[:]a] [[:]ab] [[::]a] [[:a] [[:b]:]a] []a] [a . \\a \\* \\[ é 文 ?? *é # b ! - [é] *.b"
).split(" ");

interface Judged {
  readonly files: number;
  readonly ours: string[];
  readonly listing: string[];
  readonly ignored: ReadonlySet<string>;
  readonly all: string[];
}

/** Makes `cases` folders with rules and files of their own in one repository, and asks git. */
async function judge(root: string, cases: number, seed: number, fold: boolean): Promise<Judged> {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const some = <T>(most: number, make: () => T) =>
    Array.from({ length: 1 + Math.floor(next() * most) }, make);
  const pathOf = (most: number) => some(most, () => pick(NAMES)).join("/");
  const rule = () =>
    pick(["", "", "!", "/", "!/"]) +
    (next() < 0.35 ? pathOf(3) : some(3, () => pick(PIECES)).join("")) +
    pick(["", "", "/", "/*", "/**", " ", "\\ "]);
  const rules = () => some(4, rule).join("\n") + "\n";
  const env = { ...HERMETIC, HOME: root, GIT_CONFIG_GLOBAL: "" };
  await git(root, env, ["init", "-q"]);
  await git(root, env, ["config", "core.ignoreCase", String(fold)]);
  const write = async (file: string, text: string) => {
    try {
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, text);
    } catch {
      // the path runs through a file made before
    }
  };
  for (let i = 0; i < cases; i++) {
    const folder = join(root, `case${i}`);
    await write(join(folder, ".gitignore"), rules());
    if (next() < 0.3) await write(join(folder, pathOf(2), ".gitignore"), rules());
    for (let n = 0; n < 8; n++) await write(join(folder, pathOf(4)), "x");
  }
  const all = split(await git(root, env, ["ls-files", "-z", "--others"]));
  const listing = await git(root, env, [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  const ignored = await git(root, env, ["check-ignore", "-z", "--stdin"], all.join("\0"));
  return {
    files: all.length,
    ours: listed(root, env),
    listing: split(listing),
    ignored: new Set(split(ignored)),
    all,
  };
}

for (const fold of [false, true]) {
  const how = fold ? "core.ignoreCase" : "case counting";
  slow(`random rules: the files of git ls-files and check-ignore, ${how}`, async () => {
    const cases = Number(Deno.env.get("NARNAT_TEST_CASES") ?? 80);
    await withWorkspace({}, async (root) => {
      const { ours, listing, ignored, all } = await judge(root, cases, 20_260_301, fold);
      assert.ok(
        listing.length > cases && ignored.size > cases / 2,
        `${listing.length} and ${ignored.size}`,
      );
      assert.deepEqual(ours, listing);
      assert.deepEqual(ours, all.filter((path) => !ignored.has(path)));
    });
  });
}

Deno.test("what only looks like a class in brackets is a set, as for git", async () => {
  const files = {
    ".gitignore":
      "1[[:]ab]\n2[[:]\n3[[:a]\n4[[:b]:]c\n5[[::]d\n6[[:\n7[x[:]y\n8[[:constructor:]]\n",
    ...Object.fromEntries(
      "1[ab] 1:ab] 1a 2[ 2: 3[ 3: 3a 3b 4[:]c 4b:]c 5:d 5[d 5::]d 6[[: 6: 7[y 7:y 7xy 7ay"
        .split(" ").map((name) => [name, ""]),
    ),
    "8c }]": "",
  };
  await withWorkspace(files, async (root) => {
    const env = { ...HERMETIC, HOME: root, GIT_CONFIG_GLOBAL: "" };
    await git(root, env, ["init", "-q"]);
    const wanted = await git(root, env, ["ls-files", "-z", "--others", "--exclude-standard"]);
    assert.deepEqual(listed(root, env), split(wanted));
    assert.ok(!split(wanted).includes("1[ab]"));
  });
});

Deno.test("the user's excludes file and settings count as for git", async () => {
  const files = {
    "home/.gitconfig": '[user]\n\tname = x\n[core] ; a comment\n\texcludesFile = "~/my ignore"\n',
    "home/my ignore": "*.mine\n",
    "home/.config/git/ignore": "*.default\n",
    "r/.git/HEAD": "ref: refs/heads/main\n",
    "r/.git/config": "[core]\n\tignoreCase = true\n",
    "r/.git/info/exclude": "!keep.mine\n",
    "r/.gitignore": "*.LOG\n",
    "r/a.mine": "",
    "r/keep.mine": "",
    "r/sub/a.default": "",
    "r/sub/b.log": "",
    "plain/a.mine": "",
  };
  await withWorkspace(files, async (top) => {
    const root = join(top, "r");
    const env = { HOME: join(top, "home"), ...HERMETIC };
    assert.deepEqual(listed(root, env), [".gitignore", "keep.mine", "sub/a.default"]);
    assert.deepEqual(listed(join(root, "sub"), env), ["a.default"]);
    assert.deepEqual(listed(join(top, "plain"), env), ["a.mine"]);
    await Deno.remove(join(top, "home/.gitconfig"));
    assert.deepEqual(listed(root, env), [".gitignore", "a.mine", "keep.mine"]);
    const only = { ...env, GIT_CONFIG_GLOBAL: "/dev/null", XDG_CONFIG_HOME: join(top, "none") };
    assert.deepEqual(listed(join(root, "sub"), only), ["a.default"]);
  });
});

Deno.test("settings that are included from another file count in their place", async () => {
  const files = {
    "home/.gitconfig": "[core]\n\texcludesFile = ~/before\n[include]\n\tpath = more/config\n" +
      "\tpath = ~/none\n\tpath = .gitconfig\n[core]\n\tignoreCase = no\n",
    "home/more/config": "[core]\n\texcludesFile = ~/after\n\tignoreCase = yes\n",
    "home/before": "a\n",
    "home/after": "b\n",
    "r/.git/HEAD": "ref: refs/heads/main\n",
    "r/a": "",
    "r/b": "",
    "r/B": "",
  };
  await withWorkspace(files, (top) => {
    const env = { HOME: join(top, "home"), ...HERMETIC };
    assert.deepEqual(listed(join(top, "r"), env), ["B", "a"]);
  });
});

Deno.test("a worktree has the excludes and settings of its repository", async () => {
  const files = {
    "main/.git/worktrees/w/commondir": "../..\n",
    "main/.git/info/exclude": "secret\n",
    "main/.git/config": "[core]\n\tignorecase\n",
    "w/.git": "gitdir: ../main/.git/worktrees/w\n",
    "w/SECRET": "",
    "w/b": "",
  };
  await withWorkspace(files, (top) => {
    assert.deepEqual(listed(join(top, "w"), {}), ["b"]);
  });
});

Deno.test("a rule with many wildcards is decided at once, however a path could be shared among them", () => {
  const name = "a".repeat(255);
  const wide = Array(15).fill(name).join("/") + "/";
  const deep = "a/".repeat(1000);
  for (const [piece, above] of [["*a", ""], ["**/a/", deep], ["**/*a*a*a/", wide]] as const) {
    const decides = (end: string) =>
      new IgnoreRules(piece.repeat(9) + end).decide(above, 0, name, false);
    assert.deepEqual([decides("*b"), decides("*a")], [undefined, true]);
  }
});
