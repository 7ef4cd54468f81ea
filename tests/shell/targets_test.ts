import assert from "node:assert/strict";
import { join } from "node:path";
import { isOutside, targetsOf, visible } from "../../src/shell/targets.ts";
import { ONE, STAR, UNKNOWN } from "../../src/shell/words.ts";

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
