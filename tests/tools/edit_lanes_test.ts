/** Several lanes, and several processes, at one file: each keeps what the others did. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { edit } from "../../src/tools/edit/edit.ts";
import { read } from "../../src/tools/read/read.ts";
import { write } from "../../src/tools/write/write.ts";
import { ToolRunner } from "../support/tool_context.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

const CHANGED = /changed (?:since|meanwhile|at this very moment)/;

/** Counts a lane's own line up, reading anew whenever another was faster; returns how often that was. */
async function countUp(runner: ToolRunner, file_path: string, lane: number, times: number) {
  let lost = 0;
  await runner.run(read, { file_path });
  for (let n = 0; n < times;) {
    const [old_string, new_string] = [`lane ${lane}: ${n};`, `lane ${lane}: ${n + 1};`];
    const { ok, text } = await runner.run(edit, { file_path, old_string, new_string });
    if (ok) {
      n++;
      continue;
    }
    assert.match(text, CHANGED);
    lost++;
    await runner.run(read, { file_path });
  }
  return lost;
}

const lines = (lanes: number, n: number) =>
  Array.from({ length: lanes }, (_, lane) => `lane ${lane}: ${n};\n`).join("");

Deno.test("many lanes edit one file at once: no edit is lost, who was slower is told", async () => {
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 1, max: 2 }),
      fc.boolean(),
      async (lanes, times, linked) => {
        await withWorkspace({ "shared.txt": lines(lanes, 0) }, async (root) => {
          // a file with a second name is written in its place
          if (linked) await Deno.link(join(root, "shared.txt"), join(root, "other.txt"));
          const runs = Array.from(
            { length: lanes },
            (_, lane) => countUp(new ToolRunner(root), "shared.txt", lane, times),
          );
          for (const one of await Promise.all(runs)) lost += one;
          const text = await Deno.readTextFile(join(root, "shared.txt"));
          assert.equal(text, lines(lanes, times));
        });
      },
    ),
    { numRuns: runs(100) },
  );
  assert.ok(lost > 0, "nobody was ever in another's way");
});

slow("many lanes write one file whole at once: one does, the others are told", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }),
      fc.constantFrom("new", "empty", "full"),
      async (lanes, what) => {
        const there: Files = what === "new" ? {} : { "f.txt": what === "full" ? "old\n" : "" };
        await withWorkspace(there, async (root) => {
          const runners = Array.from({ length: lanes }, () => new ToolRunner(root));
          if (what !== "new") {
            for (const runner of runners) await runner.run(read, { file_path: "f.txt" });
          }
          const results = await Promise.all(
            runners.map((runner, i) =>
              runner.run(write, { file_path: "f.txt", content: `by ${i}\n` })
            ),
          );
          const winners = results.flatMap(({ ok }, i) => ok ? [i] : []);
          assert.equal(winners.length, 1);
          for (const { ok, text } of results) {
            if (!ok) assert.match(text, /changed|not been Read|Read/);
          }
          assert.equal(await Deno.readTextFile(join(root, "f.txt")), `by ${winners[0]}\n`);
        });
      },
    ),
    { numRuns: runs(100) },
  );
});

slow("also between processes no edit is lost", async () => {
  const [lanes, times] = [3, 15];
  const url = (path: string) => JSON.stringify(import.meta.resolve(path));
  const program = (root: string, lane: number) => `
    import { edit } from ${url("../../src/tools/edit/edit.ts")};
    import { read } from ${url("../../src/tools/read/read.ts")};
    import { ToolRunner } from ${url("../support/tool_context.ts")};
    const runner = new ToolRunner(${JSON.stringify(root)});
    const file_path = "shared.txt";
    await runner.run(read, { file_path });
    for (let n = 0; n < ${times};) {
      const [old_string, new_string] = ["lane ${lane}: " + n + ";", "lane ${lane}: " + (n + 1) + ";"];
      const { ok, text } = await runner.run(edit, { file_path, old_string, new_string });
      if (ok) n++;
      else if (/changed/.test(text)) await runner.run(read, { file_path });
      else throw new Error(text);
    }`;
  await withWorkspace({ "shared.txt": lines(lanes, 0) }, async (root) => {
    const ended = await Promise.all(Array.from({ length: lanes }, (_, lane) => {
      const script = join(root, `${lane}.ts`);
      Deno.writeTextFileSync(script, program(root, lane));
      const config = new URL("../../deno.json", import.meta.url).pathname;
      const args = ["run", "-A", "--no-check", "--no-lock", "--config", config, script];
      return new Deno.Command(Deno.execPath(), { args }).output();
    }));
    const errors = ended.map(({ stderr }) => new TextDecoder().decode(stderr)).join("");
    assert.deepEqual(ended.map(({ code }) => code), Array(lanes).fill(0), errors);
    assert.equal(await Deno.readTextFile(join(root, "shared.txt")), lines(lanes, times));
  });
});
