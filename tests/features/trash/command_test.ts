import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { trash } from "../../../src/features/trash/command.ts";
import { keepInTrash } from "../../../src/features/trash/bash.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { testController } from "../../support/test_controller.ts";

async function remove(root: string, names: readonly string[]): Promise<string> {
  const mark = { session: "s", turn: 3, command: `rm ${names.join(" ")}` };
  const paths = names.map((name) => join(root, name));
  const kept = await keepInTrash(
    join(root, ".narnat", "trash"),
    paths,
    mark,
    new AbortController().signal,
  );
  for (const path of paths) Deno.removeSync(path, { recursive: true });
  return (await kept!.settle())!.id;
}

Deno.test("/trash lists what was deleted, brings it back, tells the model, and asks before it empties", async () => {
  await withWorkspace({ "a b": "a", "d/x": "x", "d/y": "y" }, async (root) => {
    const { controller: plain, asked } = testController();
    let answer = false;
    const controller = Object.assign(Object.create(plain) as typeof plain, {
      workspace: root,
      ask: ({ question }: { question: string }) => {
        asked.push(`ask: ${question}`);
        return Promise.resolve(answer);
      },
    });
    assert.equal(await trash.run("", controller), "The trash is empty");
    const id = await remove(root, ["a b", "d"]);
    const list = await trash.run("", controller);
    assert.match(list, new RegExp(`^${id}  \\S+ \\S+  3 files, 3 B  rm a b d\n {8}a b, d\n`));
    assert.equal(await trash.run(`restore ${id} a b`, controller), "Brought back: a b");
    assert.match(asked.at(-1)!, /note The user has brought back from the trash: a b/);
    Deno.mkdirSync(join(root, "d"));
    Deno.writeTextFileSync(join(root, "d", "x"), "new");
    assert.match(
      await trash.run(`restore ${id}`, controller),
      /^Brought back: d\/y\nNot brought back, something else is there now[^\n]*: d\/x$/,
    );
    assert.equal(await trash.run(`restore ${id} ../x`, controller), `There is no ../x in ${id}`);
    await assert.rejects(async () => await trash.run("restore 123456", controller), /no 123456/);
    for (const wrong of ["restore", "drop", "empty all", "list x"]) {
      await assert.rejects(async () => await trash.run(wrong, controller), /Usage: \/trash \[list/);
    }
    assert.match(await trash.run("empty", controller), /Nothing was undone/);
    assert.match(asked.at(-1)!, /ask: Empty the trash \(1 entry\) for good\?/);
    answer = true;
    assert.equal(await trash.run("empty", controller), "Emptied (1 entry)");
    assert.equal(
      await trash.run("", { ...controller, workspace: root, t: chinese }),
      "回收站是空的",
    );
    Deno.writeTextFileSync(join(root, "x\u202ecod.sh"), "");
    await remove(root, ["x\u202ecod.sh"]);
    const shown = await trash.run("", controller);
    assert.doesNotMatch(shown, /\u202e/);
    assert.match(shown, /rm x<U\+202E>cod\.sh\n +x<U\+202E>cod\.sh/);
  });
});
