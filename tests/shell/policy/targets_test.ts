import assert from "node:assert/strict";
import { join } from "node:path";
import { isOutside, matches, targetsOf, visible } from "../../../src/shell/policy/targets.ts";
import { ONE, STAR, UNKNOWN } from "../../../src/shell/policy/reader/words.ts";

Deno.test("what a terminal would not show is written out, other text stays", () => {
  assert.equal(visible("a b/旧 文件.txt"), "a b/旧 文件.txt");
  assert.equal(
    visible("a\x1b[31m\r\n\t\x7f\u202eb\u3000"),
    "a\\u{1b}[31m\\r\\n\\t\\u{7f}\\u{202e}b\\u{3000}",
  );
});

Deno.test("outside is decided on real paths, not on how they begin", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const space = join(root, "app");
    await Deno.mkdir(join(root, "app-evil"));
    await Deno.mkdir(join(space, "in"), { recursive: true });
    await Deno.symlink(join(root, "app-evil"), join(space, "way"));
    await Deno.symlink(space, join(root, "door"));
    const outside = (...parts: string[]) => isOutside(join(root, ...parts), space);
    assert.deepEqual(
      [outside("app", "in"), outside("app", "new", "x"), outside("door", "in"), outside("app")],
      [false, false, false, false],
    );
    assert.deepEqual(
      [outside("app-evil"), outside("app", "way", "x"), outside("b"), isOutside("/", space)],
      [true, true, true, true],
    );
    assert.equal(isOutside("$HOME/x", space), false);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a star below a known folder is a path, what is not known stays as written", () => {
  const paths = (text: string, source: string) =>
    targetsOf({ text, source }, "/space", "/home/me", false);
  assert.deepEqual(paths(`/space/${STAR}`, '"$PWD"/*'), ["/space/*"]);
  assert.deepEqual(paths(`/space/my dir/${STAR}.o`, '"my dir"/*.o'), ["/space/my dir/*.o"]);
  assert.deepEqual(paths(`/home/me/${STAR}`, "~/*"), ["/home/me/*"]);
  assert.deepEqual(paths(`${UNKNOWN}/${STAR}`, "$dir/*"), ["$dir/*"]);
  assert.deepEqual(paths(`a${ONE}`, "a?"), ["/space/a?"]);
  assert.deepEqual(paths(STAR, "!(kept)"), ["/space/!(kept)"]);
  assert.deepEqual(paths(`a*b${STAR}`, "'a*b'*"), ["/space/'a*b'*"], "one star is the name's");
});

Deno.test("two dots leave what a link leads to, as the system goes it", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, "far/sub"), { recursive: true });
    await Deno.mkdir(join(root, "app/in"), { recursive: true });
    await Deno.symlink("../far/sub", join(root, "app/l"));
    const of = (text: string, cwd = "app") =>
      targetsOf({ text, source: text }, join(root, cwd), undefined);
    assert.deepEqual(of("l/../x"), [join(root, "far/x")]);
    assert.deepEqual(of("../x", "app/l"), [join(root, "far/x")]);
    assert.deepEqual(of(`${root}/app/l/../../x`), [join(root, "x")]);
    assert.deepEqual(of("in/../x"), [join(root, "app/x")]);
    assert.deepEqual(of("none/../x"), [join(root, "app/x")]);
    assert.deepEqual(of("./l"), [join(root, "app/l")]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a tilde is the home only where the shell takes it so", () => {
  const paths = (text: string, source = text) =>
    targetsOf({ text, source }, "/space", "/home/me", false);
  assert.deepEqual([...paths("~"), ...paths("~/x")], ["/home/me", "/home/me/x"]);
  // a folder of that name
  assert.deepEqual(paths("~", "'~'"), ["/space/~"]);
  assert.deepEqual(paths("~/x", '"~/x"'), ["/space/~/x"]);
  assert.deepEqual(paths("~", "\\~"), ["/space/~"]);
  // somebody else's home, the folder before
  assert.deepEqual([...paths("~root/x"), ...paths("~-")], ["~root/x", "~-"]);
  assert.deepEqual(paths("~root", "'~root'"), ["/space/~root"]);
});

Deno.test("what a wildcard is not followed to is told", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const name of ["a1", "a2", "b1"]) await Deno.writeTextFile(join(root, name), "");
    const found = (limit: number, listed: number) => {
      const { paths, more } = matches(join(root, "a*"), limit, listed);
      return [paths.length, more];
    };
    assert.deepEqual([found(2, 3), found(1, 3)], [[2, false], [1, true]]);
    assert.equal(found(2, 2)[1], true);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
