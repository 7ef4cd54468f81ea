/** Undoes the last turn of a folder; says when it begins, to be killed meanwhile. */
import { keep } from "../checkpoints.ts";

const kept = keep(Deno.args[0]!);
const { id } = kept.preview({ what: "undo" });
console.log("begins");
kept.restore(id, []);
kept.close();
