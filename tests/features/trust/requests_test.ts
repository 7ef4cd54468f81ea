import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import { isTrusted, type Trusted, trustedBefore } from "../../../src/config/project.ts";
import { trust, untrust } from "../../../src/features/trust/requests.ts";
import { runs } from "../../support/soak.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const MODULE = new URL("../../../src/features/trust/requests.ts", import.meta.url).href;

Deno.test("trust holds for one path and one content of one thing", async () => {
  await withWorkspace({}, async (home) => {
    const hooks = { what: "hooks", hash: "aa" };
    await trust(home, "/p", [hooks, { what: ".mcp.json", hash: "bb" }]);
    const cases: [path: string, wanted: Trusted, expected: boolean][] = [
      ["/p", hooks, true],
      ["/p", { what: ".mcp.json", hash: "bb" }, true],
      ["/p", { what: "hooks", hash: "bb" }, false],
      ["/p", { what: "skills", hash: "aa" }, false],
      ["/p/below", hooks, false],
      ["/", hooks, false],
    ];
    for (const [path, wanted, expected] of cases) {
      assert.equal(isTrusted(home, path, wanted), expected, `${path} ${wanted.what}`);
    }
  });
});

Deno.test("it is what was trusted last, whatever the paths and names are", async () => {
  const name = fc.constantFrom("/a", "/b", "__proto__", "constructor", "hooks");
  const step = fc.record({
    path: name,
    what: name,
    hash: fc.constantFrom("1", "2"),
    off: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      await withWorkspace({}, async (home) => {
        const model = new Map<string, string>();
        for (const { path, what, hash, off } of steps) {
          if (off) {
            const gone = [...model.keys()].filter((key) => key.startsWith(`${path}\0`));
            assert.equal((await untrust(home, path)).length, gone.length);
            for (const key of gone) model.delete(key);
          } else {
            await trust(home, path, [{ what, hash }]);
            model.set(`${path}\0${what}`, hash);
          }
        }
        for (const { path, what } of steps) {
          for (const hash of ["1", "2"]) {
            const expected = model.get(`${path}\0${what}`) === hash;
            assert.equal(isTrusted(home, path, { what, hash }), expected);
          }
        }
      });
    }),
    { numRuns: runs(100) },
  );
});

Deno.test("the file is the user's alone", async () => {
  await withWorkspace({}, async (root) => {
    const home = join(root, "deep/.narnat");
    await trust(home, "/p", [{ what: "hooks", hash: "aa" }]);
    assert.equal((await Deno.stat(join(home, "trust.json"))).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(home)).mode! & 0o777, 0o700);
  });
});

Deno.test("a file that is no trust of ours trusts nothing, and is written anew", async () => {
  for (const text of ["", "{", "[]", "null", '{"/p":null}', '{"/p":{"hooks":1}}', '"/p"']) {
    await withWorkspace({ "trust.json": text }, async (home) => {
      const hooks = { what: "hooks", hash: "1" };
      assert.equal(isTrusted(home, "/p", hooks), false, text);
      assert.deepEqual([...await untrust(home, "/q")], []);
      await trust(home, "/p", [hooks]);
      assert.equal(isTrusted(home, "/p", hooks), true, text);
    });
  }
});

Deno.test("several processes lose nothing of each other's", async () => {
  await withWorkspace({}, async (home) => {
    const program = `import { trust } from ${JSON.stringify(MODULE)};
      for (let i = 0; i < 5; i++) {
        await trust(Deno.args[0], "/p" + Deno.args[1] + i, [{ what: "hooks", hash: "h" }]);
      }`;
    const file = join(home, "program.ts");
    await Deno.writeTextFile(file, program);
    const run = (n: number) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-config", "--no-lock", file, home, String(n)],
      }).output();
    const outcomes = await Promise.all([0, 1, 2, 3].map(run));
    for (const { success, stderr } of outcomes) {
      assert.ok(success, new TextDecoder().decode(stderr));
    }
    for (let n = 0; n < 4; n++) {
      for (let i = 0; i < 5; i++) {
        assert.ok(isTrusted(home, `/p${n}${i}`, { what: "hooks", hash: "h" }), `${n} ${i}`);
      }
    }
  });
});

Deno.test("what was seen is kept beside the hash, and a file of hashes alone is still read", async () => {
  const old = JSON.stringify({ "/p": { hooks: "aa", "bad": 1, "worse": { rows: [] } } });
  await withWorkspace({ "trust.json": old }, async (home) => {
    assert.ok(isTrusted(home, "/p", { what: "hooks", hash: "aa" }));
    assert.deepEqual(trustedBefore(home, "/p", "hooks"), { hash: "aa" });
    await trust(home, "/p", [{ what: ".mcp.json", hash: "bb", rows: ["one: x"] }]);
    assert.deepEqual(trustedBefore(home, "/p", ".mcp.json"), { hash: "bb", rows: ["one: x"] });
    assert.ok(isTrusted(home, "/p", { what: "hooks", hash: "aa" }));
    for (const what of ["bad", "worse"]) assert.equal(trustedBefore(home, "/p", what), undefined);
  });
});
