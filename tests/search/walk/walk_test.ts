import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { NO_PLACES } from "../../../src/search/walk/git_settings.ts";
import { FileList, newWalkReport, walk } from "../../../src/search/walk/walk.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const list = (root: string, report = newWalkReport()) => [...walk(root, report)].sort();

async function git(root: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("git", {
    args: ["-c", "core.excludesFile=", "-c", "core.quotePath=false", ...args],
    cwd: root,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** The files of a repository, by their paths from its root. */
function filesBelow(root: string, folder = ""): string[] {
  return [...Deno.readDirSync(join(root, folder))].flatMap(({ name, isDirectory }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (path === ".git") return [];
    return isDirectory ? filesBelow(root, path) : [path];
  });
}

Deno.test("git's ignore files count at every level, the root's repository above it too", async () => {
  const files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/info/exclude": "secret.txt\n",
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    "a.log": "",
    "keep.log": "",
    "secret.txt": "",
    "build/x": "",
    "app/build/x": "",
    "app/.gitignore": "!a.log\ngen/\n",
    "app/a.log": "",
    "app/gen/y": "",
    "app/src/b.ts": "",
    "app/src/c.log": "",
    "app/.hidden": "",
  };
  await withWorkspace(files, (root) => {
    const inApp = [".gitignore", ".hidden", "a.log", "build/x", "src/b.ts"];
    assert.deepEqual(list(root), [
      ".gitignore",
      ...inApp.map((path) => `app/${path}`),
      "keep.log",
    ]);
    assert.deepEqual(list(join(root, "app")), inApp);
  });
});

Deno.test(".ignore wins over .gitignore and needs no repository", async () => {
  const files = { ".gitignore": "a\n", ".ignore": "!a\nb\n", "a": "", "b": "", "c/b": "" };
  await withWorkspace(files, (root) => {
    assert.deepEqual(list(root), [".gitignore", ".ignore", "a"]);
  });
});

Deno.test(".rgignore wins over .ignore, that over .gitignore, whichever folder they are in", async () => {
  const files = {
    ".gitignore": "a\nb\nc\n",
    ".ignore": "!b\n!c\nd\n",
    ".rgignore": "c\n",
    "sub/.gitignore": "b\n",
    "sub/.ignore": "!c\n!d\n",
  };
  const names = ["a", "b", "c", "d", "sub/a", "sub/b", "sub/c", "sub/d"];
  const all = { ...files, ...Object.fromEntries(names.map((name) => [name, ""])) };
  await withWorkspace(all, (root) => {
    assert.deepEqual(list(root).filter((path) => names.includes(path)), ["b", "sub/b", "sub/d"]);
  });
});

Deno.test(".ignore and .rgignore of the folders above count, beyond the repository too", async () => {
  const files = {
    ".gitignore": "*.x\n",
    ".ignore": "*.log\n/r/s/no\n/r/*/no2\n",
    ".rgignore": "!keep.log\n",
    "r/.git/HEAD": "",
    "r/.gitignore": "gen\n",
    "r/s/a.x": "",
    "r/s/a.log": "",
    "r/s/keep.log": "",
    "r/s/no": "",
    "r/s/no2": "",
    "r/s/deep/no": "",
    "r/s/gen/b": "",
    "plain/s/a.log": "",
    "plain/s/a.x": "",
  };
  await withWorkspace(files, (root) => {
    assert.deepEqual(list(join(root, "r/s")), ["a.x", "deep/no", "keep.log"]);
    assert.deepEqual(list(join(root, "r")), [
      ".gitignore",
      "s/a.x",
      "s/deep/no",
      "s/keep.log",
    ]);
    assert.deepEqual(list(join(root, "plain/s")), ["a.x"]);
  });
});

Deno.test("an .ignore that is a link counts, and its capitals do, whatever git folds", async () => {
  const files = {
    ".git/config": "[core]\n\tignoreCase = true\n",
    "rules": "*.LOG\n",
    "a.log": "",
    "b.LOG": "",
  };
  await withWorkspace(files, async (root) => {
    await Deno.symlink("rules", join(root, ".ignore"));
    assert.deepEqual(list(root), [".ignore", "a.log", "rules"]);
  });
});

Deno.test("with ignoreFiles off only git's rules count", async () => {
  const files = {
    ".ignore": "c\n",
    "p/.gitignore": "a\n",
    "p/.ignore": "b\n",
    "p/.rgignore": "!a\n",
    "p/a": "",
    "p/b": "",
    "p/c": "",
  };
  await withWorkspace(files, (root) => {
    const files = new FileList(join(root, "p"), { ...NO_PLACES, ignoreFiles: false });
    const paths = [...files.walk(newWalkReport())].flatMap((each) => each.files);
    assert.deepEqual(paths.flatMap((block) => block.split("\0")).sort(), [
      ".gitignore",
      ".ignore",
      ".rgignore",
      "b",
      "c",
    ]);
  });
});

const hasRipgrep = await new Deno.Command("rg", { args: ["--version"] }).output()
  .then(() => true, () => false);
if (!hasRipgrep) console.warn("ripgrep is not installed: it judges nothing here");

async function judgedByRipgrep() {
  const name = fc.constantFrom("a", "b", "ab", "a.b", ".c", "A");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const glob = fc.oneof(path, fc.constantFrom("*", "*.b", "?", "**/b", "a/**", "[ab]", "/a"));
  const rule = fc.tuple(fc.constantFrom("", "", "!"), glob, fc.constantFrom("", "", "/"))
    .map((parts) => parts.join(""));
  const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
  const file = fc.constantFrom(".ignore", ".rgignore", ".gitignore");
  const tree = fc.tuple(
    fc.uniqueArray(path, { minLength: 4, maxLength: 14 }),
    fc.array(fc.tuple(fc.option(path, { nil: "" }), file, rules), { minLength: 1, maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(tree, async ([paths, ignores]) => {
      await withWorkspace({ "r/.git/HEAD": "" }, async (top) => {
        const root = join(top, "r");
        const write = async (file: string, text: string) => {
          try {
            await Deno.mkdir(dirname(file), { recursive: true });
            await Deno.writeTextFile(file, text);
          } catch {
            // the path runs through a file made before
          }
        };
        for (const [folder, name, text] of ignores) await write(join(top, folder, name), text);
        for (const [folder, name, text] of ignores) await write(join(root, folder, name), text);
        for (const each of paths) await write(join(root, each), "x");
        const { code, stdout, stderr } = await new Deno.Command("rg", {
          args: ["--files", "--hidden", "--no-config", "--no-ignore-global", "-0", "-g", "!.git"],
          cwd: root,
        }).output();
        assert.ok(code < 2, new TextDecoder().decode(stderr));
        const listed = new TextDecoder().decode(stdout).split("\0").filter(Boolean).sort();
        assert.deepEqual(list(root).sort(), listed);
      });
    }),
    { numRuns: runs(40) },
  );
}

Deno.test({
  name: "random trees with .ignore and .rgignore anywhere: the files that rg lists",
  ignore: !hasRipgrep,
  fn: judgedByRipgrep,
});

Deno.test("without a repository node_modules is left out and counted", async () => {
  const files = { "a.js": "", "node_modules/x/i.js": "", "p/node_modules/y/i.js": "" };
  await withWorkspace(files, (root) => {
    const report = newWalkReport();
    assert.deepEqual(list(root, report), ["a.js"]);
    assert.equal(report.dependencies, 2);
    assert.deepEqual(list(join(root, "node_modules")), ["x/i.js"]);
  });
});

Deno.test("a folder named by hand is walked although git ignores it", async () => {
  const files = { ".git/HEAD": "", ".gitignore": "vendor/\n", "vendor/a/b.js": "", "c.js": "" };
  await withWorkspace(files, (root) => {
    assert.deepEqual(list(root), [".gitignore", "c.js"]);
    const report = newWalkReport();
    assert.deepEqual(list(join(root, "vendor"), report), ["a/b.js"]);
    assert.equal(report.rootIgnored, true);
  });
});

Deno.test("narnat's private folders are left out, its rules are not", async () => {
  const files = { ".narnat/logs/a.log": "", ".narnat/rules/b.md": "", "logs/c.txt": "" };
  await withWorkspace(files, (root) => {
    assert.deepEqual(list(root), [".narnat/rules/b.md", "logs/c.txt"]);
  });
});

Deno.test("links are listed and not followed, a link to its own parent does no harm", async () => {
  await withWorkspace({ "a/b.txt": "" }, async (root) => {
    await Deno.symlink("..", join(root, "a/up"));
    await Deno.symlink("a/b.txt", join(root, "link.txt"));
    assert.deepEqual(list(root), ["a/b.txt", "a/up", "link.txt"]);
  });
});

Deno.test("a folder that cannot be listed is reported and the rest is walked", async () => {
  await withWorkspace({ "a.txt": "" }, (root) => {
    const report = newWalkReport();
    assert.deepEqual(list(join(root, "missing"), report), []);
    assert.deepEqual(report.unreadable, ["."]);
  });
});

Deno.test("a repository inside another begins its own rules", async () => {
  const files = {
    ".git/HEAD": "",
    ".gitignore": "*.txt\n",
    "sub/.git/HEAD": "",
    "sub/a.txt": "",
    "b.txt": "",
  };
  await withWorkspace(files, (root) => {
    assert.deepEqual(list(root), [".gitignore", "sub/a.txt"]);
  });
});

Deno.test("random trees and rules: the same files as git ls-files, but for tracked ones that are ignored", async () => {
  const name = fc.constantFrom("a", "b", "ab", "a.b", ".c", "#x", "A", "a b");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const piece = fc.constantFrom(
    "a",
    "b",
    "*",
    "?",
    "**",
    "/",
    "[ab]",
    "[!a]",
    ".",
    "\\a",
    "c",
    "#",
  );
  const rule = fc.tuple(
    fc.constantFrom("", "", "!", "/", "!/"),
    fc.oneof(path, fc.array(piece, { minLength: 1, maxLength: 4 }).map((each) => each.join(""))),
    fc.constantFrom("", "", "/", "/*", "/**", " "),
  ).map((parts) => parts.join(""));
  const rules = fc.array(rule, { maxLength: 5 }).map((lines) => lines.join("\n") + "\n");
  const tree = fc.tuple(
    fc.uniqueArray(path, { minLength: 3, maxLength: 14 }),
    fc.array(fc.tuple(fc.option(path, { nil: "" }), rules), { maxLength: 3 }),
    fc.integer({ min: 1, max: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(tree, async ([paths, ignores, nth]) => {
      // as much of a repository as git needs to know it
      const empty = {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/x": "",
        ".git/refs/x": "",
      };
      await withWorkspace(empty, async (root) => {
        const write = async (file: string, text: string) => {
          try {
            await Deno.mkdir(dirname(file), { recursive: true });
            await Deno.writeTextFile(file, text);
          } catch {
            // the path runs through a file made before
          }
        };
        for (const [folder, text] of ignores) await write(join(root, folder, ".gitignore"), text);
        for (const each of paths) await write(join(root, each), "x");
        const others = (...more: string[]) => git(root, "ls-files", "-z", ...more);
        const namesOf = (text: string) => text.split("\0").filter(Boolean);
        const all = filesBelow(root).sort();
        const tracked = all.filter((_, index) => index % nth === 0);
        if (tracked.length > 0) {
          await git(root, "--literal-pathspecs", "add", "-f", "--", ...tracked);
        }
        // the one difference, which is ripgrep's too: rules hold for tracked files as well
        const [wanted, ignored] = await Promise.all([
          others("--cached", "--others", "--exclude-standard"),
          others("--cached", "--ignored", "--exclude-standard"),
        ]).then((both) => both.map(namesOf) as [string[], string[]]);
        assert.deepEqual(
          list(root).sort(),
          wanted.filter((each) => !ignored.includes(each)).sort(),
        );
      });
    }),
    { numRuns: runs(100) },
  );
});
