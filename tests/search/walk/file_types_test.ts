import assert from "node:assert/strict";
import { typeGlobs, typeNames } from "../../../src/search/walk/file_types.ts";

const listed = await new Deno.Command("rg", { args: ["--no-config", "--type-list"] }).output()
  .then(({ stdout }) => new TextDecoder().decode(stdout), () => undefined);
if (listed === undefined) console.warn("ripgrep is not installed: it judges nothing here");

Deno.test({
  name: "every file type of ripgrep is known, with all its globs",
  ignore: listed === undefined,
  fn() {
    const types = listed!.trim().split("\n").map((line) => line.split(": ", 2) as [string, string]);
    assert.ok(types.length > 150);
    for (const [name, globs] of types) {
      const ours = typeGlobs(name);
      assert.ok(ours, name);
      const missing = globs.split(", ").filter((glob) => !ours.includes(glob));
      assert.deepEqual(missing, [], name);
    }
  },
});

Deno.test("other names and endings of file types are understood", () => {
  assert.deepEqual(typeGlobs("python"), typeGlobs("py"));
  assert.deepEqual(typeGlobs(".tsx"), typeGlobs("ts"));
  assert.deepEqual(typeGlobs("*.rs"), ["*.rs"]);
  assert.deepEqual(typeGlobs("Rust"), ["*.rs"]);
  assert.equal(typeGlobs("nope"), undefined);
  assert.equal(typeGlobs("constructor"), undefined);
  for (const name of typeNames()) assert.ok(typeGlobs(name)!.every((glob) => glob !== ""), name);
});
