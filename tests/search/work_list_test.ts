import assert from "node:assert/strict";
import type { Part } from "../../src/search/file_search.ts";
import { drain, fill } from "../../src/search/run.ts";
import { WorkList, workListMemory } from "../../src/search/work_list.ts";

const never = () => false;

/** A share that only remembers. */
function remembering(): Part & { readonly seen: string[] } {
  const seen: string[] = [];
  return { seen, file: (path) => seen.push(path) > 0, result: () => undefined };
}

Deno.test("what is put in comes out once, names of every kind unchanged", () => {
  const memory = workListMemory();
  const list = new WorkList(memory);
  const paths = ["a", "\ufeffb", "文/😀", "x\ny", "  "];
  fill([paths.slice(0, 2).join("\0"), paths.slice(2).join("\0")], list, remembering(), never);
  const [one, other] = [remembering(), remembering()];
  const view = new WorkList(memory);
  assert.equal(drain(view, one, never) + drain(list, other, never), list.offered);
  assert.deepEqual([...one.seen, ...other.seen], paths);
});

Deno.test("what finds no room is searched by the one who fills", () => {
  const list = new WorkList(workListMemory(1000));
  const filler = remembering();
  const blocks = Array.from({ length: 500 }, (_, i) => `folder/file_${i}\0other/file_${i}`);
  fill(blocks, list, filler, never);
  assert.ok(filler.seen.length > 0);
  drain(list, filler, never);
  assert.deepEqual(filler.seen.sort(), blocks.flatMap((block) => block.split("\0")).sort());
});

Deno.test("a stopped list gives nothing more, and says why first", () => {
  const list = new WorkList(workListMemory());
  fill(["a", "b"], list, remembering(), never);
  list.stop("deadline");
  list.stop("aborted");
  assert.equal(list.take(), undefined);
  assert.equal(list.stopped, "deadline");
  list.reset();
  assert.deepEqual([list.stopped, list.offered], [undefined, 0]);
});
