import assert from "node:assert/strict";
import { join } from "node:path";
import { createKeeper } from "../../src/context/mod.ts";
import { projectAbove } from "../../src/context/project_above.ts";
import { promptOptions } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const above = (workspace: string, userDir?: string) =>
  projectAbove(promptOptions(workspace, { userDir }))?.dir;

Deno.test("a project above a folder without settings of its own is told once", () =>
  withWorkspace({
    "p/.narnat/rules/a.md": "x",
    "p/.git/HEAD": "",
    "p/sub/deep/x.ts": "",
    "p/own/.narnat/narnat.md": "mine",
    "p/used/.narnat/sessions/x.jsonl": "",
  }, async (root) => {
    const project = join(root, "p");
    for (const sub of ["p/sub", "p/sub/deep", "p/used"]) {
      assert.equal(above(join(root, sub)), project, sub);
    }
    for (const sub of ["p", "p/own"]) assert.equal(above(join(root, sub)), undefined, sub);
    const keeper = createKeeper(promptOptions(join(root, "p/sub")));
    await keeper.ready();
    assert.deepEqual(keeper.beforeTurn(1), [
      `.narnat of ${project} is not used here; narnat -C ${project} uses it`,
    ]);
    assert.deepEqual(keeper.beforeTurn(2), []);
  }));

Deno.test("servers, commands and agents of a project above are told of too", () =>
  withWorkspace({
    "p/.git/HEAD": "",
    "p/.mcp.json": "{}",
    "p/.narnat/commands/a.md": "x",
    "p/sub/x.ts": "",
    "p/own/.mcp.json": "{}",
    "p/own/sub/x.ts": "",
  }, async (root) => {
    const told = async (sub: string) => {
      const keeper = createKeeper(promptOptions(join(root, sub)));
      await keeper.ready();
      return keeper.beforeTurn(1);
    };
    const [project, own] = [join(root, "p"), join(root, "p/own")];
    assert.deepEqual(await told("p/sub"), [
      `.narnat, .mcp.json of ${project} are not used here; narnat -C ${project} uses them`,
    ]);
    assert.deepEqual(await told("p/own/sub"), [
      `.mcp.json of ${own} is not used here; narnat -C ${own} uses it`,
    ]);
    assert.deepEqual([await told("p"), await told("p/own")], [[], []]);
  }));

Deno.test("beyond the root of a repository and in the home nothing is looked for", () =>
  withWorkspace({
    "home/.narnat/narnat.json": "{}",
    "home/a/x": "",
    "home/repo/.git/HEAD": "",
    "home/repo/a/x": "",
    "home/p/.narnat/sessions/x.jsonl": "",
    "home/p/a/x": "",
  }, (root) => {
    const userDir = join(root, "home/.narnat");
    for (const sub of ["a", "repo/a", "p/a"]) {
      assert.equal(above(join(root, "home", sub), userDir), undefined, sub);
    }
    assert.equal(above(join(root, "home/repo/a")), undefined);
    assert.equal(above(join(root, "home/a")), join(root, "home"));
  }));
