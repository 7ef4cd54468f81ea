import assert from "node:assert/strict";
import { join } from "node:path";
import { isOutside, visible } from "../../src/shell/targets.ts";

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
