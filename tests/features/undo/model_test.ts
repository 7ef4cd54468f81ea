import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { keep, snapshot } from "./checkpoints.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const NAMES = ["a", "b", "目录", "new\nline", "d/a", "d/b", "d/e/f", "d e/'q\".txt", "-x"];

type Op =
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "append"; readonly path: string; readonly text: string }
  | { readonly do: "remove" | "mkdir"; readonly path: string }
  | { readonly do: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly do: "chmod"; readonly path: string; readonly mode: number };

const path = fc.constantFrom(...NAMES, "d", "d/e");
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({
    do: fc.constant("write" as const),
    path,
    text: fc.constantFrom("", "x", "y\n", "z"),
  }),
  fc.record({ do: fc.constant("append" as const), path, text: fc.constantFrom("x", "y") }),
  fc.record({ do: fc.constantFrom("remove" as const, "mkdir" as const), path }),
  fc.record({ do: fc.constantFrom("rename" as const, "link" as const), path, to: path }),
  fc.record({
    do: fc.constant("chmod" as const),
    path,
    mode: fc.constantFrom(0o700, 0o755, 0o555),
  }),
);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.array(op, { minLength: 1, maxLength: 6 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 2, arbitrary: fc.constant("redo" as const) },
);

function apply(root: string, step: Op): void {
  const at = join(root, step.path);
  try {
    if (step.do === "write") {
      Deno.mkdirSync(dirname(at), { recursive: true });
      // what a program does that replaces a file by a new one, or a link
      if (step.text === "z") Deno.removeSync(at);
      Deno.writeTextFileSync(at, step.text);
    } else if (step.do === "append") Deno.writeTextFileSync(at, step.text, { append: true });
    else if (step.do === "remove") Deno.removeSync(at, { recursive: true });
    else if (step.do === "mkdir") Deno.mkdirSync(at, { recursive: true });
    else if (step.do === "rename") Deno.renameSync(at, join(root, step.to));
    else if (step.do === "link") Deno.symlinkSync(step.to, at);
    else if (step.do === "chmod" && !Deno.lstatSync(at).isSymlink) Deno.chmodSync(at, step.mode);
  } catch { /* it cannot be done as things are */ }
}

Deno.test(
  "whatever turns do, undo and redo in any order bring back the tree that was recorded",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
        await withWorkspace({ a: "1", "d/a": "2" }, async (root) => {
          const kept = keep(root);
          /** The trees before the turns that can be undone; and what was undone in one go, with the tree it left. */
          const past: Record<string, string>[] = [];
          const future: { turns: typeof past; tree: (typeof past)[number] }[] = [];
          for (const each of actions) {
            if (each === "redo") {
              const undone = future.pop();
              if (undone === undefined) {
                assert.throws(() => kept.preview({ what: "redo" }), { why: "redo" });
                continue;
              }
              const { failed, preview } = kept.take({ what: "redo", session: "s" });
              assert.deepEqual([failed, preview.conflicts, preview.fixed], [[], [], []]);
              assert.deepEqual(snapshot(root), undone.tree);
              past.push(...undone.turns);
            } else if (typeof each === "number") {
              const count = Math.min(each, past.length);
              if (count === 0) {
                assert.throws(() => kept.preview({ what: "undo" }), { why: "undo" });
                continue;
              }
              const tree = snapshot(root);
              const { failed, preview } = kept.take({ what: "undo", session: "s", count });
              assert.deepEqual([failed, preview.conflicts, preview.fixed], [[], [], []]);
              const turns = past.splice(-count);
              assert.deepEqual(snapshot(root), turns[0]);
              future.push({ turns, tree });
            } else {
              const before = snapshot(root);
              const paths = await kept.turn(() => each.forEach((step) => apply(root, step)));
              const after = snapshot(root);
              const differ = [...new Set([...Object.keys(before), ...Object.keys(after)])]
                .filter((name) => before[name] !== after[name]).sort();
              assert.deepEqual(paths, differ);
              if (differ.length === 0) continue;
              past.push(before);
              future.length = 0;
            }
          }
          kept.close();
          for (const [path, what] of Object.entries(snapshot(root))) {
            if (what.startsWith("folder")) Deno.chmodSync(join(root, path), 0o755);
          }
        });
      }),
      { numRuns: runs(150) },
    );
  },
);
