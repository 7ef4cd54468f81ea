import assert from "node:assert/strict";
import { posix as judge } from "node:path";
import fc from "fast-check";
import { posix } from "../../src/base/path.ts";
import { runs } from "../support/soak.ts";

const PATH = fc.array(
  fc.constantFrom("/", "/", ".", "..", "a", "b.c", ".d", "中 e", "-", "\\", "~"),
  {
    maxLength: 9,
  },
).map((parts) => parts.join(""));
const RUNS = { numRuns: runs(20_000) };

Deno.test("paths are read as Node reads them", () => {
  fc.assert(
    fc.property(PATH, (path) => {
      assert.equal(posix.normalize(path), judge.normalize(path));
      assert.equal(posix.dirname(path), judge.dirname(path));
      assert.equal(posix.basename(path), judge.basename(path));
      assert.equal(posix.isAbsolute(path), judge.isAbsolute(path));
      assert.equal(posix.resolve(path), judge.resolve(path));
      assert.equal(posix.join(path), judge.join(path));
    }),
    RUNS,
  );
});

Deno.test("two paths are joined, resolved and compared as Node does it", () => {
  fc.assert(
    fc.property(PATH, PATH, (one, two) => {
      assert.equal(posix.join(one, two), judge.join(one, two));
      assert.equal(posix.resolve(one, two), judge.resolve(one, two));
      assert.equal(posix.relative(one, two), judge.relative(one, two));
    }),
    RUNS,
  );
});

Deno.test("nothing given is the folder one is in", () => {
  assert.deepEqual([posix.join(), posix.resolve()], [judge.join(), judge.resolve()]);
});

Deno.test("an ending is taken from a name as Node does it", () => {
  fc.assert(
    fc.property(PATH, fc.constantFrom("", ".c", "c", "a", "b.c", ".d", "e"), (path, ending) => {
      // of nothing but slashes Node gives back the slashes when it is given an ending
      fc.pre(/[^/]/.test(path));
      assert.equal(posix.basename(path, ending), judge.basename(path, ending));
    }),
    RUNS,
  );
});
