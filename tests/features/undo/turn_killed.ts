/** A turn that changes one file after another in a folder; says when it begins and when it is at work, to be killed meanwhile. */
import { join } from "node:path";
import { keep } from "./checkpoints.ts";

const root = Deno.args[0]!;
console.log("begins");
const kept = keep(root);
for (let turn = 1;; turn++) {
  kept.begin(`main ${turn}`, { session: "s", turn, text: `turn ${turn}` }, false);
  kept.start(`main ${turn}`);
  if (turn === 1) console.log("at work");
  for (let i = 0; i < 40; i++) Deno.writeTextFileSync(join(root, `f${i}`), `${turn} ${i}`);
  Deno.removeSync(join(root, `f${turn % 40}`));
  kept.look(`main ${turn}`);
  kept.end(`main ${turn}`);
}
