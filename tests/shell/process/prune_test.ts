import assert from "node:assert/strict";
import { join } from "node:path";
import { pruneOutputs } from "../../../src/shell/process/jobs.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const name = (n: number, kind = "bash") => `${kind}-${1000 + n}-0000000${n}.txt`;

/** Files by path, the first the oldest. */
async function withOutputs(paths: readonly string[], use: (root: string) => Promise<void>) {
  const files = Object.fromEntries(paths.map((path) => [path, "0123456789"]));
  await withWorkspace(files, async (root) => {
    for (const [at, path] of paths.entries()) {
      await Deno.utime(join(root, path), 1_000_000 + at, 1_000_000 + at);
    }
    await use(root);
  });
}

async function left(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(root)) {
    if (!entry.isDirectory) found.push(entry.name);
    else for (const one of await left(join(root, entry.name))) found.push(`${entry.name}/${one}`);
    if (entry.isDirectory) found.push(entry.name + "/");
  }
  return found.sort();
}

Deno.test("the oldest go first, whichever session they are of, and folders that become empty", async () => {
  await withOutputs(["a/result_12.txt", "b/" + name(2), "b/" + name(3, "job")], async (root) => {
    await pruneOutputs(root, new Set(), { files: 2, bytes: 1e6 });
    assert.deepEqual(await left(root), ["b/", `b/${name(2)}`, `b/${name(3, "job")}`].sort());
    await pruneOutputs(root, new Set(), { files: 9, bytes: 15 });
    assert.deepEqual(await left(root), ["b/", `b/${name(3, "job")}`]);
  });
});

Deno.test("copies of what servers and agents said go like those of commands", async () => {
  const theirs = ["mcp-0a1b2c3d.txt", "agent-0a1b2c3d.md", "agent-安-12.md"];
  await withOutputs([...theirs.map((name) => `s/${name}`), name(1)], async (root) => {
    await pruneOutputs(root, new Set(), { files: 1, bytes: 1e6 });
    assert.deepEqual(await left(root), [name(1)]);
  });
});

Deno.test("what is not ours or in use stays", async () => {
  const theirs = [
    "agent.md",
    "bash-1-x.txt",
    "mcp-notes.txt",
    "notes.txt",
    "deep/er/" + name(2),
    "job-1-0000000g.txt",
  ];
  await withOutputs([...theirs, name(3), name(4)], async (root) => {
    await pruneOutputs(root, new Set([join(root, name(3))]), { files: 0, bytes: 0 });
    const kept = (await left(root)).filter((path) => !path.endsWith("/"));
    assert.deepEqual(kept, [...theirs, name(3)].sort());
  });
});

Deno.test("a folder that is not there is no trouble", async () => {
  await pruneOutputs("/nowhere/at/all", new Set());
});
